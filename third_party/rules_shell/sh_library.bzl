# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The native rule under the name of rules_shell."""

sh_library = native.sh_library

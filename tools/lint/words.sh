#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that comments, descriptions and pages use the field's terms (words.py has the table).
exec python3 "$(dirname "$(readlink -f "$0")")/words.py" "$@"

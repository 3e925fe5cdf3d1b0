// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module { "foo.op"() : () -> () }

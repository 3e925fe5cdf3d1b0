// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_CASES_TOKENRULE_H
#define TOOLS_CASES_TOKENRULE_H

namespace tileir::cases {

/// Text with which oracle and emulator report a race within a tile block.
constexpr char kTokenRule[] =
    "only a token orders two accesses of one tile block, a data or control "
    "dependence does not: pass the result token of one to the other (cuTile "
    "Python makes tokens within each array argument, so load and store through "
    "the same one; arguments must not share memory)";

} // namespace tileir::cases

#endif // TOOLS_CASES_TOKENRULE_H

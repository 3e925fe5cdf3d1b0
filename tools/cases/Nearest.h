// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages about unknown names.
#ifndef TOOLS_CASES_NEAREST_H
#define TOOLS_CASES_NEAREST_H

#include <string>
#include <string_view>
#include <vector>

namespace tileir::cases {

/// Returns the name closest to `wrong`, by insertions, deletions and
/// replacements: at most one for every three characters begun. Empty if no name
/// is that close.
std::string nearestName(std::string_view wrong,
                        const std::vector<std::string> &names);

/// Returns `; did you mean 'seed'` if a name is close, followed by `; expected
/// one of a, b, c`.
std::string suggestName(std::string_view wrong,
                        const std::vector<std::string> &names);

} // namespace tileir::cases

#endif // TOOLS_CASES_NEAREST_H

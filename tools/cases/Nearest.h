// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages about names that are not known.
#ifndef TOOLS_CASES_NEAREST_H
#define TOOLS_CASES_NEAREST_H

#include <string>
#include <string_view>
#include <vector>

namespace tileir::cases {

/// The name that `wrong` was most likely meant for: fewest insertions,
/// deletions and replacements, at most one for every three characters begun.
/// Empty when none is as near.
std::string nearestName(std::string_view wrong,
                        const std::vector<std::string> &names);

/// `; did you mean 'seed'` where a name is near, and in any case
/// `; expected one of a, b, c`.
std::string suggestName(std::string_view wrong,
                        const std::vector<std::string> &names);

} // namespace tileir::cases

#endif // TOOLS_CASES_NEAREST_H

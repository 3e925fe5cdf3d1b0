// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_SUPPORT_PRODUCTS_H
#define DIALECTS_SUPPORT_PRODUCTS_H

#include <string>
#include <string_view>

namespace tileir {

/// The chip, as `sm_90`, of a GPU that is called by the name that it is sold
/// under, as `H100` or `RTX 4090`. Capitals, blanks and marks do not count.
/// Empty for names that are not known.
std::string chipOfProduct(std::string_view name);

} // namespace tileir

#endif // DIALECTS_SUPPORT_PRODUCTS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_SUPPORT_PRODUCTS_H
#define DIALECTS_SUPPORT_PRODUCTS_H

#include <string>
#include <string_view>

namespace tileir {

/// Returns the chip, such as `sm_90`, of a GPU with the product name `H100` or
/// `RTX 4090`. Capitals, blanks and punctuation do not count. Empty for unknown
/// names.
std::string chipOfProduct(std::string_view name);

} // namespace tileir

#endif // DIALECTS_SUPPORT_PRODUCTS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Product names that users may type for a chip. Targets.def has the facts about
// chips. Source: NVIDIA's list of compute capabilities by product.
#include "dialects/support/Products.h"

#include <cctype>

namespace tileir {

namespace {
struct Product {
  std::string_view name;
  unsigned chip;
};
} // namespace

static constexpr Product kProducts[] = {
    {"a100", 80},  {"a30", 80},    {"a800", 80},   {"ampere", 80},
    {"a2", 86},    {"a10", 86},    {"a16", 86},    {"a40", 86},
    {"a6000", 86}, {"3060", 86},   {"3070", 86},   {"3080", 86},
    {"3090", 86},  {"orin", 87},   {"l4", 89},     {"l40", 89},
    {"l40s", 89},  {"ada", 89},    {"4060", 89},   {"4070", 89},
    {"4080", 89},  {"4090", 89},   {"h100", 90},   {"h200", 90},
    {"h20", 90},   {"h800", 90},   {"gh200", 90},  {"hopper", 90},
    {"b100", 100}, {"b200", 100},  {"gb200", 100}, {"blackwell", 100},
    {"b300", 103}, {"gb300", 103}, {"thor", 110},  {"5060", 120},
    {"5070", 120}, {"5080", 120},  {"5090", 120},  {"pro6000", 120},
    {"gb10", 121}, {"spark", 121},
};

std::string chipOfProduct(std::string_view name) {
  std::string plain;
  for (unsigned char c : name)
    if (std::isalnum(c))
      plain += char(std::tolower(c));
  for (std::string_view prefix :
       {"nvidia", "geforce", "jetson", "agx", "dgx", "rtx", "tesla"})
    if (plain.compare(0, prefix.size(), prefix) == 0)
      plain.erase(0, prefix.size());
  for (const Product &product : kProducts)
    if (plain == product.name)
      return "sm_" + std::to_string(product.chip);
  return "";
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cases/Nearest.h"

#include <algorithm>

namespace tileir::cases {

/// Returns the Levenshtein distance, computed one table row at a time.
static size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j < row.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::string nearestName(std::string_view wrong,
                        const std::vector<std::string> &names) {
  std::string nearest;
  size_t best = (wrong.size() + 2) / 3 + 1;
  for (const std::string &name : names)
    if (size_t d = distance(wrong, name); d < best) {
      best = d;
      nearest = name;
    }
  return nearest;
}

std::string suggestName(std::string_view wrong,
                        const std::vector<std::string> &names) {
  std::string nearest = nearestName(wrong, names), text;
  if (!nearest.empty())
    text = "; did you mean '" + nearest + "'";
  for (size_t i = 0; i < names.size(); ++i)
    text += (i ? ", " : "; expected one of ") + names[i];
  return text;
}

} // namespace tileir::cases

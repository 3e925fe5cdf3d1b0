// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_SUPPORT_NESTING_H
#define DIALECTS_SUPPORT_NESTING_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tileir {

/// Maximum nesting of text. MLIR's parser, printer and passes are recursive;
/// they exhaust an ordinary stack of 8 MB beyond 2000 levels only.
constexpr unsigned kMaxTextNesting = 1024;

/// A position in text, counted from 1.
struct TextPosition {
  size_t line = 1;
  size_t column = 1;
};

/// Finds the first position at which the brackets of `text`, which is MLIR,
/// nest deeper than `limit` levels; an alias counts as its definition.
/// Malformed text gets any result.
std::optional<TextPosition> findDeepNesting(std::string_view text,
                                            unsigned limit = kMaxTextNesting);

/// Returns the error for such a position.
std::string deepNestingMessage();

} // namespace tileir

#endif // DIALECTS_SUPPORT_NESTING_H

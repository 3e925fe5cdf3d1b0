// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_SUPPORT_NESTING_H
#define DIALECTS_SUPPORT_NESTING_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tileir {

/// Depth to which text may nest before MLIR's parser, printer and passes, all
/// recursive, come near the end of an ordinary stack of 8 MB: that is beyond
/// 2000 levels for all of them.
constexpr unsigned kMaxTextNesting = 1024;

/// A place in text, counted from 1.
struct TextPosition {
  size_t line = 1;
  size_t column = 1;
};

/// Where the brackets of `text`, which is MLIR, first nest deeper than `limit`
/// levels; an alias counts as what it stands for. Text that is not well formed
/// gets some answer.
std::optional<TextPosition> findDeepNesting(std::string_view text,
                                            unsigned limit = kMaxTextNesting);

/// Returns what to say about such a place.
std::string deepNestingMessage();

} // namespace tileir

#endif // DIALECTS_SUPPORT_NESTING_H

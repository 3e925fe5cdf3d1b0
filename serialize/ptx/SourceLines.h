// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_SOURCELINES_H
#define SERIALIZE_PTX_SOURCELINES_H

#include "serialize/ptx/DeviceModule.h"

namespace llvm {
class DILocation;
} // namespace llvm

namespace tileir {

/// Source lines that PTX supports and LLVM's printer does not: the call sites
/// of inlined code, and the line of the tile text of an instruction. LLVM
/// prints line and column only. The class replaces each column by a number, and
/// rewrites the printed text afterwards.
class SourceLines {
public:
  /// Replaces the column of every location in `module` by a number. The
  /// discriminator of a location's scope is its tile line.
  void encode(llvm::Module &module);

  /// Replaces the numbers in the `.loc` directives of `ptx`: by columns, with
  /// `inlinedAt` also by the calls, with `tile` also by the lines of its text,
  /// which it appends. On failure `ptx` is unchanged and `error` says why.
  bool decode(std::string &ptx, bool inlinedAt, const TileText *tile,
              std::string &error) const;

  struct Call {
    std::string file;
    unsigned line;
    unsigned column;
    /// Name of the called function.
    std::string callee;
  };
  struct Entry {
    unsigned line = 0;
    unsigned column = 0;
    unsigned tileLine = 0;
    /// From the innermost call outwards.
    std::vector<Call> calls;
  };

private:
  /// Number 0 is a location without column.
  std::vector<Entry> entries = {Entry()};
};

} // namespace tileir

#endif // SERIALIZE_PTX_SOURCELINES_H

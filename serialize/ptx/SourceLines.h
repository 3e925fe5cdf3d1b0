// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_SOURCELINES_H
#define SERIALIZE_PTX_SOURCELINES_H

#include "serialize/ptx/DeviceModule.h"

namespace llvm {
class DILocation;
} // namespace llvm

namespace tileir {

/// Source lines as PTX can say them and LLVM's printer cannot: where inlined
/// code was called from, and the line of the tile text that an instruction
/// comes from. LLVM prints line and column only, so the columns become numbers
/// of what else there is to say, and the text is mended afterwards.
class SourceLines {
public:
  /// Replaces the column of every location in `module` by a number. The tile
  /// line of a location is the discriminator of its scope.
  void encode(llvm::Module &module);

  /// Writes what the numbers in the `.loc` directives of `ptx` stand for:
  /// columns, with `inlinedAt` the calls, with `tile` the lines of its text and
  /// the text itself. On failure `ptx` is unchanged and `error` says why.
  bool decode(std::string &ptx, bool inlinedAt, const TileText *tile,
              std::string &error) const;

  struct Call {
    std::string file;
    unsigned line;
    unsigned column;
    /// Of the function that is called there.
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

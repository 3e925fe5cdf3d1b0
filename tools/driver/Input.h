// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_INPUT_H
#define TOOLS_DRIVER_INPUT_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace tileir::driver {

struct InputResult {
  std::string bytes;
  /// 0, or the errno of opening or reading.
  int error = 0;
  bool tooLarge = false;
};

/// Reads the whole file once, so that later changes to it have no effect.
InputResult readInput(const std::string &path, uint64_t maxBytes);
/// Reads descriptor 0 likewise.
InputResult readStandardInput(uint64_t maxBytes);

enum class InputKind {
  TileIRBytecode,
  MLIRBytecode,
  LLVMBitcode,
  Cubin,
  Object,
  PTX,
  LLVMText,
  MLIRText
};

/// Returns the kind of the bytes, by magic number or first token; the name only
/// matters for LLVM text.
InputKind detectInput(llvm::StringRef bytes, llvm::StringRef name);

} // namespace tileir::driver

#endif // TOOLS_DRIVER_INPUT_H

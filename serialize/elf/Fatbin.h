// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_ELF_FATBIN_H
#define SERIALIZE_ELF_FATBIN_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace tileir {

struct FatbinRequest {
  llvm::StringRef cubin;
  /// Architecture such as `sm_90a`: number and suffix enter the entry's header.
  llvm::StringRef arch;
  /// Full device debug information.
  bool debug = false;
  /// PTX that a driver may assemble for other chips; empty adds none.
  llvm::StringRef ptx = {};
  /// Version of `ptx`, times ten, and its `.target`.
  unsigned ptxVersion = 0;
  std::string ptxArch = {};
};

struct Fatbin {
  std::string bytes;
  /// Offset of the cubin in `bytes`.
  uint64_t cubinOffset = 0;
};

/// Builds the container that the driver loads: the cubin, then the PTX if there
/// is one, both uncompressed.
Fatbin makeFatbin(const FatbinRequest &request);

} // namespace tileir

#endif // SERIALIZE_ELF_FATBIN_H

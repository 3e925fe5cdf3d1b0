// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_ELF_LINKABLEOBJECT_H
#define SERIALIZE_ELF_LINKABLEOBJECT_H

#include "serialize/elf/Fatbin.h"

#include <optional>
#include <string>

namespace tileir {

enum class HostMachine { X86_64, AArch64 };

struct LinkableRequest {
  HostMachine machine = HostMachine::X86_64;
  /// Stem of the symbols; see `symbolStem`.
  llvm::StringRef moduleId;
  const Fatbin *fatbin = nullptr;
  uint64_t cubinSize = 0;
  /// Text for section `.nvdisasm`.
  std::optional<std::string> disassembly;
  /// Relocatable device code goes to another section.
  bool relocatable = false;
};

/// A relocatable ELF for the host linker with the fatbin in `.nv_fatbin`, the
/// wrapper that the CUDA runtime registers in `.nvFatBinSegment`, and the
/// symbols `tileir_<id>_{fatbin,cubin,fatbin_wrapper,cubin_size}`.
std::string makeLinkableObject(const LinkableRequest &request);

/// `name` as a C identifier's tail: other characters become `_`.
std::string symbolStem(llvm::StringRef name);

} // namespace tileir

#endif // SERIALIZE_ELF_LINKABLEOBJECT_H

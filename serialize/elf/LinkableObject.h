// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_ELF_LINKABLEOBJECT_H
#define SERIALIZE_ELF_LINKABLEOBJECT_H

#include "serialize/elf/Fatbin.h"

#include <optional>
#include <string>

namespace tileir {

enum class HostMachine { X86_64, AArch64, Arm64EC };

struct LinkableRequest {
  HostMachine machine = HostMachine::X86_64;
  /// Stem of the symbols; see `symbolStem`.
  llvm::StringRef moduleId;
  const Fatbin *fatbin = nullptr;
  uint64_t cubinSize = 0;
  /// Text for section `.nvdisasm`.
  std::optional<std::string> disassembly;
  /// Puts relocatable device code into another section.
  bool relocatable = false;
};

/// Builds a relocatable ELF for the host linker with the fatbin in
/// `.nv_fatbin`, the wrapper that the CUDA runtime registers in
/// `.nvFatBinSegment`, and the symbols
/// `tileir_<id>_{fatbin,cubin,fatbin_wrapper,cubin_size,cubin_end}`.
std::string makeLinkableObject(const LinkableRequest &request);

/// Builds the same object for the linkers of Windows.
std::string makeCoffObject(const LinkableRequest &request);

/// Returns `name` as the tail of a C identifier: other characters become `_`.
std::string symbolStem(llvm::StringRef name);

/// Returns the argument of `__cudaRegisterFatBinary`: magic, version,
/// container, file name. A relocation fills the container's address, at offset
/// 8.
std::string fatbinWrapper();
inline constexpr unsigned fatbinWrapperPointerOffset = 8;

} // namespace tileir

#endif // SERIALIZE_ELF_LINKABLEOBJECT_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_ELF_CUBIN_H
#define SERIALIZE_ELF_CUBIN_H

#include "serialize/Report.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tileir {

/// A section of an ELF64 file; `data` points into the file.
struct ElfSection {
  std::string name;
  uint32_t type = 0;
  uint64_t flags = 0;
  uint64_t offset = 0;
  uint64_t size = 0;
  uint32_t link = 0;
  uint32_t info = 0;
  uint64_t align = 0;
  uint64_t entrySize = 0;
  /// Empty for sections without bytes in the file.
  llvm::StringRef data;
};

struct ElfSymbol {
  std::string name;
  uint8_t info = 0;
  uint8_t other = 0;
  uint16_t section = 0;
  uint64_t value = 0;
  uint64_t size = 0;
};

/// A parsed little-endian ELF64 file, as llvm::object reads it. All offsets are
/// checked against the file.
struct ElfFile {
  uint16_t type = 0;
  uint16_t machine = 0;
  uint32_t flags = 0;
  uint8_t osABI = 0;
  uint8_t abiVersion = 0;
  /// End of the last byte that headers and sections cover.
  uint64_t extent = 0;
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;

  const ElfSection *find(llvm::StringRef name) const;
};

/// Parses an ELF64 little-endian file. Returns nothing when `bytes` is another
/// file or too short for its headers; `error` then says which.
std::optional<ElfFile> parseElf(llvm::StringRef bytes, std::string &error);

/// Attribute codes of `.nv.info` sections.
namespace eiattr {
inline constexpr uint8_t ParamCBank = 0x0a;
inline constexpr uint8_t ReqNTid = 0x10;
inline constexpr uint8_t FrameSize = 0x11;
inline constexpr uint8_t KParamInfo = 0x17;
inline constexpr uint8_t CBankParamSize = 0x19;
inline constexpr uint8_t MaxRegCount = 0x1b;
inline constexpr uint8_t RegCount = 0x2f;
inline constexpr uint8_t CtaPerCluster = 0x3d;
inline constexpr uint8_t ExplicitCluster = 0x3e;
inline constexpr uint8_t KParamInfoV2 = 0x45;
inline constexpr uint8_t BlocksAreClusters = 0x5b;
inline constexpr uint8_t MinPerCtaMemorySize = 0x64;
inline constexpr uint8_t Language = 0x66;
} // namespace eiattr

/// Properties of one kernel, as the cubin states them.
struct CubinKernel {
  struct Parameter {
    unsigned ordinal = 0;
    unsigned offset = 0;
    unsigned size = 0;
    bool operator<(const Parameter &other) const {
      return ordinal < other.ordinal;
    }
  };
  std::string name;
  unsigned registers = 0;
  uint64_t sharedBytes = 0;
  uint64_t codeBytes = 0;
  uint32_t frameBytes = 0;
  /// Zero where the attribute is absent.
  uint32_t reqntid[3] = {0, 0, 0};
  uint32_t cluster[3] = {0, 0, 0};
  bool blocksAreClusters = false;
  bool explicitCluster = false;
  std::optional<unsigned> paramBytes; ///< EIATTR_CBANK_PARAM_SIZE
  std::optional<unsigned> bankOffset; ///< EIATTR_PARAM_CBANK
  std::optional<unsigned> bankSize;   ///< EIATTR_PARAM_CBANK
  std::vector<uint32_t> languages;    ///< EIATTR_LANGUAGE
  bool hasHiddenParameters = false;   ///< KPARAM_INFO_V2 instead of KPARAM_INFO
  std::vector<Parameter> parameters;  ///< visible ones, by ordinal
};

struct CubinInfo {
  unsigned sm = 0;
  std::vector<CubinKernel> kernels;
  /// Section names, in file order.
  std::vector<std::string> sections;
  /// Bytes of `.nv.host`; empty without one.
  llvm::StringRef hostObject;
};

/// Reads sections and attributes of a device ELF.
std::optional<CubinInfo> readCubin(llvm::StringRef cubin, std::string &error);

/// SM number in `e_flags`: bits 8 to 15, in older toolkits (OSABI 0x33) bits 0
/// to 7.
unsigned cubinSM(const ElfFile &elf);

/// Checks the output of ptxas: the magic, and, when the image is large enough
/// to be real, that every extent lies inside it and that it is device code for
/// `arch`. With `strict` shorter images are rejected and bytes after the image
/// are cut.
Status acceptCubin(std::string &cubin, llvm::StringRef arch, bool strict,
                   const Reporter &reporter);

} // namespace tileir

#endif // SERIALIZE_ELF_CUBIN_H

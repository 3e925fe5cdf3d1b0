// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/elf/Cubin.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

#include <algorithm>

namespace tileir {

using namespace llvm::support::endian;

static constexpr uint16_t machineCUDA = 190;
static constexpr uint32_t typeNoBits = 8, typeSymbolTable = 2;
static constexpr size_t headerSize = 64;

const ElfSection *ElfFile::find(llvm::StringRef name) const {
  for (const ElfSection &section : sections)
    if (section.name == name)
      return &section;
  return nullptr;
}

/// The NUL-terminated string at `offset` of a string table.
static llvm::StringRef stringAt(llvm::StringRef table, uint64_t offset) {
  if (offset >= table.size())
    return {};
  return table.drop_front(offset).split('\0').first;
}

std::vector<ElfSymbol> ElfFile::symbols() const {
  std::vector<ElfSymbol> result;
  for (const ElfSection &section : sections) {
    if (section.type != typeSymbolTable)
      continue;
    llvm::StringRef names = section.link < sections.size()
                                ? sections[section.link].data
                                : llvm::StringRef();
    for (llvm::StringRef d = section.data; d.size() >= 24;
         d = d.drop_front(24)) {
      ElfSymbol symbol;
      symbol.name = stringAt(names, read32le(d.data())).str();
      symbol.info = uint8_t(d[4]);
      symbol.other = uint8_t(d[5]);
      symbol.section = read16le(d.data() + 6);
      symbol.value = read64le(d.data() + 8);
      symbol.size = read64le(d.data() + 16);
      result.push_back(std::move(symbol));
    }
  }
  return result;
}

std::optional<ElfFile> parseElf(llvm::StringRef bytes, std::string &error) {
  auto fail = [&](const llvm::Twine &text) {
    error = text.str();
    return std::nullopt;
  };
  if (!bytes.starts_with("\x7f"
                         "ELF"))
    return fail("no ELF magic");
  if (bytes.size() < headerSize)
    return fail("shorter than an ELF header");
  if (bytes[4] != 2 || bytes[5] != 1)
    return fail("not a little-endian ELF64 file");
  const char *h = bytes.data();
  ElfFile elf;
  elf.osABI = uint8_t(h[7]);
  elf.abiVersion = uint8_t(h[8]);
  elf.type = read16le(h + 16);
  elf.machine = read16le(h + 18);
  elf.flags = read32le(h + 48);
  uint64_t phoff = read64le(h + 32), shoff = read64le(h + 40);
  uint64_t phsize = read16le(h + 54), phnum = read16le(h + 56);
  uint64_t shsize = read16le(h + 58), shnum = read16le(h + 60);
  uint64_t names = read16le(h + 62);
  uint64_t size = bytes.size();
  auto claim = [&](uint64_t offset, uint64_t length) {
    uint64_t end = offset + length;
    if (end < offset)
      end = UINT64_MAX;
    elf.extent = std::max(elf.extent, end);
    return end <= size;
  };
  claim(0, headerSize);
  bool inside = phnum == 0 || claim(phoff, phsize * phnum);
  if (shoff && shnum == 0 && claim(shoff, shsize) && shsize >= 64)
    shnum = read64le(h + shoff + 32);
  if (shnum && shsize < 64)
    return fail("section headers of " + llvm::Twine(shsize) + " bytes");
  if (shnum > size / 64) {
    elf.extent = UINT64_MAX;
    inside = false;
  } else if (shnum) {
    inside &= claim(shoff, shsize * shnum);
  }
  if (!inside)
    return fail("truncated (" + llvm::Twine(size) + " of " +
                llvm::Twine(elf.extent) + " bytes)");
  std::vector<uint32_t> nameOffsets;
  for (uint64_t i = 0; i < shnum; ++i) {
    const char *s = h + shoff + i * shsize;
    ElfSection section;
    nameOffsets.push_back(read32le(s));
    section.type = read32le(s + 4);
    section.flags = read64le(s + 8);
    section.offset = read64le(s + 24);
    section.size = read64le(s + 32);
    section.link = read32le(s + 40);
    section.info = read32le(s + 44);
    section.align = read64le(s + 48);
    section.entrySize = read64le(s + 56);
    if (section.type != typeNoBits && section.type != 0) {
      if (claim(section.offset, section.size))
        section.data = bytes.substr(section.offset, section.size);
      else
        inside = false;
    }
    elf.sections.push_back(std::move(section));
  }
  if (!inside)
    return fail("truncated (" + llvm::Twine(size) + " of " +
                llvm::Twine(elf.extent) + " bytes)");
  if (names < elf.sections.size())
    for (size_t i = 0; i < elf.sections.size(); ++i)
      elf.sections[i].name =
          stringAt(elf.sections[names].data, nameOffsets[i]).str();
  return elf;
}

unsigned cubinSM(const ElfFile &elf) {
  return elf.osABI == 0x33 ? elf.flags & 0xff : (elf.flags >> 8) & 0xff;
}

Status acceptCubin(std::string &cubin, llvm::StringRef arch, bool strict,
                   const Reporter &reporter) {
  llvm::StringRef bytes = cubin;
  if (!bytes.starts_with("\x7f"
                         "ELF"))
    return reporter.error(Status::Compile,
                          "ptxas exited with status 0 but produced no cubin");
  auto refuse = [&](const llvm::Twine &why) {
    return reporter.error(Status::Compile, "the cubin from ptxas is " + why);
  };
  // Stand-ins deliver little more than the magic.
  if (bytes.size() < headerSize && !strict)
    return Status::Success;
  if (bytes.size() < headerSize || bytes[4] != 2 || bytes[5] != 1)
    return refuse("no ELF64 file (" + llvm::Twine(bytes.size()) + " bytes)");
  std::string why;
  std::optional<ElfFile> elf = parseElf(bytes, why);
  if (!elf)
    return refuse(why);
  // A file for something else would be loaded, or kept in a cache, as if it
  // were code for the target.
  if (elf->machine != machineCUDA)
    return refuse("for another machine (number " + llvm::Twine(elf->machine) +
                  ", device code has " + llvm::Twine(machineCUDA) + ")");
  unsigned wanted = 0;
  if (arch.consume_front("sm_") && !arch.consumeInteger(10, wanted) &&
      wanted != cubinSM(*elf))
    return refuse("for sm_" + llvm::Twine(cubinSM(*elf)) + ", asked for sm_" +
                  llvm::Twine(wanted));
  if (strict && elf->extent < bytes.size()) {
    reporter.warning("ignored " + llvm::Twine(bytes.size() - elf->extent) +
                     " bytes after the cubin");
    cubin.resize(elf->extent);
  }
  return Status::Success;
}

/// Calls `visit(attribute, payload)` for each entry of a `.nv.info` section.
template <typename Visit>
static void forEachAttribute(llvm::StringRef data, Visit visit) {
  while (data.size() >= 4) {
    uint8_t format = uint8_t(data[0]), attribute = uint8_t(data[1]);
    uint16_t half = read16le(data.data() + 2);
    llvm::StringRef payload = data.substr(2, 2);
    data = data.drop_front(4);
    if (format == 4) {
      if (half > data.size())
        return;
      payload = data.take_front(half);
      data = data.drop_front(half);
    }
    visit(attribute, payload);
  }
}

static void readKernelAttributes(llvm::StringRef data, CubinKernel &kernel) {
  forEachAttribute(data, [&](uint8_t attribute, llvm::StringRef p) {
    auto triple = [&](uint32_t *out) {
      for (unsigned i = 0; i < 3 && p.size() >= 4 * (i + 1); ++i)
        out[i] = read32le(p.data() + 4 * i);
    };
    switch (attribute) {
    case eiattr::ReqNTid:
      return triple(kernel.reqntid);
    case eiattr::CtaPerCluster:
      return triple(kernel.cluster);
    case eiattr::BlocksAreClusters:
      kernel.blocksAreClusters = true;
      return;
    case eiattr::ExplicitCluster:
      kernel.explicitCluster = true;
      return;
    case eiattr::CBankParamSize:
      kernel.paramBytes = read16le(p.data());
      return;
    case eiattr::ParamCBank:
      if (p.size() >= 8) {
        kernel.bankOffset = read16le(p.data() + 4);
        kernel.bankSize = read16le(p.data() + 6);
      }
      return;
    case eiattr::Language:
      for (; p.size() >= 4; p = p.drop_front(4))
        kernel.languages.push_back(read32le(p.data()));
      return;
    case eiattr::KParamInfo:
    case eiattr::KParamInfoV2: {
      bool v2 = attribute == eiattr::KParamInfoV2;
      if (p.size() < 12)
        return;
      CubinKernel::Parameter parameter;
      parameter.ordinal = read16le(p.data() + 4);
      parameter.offset = read16le(p.data() + 6);
      parameter.size =
          v2 ? read16le(p.data() + 8) : read32le(p.data() + 8) >> 18;
      kernel.hasHiddenParameters |= v2;
      kernel.parameters.push_back(parameter);
      return;
    }
    default:
      return;
    }
  });
  std::sort(kernel.parameters.begin(), kernel.parameters.end());
}

std::optional<CubinInfo> readCubin(llvm::StringRef cubin, std::string &error) {
  std::optional<ElfFile> elf = parseElf(cubin, error);
  if (!elf)
    return std::nullopt;
  if (elf->machine != machineCUDA) {
    error = "not a device ELF (machine " + llvm::utostr(elf->machine) + ")";
    return std::nullopt;
  }
  CubinInfo info;
  info.sm = cubinSM(*elf);
  std::vector<ElfSymbol> symbols = elf->symbols();
  for (const ElfSection &section : elf->sections) {
    if (!section.name.empty())
      info.sections.push_back(section.name);
    if (section.name == ".nv.host")
      info.hostObject = section.data;
    llvm::StringRef name = section.name;
    // A kernel has code and attributes of its own.
    if (!name.consume_front(".text."))
      continue;
    const ElfSection *attributes = elf->find((".nv.info." + name).str());
    if (!attributes)
      continue;
    CubinKernel kernel;
    kernel.name = name.str();
    kernel.codeBytes = section.size;
    // Bits 24 to 31 of the code section's `sh_info`; newer toolkits say it in
    // an attribute, too, which wins.
    kernel.registers = section.info >> 24;
    if (const ElfSection *shared = elf->find((".nv.shared." + name).str()))
      kernel.sharedBytes = shared->size;
    readKernelAttributes(attributes->data, kernel);
    info.kernels.push_back(std::move(kernel));
  }
  if (const ElfSection *global = elf->find(".nv.info"))
    forEachAttribute(global->data, [&](uint8_t attribute, llvm::StringRef p) {
      if (p.size() < 8)
        return;
      uint32_t index = read32le(p.data());
      if (index >= symbols.size())
        return;
      for (CubinKernel &kernel : info.kernels) {
        if (kernel.name != symbols[index].name)
          continue;
        if (attribute == eiattr::RegCount)
          kernel.registers = read32le(p.data() + 4);
        if (attribute == eiattr::FrameSize)
          kernel.frameBytes = read32le(p.data() + 4);
      }
    });
  // Module order is the order of the kernels' function symbols.
  auto order = [&](const CubinKernel &kernel) {
    for (size_t i = 0; i < symbols.size(); ++i)
      if (symbols[i].name == kernel.name && (symbols[i].info & 15) == 2)
        return i;
    return symbols.size();
  };
  std::sort(info.kernels.begin(), info.kernels.end(),
            [&](const CubinKernel &a, const CubinKernel &b) {
              return std::make_pair(order(a), llvm::StringRef(a.name)) <
                     std::make_pair(order(b), llvm::StringRef(b.name));
            });
  return info;
}

} // namespace tileir

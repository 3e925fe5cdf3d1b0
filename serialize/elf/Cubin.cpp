// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/elf/Cubin.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"

#include <algorithm>

namespace tileir {

using namespace llvm::support::endian;
using Elf64 = llvm::object::ELFFile<llvm::object::ELF64LE>;

static constexpr uint16_t machineCUDA = 190;
static constexpr size_t headerSize = sizeof(Elf64::Elf_Ehdr);

const ElfSection *ElfFile::find(llvm::StringRef name) const {
  for (const ElfSection &section : sections)
    if (section.name == name)
      return &section;
  return nullptr;
}

/// Appends the symbols of the symbol table `section`.
static llvm::Error readSymbols(const Elf64 &file,
                               const Elf64::Elf_Shdr &section,
                               std::vector<ElfSymbol> &symbols) {
  auto range = file.symbols(&section);
  if (!range)
    return range.takeError();
  auto names = file.getStringTableForSymtab(section);
  if (!names)
    return names.takeError();
  for (const Elf64::Elf_Sym &s : *range) {
    llvm::Expected<llvm::StringRef> name = s.getName(*names);
    if (!name)
      return name.takeError();
    symbols.push_back({name->str(), s.st_info, s.st_other, s.st_shndx,
                       s.st_value, s.st_size});
  }
  return llvm::Error::success();
}

/// Fills in names, contents and symbols; `elf.extent` covers them.
static llvm::Error readSections(const Elf64 &file, Elf64::Elf_Shdr_Range range,
                                ElfFile &elf) {
  auto names = file.getSectionStringTable(range);
  if (!names)
    return names.takeError();
  for (const Elf64::Elf_Shdr &s : range) {
    auto name = file.getSectionName(s, *names);
    if (!name)
      return name.takeError();
    llvm::StringRef data;
    if (s.sh_type != llvm::ELF::SHT_NULL &&
        s.sh_type != llvm::ELF::SHT_NOBITS) {
      auto content = file.getSectionContents(s);
      if (!content)
        return content.takeError();
      data = llvm::toStringRef(*content);
    }
    elf.sections.push_back({name->str(), s.sh_type, s.sh_flags, s.sh_offset,
                            s.sh_size, s.sh_link, s.sh_info, s.sh_addralign,
                            s.sh_entsize, data});
    if (s.sh_type == llvm::ELF::SHT_SYMTAB)
      if (llvm::Error error = readSymbols(file, s, elf.symbols))
        return error;
  }
  return llvm::Error::success();
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
  Elf64 file = llvm::cantFail(Elf64::create(bytes));
  const Elf64::Elf_Ehdr &h = file.getHeader();
  if (h.getFileClass() != llvm::ELF::ELFCLASS64 ||
      h.getDataEncoding() != llvm::ELF::ELFDATA2LSB)
    return fail("not a little-endian ELF64 file");
  ElfFile elf;
  elf.osABI = h.e_ident[llvm::ELF::EI_OSABI];
  elf.abiVersion = h.e_ident[llvm::ELF::EI_ABIVERSION];
  elf.type = h.e_type;
  elf.machine = h.e_machine;
  elf.flags = h.e_flags;
  // The library says that something lies outside, the message also where the
  // file should end.
  bool isInside = true;
  auto claim = [&](uint64_t offset, uint64_t length) {
    elf.extent = std::max(elf.extent, llvm::SaturatingAdd(offset, length));
    isInside = elf.extent <= bytes.size();
  };
  auto failTruncated = [&] {
    return fail("truncated (" + llvm::Twine(bytes.size()) + " of " +
                llvm::Twine(elf.extent) + " bytes)");
  };
  claim(0, headerSize);
  if (h.e_phnum)
    claim(h.e_phoff, uint64_t(h.e_phentsize) * h.e_phnum);
  if (h.e_shnum)
    claim(h.e_shoff, uint64_t(h.e_shentsize) * h.e_shnum);
  if (!isInside)
    return failTruncated();
  auto sections = file.sections();
  if (!sections)
    return fail(llvm::toString(sections.takeError()));
  claim(h.e_shoff, sections->size() * sizeof(Elf64::Elf_Shdr));
  for (const Elf64::Elf_Shdr &s : *sections)
    if (s.sh_type != llvm::ELF::SHT_NOBITS && s.sh_type != llvm::ELF::SHT_NULL)
      claim(s.sh_offset, s.sh_size);
  if (!isInside)
    return failTruncated();
  if (llvm::Error fault = readSections(file, *sections, elf))
    return fail(llvm::toString(std::move(fault)));
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
  // The image of a stand-in has little more than the magic.
  if (bytes.size() < headerSize && !strict)
    return Status::Success;
  if (bytes.size() < headerSize || bytes[4] != 2 || bytes[5] != 1)
    return refuse("no ELF64 file (" + llvm::Twine(bytes.size()) + " bytes)");
  std::string why;
  std::optional<ElfFile> elf = parseElf(bytes, why);
  if (!elf)
    return refuse(why);
  // The driver would load, or cache, a file for another machine as code for the
  // target.
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
  const std::vector<ElfSymbol> &symbols = elf->symbols;
  for (const ElfSection &section : elf->sections) {
    if (!section.name.empty())
      info.sections.push_back(section.name);
    if (section.name == ".nv.host")
      info.hostObject = section.data;
    llvm::StringRef name = section.name;
    // A kernel has a code section and attributes of its own.
    if (!name.consume_front(".text."))
      continue;
    const ElfSection *attributes = elf->find((".nv.info." + name).str());
    if (!attributes)
      continue;
    CubinKernel kernel;
    kernel.name = name.str();
    kernel.codeBytes = section.size;
    // Bits 24 to 31 of the code section's `sh_info` hold the registers; newer
    // toolkits add an attribute, which overrides them.
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
  // The order of the kernels' function symbols is the module order.
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/elf/LinkableObject.h"

#include "serialize/elf/Bytes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"

#include <vector>

namespace tileir {

using namespace llvm;

namespace {

struct Section {
  std::string name;
  uint32_t type;
  uint64_t flags;
  uint64_t align;
  std::string data;
  uint32_t link = 0;
  uint32_t info = 0;
  uint64_t entrySize = 0;
};

struct StringTable {
  std::string bytes = std::string(1, '\0');

  uint32_t add(StringRef text) {
    uint32_t at = uint32_t(bytes.size());
    bytes += text;
    bytes += '\0';
    return at;
  }
};

} // namespace

std::string symbolStem(StringRef name) {
  std::string stem;
  if (name.empty() || isDigit(name.front()))
    stem = "_";
  for (char c : name)
    stem += isAlnum(c) ? c : '_';
  return stem;
}

std::string fatbinWrapper() {
  ByteWriter wrapper;
  wrapper.u32(0x466243b1);
  wrapper.u32(1);
  wrapper.u64(0);
  wrapper.u64(0);
  return wrapper.bytes;
}

std::string makeLinkableObject(const LinkableRequest &request) {
  constexpr uint16_t fatbinIndex = 1, segmentIndex = 2;
  bool arm = request.machine != HostMachine::X86_64;
  std::string prefix = "tileir_" + symbolStem(request.moduleId) + "_";

  std::vector<Section> sections;
  sections.push_back({"", ELF::SHT_NULL, 0, 0, ""});
  sections.push_back({request.relocatable ? "__nv_relfatbin" : ".nv_fatbin",
                      ELF::SHT_PROGBITS, ELF::SHF_ALLOC, 8,
                      request.fatbin->bytes});

  std::string wrapper = fatbinWrapper();
  sections.push_back({".nvFatBinSegment", ELF::SHT_PROGBITS,
                      ELF::SHF_ALLOC | ELF::SHF_WRITE, 8, wrapper});

  ByteWriter relocation;
  relocation.u64(fatbinWrapperPointerOffset);
  relocation.u64(uint64_t(1) << 32 | // symbol 1: section `.nv_fatbin`
                 (arm ? ELF::R_AARCH64_ABS64 : ELF::R_X86_64_64));
  relocation.u64(0);
  Section rela{".rela.nvFatBinSegment", ELF::SHT_RELA, ELF::SHF_INFO_LINK, 8,
               relocation.bytes};
  rela.info = segmentIndex;
  rela.entrySize = 24;
  size_t relaIndex = sections.size();
  sections.push_back(rela);

  if (request.disassembly)
    sections.push_back(
        {".nvdisasm", ELF::SHT_PROGBITS, 0, 1, *request.disassembly});
  sections.push_back({".note.GNU-stack", ELF::SHT_PROGBITS, 0, 1, ""});

  StringTable strings;
  ByteWriter symbols;
  auto symbol = [&](StringRef name, unsigned binding, unsigned type,
                    uint16_t section, uint64_t value, uint64_t size) {
    symbols.u32(name.empty() ? 0 : strings.add(name));
    symbols.u8(binding << 4 | type);
    symbols.u8(ELF::STV_DEFAULT);
    symbols.u16(section);
    symbols.u64(value);
    symbols.u64(size);
  };
  symbol("", 0, 0, 0, 0, 0);
  symbol("", ELF::STB_LOCAL, ELF::STT_SECTION, fatbinIndex, 0, 0);
  constexpr uint32_t locals = 2;
  symbol(prefix + "fatbin", ELF::STB_GLOBAL, ELF::STT_OBJECT, fatbinIndex, 0,
         request.fatbin->bytes.size());
  symbol(prefix + "cubin", ELF::STB_GLOBAL, ELF::STT_OBJECT, fatbinIndex,
         request.fatbin->cubinOffset, request.cubinSize);
  symbol(prefix + "fatbin_wrapper", ELF::STB_GLOBAL, ELF::STT_OBJECT,
         segmentIndex, 0, wrapper.size());
  symbol(prefix + "cubin_size", ELF::STB_GLOBAL, ELF::STT_NOTYPE, ELF::SHN_ABS,
         request.cubinSize, 0);
  // A position-independent program cannot use the absolute symbol.
  symbol(prefix + "cubin_end", ELF::STB_GLOBAL, ELF::STT_NOTYPE, fatbinIndex,
         request.fatbin->cubinOffset + request.cubinSize, 0);
  Section symtab{".symtab", ELF::SHT_SYMTAB, 0, 8, symbols.bytes};
  symtab.info = locals;
  symtab.entrySize = 24;
  uint32_t symtabIndex = uint32_t(sections.size());
  symtab.link = symtabIndex + 1;
  sections[relaIndex].link = symtabIndex;
  sections.push_back(symtab);
  sections.push_back({".strtab", ELF::SHT_STRTAB, 0, 1, strings.bytes});

  StringTable names;
  std::vector<uint32_t> nameOffsets;
  sections.push_back({".shstrtab", ELF::SHT_STRTAB, 0, 1, ""});
  for (const Section &section : sections)
    nameOffsets.push_back(section.name.empty() ? 0 : names.add(section.name));
  sections.back().data = names.bytes;

  ByteWriter out;
  std::vector<uint64_t> offsets;
  out.zeros(64);
  for (const Section &section : sections) {
    if (section.align)
      out.align(section.align);
    offsets.push_back(section.type == ELF::SHT_NULL ? 0 : out.bytes.size());
    out.text(section.data);
  }
  out.align(8);
  uint64_t headers = out.bytes.size();
  for (size_t i = 0; i < sections.size(); ++i) {
    const Section &section = sections[i];
    out.u32(nameOffsets[i]);
    out.u32(section.type);
    out.u64(section.flags);
    out.u64(0);
    out.u64(offsets[i]);
    out.u64(section.data.size());
    out.u32(section.link);
    out.u32(section.info);
    out.u64(section.align);
    out.u64(section.entrySize);
  }

  ByteWriter header;
  header.text(StringRef("\x7f"
                        "ELF"));
  header.u8(ELF::ELFCLASS64);
  header.u8(ELF::ELFDATA2LSB);
  header.u8(ELF::EV_CURRENT);
  header.zeros(9); // OSABI 0, padding
  header.u16(ELF::ET_REL);
  header.u16(arm ? ELF::EM_AARCH64 : ELF::EM_X86_64);
  header.u32(ELF::EV_CURRENT);
  header.u64(0); // entry
  header.u64(0); // program headers
  header.u64(headers);
  header.u32(0); // flags
  header.u16(64);
  header.u16(0);
  header.u16(0);
  header.u16(64);
  header.u16(sections.size());
  header.u16(sections.size() - 1);
  out.bytes.replace(0, 64, header.bytes);
  return out.bytes;
}

} // namespace tileir

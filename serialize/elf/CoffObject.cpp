// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/elf/LinkableObject.h"

#include "serialize/elf/Bytes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/COFF.h"

#include <vector>

namespace tileir {

using namespace llvm;

namespace {

struct Section {
  std::string name;
  std::string data;
  uint32_t characteristics;
  unsigned relocations = 0;
};

/// The string table after the symbols: 4 bytes of size, then texts.
struct StringTable {
  std::string bytes;

  uint32_t add(StringRef text) {
    uint32_t at = uint32_t(bytes.size()) + 4;
    bytes += text;
    bytes += '\0';
    return at;
  }
};

} // namespace

std::string makeCoffObject(const LinkableRequest &request) {
  constexpr uint32_t data = COFF::IMAGE_SCN_CNT_INITIALIZED_DATA |
                            COFF::IMAGE_SCN_MEM_READ |
                            COFF::IMAGE_SCN_ALIGN_8BYTES;
  constexpr unsigned headerBytes = 20, sectionBytes = 40;
  std::string prefix = "tileir_" + symbolStem(request.moduleId) + "_";
  std::vector<Section> sections = {
      {request.relocatable ? "__nv_relfatbin" : ".nv_fatbin",
       request.fatbin->bytes, data},
      {".nvFatBinSegment", fatbinWrapper(), data | COFF::IMAGE_SCN_MEM_WRITE,
       1}};
  if (request.disassembly)
    sections.push_back({".nvdisasm", *request.disassembly,
                        COFF::IMAGE_SCN_LNK_INFO | COFF::IMAGE_SCN_LNK_REMOVE |
                            COFF::IMAGE_SCN_ALIGN_1BYTES});

  uint16_t machine = COFF::IMAGE_FILE_MACHINE_AMD64;
  uint16_t pointer = COFF::IMAGE_REL_AMD64_ADDR64;
  if (request.machine != HostMachine::X86_64) {
    machine = request.machine == HostMachine::Arm64EC
                  ? COFF::IMAGE_FILE_MACHINE_ARM64EC
                  : COFF::IMAGE_FILE_MACHINE_ARM64;
    pointer = COFF::IMAGE_REL_ARM64_ADDR64;
  }

  StringTable strings;
  ByteWriter symbols;
  unsigned symbolCount = 0;
  auto symbol = [&](StringRef name, uint32_t value, int section,
                    uint8_t storage) {
    if (name.size() <= 8) {
      symbols.text(name);
      symbols.zeros(8 - name.size());
    } else {
      symbols.u32(0);
      symbols.u32(strings.add(name));
    }
    symbols.u32(value);
    symbols.u16(uint16_t(section));
    symbols.u16(0); // no type
    symbols.u8(storage);
    symbols.u8(0); // no auxiliary records
    ++symbolCount;
  };
  // Symbol 0 is the target of the relocation of the wrapper's pointer.
  symbol(sections[0].name, 0, 1, COFF::IMAGE_SYM_CLASS_STATIC);
  symbol(prefix + "fatbin", 0, 1, COFF::IMAGE_SYM_CLASS_EXTERNAL);
  symbol(prefix + "cubin", uint32_t(request.fatbin->cubinOffset), 1,
         COFF::IMAGE_SYM_CLASS_EXTERNAL);
  symbol(prefix + "fatbin_wrapper", 0, 2, COFF::IMAGE_SYM_CLASS_EXTERNAL);
  symbol(prefix + "cubin_size", uint32_t(request.cubinSize),
         COFF::IMAGE_SYM_ABSOLUTE, COFF::IMAGE_SYM_CLASS_EXTERNAL);
  symbol(prefix + "cubin_end",
         uint32_t(request.fatbin->cubinOffset + request.cubinSize), 1,
         COFF::IMAGE_SYM_CLASS_EXTERNAL);

  ByteWriter relocation;
  relocation.u32(fatbinWrapperPointerOffset);
  relocation.u32(0);
  relocation.u16(pointer);

  ByteWriter headers, bodies;
  uint64_t start = headerBytes + sectionBytes * sections.size();
  for (const Section &section : sections) {
    if (section.name.size() <= 8) {
      headers.text(section.name);
      headers.zeros(8 - section.name.size());
    } else {
      std::string reference = "/" + utostr(strings.add(section.name));
      headers.text(reference);
      headers.zeros(8 - reference.size());
    }
    headers.u32(0); // virtual size and address, unused in an object
    headers.u32(0);
    headers.u32(section.data.size());
    headers.u32(start + bodies.bytes.size());
    bodies.text(section.data);
    headers.u32(section.relocations ? start + bodies.bytes.size() : 0);
    if (section.relocations)
      bodies.text(relocation.bytes);
    headers.u32(0); // line numbers
    headers.u16(section.relocations);
    headers.u16(0);
    headers.u32(section.characteristics);
  }

  ByteWriter out;
  out.u16(machine);
  out.u16(sections.size());
  out.u32(0); // no time stamp
  out.u32(start + bodies.bytes.size());
  out.u32(symbolCount);
  out.u16(0); // no optional header
  out.u16(0);
  out.text(headers.bytes);
  out.text(bodies.bytes);
  out.text(symbols.bytes);
  out.u32(strings.bytes.size() + 4);
  out.text(strings.bytes);
  return out.bytes;
}

} // namespace tileir

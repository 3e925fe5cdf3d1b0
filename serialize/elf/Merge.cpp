// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/elf/Merge.h"

#include "serialize/elf/Bytes.h"
#include "serialize/elf/Cubin.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

namespace tileir {

using namespace llvm;
using namespace llvm::support::endian;

static constexpr size_t headerBytes = 64, sectionBytes = 64, symbolBytes = 24,
                        relaBytes = 24;

/// Builds a note: sizes of owner and description, a type, both padded to four
/// bytes.
static std::string makeNote(StringRef owner, StringRef text) {
  ByteWriter note;
  note.u32(owner.size() + 1);
  note.u32(text.size());
  note.u32(1);
  note.text(owner);
  note.zeros(1);
  note.align(4);
  note.text(text);
  note.align(4);
  return note.bytes;
}

std::optional<std::string> addNoteSection(StringRef file, StringRef section,
                                          StringRef owner, StringRef text) {
  std::string ignored;
  std::optional<ElfFile> elf = parseElf(file, ignored);
  if (!elf || elf->sections.empty())
    return std::nullopt;
  const char *h = file.data();
  uint64_t headers = read64le(h + 40);
  uint16_t count = read16le(h + 60), names = read16le(h + 62);
  if (count == 0 || count == 0xffff || names >= count ||
      read16le(h + 58) != sectionBytes)
    return std::nullopt;

  ByteWriter out;
  out.text(file);
  out.align(4);
  uint64_t noteAt = out.bytes.size();
  std::string note = makeNote(owner, text);
  out.text(note);
  uint64_t namesAt = out.bytes.size();
  StringRef oldNames = elf->sections[names].data;
  out.text(oldNames);
  out.text(section);
  out.zeros(1);
  uint64_t namesSize = out.bytes.size() - namesAt;
  out.align(8);
  uint64_t newHeaders = out.bytes.size();
  out.text(file.substr(headers, count * sectionBytes));
  out.u32(oldNames.size());
  out.u32(ELF::SHT_NOTE);
  out.u64(0); // flags
  out.u64(0); // address
  out.u64(noteAt);
  out.u64(note.size());
  out.u64(0); // link, info
  out.u64(4);
  out.u64(0);
  char *bytes = out.bytes.data();
  char *stringHeader = bytes + newHeaders + names * sectionBytes;
  write64le(stringHeader + 24, namesAt);
  write64le(stringHeader + 32, namesSize);
  write64le(bytes + 40, newHeaders);
  write16le(bytes + 60, uint16_t(count + 1));
  return out.bytes;
}

namespace {

/// One input, with the new numbers of its sections and symbols.
struct Input {
  StringRef file;
  ElfFile elf;
  std::vector<uint16_t> sections; ///< new number, 0 when dropped
  std::vector<uint32_t> symbols;  ///< new number
  StringRef symbolTable, symbolNames;
};

struct Output {
  struct Section {
    StringRef name;
    const ElfSection *from;
    uint64_t entrySize;
    std::string data;
    uint32_t link = 0, info = 0;
  };
  std::vector<Section> sections;
  ByteWriter symbols;
  std::string symbolNames = std::string(1, '\0');
  uint32_t numSymbols = 0, numLocals = 0;
  /// Number of each global symbol.
  llvm::StringMap<uint32_t> globals;
};

} // namespace

static bool readInput(StringRef file, Input &input, std::string &error) {
  input.file = file;
  std::optional<ElfFile> elf = parseElf(file, error);
  if (!elf)
    return false;
  input.elf = std::move(*elf);
  for (const ElfSection &section : input.elf.sections)
    if (section.type == ELF::SHT_SYMTAB &&
        section.link < input.elf.sections.size()) {
      input.symbolTable = section.data;
      input.symbolNames = input.elf.sections[section.link].data;
    }
  if (input.elf.type != ELF::ET_REL) {
    error = "not a relocatable file";
    return false;
  }
  return true;
}

static void takeSections(Input &input, bool second, Output &out) {
  for (const ElfSection &section : input.elf.sections) {
    bool keep =
        section.type == ELF::SHT_PROGBITS || section.type == ELF::SHT_NOBITS ||
        section.type == ELF::SHT_NOTE || section.type == ELF::SHT_INIT_ARRAY ||
        section.type == ELF::SHT_FINI_ARRAY || section.type == ELF::SHT_RELA;
    if (section.type == ELF::SHT_X86_64_UNWIND)
      keep = true;
    // The first file has these markers already.
    if (second && section.name == ".note.GNU-stack")
      keep = false;
    input.sections.push_back(keep ? uint16_t(out.sections.size()) : 0);
    if (keep)
      out.sections.push_back(
          {section.name, &section, section.entrySize, section.data.str()});
  }
}

/// Symbols of one pass over the inputs. Definitions come before references, so
/// that a reference binds to the other input's definition.
enum class Round { Local, Defined, Undefined };

static void takeSymbols(Input &input, Round round, Output &out) {
  StringRef table = input.symbolTable;
  input.symbols.resize(table.size() / symbolBytes, 0);
  for (size_t i = 1; i < input.symbols.size(); ++i) {
    const char *s = table.data() + i * symbolBytes;
    bool isLocal = (uint8_t(s[4]) >> 4) == ELF::STB_LOCAL;
    uint16_t section = read16le(s + 6);
    Round own = isLocal   ? Round::Local
                : section ? Round::Defined
                          : Round::Undefined;
    if (own != round)
      continue;
    if (section && section < input.sections.size()) {
      // A symbol of a dropped section is dropped, too.
      if (!input.sections[section])
        continue;
      section = input.sections[section];
    }
    StringRef name =
        input.symbolNames
            .drop_front(std::min<size_t>(read32le(s), input.symbolNames.size()))
            .split('\0')
            .first;
    if (own != Round::Local) {
      auto [known, inserted] = out.globals.try_emplace(name, out.numSymbols);
      if (own == Round::Undefined && !inserted) {
        input.symbols[i] = known->second;
        continue;
      }
    }
    uint32_t at = 0;
    if (!name.empty()) {
      at = uint32_t(out.symbolNames.size());
      out.symbolNames += name;
      out.symbolNames += '\0';
    }
    input.symbols[i] = out.numSymbols++;
    out.numLocals += isLocal;
    out.symbols.u32(at);
    out.symbols.text(StringRef(s + 4, 2));
    out.symbols.u16(section);
    out.symbols.text(StringRef(s + 8, 16));
  }
}

static void renumberRelocations(const Input &input, uint32_t symbolTable,
                                Output &out) {
  for (size_t i = 0; i < input.sections.size(); ++i) {
    const ElfSection &from = input.elf.sections[i];
    if (!input.sections[i] || from.type != ELF::SHT_RELA)
      continue;
    Output::Section &section = out.sections[input.sections[i]];
    section.link = symbolTable;
    section.info =
        from.info < input.sections.size() ? input.sections[from.info] : 0;
    for (size_t at = 0; at + relaBytes <= section.data.size();
         at += relaBytes) {
      char *info = section.data.data() + at + 8;
      uint32_t symbol = read32le(info + 4);
      write32le(info + 4,
                symbol < input.symbols.size() ? input.symbols[symbol] : 0);
    }
  }
}

std::optional<std::string> mergeObjects(StringRef first, StringRef second,
                                        std::string &error) {
  Input inputs[2];
  if (!readInput(first, inputs[0], error) ||
      !readInput(second, inputs[1], error))
    return std::nullopt;
  if (inputs[0].elf.machine != inputs[1].elf.machine) {
    error = "objects of two machines";
    return std::nullopt;
  }
  ElfSection none, symtab, strtab;
  symtab.type = ELF::SHT_SYMTAB;
  symtab.align = 8;
  strtab.type = ELF::SHT_STRTAB;
  strtab.align = 1;
  Output out;
  out.sections.push_back({"", &none, 0, ""});
  takeSections(inputs[0], /*second=*/false, out);
  takeSections(inputs[1], /*second=*/true, out);
  out.symbols.zeros(symbolBytes);
  out.numSymbols = out.numLocals = 1;
  for (Round round : {Round::Local, Round::Defined, Round::Undefined})
    for (Input &input : inputs)
      takeSymbols(input, round, out);
  uint32_t symbolTable = uint32_t(out.sections.size());
  for (const Input &input : inputs)
    renumberRelocations(input, symbolTable, out);
  out.sections.push_back({".symtab", &symtab, symbolBytes, out.symbols.bytes,
                          symbolTable + 1, out.numLocals});
  out.sections.push_back({".strtab", &strtab, 0, out.symbolNames});
  std::string names(1, '\0');
  std::vector<uint32_t> nameOffsets;
  out.sections.push_back({".shstrtab", &strtab, 0, ""});
  for (const Output::Section &section : out.sections) {
    nameOffsets.push_back(section.name.empty() ? 0 : uint32_t(names.size()));
    if (!section.name.empty())
      names += section.name.str() + '\0';
  }
  out.sections.back().data = names;

  ByteWriter file;
  file.text(first.take_front(headerBytes));
  std::vector<uint64_t> offsets;
  for (const Output::Section &section : out.sections) {
    if (section.from->align > 1)
      file.align(section.from->align);
    offsets.push_back(section.from == &none ? 0 : file.bytes.size());
    file.text(section.data);
  }
  file.align(8);
  uint64_t headers = file.bytes.size();
  for (auto [i, section] : llvm::enumerate(out.sections)) {
    file.u32(nameOffsets[i]);
    file.u32(section.from->type);
    file.u64(section.from->flags);
    file.u64(0);
    file.u64(offsets[i]);
    file.u64(section.from->type == ELF::SHT_NOBITS ? section.from->size
                                                   : section.data.size());
    file.u32(section.link);
    file.u32(section.info);
    file.u64(section.from->align);
    file.u64(section.entrySize);
  }
  char *bytes = file.bytes.data();
  write64le(bytes + 40, headers);
  write16le(bytes + 60, uint16_t(out.sections.size()));
  write16le(bytes + 62, uint16_t(out.sections.size() - 1));
  return file.bytes;
}

} // namespace tileir

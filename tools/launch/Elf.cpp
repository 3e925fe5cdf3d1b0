// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/launch/Elf.h"

#include <cstring>

namespace tileir::launch::elf {

bool readSections(const std::string &file, Sections &out) {
  out.header = at<Elf64_Ehdr>(file, 0);
  if (!out.header || std::memcmp(out.header->e_ident, ELFMAG, SELFMAG) != 0 ||
      out.header->e_ident[EI_CLASS] != ELFCLASS64)
    return false;
  for (unsigned k = 0; k < out.header->e_shnum; ++k) {
    auto *s =
        at<Elf64_Shdr>(file, out.header->e_shoff + k * sizeof(Elf64_Shdr));
    if (!s)
      return false;
    out.list.push_back(*s);
  }
  if (out.header->e_shstrndx >= out.list.size())
    return false;
  const Elf64_Shdr &strings = out.list[out.header->e_shstrndx];
  for (const Elf64_Shdr &s : out.list) {
    uint64_t from = strings.sh_offset + s.sh_name;
    if (from >= file.size())
      return false;
    out.names.push_back(std::string(file.c_str() + from));
  }
  return true;
}

bool findSection(const std::string &file, const std::string &name,
                 std::string &content) {
  Sections sections;
  if (!readSections(file, sections))
    return false;
  for (size_t k = 0; k < sections.list.size(); ++k)
    if (sections.names[k] == name) {
      const Elf64_Shdr &s = sections.list[k];
      if (const char *from = at<char>(file, s.sh_offset, s.sh_size))
        content.assign(from, s.sh_size);
    }
  return true;
}

std::string findNote(const std::string &file, const std::string &section,
                     const std::string &owner) {
  std::string notes;
  if (!findSection(file, section, notes))
    return "";
  auto padded = [](uint64_t size) { return (size + 3) / 4 * 4; };
  uint64_t offset = 0;
  while (auto *note = at<Elf64_Nhdr>(notes, offset)) {
    uint64_t name = offset + sizeof *note;
    uint64_t text = name + padded(note->n_namesz);
    const char *found = at<char>(notes, name, note->n_namesz);
    const char *content = at<char>(notes, text, note->n_descsz);
    if (!found || !content)
      break;
    // The name is counted with its terminator.
    if (note->n_namesz == owner.size() + 1 &&
        std::memcmp(found, owner.c_str(), owner.size() + 1) == 0)
      return std::string(content, note->n_descsz);
    offset = text + padded(note->n_descsz);
  }
  return "";
}

} // namespace tileir::launch::elf

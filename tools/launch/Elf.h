// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sections of an ELF file in memory, read without trusting it.
#ifndef TOOLS_LAUNCH_ELF_H
#define TOOLS_LAUNCH_ELF_H

#include <cstdint>
#include <string>
#include <vector>

#include <elf.h>

namespace tileir::launch::elf {

/// `count` objects at a byte of the file, or null where it is too short.
template <typename T>
const T *at(const std::string &file, uint64_t offset, uint64_t count = 1) {
  if (offset > file.size() || count * sizeof(T) > file.size() - offset)
    return nullptr;
  return reinterpret_cast<const T *>(file.data() + offset);
}

struct Sections {
  const Elf64_Ehdr *header = nullptr;
  std::vector<Elf64_Shdr> list;
  std::vector<std::string> names;
};

/// Returns false unless the file is a 64-bit ELF file.
bool readSections(const std::string &file, Sections &out);

/// Copies the last section called `name`; `content` is empty where there is
/// none. Returns false unless the file is a 64-bit ELF file.
bool findSection(const std::string &file, const std::string &name,
                 std::string &content);

/// The first note that `owner` wrote into the section called `section`; empty
/// where there is none.
std::string findNote(const std::string &file, const std::string &section,
                     const std::string &owner);

} // namespace tileir::launch::elf

#endif // TOOLS_LAUNCH_ELF_H

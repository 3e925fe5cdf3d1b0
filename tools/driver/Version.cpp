// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Version.h"

#include <cstdio>
#include <cstring>
#include <elf.h>
#include <link.h>

namespace tileir {

/// Release of the Tile IR tools whose behaviour this program follows.
static const std::string release = "13.5";
static constexpr unsigned patch = 0;

/// Finds the linker's build id of this program, as hexadecimal digits.
static int findBuildId(struct dl_phdr_info *info, size_t, void *data) {
  auto *text = static_cast<std::string *>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &header = info->dlpi_phdr[i];
    if (header.p_type != PT_NOTE)
      continue;
    const char *at =
        reinterpret_cast<const char *>(info->dlpi_addr) + header.p_vaddr;
    const char *end = at + header.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      auto *note = reinterpret_cast<const ElfW(Nhdr) *>(at);
      const char *name = at + sizeof(*note);
      const char *desc = name + ((note->n_namesz + 3) & ~3u);
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
          !memcmp(name, "GNU", 4)) {
        for (unsigned b = 0; b < note->n_descsz; ++b) {
          char digits[3];
          snprintf(digits, sizeof(digits), "%02x", (unsigned char)desc[b]);
          *text += digits;
        }
        return 1;
      }
      at = desc + ((note->n_descsz + 3) & ~3u);
    }
  }
  // The program itself is the first object; stop after it.
  return 1;
}

std::string describeVersion(const std::string &tool) {
  std::string id;
  dl_iterate_phdr(findBuildId, &id);
  return tool +
         ": open Tile IR compiler for NVIDIA GPUs\n"
         "Copyright (c) the tileir authors\n"
         "Apache-2.0 WITH LLVM-exception\n"
         "Cuda compilation tools, release " +
         release + ", V" + release + "." + std::to_string(patch) +
         "\nBuild tileir-" + getOwnVersion() + "-" +
         (id.empty() ? "unknown" : id) + "\n";
}

} // namespace tileir

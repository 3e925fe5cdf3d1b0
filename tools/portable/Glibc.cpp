// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of glibc 2.35 and 2.36 that the archives of LLVM, libstdc++ and
// libgcc call if the build machine has them. A program that defines them also
// starts on machines with glibc 2.34.

#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#if __GLIBC_PREREQ(2, 36)
/// Returns random numbers of the kernel. Callers cannot handle a failure.
extern "C" uint32_t arc4random() noexcept {
  uint32_t number;
  if (::getentropy(&number, sizeof(number)) != 0)
    std::abort();
  return number;
}
#endif

#if __GLIBC_PREREQ(2, 35)
/// Finds the unwind table of the loaded object that contains an address;
/// returns nonzero if no object does.
extern "C" int _dl_find_object(void *address,
                               struct dl_find_object *result) noexcept {
  struct Search {
    uintptr_t address;
    struct dl_find_object *result;
  } search{reinterpret_cast<uintptr_t>(address), result};
  auto visit = [](dl_phdr_info *object, size_t, void *data) {
    const Search &search = *static_cast<Search *>(data);
    uintptr_t begin = UINTPTR_MAX, end = 0, table = 0;
    bool holds = false;
    for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
      const ElfW(Phdr) &part = object->dlpi_phdr[i];
      uintptr_t from = object->dlpi_addr + part.p_vaddr;
      uintptr_t to = from + part.p_memsz;
      if (part.p_type == PT_GNU_EH_FRAME)
        table = from;
      if (part.p_type != PT_LOAD)
        continue;
      begin = from < begin ? from : begin;
      end = to > end ? to : end;
      holds |= from <= search.address && search.address < to;
    }
    if (!holds || !table)
      return 0;
    *search.result = {};
    search.result->dlfo_map_start = reinterpret_cast<void *>(begin);
    search.result->dlfo_map_end = reinterpret_cast<void *>(end);
    search.result->dlfo_eh_frame = reinterpret_cast<void *>(table);
    return 1;
  };
  return ::dl_iterate_phdr(visit, &search) == 1 ? 0 : -1;
}
#endif

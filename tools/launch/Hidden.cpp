// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hidden parameters of tile kernels: the host object of the cubin is loaded
// and called as a driver calls it, in a process of its own: a damaged one must
// not take the runner along.
#include "tools/launch/Elf.h"
#include "tools/launch/Run.h"

#include <cstring>

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tileir::launch {

using elf::at;
using elf::readSections;
using elf::Sections;

namespace {

/// A relocatable object of this host, placed in memory.
class HostObject {
public:
  ~HostObject() {
    if (memory != MAP_FAILED)
      munmap(memory, size);
  }

  bool load(const std::string &object, std::string &error) {
    Sections sections;
    if (!readSections(object, sections) || sections.header->e_type != ET_REL) {
      error = "the host object is no relocatable ELF file";
      return false;
    }
#if defined(__x86_64__)
    if (sections.header->e_machine != EM_X86_64) {
      error = "the host object is for another machine than x86-64; use "
              "--host-object=none";
      return false;
    }
#else
    error = "host objects run on x86-64 only; use --host-object=none";
    return false;
#endif
    std::vector<uint64_t> places(sections.list.size(), 0);
    uint64_t end = 0;
    for (size_t k = 0; k < sections.list.size(); ++k) {
      const Elf64_Shdr &s = sections.list[k];
      if (!(s.sh_flags & SHF_ALLOC))
        continue;
      uint64_t align = s.sh_addralign ? s.sh_addralign : 1;
      // Host objects are small: a large number is not a size.
      if (align > 4096 || s.sh_size > (1u << 28) || end > (1u << 28))
        return truncated(error);
      end = (end + align - 1) / align * align;
      places[k] = end;
      end += s.sh_size;
    }
    gotOffset = (end + 15) / 16 * 16;
    size = gotOffset + 8 * 512;
    memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      error = "no memory for the host object";
      return false;
    }
    base = reinterpret_cast<uint64_t>(memory);
    for (size_t k = 0; k < sections.list.size(); ++k) {
      const Elf64_Shdr &s = sections.list[k];
      if (!(s.sh_flags & SHF_ALLOC) || s.sh_type == SHT_NOBITS)
        continue;
      const char *from = at<char>(object, s.sh_offset, s.sh_size);
      if (!from)
        return truncated(error);
      std::memcpy(static_cast<char *>(memory) + places[k], from, s.sh_size);
    }
    // Symbols, then relocations.
    for (const Elf64_Shdr &s : sections.list) {
      if (s.sh_type != SHT_SYMTAB || s.sh_link >= sections.list.size())
        continue;
      uint64_t strings = sections.list[s.sh_link].sh_offset;
      for (uint64_t k = 0; k < s.sh_size / sizeof(Elf64_Sym); ++k) {
        auto *symbol =
            at<Elf64_Sym>(object, s.sh_offset + k * sizeof(Elf64_Sym));
        if (!symbol || strings + symbol->st_name >= object.size())
          return truncated(error);
        std::string name(object.c_str() + strings + symbol->st_name);
        uint64_t value = 0;
        if (symbol->st_shndx == SHN_ABS)
          value = symbol->st_value;
        else if (symbol->st_shndx < places.size() && symbol->st_shndx)
          value = base + places[symbol->st_shndx] + symbol->st_value;
        else if (name == "_GLOBAL_OFFSET_TABLE_")
          value = base + gotOffset;
        else if (symbol->st_shndx == SHN_UNDEF && !name.empty()) {
          error = "the host object needs '" + name + "'";
          return false;
        }
        symbols.push_back(value);
        if (!name.empty())
          named.push_back({name, value});
      }
    }
    for (const Elf64_Shdr &s : sections.list) {
      // Nothing unwinds through the object.
      if (s.sh_type != SHT_RELA || s.sh_info >= sections.list.size() ||
          !(sections.list[s.sh_info].sh_flags & SHF_ALLOC) ||
          sections.names[s.sh_info] == ".eh_frame")
        continue;
      for (uint64_t k = 0; k < s.sh_size / sizeof(Elf64_Rela); ++k) {
        auto *r = at<Elf64_Rela>(object, s.sh_offset + k * sizeof(Elf64_Rela));
        if (!r || !relocate(*r, places[s.sh_info], error))
          return r ? false : truncated(error);
      }
    }
    if (mprotect(memory, size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
      error = "the host object cannot be made executable";
      return false;
    }
    return true;
  }

  uint64_t find(const std::string &name) const {
    for (const auto &[n, value] : named)
      if (n == name)
        return value;
    return 0;
  }

private:
  static bool truncated(std::string &error) {
    error = "the host object is truncated";
    return false;
  }

  bool relocate(const Elf64_Rela &r, uint64_t section, std::string &error) {
    uint64_t index = ELF64_R_SYM(r.r_info);
    if (index >= symbols.size() || r.r_offset > size ||
        section + r.r_offset + 8 > size)
      return truncated(error);
    uint64_t place = base + section + r.r_offset;
    uint64_t value = symbols[index] + uint64_t(r.r_addend);
    uint64_t got = base + gotOffset;
    switch (ELF64_R_TYPE(r.r_info)) {
    case R_X86_64_64:
      break;
    case R_X86_64_PC64:
      value -= place;
      break;
    case R_X86_64_GOTOFF64:
      value -= got;
      break;
    case R_X86_64_GOTPC64:
      value = got + uint64_t(r.r_addend) - place;
      break;
    case R_X86_64_GOT64: {
      if (entries >= 512) {
        error = "the host object needs too many table entries";
        return false;
      }
      uint64_t slot = 8 * entries++;
      uint64_t symbol = symbols[index];
      std::memcpy(static_cast<char *>(memory) + gotOffset + slot, &symbol, 8);
      value = slot + uint64_t(r.r_addend);
      break;
    }
    default:
      error = "the host object has a relocation of type " +
              std::to_string(ELF64_R_TYPE(r.r_info)) +
              ", which launch ABIs do not use";
      return false;
    }
    std::memcpy(reinterpret_cast<void *>(place), &value, 8);
    return true;
  }

  void *memory = MAP_FAILED;
  uint64_t size = 0, base = 0, gotOffset = 0;
  uint64_t entries = 0;
  std::vector<uint64_t> symbols;
  std::vector<std::pair<std::string, uint64_t>> named;
};

struct ModuleTable {
  uint64_t version, zero, workspace, zero2, entrySize;
  const char *entries;
  uint64_t count, interfaceVersion;
  void *preLoad;
};
struct KernelEntry {
  const char *name;
  uint64_t unused[4];
  int32_t (*onArguments)(const void *, const uint64_t *, const void *, char *);
};
using PreLoad = int32_t (*)(const void *const *, const void *, int32_t,
                            ModuleTable **);

int32_t processors;
int32_t getAttribute(const void *, int32_t attribute, int32_t *value) {
  *value = attribute == 16 ? processors : 0; // MULTIPROCESSOR_COUNT
  return 0;
}

/// The answer of the host object's process: why it failed, or how much
/// workspace the module wants, then, the block filled, nothing more.
struct Answer {
  char error[200] = {};
  uint64_t workspace = 0;
};

bool put(int fd, const void *from, size_t bytes) {
  auto *p = static_cast<const char *>(from);
  while (bytes) {
    ssize_t n = send(fd, p, bytes, MSG_NOSIGNAL);
    if (n <= 0)
      return false;
    p += n;
    bytes -= size_t(n);
  }
  return true;
}

bool get(int fd, void *to, size_t bytes) {
  auto *p = static_cast<char *>(to);
  while (bytes) {
    ssize_t n = read(fd, p, bytes);
    if (n <= 0)
      return false;
    p += n;
    bytes -= size_t(n);
  }
  return true;
}

/// In the process of the host object: loads it, calls it, answers on `fd`.
void serve(int fd, const std::string &object, const std::string &entry,
           int32_t driverVersion, std::vector<uint8_t> block) {
  auto say = [&](const std::string &error, uint64_t workspace = 0) {
    Answer answer;
    std::strncpy(answer.error, error.c_str(), sizeof answer.error - 1);
    answer.workspace = workspace;
    put(fd, &answer, sizeof answer);
  };
  HostObject host;
  std::string error;
  if (!host.load(object, error))
    return say(error);
  auto preLoad =
      reinterpret_cast<PreLoad>(host.find("__CUDA_TILEIR_ON_PRE_LOAD"));
  if (!preLoad)
    return say("the host object has no __CUDA_TILEIR_ON_PRE_LOAD");
  const void *callbacks[16] = {};
  callbacks[6] = reinterpret_cast<const void *>(&getAttribute);
  ModuleTable *table = nullptr;
  int32_t rc = preLoad(callbacks, nullptr, driverVersion, &table);
  if (rc != 0 || !table || table->entrySize < sizeof(KernelEntry))
    return say("ON_PRE_LOAD of the host object returned " + std::to_string(rc));
  say("", table->workspace);
  uint64_t workspace[2] = {0, 0};
  if (!get(fd, &workspace[1], 8))
    return;
  // The block as a driver lays it out; hidden parameters are its last.
  for (uint64_t k = 0; k < table->count; ++k) {
    KernelEntry one;
    std::memcpy(&one, table->entries + k * table->entrySize, sizeof one);
    if (entry != one.name)
      continue;
    rc = one.onArguments(nullptr, workspace, nullptr,
                         reinterpret_cast<char *>(block.data()));
    if (rc != 0)
      return say("ON_ARGUMENTS_CHANGE of '" + entry + "' returned " +
                 std::to_string(rc));
    say("");
    put(fd, block.data(), block.size());
    return;
  }
  say("the host object does not name '" + entry + "'");
}

} // namespace

bool fillHidden(const Options &options, const std::string &cubinFile,
                const emu::Function &entry, emu::Machine &machine,
                std::vector<uint8_t> &block, std::string &error) {
  std::string cubin, object;
  if (!cases::readText(cubinFile, cubin, error))
    return false;
  if (!elf::findSection(cubin, ".nv.host", object)) {
    error = "'" + cubinFile + "' is no ELF file";
    return false;
  }
  if (object.empty()) {
    error = "the cubin has no host object (section .nv.host)";
    return false;
  }
  processors = int32_t(machine.target.typicalSMs());
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds)) {
    error = "cannot start a process for the host object";
    return false;
  }
  pid_t pid = fork();
  if (pid == 0) {
    close(fds[0]);
    alarm(10); // An object that never answers is damaged, too.
    serve(fds[1], object, entry.name, options.emulator.driverVersion, block);
    _exit(0);
  }
  close(fds[1]);
  auto fill = [&] {
    Answer answer;
    if (pid < 0 || !get(fds[0], &answer, sizeof answer))
      return false;
    answer.error[sizeof answer.error - 1] = 0;
    error = answer.error;
    if (!error.empty())
      return false;
    uint64_t workspace = 0;
    if (answer.workspace) {
      if (!machine.memory.fits(answer.workspace)) {
        error = "a workspace of " + std::to_string(answer.workspace) +
                " bytes does not fit into the memory of this machine";
        return false;
      }
      emu::Region &r =
          machine.memory.allocate("workspace", answer.workspace, 128);
      r.written.assign(r.size, 0);
      workspace = r.base;
    }
    if (!put(fds[0], &workspace, 8) || !get(fds[0], &answer, sizeof answer))
      return false;
    answer.error[sizeof answer.error - 1] = 0;
    error = answer.error;
    return error.empty() && get(fds[0], block.data(), block.size());
  };
  bool ok = fill();
  close(fds[0]);
  int status = 0;
  if (pid > 0)
    waitpid(pid, &status, 0);
  if (!ok && error.empty()) {
    error = "the host object of the cubin is damaged: its process ended";
    if (WIFSIGNALED(status))
      error += " by signal " + std::to_string(WTERMSIG(status));
    error += "; compile again or use --host-object=none";
  }
  return ok;
}

} // namespace tileir::launch

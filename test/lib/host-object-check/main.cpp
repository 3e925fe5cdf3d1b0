// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extracts the host object of a cubin, loads it like a driver (sections placed,
// relocations applied), calls it with synthetic arguments and prints its
// effects. Only objects of the host machine are called; of others it prints the
// symbols, the relocations and, from the bytes alone, the tables.
//
//   host-object-check CUBIN BLOCK-BYTES [windows]
//   host-object-check --call CUBIN [windows] < lines `KERNEL WORKSPACE BLOCK`
//
// The second form calls ON_ARGUMENTS_CHANGE for each line, with a parameter
// block in hexadecimal, and answers `RESULT BLOCK`. A workspace of `-` passes
// no argument vector at all.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace {

using Bytes = std::vector<uint8_t>;

[[noreturn]] void die(const std::string &text) {
  fprintf(stderr, "error: %s\n", text.c_str());
  exit(1);
}

Bytes readFile(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    die(std::string("cannot read ") + path);
  Bytes bytes;
  uint8_t buffer[1 << 16];
  while (size_t n = fread(buffer, 1, sizeof(buffer), file))
    bytes.insert(bytes.end(), buffer, buffer + n);
  fclose(file);
  return bytes;
}

struct Elf {
  Bytes bytes;
  Elf64_Ehdr header;
  std::vector<Elf64_Shdr> sections;

  explicit Elf(Bytes b) : bytes(std::move(b)) {
    if (bytes.size() < sizeof(header) || memcmp(bytes.data(), ELFMAG, SELFMAG))
      die("no ELF file");
    memcpy(&header, bytes.data(), sizeof(header));
    if (header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr) > bytes.size())
      die("truncated ELF file");
    sections.resize(header.e_shnum);
    memcpy(sections.data(), bytes.data() + header.e_shoff,
           header.e_shnum * sizeof(Elf64_Shdr));
  }
  const char *string(unsigned table, unsigned at) const {
    return reinterpret_cast<const char *>(bytes.data()) +
           sections[table].sh_offset + at;
  }
  std::string name(const Elf64_Shdr &s) const {
    return string(header.e_shstrndx, s.sh_name);
  }
  template <typename T> std::vector<T> table(const Elf64_Shdr &s) const {
    std::vector<T> entries(s.sh_size / sizeof(T));
    memcpy(entries.data(), bytes.data() + s.sh_offset,
           entries.size() * sizeof(T));
    return entries;
  }
};

Bytes extractHost(const Elf &cubin, bool quiet = false) {
  for (const Elf64_Shdr &s : cubin.sections)
    if (cubin.name(s) == ".nv.host") {
      if (!quiet)
        printf("section .nv.host type 0x%x flags %lu align %lu\n", s.sh_type,
               (unsigned long)s.sh_flags, (unsigned long)s.sh_addralign);
      return Bytes(cubin.bytes.begin() + s.sh_offset,
                   cubin.bytes.begin() + s.sh_offset + s.sh_size);
    }
  // The argument may also be the object itself.
  if (cubin.header.e_type == ET_REL && cubin.header.e_machine != 190)
    return cubin.bytes;
  die("the cubin has no section .nv.host");
}

/// The loaded object.
struct Loaded {
  struct Symbol {
    std::string name;
    uint8_t *address;
    uint64_t size;
    unsigned binding, type;
    bool defined;
  };
  std::vector<Symbol> symbols;
  std::set<unsigned> relocationTypes;

  const Symbol *find(const std::string &name) const {
    for (const Symbol &s : symbols)
      if (s.name == name)
        return &s;
    return nullptr;
  }
  /// Returns `NAME` or `NAME+offset` of the symbol that contains `address`.
  std::string describe(uint64_t address) const {
    for (const Symbol &s : symbols) {
      uint64_t base = reinterpret_cast<uint64_t>(s.address);
      if (s.size && address >= base && address < base + s.size)
        return s.name +
               (address == base ? "" : "+" + std::to_string(address - base));
    }
    return std::to_string(address);
  }
};

/// Room for the global offset table of position-independent objects.
constexpr size_t gotBytes = 4096;

Loaded load(const Elf &object, bool apply) {
  Loaded result;
  std::vector<uint8_t *> place(object.sections.size(), nullptr);
  size_t total = 0;
  for (const Elf64_Shdr &s : object.sections)
    if (s.sh_flags & SHF_ALLOC)
      total += s.sh_size + s.sh_addralign + 64;
  auto *memory = static_cast<uint8_t *>(
      mmap(nullptr, total + 2 * gotBytes, PROT_READ | PROT_WRITE | PROT_EXEC,
           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (memory == MAP_FAILED)
    die("mmap failed");
  uint64_t at = reinterpret_cast<uint64_t>(memory);
  for (size_t i = 0; i < object.sections.size(); ++i) {
    const Elf64_Shdr &s = object.sections[i];
    if (!(s.sh_flags & SHF_ALLOC))
      continue;
    uint64_t align = s.sh_addralign ? s.sh_addralign : 1;
    at = (at + align - 1) / align * align;
    place[i] = reinterpret_cast<uint8_t *>(at);
    if (s.sh_type != SHT_NOBITS)
      memcpy(place[i], object.bytes.data() + s.sh_offset, s.sh_size);
    at += s.sh_size;
  }
  uint64_t got = (at + 15) / 16 * 16, gotEnd = got;
  std::vector<Elf64_Sym> raw;
  for (const Elf64_Shdr &s : object.sections) {
    if (s.sh_type != SHT_SYMTAB)
      continue;
    raw = object.table<Elf64_Sym>(s);
    for (const Elf64_Sym &sym : raw) {
      Loaded::Symbol out;
      out.name = object.string(s.sh_link, sym.st_name);
      out.defined = sym.st_shndx != SHN_UNDEF;
      out.binding = ELF64_ST_BIND(sym.st_info);
      out.type = ELF64_ST_TYPE(sym.st_info);
      out.size = sym.st_size;
      out.address = sym.st_shndx < place.size() && place[sym.st_shndx]
                        ? place[sym.st_shndx] + sym.st_value
                        : nullptr;
      if (!out.defined && out.name == "_GLOBAL_OFFSET_TABLE_")
        out.address = reinterpret_cast<uint8_t *>(got);
      result.symbols.push_back(out);
    }
  }
  for (const Elf64_Shdr &s : object.sections) {
    if (s.sh_type != SHT_RELA || !place[s.sh_info])
      continue;
    for (const Elf64_Rela &r : object.table<Elf64_Rela>(s)) {
      unsigned type = unsigned(ELF64_R_TYPE(r.r_info));
      result.relocationTypes.insert(type);
      if (!apply)
        continue;
      uint64_t target = reinterpret_cast<uint64_t>(
          result.symbols[ELF64_R_SYM(r.r_info)].address);
      uint8_t *where = place[s.sh_info] + r.r_offset;
      uint64_t value = target + uint64_t(r.r_addend);
      switch (type) {
      case R_X86_64_64:
        break;
      case R_X86_64_PC64:
        value -= reinterpret_cast<uint64_t>(where);
        break;
      case R_X86_64_GOTOFF64:
        value -= got;
        break;
      case R_X86_64_GOTPC64:
        value = got + uint64_t(r.r_addend) - reinterpret_cast<uint64_t>(where);
        break;
      case R_X86_64_GOT64:
        memcpy(reinterpret_cast<void *>(gotEnd), &target, 8);
        value = gotEnd - got + uint64_t(r.r_addend);
        gotEnd += 8;
        if (gotEnd > got + gotBytes)
          die("too many addresses in the table");
        break;
      default:
        die("relocation type " + std::to_string(type));
      }
      memcpy(where, &value, 8);
    }
  }
  return result;
}

unsigned callbackCalls;
int64_t callbackDevice;
int32_t callbackAttribute;
/// Result of the mock callback.
int32_t callbackSMs = 132, callbackResult = 0;

int32_t answer(int64_t device, int32_t attribute, int32_t *value) {
  ++callbackCalls;
  callbackDevice = device;
  callbackAttribute = attribute;
  *value = callbackSMs;
  return callbackResult;
}
__attribute__((ms_abi)) int32_t answerWindows(int64_t device, int32_t attribute,
                                              int32_t *value) {
  return answer(device, attribute, value);
}
[[noreturn]] void wrongSlot() {
  die("a callback slot other than 6 was called");
}

using PreLoad = int32_t (*)(void **, int64_t, int32_t, uint64_t **);
using PreLoadWindows = __attribute__((ms_abi))
int32_t (*)(void **, int64_t, int32_t, uint64_t **);
using Change = int32_t (*)(void *, void *, void *, uint8_t *);
using ChangeWindows = __attribute__((ms_abi)) int32_t (*)(void *, void *,
                                                          void *, uint8_t *);

void printTable(const Loaded &object, const char *title, const uint64_t *t) {
  printf("%s: %lu %lu %lu %lu %lu %s %lu %lu %s\n", title, (unsigned long)t[0],
         (unsigned long)t[1], (unsigned long)t[2], (unsigned long)t[3],
         (unsigned long)t[4], object.describe(t[5]).c_str(),
         (unsigned long)t[6], (unsigned long)t[7],
         object.describe(t[8]).c_str());
}

void callPreLoad(const Loaded &object, bool windows) {
  void *slots[16];
  for (void *&slot : slots)
    slot = reinterpret_cast<void *>(wrongSlot);
  slots[6] = windows ? reinterpret_cast<void *>(answerWindows)
                     : reinterpret_cast<void *>(answer);
  void *entry = object.find("__CUDA_TILEIR_ON_PRE_LOAD")->address;
  // The last call has a callback that fails.
  bool failing = false;
  for (int32_t version : {0, 1, 2, 3, -1, 1}) {
    failing = version == 1 && callbackCalls;
    callbackSMs = failing ? -3 : 132;
    callbackResult = failing ? 999 : 0;
    callbackCalls = 0;
    uint64_t *table = nullptr;
    int64_t device = 0x123456789abcll;
    int32_t result =
        windows
            ? reinterpret_cast<PreLoadWindows>(entry)(slots, device, version,
                                                      &table)
            : reinterpret_cast<PreLoad>(entry)(slots, device, version, &table);
    printf("pre-load version %d%s: result %d, %u calls", version,
           failing ? ", failing callback" : "", result, callbackCalls);
    if (callbackCalls)
      printf(" (%s, attribute %d)",
             callbackDevice == device ? "device" : "wrong device",
             callbackAttribute);
    if (!table) {
      printf(", no table\n");
      continue;
    }
    printf(", returns %s\n",
           object.describe(reinterpret_cast<uint64_t>(table)).c_str());
    printTable(object, "  table", table);
  }
}

/// Calls the function on random blocks that end at an inaccessible page, at
/// even and odd addresses, and prints which bytes changed.
void callChange(const Loaded &object, uint64_t index, const uint64_t *entry,
                size_t blockBytes, bool windows) {
  printf("kernel %lu '%s':", (unsigned long)index,
         reinterpret_cast<const char *>(entry[0]));
  for (unsigned word : {1u, 2u, 3u, 4u, 6u, 7u})
    if (entry[word])
      printf(" word %u is %lu", word, (unsigned long)entry[word]);
  printf(" %s", object.describe(entry[5]).c_str());
  long page = sysconf(_SC_PAGESIZE);
  size_t pages = (blockBytes + 64) / page + 1;
  auto *memory = static_cast<uint8_t *>(
      mmap(nullptr, (pages + 1) * page, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(memory + pages * page, page, PROT_NONE);
  uint64_t workspace[4] = {0, 0xdead0000beefull, 0, 0};
  std::vector<bool> changed(blockBytes, false);
  bool failed = false;
  srand(1);
  for (unsigned trial = 0; trial < 64; ++trial) {
    uint8_t *block = memory + pages * page - blockBytes - trial % 9;
    Bytes before(blockBytes);
    for (uint8_t &byte : before)
      byte = uint8_t(rand());
    memcpy(block, before.data(), blockBytes);
    void *function = reinterpret_cast<void *>(entry[5]);
    int32_t result = windows ? reinterpret_cast<ChangeWindows>(function)(
                                   nullptr, workspace, nullptr, block)
                             : reinterpret_cast<Change>(function)(
                                   nullptr, workspace, nullptr, block);
    failed |= result != 0;
    for (size_t i = 0; i < blockBytes; ++i)
      if (block[i] != before[i])
        changed[i] = true;
  }
  printf(", result %s, changed", failed ? "not 0" : "0");
  bool any = false;
  for (size_t i = 0; i < blockBytes; ++i) {
    if (!changed[i])
      continue;
    size_t end = i;
    while (end < blockBytes && changed[end])
      ++end;
    printf(" [%zu, %zu)", i, end);
    any = true;
    i = end;
  }
  printf("%s\n", any ? "" : " nothing");
}

Bytes fromHex(const std::string &text) {
  Bytes bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(uint8_t(std::stoul(text.substr(i, 2), nullptr, 16)));
  return bytes;
}

/// Answers the lines of standard input.
void serveCalls(const Loaded &object, bool windows) {
  const Loaded::Symbol *table = object.find("__CUDA_TILEIR_CALLBACKS");
  if (!table)
    die("no table");
  auto *words = reinterpret_cast<const uint64_t *>(table->address);
  auto *entries = reinterpret_cast<const uint64_t *>(words[5]);
  long page = sysconf(_SC_PAGESIZE);
  constexpr long pages = 9;
  auto *memory = static_cast<uint8_t *>(
      mmap(nullptr, (pages + 2) * page, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(memory, page, PROT_NONE);
  mprotect(memory + (pages + 1) * page, page, PROT_NONE);
  std::string line;
  for (unsigned trial = 0; std::getline(std::cin, line); ++trial) {
    std::istringstream in(line);
    std::string kernel, workspaceText, hex;
    in >> kernel >> workspaceText >> hex;
    void *function = nullptr;
    for (uint64_t i = 0; i < words[6]; ++i)
      if (kernel == reinterpret_cast<const char *>(entries[8 * i]))
        function = reinterpret_cast<void *>(entries[8 * i + 5]);
    if (!function)
      die("no kernel '" + kernel + "'");
    Bytes bytes = fromHex(hex);
    if (bytes.size() > size_t(pages * page - 16))
      die("the block is too large");
    // Alternates between the end of the page and every odd and even distance
    // from it.
    uint8_t *block = memory + (pages + 1) * page - bytes.size() - trial % 9;
    memcpy(block, bytes.data(), bytes.size());
    uint64_t vector[2] = {0x1111111111111111, 0};
    uint64_t *arguments = nullptr;
    if (workspaceText != "-") {
      vector[1] = std::stoull(workspaceText, nullptr, 16);
      arguments = vector;
    }
    auto *odd = reinterpret_cast<void *>(uintptr_t(0xbad));
    int32_t result =
        windows
            ? reinterpret_cast<ChangeWindows>(function)(odd, arguments, odd,
                                                        block)
            : reinterpret_cast<Change>(function)(odd, arguments, odd, block);
    printf("%d ", result);
    for (size_t i = 0; i < bytes.size(); ++i)
      printf("%02x", block[i]);
    printf("\n");
  }
}

/// Returns the 64-bit words of a symbol before relocation, with `NAME+addend`
/// where a relocation fills one.
std::string staticWords(const Elf &object, const std::string &wanted) {
  std::string text;
  for (const Elf64_Shdr &t : object.sections) {
    if (t.sh_type != SHT_SYMTAB)
      continue;
    std::vector<Elf64_Sym> symbols = object.table<Elf64_Sym>(t);
    for (const Elf64_Sym &s : symbols) {
      if (object.string(t.sh_link, s.st_name) != wanted)
        continue;
      const Elf64_Shdr &home = object.sections[s.st_shndx];
      for (uint64_t at = 0; at < s.st_size; at += 8) {
        uint64_t word = 0;
        if (home.sh_type != SHT_NOBITS)
          memcpy(&word, object.bytes.data() + home.sh_offset + s.st_value + at,
                 8);
        std::string shown = std::to_string(word);
        for (const Elf64_Shdr &r : object.sections) {
          if (r.sh_type != SHT_RELA || r.sh_info != s.st_shndx)
            continue;
          for (const Elf64_Rela &one : object.table<Elf64_Rela>(r)) {
            if (one.r_offset != s.st_value + at)
              continue;
            const Elf64_Sym &to = symbols[ELF64_R_SYM(one.r_info)];
            uint64_t place = to.st_value + uint64_t(one.r_addend);
            shown = "?";
            for (const Elf64_Sym &named : symbols)
              if (ELF64_ST_TYPE(named.st_info) != STT_SECTION &&
                  named.st_shndx == to.st_shndx && named.st_value == place &&
                  named.st_name && named.st_size)
                shown = object.string(t.sh_link, named.st_name);
          }
        }
        text += " " + shown;
      }
    }
  }
  return text;
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 2 && !strcmp(argv[1], "--call")) {
    Elf called(extractHost(Elf(readFile(argv[2])), /*quiet=*/true));
    if (called.header.e_machine != EM_X86_64)
      die("an object of another machine");
    serveCalls(load(called, true), argc > 3 && !strcmp(argv[3], "windows"));
    return 0;
  }
  if (argc < 3)
    die("usage: host-object-check CUBIN BLOCK-BYTES [windows]");
  bool windows = argc > 3 && !strcmp(argv[3], "windows");
  Elf object(extractHost(Elf(readFile(argv[1]))));
  bool native = object.header.e_machine == EM_X86_64;
  printf("machine %s\n", native                                  ? "x86_64"
                         : object.header.e_machine == EM_AARCH64 ? "aarch64"
                                                                 : "unknown");
  if (object.header.e_type != ET_REL || object.header.e_phnum)
    die("not a relocatable file");
  Loaded loaded = load(object, native);
  printf("relocation types:");
  for (unsigned type : loaded.relocationTypes)
    printf(" %u", type);
  printf("\n");
  for (size_t i = 1; i < loaded.symbols.size(); ++i) {
    const Loaded::Symbol &s = loaded.symbols[i];
    if (!s.defined)
      printf("undefined %s\n", s.name.c_str());
    else if (s.binding != STB_LOCAL)
      printf("global %s %s of %lu bytes\n", s.name.c_str(),
             s.type == STT_FUNC ? "function" : "object", (unsigned long)s.size);
  }
  for (const Elf64_Shdr &s : object.sections)
    if ((s.sh_flags & SHF_ALLOC) && s.sh_size)
      printf("loads %s\n", object.name(s).c_str());
  if (!native) {
    printf("table:%s\n",
           staticWords(object, "__CUDA_TILEIR_CALLBACKS").c_str());
    printf("entries:%s\n",
           staticWords(object, "__CUDA_TILEIR_FUNC_CALLBACKS").c_str());
    return 0;
  }
  const Loaded::Symbol *table = loaded.find("__CUDA_TILEIR_CALLBACKS");
  if (!table || !loaded.find("__CUDA_TILEIR_ON_PRE_LOAD"))
    die("the two exported symbols are missing");
  auto *words = reinterpret_cast<const uint64_t *>(table->address);
  printTable(loaded, "table", words);
  callPreLoad(loaded, windows);
  auto *entries = reinterpret_cast<const uint64_t *>(words[5]);
  for (uint64_t i = 0; i < words[6]; ++i)
    callChange(loaded, i, entries + 8 * i, size_t(atol(argv[2])), windows);
  return 0;
}

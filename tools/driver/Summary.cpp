// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Summary.h"

#include "dialects/support/Residency.h"
#include "serialize/elf/Cubin.h"
#include "serialize/ptx/EntryHeader.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace tileir::driver {

using namespace llvm;

/// Returns the number before `unit` in `line`.
static unsigned numberBefore(StringRef line, StringRef unit) {
  size_t at = line.find(unit);
  if (at == StringRef::npos)
    return 0;
  StringRef head = line.take_front(at).rtrim();
  unsigned value = 0;
  (void)head.take_back(head.size() - (head.find_last_not_of("0123456789") + 1))
      .getAsInteger(10, value);
  return value;
}

std::vector<PtxasStatistics> parsePtxasStatistics(StringRef log) {
  std::vector<PtxasStatistics> all;
  SmallVector<StringRef> lines;
  log.split(lines, '\n');
  for (StringRef line : lines) {
    if (line.contains("Compiling entry function")) {
      PtxasStatistics entry;
      entry.kernel = line.split('\'').second.split('\'').first.str();
      all.push_back(entry);
    } else if (all.empty()) {
      continue;
    } else if (line.contains("bytes stack frame")) {
      all.back().stack = numberBefore(line, " bytes stack frame");
      all.back().spillStores = numberBefore(line, " bytes spill stores");
      all.back().spillLoads = numberBefore(line, " bytes spill loads");
    } else if (line.contains(" registers")) {
      all.back().registers = numberBefore(line, " registers");
      all.back().sharedBytes = numberBefore(line, " bytes smem");
    }
  }
  return all;
}

int64_t getResidentBlocks(const Target &target, const CubinKernel &kernel,
                          int64_t sharedBytes) {
  int64_t threads =
      int64_t(kernel.reqntid[0]) * kernel.reqntid[1] * kernel.reqntid[2];
  if (!threads)
    return 0;
  return getResidentCtas(target,
                         int64_t(alignTo(threads, limits::threadsPerWarp)),
                         int64_t(alignTo(std::max(kernel.registers, 1u),
                                         limits::registersGranule)),
                         sharedBytes);
}

static std::string triple(const unsigned *v) {
  return formatv("{0}x{1}x{2}", v[0], v[1], v[2]).str();
}

std::string summarize(const SerializeResult &result) {
  std::string text;
  raw_string_ostream out(text);
  out << "target " << result.arch;
  if (std::optional<ModuleHeader> header = parseModuleHeader(result.ptx))
    out << ", PTX " << header->version / 10 << '.' << header->version % 10;
  out << ", " << result.ptx.size() << " bytes of PTX in "
      << StringRef(result.ptx).count('\n') << " lines\n";

  std::string error;
  std::optional<CubinInfo> cubin = readCubin(result.cubin, error);
  if (!cubin) {
    if (!result.cubin.empty())
      out << "cubin " << result.cubin.size() << " bytes: " << error << "\n";
    return text;
  }
  std::vector<PtxasStatistics> statistics =
      parsePtxasStatistics(result.ptxasLog);
  for (const CubinKernel &kernel : cubin->kernels) {
    out << "kernel " << kernel.name << ": " << kernel.registers << " registers";
    int64_t sharedBytes = kernel.sharedBytes;
    for (const PtxasStatistics &s : statistics)
      if (s.kernel == kernel.name) {
        sharedBytes = s.sharedBytes;
        out << ", " << s.spillStores << "+" << s.spillLoads
            << " bytes spilled and reloaded, " << s.sharedBytes
            << " bytes shared memory";
      }
    if (statistics.empty())
      out << ", " << kernel.sharedBytes << " bytes shared memory";
    out << ", " << kernel.codeBytes << " bytes of code\n";
    out << "  launch: ";
    if (kernel.reqntid[0])
      out << "block " << triple(kernel.reqntid);
    else
      out << "block chosen by the launcher";
    if (kernel.cluster[0])
      out << ", cluster " << triple(kernel.cluster)
          << (kernel.blocksAreClusters ? " (a tile block is a cluster)" : "");
    out << ", " << kernel.paramBytes.value_or(0) << " bytes of parameters ("
        << kernel.parameters.size() << " visible)";
    for (uint32_t language : kernel.languages)
      out << ", language " << language;
    std::optional<Target> target = Target::parse(result.arch);
    if (int64_t blocks =
            target ? getResidentBlocks(*target, kernel, sharedBytes) : 0)
      out << ", " << blocks << (blocks == 1 ? " block" : " blocks")
          << " on an SM";
    out << "\n";
  }
  out << "cubin " << result.cubin.size() << " bytes, host object "
      << cubin->hostObject.size() << " bytes\n  sections:";
  for (const std::string &section : cubin->sections)
    out << ' ' << section;
  out << "\n";
  if (result.bytes.size() && result.bytes != result.cubin) {
    if (std::optional<ElfFile> object = parseElf(result.bytes, error)) {
      out << "object " << result.bytes.size() << " bytes\n  sections:";
      for (const ElfSection &section : object->sections)
        if (!section.name.empty())
          out << ' ' << section.name;
      out << "\n  symbols:";
      for (const ElfSymbol &symbol : object->symbols)
        if (!symbol.name.empty())
          out << ' ' << symbol.name;
      out << "\n";
    }
  }
  return text;
}

} // namespace tileir::driver

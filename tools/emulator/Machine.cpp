// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine: its launch and its findings.
#include "tools/emulator/Machine.h"
#include "tools/emulator/Profile.h"

#include <algorithm>

#include <unistd.h>

namespace tileir::emu {

const char *className(Class cls) {
  static const char *const names[] = {
      "integer", "float",   "double",   "special",   "convert",
      "move",    "control", "barrier",  "warp_sync", "global",
      "shared",  "local",   "constant", "atomic",    "matrix",
      "tensor",  "async",   "mbarrier", "other"};
  return names[int(cls)];
}

Machine::Machine(const Module &module, const Target &target,
                 const Options &options)
    : target(target), options(options), image(*this, module), memory(*this),
      races(*this), weak(*this, options.seed), scheduler(*this, options.seed),
      async(*this), tensor(*this), registers(*this) {}

Machine::~Machine() = default;

//===--- memory -----------------------------------------------------------===//

Region *Machine::findGlobal(const std::string &name) {
  int index = image.module.findVariable(name);
  if (index < 0 || (image.module.variables[index].space != Space::Global &&
                    image.module.variables[index].space != Space::Const))
    return nullptr;
  return memory.regionAt(image.moduleAddresses[index]);
}

//===--- findings ---------------------------------------------------------===//

Place Machine::placeOf(const Block &block, int warp, int lane,
                       const Inst &inst) const {
  Place p;
  p.line = inst.line;
  p.block = block.id;
  uint32_t t = uint32_t(warp * 32 + lane);
  p.thread = {t % config.block[0], t / config.block[0] % config.block[1],
              t / config.block[0] / config.block[1]};
  p.warp = warp;
  p.lane = lane;
  if (inst.loc.line) {
    auto it = image.module.files.find(inst.loc.file);
    p.source = (it == image.module.files.end() ? "?" : it->second) + ":" +
               std::to_string(inst.loc.line) + ":" +
               std::to_string(inst.loc.column);
  }
  return p;
}

Place Machine::placeOf(Agent agent, uint32_t inst) const {
  uint32_t b = agent / kAgentsPerBlock, at = agent % kAgentsPerBlock;
  const Inst &i = image.code[inst & Cell::InstMask];
  uint32_t threads = config.block[0] * config.block[1] * config.block[2];
  if (at >= threads)
    at -= threads;
  if (at >= threads)
    at = 0;
  Block block;
  block.id = {b % scheduler.totalGrid[0],
              b / scheduler.totalGrid[0] % scheduler.totalGrid[1],
              b / scheduler.totalGrid[0] / scheduler.totalGrid[1]};
  return placeOf(block, int(at / 32), int(at % 32), i);
}

void Machine::report(FindingKind kind, const Place &place,
                     const std::string &message,
                     const std::vector<Place> &related) {
  bool isNote = kind == FindingKind::Inbounds && !reports(kind);
  if (!isNote)
    silenced.reset();
  if (!isNote && !reports(kind)) {
    silenced = Finding{kind, message, place, related, 1};
    return;
  }
  std::vector<Finding> &list = isNote ? notes : findings;
  std::string key =
      std::string(nameOf(kind)) + ":" + std::to_string(place.line);
  for (const Place &r : related)
    key += ":" + std::to_string(r.line);
  auto [it, isNew] = findingIndex.try_emplace(key, list.size());
  if (!isNew) {
    ++list[it->second].count;
    return;
  }
  list.push_back({kind, message, place, related, 1});
}

void Machine::fatal() {
  if (!stopped && silenced && failure.empty()) {
    Finding why = std::move(*silenced);
    report(FindingKind::Timeout, why.place,
           std::string("the run ends here, although '") + nameOf(why.kind) +
               "' is switched off: " + why.message,
           why.related);
  }
  stopped = true;
}

void Machine::report(FindingKind kind, Exec &x, const Inst &inst, int lane,
                     const std::string &message,
                     const std::vector<Place> &related) {
  report(kind, placeOf(*x.block, x.warp->index, lane, inst), message, related);
}

//===--- launch -----------------------------------------------------------===//

bool Machine::sizeShared(const Function &entry, std::string &error) {
  uint64_t most = uint64_t(target.sharedMemoryPerBlock());
  if (config.sharedBytes > most) {
    error = "the launch asks for " + std::to_string(config.sharedBytes) +
            " bytes of dynamic shared memory, " + target.name() + " has " +
            std::to_string(most) + " for a block";
    return false;
  }
  uint64_t used;
  image.sharedSizes(entry, config.sharedBytes, scheduler.sharedSize, used);
  scheduler.sharedUsed = used - image.sharedBase;
  if (scheduler.sharedUsed > most) {
    error = "the kernel needs " + std::to_string(scheduler.sharedUsed) +
            " bytes of shared memory, " + target.name() + " has " +
            std::to_string(most) + " for a block";
    return false;
  }
  memory.sharedGaps = image.sharedGaps(entry, scheduler.sharedSize);
  return true;
}

bool Machine::placePerCtaMemory(const Function &entry, std::string &error) {
  memory.perCtaBase = memory.perCtaBytes = 0;
  if (!entry.minPerCtaMemory || options.driverVersion < 2)
    return true;
  memory.perCtaBytes = (uint64_t(entry.minPerCtaMemory) + 127) / 128 * 128;
  uint64_t bytes = uint64_t(config.smCount) * 64 * memory.perCtaBytes;
  if (!memory.fits(bytes)) {
    error = "per-CTA memory of " + std::to_string(bytes) +
            " bytes does not fit into the memory of this machine; lower "
            "'sm_count'";
    return false;
  }
  Region &r = memory.allocate("per-CTA memory", bytes, 128);
  r.written.assign(r.size, 0);
  memory.perCtaBase = r.base;
  return true;
}

void Machine::placeParameters(const Function &entry) {
  uint64_t size;
  image.parameterOffsets(entry, size);
  config.params.resize(size);
  memory.params =
      &memory.addRegion("parameters", Space::Param,
                        kParamBase + target.parameterBankOffset(), size);
  std::copy(config.params.begin(), config.params.end(),
            memory.params->data.begin());
  memory.params->readOnly = true;
}

bool Machine::launch(const Launch &launch, std::string &error) {
  config = launch;
  std::string why;
  const Function *entry = image.findEntry(launch.entry, why);
  if (!entry) {
    error = why;
    return false;
  }
  config.entry = entry->name;
  const FunctionCode &code =
      image.functions[size_t(image.functionIndex(entry->name))];
  if (!code.error.empty()) {
    error = image.module.path + ": " + code.error;
    return false;
  }
  if (!config.smCount)
    config.smCount = std::max(1u, target.typicalSMs());
  uint64_t threads =
      uint64_t(config.block[0]) * config.block[1] * config.block[2];
  for (int a = 0; a < 3; ++a)
    if (config.grid[a] % config.cluster[a]) {
      error = "the grid is no multiple of the cluster";
      return false;
    }
  if (threads == 0 || threads > uint64_t(limits::threadsPerBlock)) {
    error = "a block of " + std::to_string(threads) +
            " threads cannot be launched; use 1 to " +
            std::to_string(limits::threadsPerBlock);
    return false;
  }
  if (!sizeShared(*entry, error) || !placePerCtaMemory(*entry, error))
    return false;
  placeParameters(*entry);
  if (!scheduler.countBlocks(error))
    return false;
  if (!options.maxSteps)
    options.maxSteps = 4000000000ull;
  if (options.stats || options.timing)
    profile = std::make_unique<Profile>(*this);
  if (options.timing)
    profile->timing = std::make_unique<Timing>(
        profile->operations, image.code, target,
        options.ctasPerSM ? options.ctasPerSM : scheduler.residentBlocks());
  Knowledge::isFollowed = reports(FindingKind::Race) ||
                          reports(FindingKind::Mbarrier) ||
                          reports(FindingKind::Tcgen05) || weak.weakLoads;
  return scheduler.schedule();
}

} // namespace tileir::emu

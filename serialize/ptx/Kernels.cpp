// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/Kernels.h"

#include "dialects/launch/KernelAbi.h"
#include "dialects/support/RuntimeGates.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace tileir {

using namespace llvm;

static constexpr unsigned sharedSpace = 3;

static bool isKernel(const Function &function) {
  return function.getCallingConv() == CallingConv::PTX_Kernel;
}

SmallVector<int64_t, 3> getLaunchNumbers(const Function &function,
                                         StringRef name) {
  SmallVector<int64_t, 3> values;
  if (!function.hasFnAttribute(name))
    return values;
  SmallVector<StringRef, 3> parts;
  function.getFnAttribute(name).getValueAsString().split(parts, ',');
  for (StringRef part : parts) {
    int64_t value = 0;
    (void)part.trim().getAsInteger(10, value);
    values.push_back(value);
  }
  return values;
}

namespace {

/// Launch attributes of one kernel, read and written as a whole.
struct LaunchAttributes {
  Function &function;
  SmallVector<int64_t, 3> reqntid, maxntid, clusterDim;
  std::optional<int64_t> minCTAs, maxRegisters, maxClusterRank;
  bool blocksAreClusters;

  explicit LaunchAttributes(Function &f)
      : function(f), reqntid(list("nvvm.reqntid")),
        maxntid(list("nvvm.maxntid")), clusterDim(list("nvvm.cluster_dim")),
        minCTAs(number("nvvm.minctasm")), maxRegisters(number("nvvm.maxnreg")),
        maxClusterRank(number("nvvm.maxclusterrank")),
        blocksAreClusters(f.hasFnAttribute("nvvm.blocksareclusters")) {}

  void write() {
    writeList("nvvm.reqntid", reqntid);
    writeList("nvvm.maxntid", maxntid);
    writeList("nvvm.cluster_dim", clusterDim);
    writeNumber("nvvm.minctasm", minCTAs);
    writeNumber("nvvm.maxnreg", maxRegisters);
    writeNumber("nvvm.maxclusterrank", maxClusterRank);
    function.removeFnAttr("nvvm.blocksareclusters");
    if (blocksAreClusters)
      function.addFnAttr("nvvm.blocksareclusters");
  }

private:
  SmallVector<int64_t, 3> list(StringRef name) const {
    return getLaunchNumbers(function, name);
  }
  std::optional<int64_t> number(StringRef name) const {
    SmallVector<int64_t, 3> values = list(name);
    return values.empty() ? std::nullopt : std::optional(values.front());
  }
  void writeList(StringRef name, ArrayRef<int64_t> values) {
    function.removeFnAttr(name);
    if (values.empty())
      return;
    SmallVector<std::string, 3> texts;
    for (int64_t value : values)
      texts.push_back(itostr(value));
    function.addFnAttr(name, join(texts, ","));
  }
  void writeNumber(StringRef name, std::optional<int64_t> value) {
    function.removeFnAttr(name);
    if (value)
      function.addFnAttr(name, itostr(*value));
  }
};

} // namespace

static int64_t product(ArrayRef<int64_t> values) {
  int64_t result = 1;
  for (int64_t value : values)
    result *= value;
  return result;
}

static Status normalizeKernel(Function &function, DeviceModule &device,
                              const KernelOptions &options,
                              const Reporter &reporter) {
  LaunchAttributes a(function);
  auto fail = [&](const Twine &text) {
    return reporter.error(Status::Compile,
                          "kernel '" + function.getName() + "': " + text);
  };
  bool tile = device.launchAbi == LaunchAbi::Tile;
  bool tileKernel = device.tileKernels;

  // Dimensions: one to three positive numbers.
  for (auto [name, list] :
       {std::pair<StringRef, SmallVector<int64_t, 3> *>("reqntid", &a.reqntid),
        {"maxntid", &a.maxntid},
        {"cluster_dim", &a.clusterDim}}) {
    if (list->size() > 3)
      return fail("nvvm." + name + " has more than three values");
    for (int64_t value : *list)
      if (value <= 0 || value > (1 << 20))
        return fail("nvvm." + name + " has the value " + Twine(value) +
                    "; expected a positive number");
    if (name == "cluster_dim" && !list->empty() && list->size() != 3)
      return fail("nvvm.cluster_dim has " + Twine(list->size()) +
                  " values; expected three");
    while (!list->empty() && list->size() < 3)
      list->push_back(1);
  }

  // Launch bounds: `.reqntid` and `.maxntid` exclude each other.
  if (!a.reqntid.empty() && !a.maxntid.empty()) {
    for (unsigned i = 0; i < 3; ++i)
      if (a.reqntid[i] > a.maxntid[i])
        return fail("nvvm.reqntid exceeds nvvm.maxntid");
    a.maxntid.clear();
  }
  if (tileKernel && a.reqntid.empty())
    std::swap(a.reqntid, a.maxntid);
  if (tileKernel && a.reqntid.empty())
    return fail("a kernel of the tile launch ABI needs nvvm.reqntid");
  for (auto [name, list] :
       {std::pair<StringRef, ArrayRef<int64_t>>("reqntid", a.reqntid),
        {"maxntid", a.maxntid}}) {
    if (list.empty())
      continue;
    if (product(list) > limits::threadsPerBlock)
      return fail("nvvm." + name + " product " + Twine(product(list)) +
                  " exceeds " + Twine(limits::threadsPerBlock));
    if (list[2] > limits::threadsPerBlockZ)
      return fail("nvvm." + name + " z extent " + Twine(list[2]) + " exceeds " +
                  Twine(limits::threadsPerBlockZ));
  }
  if (tileKernel)
    a.minCTAs = 1;
  else if (a.minCTAs && a.reqntid.empty() && a.maxntid.empty())
    a.minCTAs.reset();
  if (a.maxRegisters && (*a.maxRegisters < limits::registersMin ||
                         *a.maxRegisters > limits::registersPerThread))
    return fail("nvvm.maxnreg is " + Twine(*a.maxRegisters) + "; expected " +
                Twine(limits::registersMin) + " to " +
                Twine(limits::registersPerThread));

  // Clusters.
  if (!device.target.hasCluster()) {
    a.clusterDim.clear();
    a.maxClusterRank.reset();
    a.blocksAreClusters = false;
  }
  if (!a.clusterDim.empty()) {
    a.maxClusterRank.reset();
    int64_t ctas = product(a.clusterDim);
    if (ctas > limits::clusterMax)
      return fail("a cluster of " + Twine(ctas) + " CTAs exceeds " +
                  Twine(limits::clusterMax));
    if (ctas > limits::clusterPortable)
      reporter.warning("cluster of " + Twine(ctas) + " CTAs is not portable");
    if (tile && ctas > 1)
      a.blocksAreClusters = true;
    // A cluster of one CTA is no cluster.
    if (tile && ctas == 1 && !options.alwaysBlocksAreClusters) {
      a.clusterDim.clear();
      a.blocksAreClusters = false;
    }
  }
  // The launcher of the plain form multiplies the grid itself.
  if (tileKernel && !tile)
    a.blocksAreClusters = false;
  if (tile && options.alwaysBlocksAreClusters && device.target.hasCluster()) {
    if (a.clusterDim.empty())
      a.clusterDim = {1, 1, 1};
    a.blocksAreClusters = true;
  }
  if (a.blocksAreClusters && (a.reqntid.empty() || a.clusterDim.empty()))
    return fail("nvvm.blocksareclusters requires nvvm.reqntid and "
                "nvvm.cluster_dim");
  a.write();
  return Status::Success;
}

/// Names the part of `needs` that requires PTX `version`.
static std::string describeNeeds(const PtxNeeds &needs, unsigned version) {
  if (needs.blocksAreClusters && version >= limits::ptxBlocksAreClusters)
    return "launches by clusters";
  if (needs.hiddenParameters && version >= limits::ptxHiddenParameters)
    return "hidden parameters";
  if (needs.tensormapReplace && version >= limits::ptxTensormapReplace)
    return "tensor maps that the kernel changes";
  return "parameters of " + itostr(needs.parameterBytes) + " bytes";
}

/// Raises the PTX version to the minimum of the module's instructions.
static Status raisePTXVersion(DeviceModule &device, const Reporter &reporter) {
  PtxNeeds needs;
  const DataLayout &layout = device.module->getDataLayout();
  for (Function &function : *device.module) {
    if (function.getName().contains("tensormap.replace") &&
        !function.use_empty())
      needs.tensormapReplace = true;
    if (!isKernel(function))
      continue;
    if (function.hasFnAttribute("nvvm.blocksareclusters"))
      needs.blocksAreClusters = true;
    int64_t bytes = 0;
    for (Argument &arg : function.args()) {
      Type *type = arg.hasByValAttr() ? arg.getParamByValType() : arg.getType();
      bytes += int64_t(layout.getTypeAllocSize(type));
      if (arg.hasAttribute("tileir.hidden") &&
          device.launchAbi == LaunchAbi::Tile)
        needs.hiddenParameters = true;
    }
    needs.parameterBytes = std::max(needs.parameterBytes, bytes);
  }
  unsigned floor = ptxFloor(device.target, needs);
  if (floor > unsigned(limits::ptxCodegen))
    return reporter.error(
        Status::Compile, "the module needs PTX " + Twine(floor / 10) + "." +
                             Twine(floor % 10) + ", which cannot be generated");
  if (device.fixedPTXVersion && floor > device.ptxVersion)
    return reporter.error(Status::Config,
                          "PTX version " + Twine(device.ptxVersion / 10) + "." +
                              Twine(device.ptxVersion % 10) + " is below " +
                              Twine(floor / 10) + "." + Twine(floor % 10) +
                              ", needed by " + describeNeeds(needs, floor));
  device.ptxVersion = std::max(device.ptxVersion, floor);
  return Status::Success;
}

Status normalizeKernels(DeviceModule &device, const KernelOptions &options,
                        const Reporter &reporter) {
  for (Function &function : *device.module) {
    if (isKernel(function)) {
      if (Status status = normalizeKernel(function, device, options, reporter);
          status != Status::Success)
        return status;
    } else if (!function.isDeclaration() && !device.relocatable) {
      function.setLinkage(GlobalValue::InternalLinkage);
    }
  }
  return raisePTXVersion(device, reporter);
}

/// Lays out the kernel's parameters; reports a parameter that no launcher can
/// pass.
static Status placeArguments(const Function &function, const Target &target,
                             const DataLayout &layout, const Reporter &reporter,
                             ParameterPlaces &places) {
  SmallVector<SizeAndAlign> parameters;
  for (const Argument &arg : function.args()) {
    Type *type = arg.hasByValAttr() ? arg.getParamByValType() : arg.getType();
    auto fail = [&](const char *problem) {
      std::string text;
      raw_string_ostream(text) << *type;
      return reporter.error(Status::Compile,
                            "kernel '" + function.getName() + "': parameter " +
                                Twine(arg.getArgNo()) + " of type " + text +
                                " " + problem);
    };
    // ptxas has names for these types; i128 becomes bytes.
    if (type->isIntegerTy() && !is_contained({1u, 8u, 16u, 32u, 64u, 128u},
                                             type->getIntegerBitWidth()))
      return fail("has no launch ABI; pass an integer of 8, 16, 32, 64 or 128 "
                  "bits");
    int64_t bytes = int64_t(layout.getTypeAllocSize(type));
    if (bytes == 0)
      return fail("is empty; leave it out");
    Align align = layout.getABITypeAlign(type);
    if (arg.hasByValAttr())
      align = std::max(align, arg.getParamAlign().valueOrOne());
    parameters.push_back({bytes, int64_t(align.value())});
  }
  places = placeParameters(target, parameters);
  return Status::Success;
}

/// Collects the functions that use `value`, through constants.
static void collectUsers(const Value *value,
                         SmallSetVector<const Function *, 8> &functions,
                         SmallPtrSetImpl<const Value *> &seen) {
  for (const User *user : value->users()) {
    if (!seen.insert(user).second)
      continue;
    if (auto *inst = dyn_cast<Instruction>(user))
      functions.insert(inst->getFunction());
    else if (isa<Constant>(user))
      collectUsers(user, functions, seen);
  }
}

namespace {
/// Shared variables that a kernel or its callees use.
struct SharedUse {
  int64_t bytes = 0;
  /// A declaration without a definition: dynamic shared memory.
  const GlobalVariable *dynamic = nullptr;
};
} // namespace

static DenseMap<const Function *, SharedUse>
measureShared(const DeviceModule &device) {
  DenseMap<const Function *, SharedUse> uses;
  const DataLayout &layout = device.module->getDataLayout();
  for (const GlobalVariable &global : device.module->globals()) {
    if (global.getAddressSpace() != sharedSpace)
      continue;
    int64_t size = int64_t(layout.getTypeAllocSize(global.getValueType()));
    bool dynamic = global.isDeclaration() || size == 0;
    SmallSetVector<const Function *, 8> reached;
    SmallPtrSet<const Value *, 16> seen;
    collectUsers(&global, reached, seen);
    for (size_t i = 0; i < reached.size(); ++i) {
      const Function *function = reached[i];
      if (!isKernel(*function))
        collectUsers(function, reached, seen);
      else if (dynamic)
        uses[function].dynamic = &global;
      else
        uses[function].bytes += size;
    }
  }
  return uses;
}

Status measureKernels(DeviceModule &device, const Reporter &reporter) {
  device.kernels.clear();
  DenseMap<const Function *, SharedUse> shared = measureShared(device);
  const DataLayout &layout = device.module->getDataLayout();
  int64_t cap = gates::sharedMemoryCap(device.target);
  int64_t parameterCap = parameterByteLimit(device.ptxVersion);
  for (Function &function : *device.module) {
    if (!isKernel(function) || function.isDeclaration())
      continue;
    KernelFacts facts;
    facts.name = function.getName().str();
    ParameterPlaces places;
    if (Status status =
            placeArguments(function, device.target, layout, reporter, places);
        status != Status::Success)
      return status;
    facts.parameterBytes = places.bytes;
    facts.parameterBank = places.bankOffset;
    SharedUse use = shared.lookup(&function);
    facts.sharedBytes = use.bytes;
    if (use.dynamic && device.tileKernels)
      return reporter.error(
          Status::Compile,
          "kernel '" + facts.name +
              "' uses dynamic shared memory, which the launch ABI of tile "
              "kernels does not have; give '" +
              escaped(use.dynamic->getName()) +
              "' a size and internal linkage");
    (void)function.getFnAttribute("tileir.device_maps")
        .getValueAsString()
        .getAsInteger(10, facts.deviceMaps);
    bool hiddenSeen = false;
    for (const Argument &arg : function.args()) {
      bool hidden = arg.hasAttribute("tileir.hidden");
      if (hidden)
        ++facts.hiddenParameters;
      else if (hiddenSeen)
        return reporter.error(Status::Compile,
                              "kernel '" + facts.name +
                                  "' has a visible parameter after a hidden "
                                  "one; hidden parameters come last");
      hiddenSeen |= hidden;
    }
    if (facts.parameterBytes > parameterCap)
      return reporter.error(Status::Compile,
                            "Formal parameter space overflowed (" +
                                Twine(facts.parameterBytes) +
                                " bytes required, max " + Twine(parameterCap) +
                                " bytes allowed) in function " + facts.name);
    // The sentence of ptxas, for clients that search for it.
    if (facts.sharedBytes > cap) {
      reporter.line(formatv("ptxas error   : Entry function '{0}' uses too "
                            "much shared data ({1:x} bytes, {2:x} max)",
                            facts.name, facts.sharedBytes, cap)
                        .str());
      return reporter.error(
          Status::Compile,
          "kernel '" + facts.name + "' needs " + Twine(facts.sharedBytes) +
              " bytes of shared memory, '" + device.target.name() + "' has " +
              Twine(cap) + " a block; use smaller tiles");
    }
    LaunchAttributes a(function);
    for (unsigned i = 0; i < 3; ++i) {
      if (!a.reqntid.empty())
        facts.block[i] = i < a.reqntid.size() ? unsigned(a.reqntid[i]) : 1;
      if (!a.clusterDim.empty())
        facts.cluster[i] =
            i < a.clusterDim.size() ? unsigned(a.clusterDim[i]) : 1;
    }
    facts.blocksAreClusters = a.blocksAreClusters;
    device.kernels.push_back(facts);
  }
  return Status::Success;
}

} // namespace tileir

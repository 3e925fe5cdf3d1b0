// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/Codegen.h"

#include "serialize/elf/Bytes.h"
#include "serialize/ptx/CalledText.h"
#include "serialize/ptx/DebugValues.h"
#include "serialize/ptx/DeviceCalls.h"
#include "serialize/ptx/EntryHeader.h"
#include "serialize/ptx/Libdevice.h"
#include "serialize/ptx/LlvmOptions.h"
#include "serialize/ptx/MemorySpaces.h"
#include "serialize/ptx/NegativeFactors.h"
#include "serialize/ptx/RareBlocks.h"
#include "serialize/ptx/RegisterCap.h"
#include "serialize/ptx/Rematerialize.h"
#include "serialize/ptx/SourceLines.h"

#include "dialects/support/Heuristics.h"

#include "llvm/ADT/Any.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LazyCallGraph.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Vectorize/SLPVectorizer.h"

#include <utility>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace tileir {

using namespace llvm;

static constexpr StringRef triple = "nvptx64-nvidia-cuda";
static constexpr StringRef metaSymbol = "___NV_TILE_LAUNCH_META_DATA___";

/// Reports LLVM's errors as our own; its other diagnostics are not for users.
namespace {
struct DiagnosticSink {
  const Reporter &reporter;
  bool failed = false;

  DiagnosticSink(LLVMContext &context, const Reporter &reporter)
      : reporter(reporter) {
    context.setDiagnosticHandlerCallBack(handle, this);
  }
  static void handle(const DiagnosticInfo *info, void *self) {
    auto &sink = *static_cast<DiagnosticSink *>(self);
    if (info->getSeverity() != DS_Error)
      return;
    std::string text;
    raw_string_ostream stream(text);
    DiagnosticPrinterRawOStream printer(stream);
    info->print(printer);
    sink.failed = true;
    sink.reporter.error(Status::Compile, text);
  }
};
} // namespace

/// The target machine for the current module. Its construction takes longer
/// than the compilation of a small kernel, so it is kept until the PTX version
/// changes.
static TargetMachine *targetMachine(DeviceModule &device) {
  if (device.machine && device.machinePTXVersion == device.ptxVersion)
    return device.machine.get();
  static bool initialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)initialized;
  std::string error;
  Triple tt(triple);
  const llvm::Target *target = TargetRegistry::lookupTarget(tt, error);
  if (!target)
    return nullptr;
  TargetOptions options;
  // A multiplication and an addition fuse only where the IR allows it.
  options.AllowFPOpFusion = FPOpFusion::Standard;
  CodeGenOptLevel level = CodeGenOpt::getLevel(int(device.optLevel))
                              .value_or(CodeGenOptLevel::Default);
  device.machine.reset(target->createTargetMachine(
      tt, device.target.codegen().name(), "+ptx" + utostr(device.ptxVersion),
      options, Reloc::PIC_, std::nullopt, level));
  device.machinePTXVersion = device.ptxVersion;
  return device.machine.get();
}

/// The process's analyses and a pass builder around them.
namespace {
struct Passes {
  LoopAnalysisManager lam;
  FunctionAnalysisManager fam;
  CGSCCAnalysisManager cgam;
  ModuleAnalysisManager mam;
  PassInstrumentationCallbacks callbacks;
  PassBuilder builder;

  explicit Passes(TargetMachine *machine)
      : builder(machine, PipelineTuningOptions(), std::nullopt, &callbacks) {
    builder.registerModuleAnalyses(mam);
    builder.registerCGSCCAnalyses(cgam);
    builder.registerFunctionAnalyses(fam);
    builder.registerLoopAnalyses(lam);
    builder.crossRegisterProxies(lam, fam, cgam, mam);
  }

  /// Forgets all results about code that was changed without a pass.
  void clear() {
    lam.clear();
    fam.clear();
    cgam.clear();
    mam.clear();
  }
};
} // namespace

/// The name of the unit of a pass, as LLVM prints it where it counts passes.
static std::string unitName(Any ir) {
  if (auto *function = any_cast<const Function *>(&ir))
    return ("function (" + (*function)->getName() + ")").str();
  if (auto *loop = any_cast<const Loop *>(&ir))
    return "loop (" + (*loop)->getName().str() + ")";
  if (auto *component = any_cast<const LazyCallGraph::SCC *>(&ir))
    return "SCC " + (*component)->getName();
  return "module";
}

/// Leaves out all passes after the first `limit`, as `-opt-bisect-limit` does,
/// and reports each pass in LLVM's words.
static void limitPasses(PassInstrumentationCallbacks &callbacks, int limit,
                        const Reporter &reporter) {
  callbacks.registerShouldRunOptionalPassCallback(
      [&reporter, limit, count = 0](StringRef name, Any ir) mutable {
        bool runs = limit < 0 || count < limit;
        reporter.line("BISECT: " + Twine(runs ? "" : "NOT ") +
                      "running pass (" + Twine(++count) + ") " + name + " on " +
                      unitName(std::move(ir)));
        return runs;
      });
}

/// Leaves loops of large functions as they are: each rotation updates a
/// dominator tree that is as deep as such a function is long.
static void limitRotation(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback(
      [large = DenseMap<const Function *, bool>()](StringRef name,
                                                   Any ir) mutable {
        auto *loop = any_cast<const Loop *>(&ir);
        if (!loop || name != LoopRotatePass::name())
          return true;
        const Function *function = (*loop)->getHeader()->getParent();
        auto [found, isNew] = large.try_emplace(function, false);
        if (isNew)
          found->second = function->size() > heuristics::maxRotatedBlocks;
        return !found->second;
      });
}

static void dumpFunction(const Function &function, const Twine &when,
                         const Reporter &reporter) {
  std::string text;
  raw_string_ostream stream(text);
  stream << "; function '" << function.getName() << "' " << when << '\n';
  function.print(stream);
  reporter.forward(text);
}

static void dumpModule(const Module &module, const Twine &when,
                       const Reporter &reporter) {
  std::string text;
  raw_string_ostream stream(text);
  stream << "; module " << when << '\n';
  module.print(stream, nullptr);
  reporter.forward(text);
}

/// Decides which passes of code generation run. The middle end has run value
/// numbering already; a second run changes no kernel. Straight-line strength
/// reduction takes time quadratic in the length of a block. Loop strength
/// reduction gives each array a 64-bit pointer that every iteration increments
/// by two additions, where one multiply-add computes the address from the
/// counter. It stays in functions with MMAs, whose many addresses share its
/// results.
namespace {
class CodegenGate final : public OptPassGate {
public:
  CodegenGate(const Module &module, const CodegenGates &gates,
              const Reporter &reporter)
      : gates(gates), reporter(reporter) {
    for (const Function &function : module)
      if (!function.isDeclaration()) {
        numbers[function.getName()] = unsigned(functions.size());
        functions.push_back(&function);
        withMmas.push_back(hasMmas(function));
      }
    last = unsigned(functions.size()) - 1;
  }

  bool shouldRunPass(StringRef name, StringRef unit) const override {
    const Function *function = nullptr;
    if (unit.consume_front("function (") && unit.consume_back(")"))
      if (auto found = numbers.find(unit); found != numbers.end()) {
        last = found->second;
        function = functions[last];
      }
    if (name == "Loop Strength Reduction")
      return reducesLoops();
    if (name == "slsr") {
      bool runs = function && reducesStrength(*function);
      if (runs && gates.dumpStrengthReduce) {
        reduced = function;
        dump(*function, "before");
      }
      return runs;
    }
    if (name == "gvn") {
      // GVN follows strength reduction.
      if (const Function *function = std::exchange(reduced, nullptr))
        dump(*function, "after");
      return false;
    }
    if (name == "separate-const-offset-from-gep")
      return function && sharesAddresses(*function);
    if (name == "nary-reassociate")
      return function && gates.uniteAddresses && sharesAddresses(*function);
    if (name == "early-cse")
      return gates.uniteAddresses;
    return true;
  }
  bool isEnabled() const override { return true; }

private:
  /// Returns whether `function` uses tensor cores.
  static bool hasMmas(const Function &function) {
    return any_of(instructions(function), [](const Instruction &inst) {
      auto *call = dyn_cast<CallBase>(&inst);
      return call && usesTensorCores(getCalledText(*call));
    });
  }

  /// Returns whether the current function keeps loop strength reduction. A loop
  /// pass does not name its function, but it is the first pass of the pipeline
  /// that queries about a function. Functions come in module order, so it
  /// belongs to the function after the last queried one.
  bool reducesLoops() const {
    return !withMmas.empty() && withMmas[(last + 1) % withMmas.size()];
  }

  bool reducesStrength(const Function &function) const {
    size_t most = size_t(gates.strengthReduce) * strengthReduceUnit;
    return most && all_of(function, [&](const BasicBlock &block) {
             return block.size() <= most;
           });
  }

  bool sharesAddresses(const Function &function) const {
    if (gates.addressFunctions >= 0 && last >= unsigned(gates.addressFunctions))
      return false;
    int where = function.getCallingConv() == CallingConv::PTX_Kernel
                    ? gates.kernelAddresses
                    : gates.functionAddresses;
    return where == 2 ||
           (where == 1 &&
            int64_t(function.getInstructionCount()) <= gates.addressInstLimit);
  }

  void dump(const Function &function, const char *when) const {
    dumpFunction(function, Twine(when) + " straight-line strength reduction",
                 reporter);
  }

  const CodegenGates &gates;
  const Reporter &reporter;
  StringMap<unsigned> numbers;
  SmallVector<const Function *> functions;
  SmallVector<bool> withMmas;
  mutable unsigned last;
  /// Function whose text before strength reduction is printed, but not yet its
  /// text after it.
  mutable const Function *reduced = nullptr;
};
} // namespace

static void applyMathFlags(DeviceModule &device) {
  for (Function &function : *device.module) {
    if (function.isDeclaration())
      continue;
    if (device.ftz)
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
    if (!device.approx)
      continue;
    for (BasicBlock &block : function)
      for (Instruction &inst : block) {
        if (!inst.getType()->getScalarType()->isFloatTy())
          continue;
        bool approximate = inst.getOpcode() == Instruction::FDiv;
        if (auto *call = dyn_cast<IntrinsicInst>(&inst))
          approximate |= call->getIntrinsicID() == Intrinsic::sqrt ||
                         call->getIntrinsicID() == Intrinsic::log2;
        if (approximate)
          inst.setHasApproxFunc(true);
      }
  }
}

/// Returns whether the word `bar.` begins somewhere in `text`; `mbar.` does not
/// count.
static bool hasBar(StringRef text) {
  for (size_t at = text.find("bar."); at != StringRef::npos;
       at = text.find("bar.", at + 1)) {
    char before = at ? text[at - 1] : ' ';
    if (!isAlnum(before) && before != '_' && before != '.')
      return true;
  }
  return false;
}

/// Returns whether the PTX `text` holds an instruction that the threads of a
/// warp execute together: one with `.aligned` or `.sync`, or a `bar`.
static bool isConvergentPTX(StringRef text) {
  return text.contains(".aligned") || text.contains(".sync") || hasBar(text);
}

/// Marks as `convergent` each call of inline assembly with such an instruction,
/// and each function from which a convergent call is reachable. Without the
/// attribute LLVM may copy the assembly into both sides of a divergent branch,
/// where the hardware waits for ever or reads registers of absent threads.
static void markConvergent(Module &module) {
  SmallVector<Function *> work;
  auto mark = [&](Function &function) {
    if (function.isConvergent())
      return;
    function.setConvergent();
    work.push_back(&function);
  };
  for (Function &function : module) {
    if (function.isConvergent())
      work.push_back(&function);
    for (Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&inst);
      if (!call)
        continue;
      auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand());
      if (assembly && isConvergentPTX(assembly->getAsmString()))
        call->setConvergent();
      if (call->isConvergent())
        mark(function);
    }
  }
  while (!work.empty())
    for (User *user : work.pop_back_val()->users())
      if (auto *call = dyn_cast<CallBase>(user))
        mark(*call->getFunction());
}

/// Clones functions for the memory spaces of their pointers and infers these
/// spaces. Code generation runs the inference anyway; a further run here shows
/// its input and output.
static void optimizeMemorySpaces(DeviceModule &device, Passes &passes,
                                 const CodegenGates &gates,
                                 const Reporter &reporter) {
  Module &module = *device.module;
  auto infer = [&] {
    ModulePassManager round;
    round.addPass(createModuleToFunctionPassAdaptor(InferAddressSpacesPass()));
    round.addPass(GlobalDCEPass());
    round.run(module, passes.mam);
  };
  if (device.optLevel > 0 &&
      cloneForMemorySpaces(module, gates.memorySpaceClones)) {
    passes.clear();
    infer();
  }
  if (gates.dumpMemorySpaceClones)
    dumpModule(module, "after cloning for memory spaces", reporter);
  hidePointers(module, !gates.parametersPointToGlobal,
               !gates.loadedPointToGlobal);
  if (!gates.dumpBeforeMemorySpace && !gates.dumpAfterMemorySpace)
    return;
  if (gates.dumpBeforeMemorySpace)
    dumpModule(module, "before memory-space optimization", reporter);
  passes.clear();
  infer();
  if (gates.dumpAfterMemorySpace)
    dumpModule(module, "after memory-space optimization", reporter);
}

/// Returns whether the runtime provides `name`, which the module only declares.
static bool isRuntimeFunction(StringRef name) {
  return name.starts_with("llvm.") || name == "vprintf" ||
         name == "__assertfail" || name == "malloc" || name == "free";
}

/// Returns whether `name` is a function of the device runtime by which kernels
/// launch kernels: nvlink adds the library with these functions.
static bool launchesKernels(StringRef name) {
  static constexpr StringLiteral names[] = {
      "cudaLaunchDevice",
      "cudaLaunchDeviceV2",
      "cudaGetParameterBuffer",
      "cudaGetParameterBufferV2",
      "__cudaCDP1LaunchDeviceV2",
      "__cudaCDP2LaunchDeviceV2",
      "__cudaCDP1GetParameterBufferV2",
      "__cudaCDP2GetParameterBufferV2",
  };
  return is_contained(names, name);
}

static Status reportUndefined(StringRef name, const Reporter &reporter) {
  Status status = reporter.error(
      Status::Compile, "undefined device function '" + escaped(name) + "'");
  if (launchesKernels(name))
    reporter.note("'" + name +
                  "' is of the device runtime; compile with "
                  "--relocatable-device-code and link with cudadevrt");
  return status;
}

/// Number of instructions of a block from which on its assumptions are dropped:
/// LLVM renumbers a changed block for every query whether an assumption comes
/// before an instruction.
static constexpr size_t kMaxAssumedInstructions = 2048;

static void dropCostlyAssumptions(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function) {
      if (block.size() <= kMaxAssumedInstructions)
        continue;
      for (Instruction &inst : make_early_inc_range(block))
        if (isa<AssumeInst>(inst))
          inst.eraseFromParent();
    }
}

/// Sets LLVM parameters that exist only as options.
static void setOptions(const OptimizeRequest &request) {
  setKernelOptions();
  // LLVM's pipeline would resolve the reflection that ours keeps.
  if (!request.reflect)
    setLLVMOption("nvvm-reflect-enable", "false");
  if (!request.gates.lowerByValue)
    setLLVMOption("nvptx-early-byval-copy", "true");
  if (request.gates.pairMultiplyAdds) {
    setLLVMOption("slp-min-reg-size", "64");
    setLLVMOption("slp-max-reg-size", "64");
  }
}

Status optimizeDevice(DeviceModule &device, const OptimizeRequest &request,
                      const Reporter &reporter) {
  Module &module = *device.module;
  DiagnosticSink sink(module.getContext(), reporter);
  setOptions(request);
  TargetMachine *machine = targetMachine(device);
  if (!machine)
    return reporter.error(Status::Compile, "LLVM has no NVPTX back end");
  module.setTargetTriple(Triple(triple));
  module.setDataLayout(machine->createDataLayout());

  if (Status status = normalizeKernels(device, request.kernels, reporter);
      status != Status::Success)
    return status;

  if (Status status = selectKernels(module, request.gates.kernelList,
                                    request.gates.kernelRange, reporter);
      status != Status::Success)
    return status;
  if (request.gates.lowerPrintf)
    if (Status status = lowerPrintf(module, reporter);
        status != Status::Success)
      return status;

  if (device.debug == DebugKind::Full)
    pinDebugValues(module);

  bool linked = false;
  for (const std::string &file : device.linkFiles) {
    if (Status status = linkBitcode(module, file, reporter);
        status != Status::Success)
      return status;
    linked = true;
  }
  for (const std::string &blob : device.linkBlobs) {
    if (Status status = linkBitcode(
            module, MemoryBuffer::getMemBufferCopy(blob, "blobLinkedLib"),
            reporter);
        status != Status::Success)
      return status;
    linked = true;
  }
  if (needsLibdevice(module)) {
    LibdeviceResult found = locateLibdevice(request.libdevice, processEnv);
    if (found.path.empty()) {
      reporter.error(Status::Compile,
                     "libdevice.10.bc not found in $CUDA_ROOT/nvvm/libdevice");
      std::string probed;
      for (const std::string &path : found.probed)
        probed += " '" + escaped(path) + "'";
      std::string hint;
      if (std::optional<CudaRootVariable> root = cudaRootVariable(processEnv))
        hint = "; " + root->name + " is set";
      reporter.note(probed.empty() ? std::string("no place to look in") + hint
                                   : "looked for" + probed + hint);
      return Status::Compile;
    }
    if (Status status = linkBitcode(module, found.path, reporter);
        status != Status::Success)
      return status;
    linked = true;
  }
  // Linked code is internal but new: it needs the attributes below, too.
  if (device.ftz && !module.getModuleFlag("nvvm-reflect-ftz"))
    module.addModuleFlag(Module::Override, "nvvm-reflect-ftz", 1);
  applyMathFlags(device);
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", device.target.codegen().name());
    function.addFnAttr("target-features", "+ptx" + utostr(device.ptxVersion));
  }
  // Inlining turns parameter attributes into scopes of the accesses.
  if (!request.gates.processRestrict)
    for (Function &function : module)
      for (Argument &argument : function.args())
        argument.removeAttr(Attribute::NoAlias);
  if (!request.gates.unsafeAlgebra)
    for (Function &function : module)
      for (BasicBlock &block : function)
        for (Instruction &inst : block)
          if (isa<FPMathOperator>(inst))
            inst.copyFastMathFlags(FastMathFlags());
  if (request.reflect) {
    StringMap<int> values;
    values["__CUDA_ARCH"] = int(device.target.number()) * 10;
    values["__CUDA_FTZ"] = device.ftz;
    values["__CUDA_PREC_SQRT"] = !device.approx;
    values["__CUDA_PREC_DIV"] = !device.approx;
    if (Status status = resolveReflection(module, values,
                                          request.reflectOverrides, reporter);
        status != Status::Success)
      return status;
  }

  dropCostlyAssumptions(module);
  markConvergent(module);

  OptimizationLevel level = device.optLevel == 0   ? OptimizationLevel::O0
                            : device.optLevel == 1 ? OptimizationLevel::O1
                            : device.optLevel == 2 ? OptimizationLevel::O2
                                                   : OptimizationLevel::O3;
  // The target machine above was made before the PTX version was final.
  machine = targetMachine(device);
  Passes passes(machine);
  if (request.gates.passLimit != CodegenGates::allPasses)
    limitPasses(passes.callbacks, request.gates.passLimit, reporter);
  limitRotation(passes.callbacks);
  machine->registerPassBuilderCallbacks(passes.builder);
  ModulePassManager pipeline;
  if (linked) {
    // Library bodies are linked whole: branches on reflection fold before the
    // main pipeline. This holds at every level.
    pipeline.addPass(AlwaysInlinerPass());
    FunctionPassManager fold;
    fold.addPass(SimplifyCFGPass());
    fold.addPass(SCCPPass());
    fold.addPass(SimplifyCFGPass());
    if (device.optLevel > 0)
      fold.addPass(InstCombinePass());
    pipeline.addPass(createModuleToFunctionPassAdaptor(std::move(fold)));
    pipeline.addPass(GlobalDCEPass());
  }
  pipeline.addPass(passes.builder.buildPerModuleDefaultPipeline(level));
  pipeline.addPass(GlobalDCEPass());
  if (request.gates.pairMultiplyAdds && device.optLevel > 0)
    pipeline.addPass(createModuleToFunctionPassAdaptor(SLPVectorizerPass()));
  if (device.optLevel >= 2)
    pipeline.addPass(createModuleToFunctionPassAdaptor(RareBlocksPass()));
  if (device.optLevel >= 3) {
    pipeline.addPass(createModuleToFunctionPassAdaptor(RematerializePass()));
    pipeline.addPass(
        createModuleToFunctionPassAdaptor(RegisterCapPass(device.target)));
  }
  pipeline.run(module, passes.mam);
  if (sink.failed)
    return Status::Compile;
  hideNegativeFactors(module);
  if (request.gates.removeBarriers)
    removeRepeatedBarriers(module);
  if (request.gates.dumpRestrict)
    dumpModule(module, "after restrict processing", reporter);
  optimizeMemorySpaces(device, passes, request.gates, reporter);

  if (!device.relocatable)
    for (const Function &function : module)
      if (function.isDeclaration() && !function.use_empty() &&
          !isRuntimeFunction(function.getName()))
        return reportUndefined(function.getName(), reporter);
  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyModule(module, &stream))
    return reporter.error(Status::Compile,
                          "internal error: invalid LLVM IR: " + problem);
  return measureKernels(device, reporter);
}

/// The 56-byte header and the copy of the host object that release 13.3 wrote.
static std::string fullLaunchMeta(const DeviceModule &device,
                                  StringRef hostObject) {
  KernelFacts none;
  const KernelFacts &first =
      device.kernels.empty() ? none : device.kernels.front();
  const KernelFacts &last =
      device.kernels.empty() ? none : device.kernels.back();
  ByteWriter w;
  for (unsigned extent : first.cluster)
    w.u32(extent ? extent : 1);
  for (unsigned extent : first.block)
    w.u32(extent ? extent : 1);
  w.u32(first.blocksAreClusters);
  w.zeros(20);
  w.u16(last.deviceMaps);
  unsigned maps = 0;
  if (const Function *function = device.module->getFunction(last.name))
    for (const Argument &arg : function->args())
      if (arg.hasAttribute("tileir.hidden"))
        maps += arg.getParent()
                    ->getAttributes()
                    .getParamAttr(arg.getArgNo(), "tileir.hidden")
                    .getValueAsString() == "tensormap";
  w.u16(maps);
  w.u32(hostObject.size());
  w.text(hostObject);
  w.zeros(8);
  return w.bytes;
}

static void addLaunchMeta(DeviceModule &device, LaunchMeta meta,
                          StringRef hostObject) {
  Module &module = *device.module;
  if (meta == LaunchMeta::None || module.getNamedValue(metaSymbol))
    return;
  LLVMContext &context = module.getContext();
  Type *byte = Type::getInt8Ty(context);
  Constant *init = ConstantAggregateZero::get(ArrayType::get(byte, 64));
  if (meta == LaunchMeta::Full) {
    std::string bytes = fullLaunchMeta(device, hostObject);
    init = ConstantDataArray::getString(context, bytes, /*AddNull=*/false);
  }
  auto *global = new GlobalVariable(
      module, init->getType(), /*isConstant=*/false,
      GlobalValue::ExternalLinkage, init, metaSymbol, nullptr,
      GlobalValue::NotThreadLocal, /*AddressSpace=*/1);
  global->setAlignment(Align(8));
}

Status emitPTX(DeviceModule &device, const EmitRequest &request,
               const Reporter &reporter, std::string &ptx) {
  bool tile = device.launchAbi == LaunchAbi::Tile;
  bool language = tile && request.release.hasLanguage();
  LaunchMeta meta =
      !tile ? LaunchMeta::None
            : request.launchMeta.value_or(language && !device.kernels.empty()
                                              ? LaunchMeta::Reserve
                                              : LaunchMeta::None);
  addLaunchMeta(device, meta, request.hostObject);

  const TileText *tileText =
      language && request.release.hasTileText() ? request.tileText : nullptr;
  SourceLines lines;
  if (device.debug != DebugKind::None)
    lines.encode(*device.module);
  DiagnosticSink sink(device.module->getContext(), reporter);
  TargetMachine *machine = targetMachine(device);
  if (!machine)
    return reporter.error(Status::Compile, "LLVM has no NVPTX back end");
  SmallString<0> text;
  {
    raw_svector_ostream stream(text);
    CodegenGate gate(*device.module, request.gates, reporter);
    LLVMContext &context = device.module->getContext();
    OptPassGate &outer = context.getOptPassGate();
    context.setOptPassGate(gate);
    scope_exit restore([&] { context.setOptPassGate(outer); });
    legacy::PassManager codegen;
    if (machine->addPassesToEmitFile(codegen, stream, nullptr,
                                     CodeGenFileType::AssemblyFile))
      return reporter.error(Status::Compile, "LLVM cannot print PTX");
    codegen.run(*device.module);
  }
  if (sink.failed)
    return Status::Compile;
  ptx = text.str().str();
  // LLVM ends the text with a NUL when it prints no entry.
  while (!ptx.empty() && ptx.back() == '\0')
    ptx.pop_back();

  std::string problem;
  // Full debug information describes inlined code itself.
  if (device.debug != DebugKind::None &&
      !lines.decode(ptx, device.debug == DebugKind::DebugDirectives, tileText,
                    problem))
    return reporter.error(Status::Compile,
                          "internal error: source lines: " + problem);
  if (tile) {
    EntryEdits edits;
    for (const KernelFacts &kernel : device.kernels)
      if (kernel.hiddenParameters)
        edits.hidden[kernel.name] = kernel.hiddenParameters;
    unsigned deviceMaps = 0;
    for (const KernelFacts &kernel : device.kernels)
      deviceMaps = std::max(deviceMaps, kernel.deviceMaps);
    if (deviceMaps && request.release.hasPerCTAMemory()) {
      // All kernels of a module request the per-CTA memory of the largest.
      for (const KernelFacts &kernel : device.kernels)
        if (kernel.deviceMaps)
          edits.perCTAMemory[kernel.name] =
              uint64_t(limits::tensorMapBytes) * deviceMaps;
      edits.minimumVersion = unsigned(limits::ptxPerCtaMemory);
    }
    if (language && !device.kernels.empty()) {
      edits.language = unsigned(limits::languageTileIR);
      edits.minimumVersion = std::max(edits.minimumVersion,
                                      tileText ? PtxasRelease::tileTextPTX
                                               : unsigned(limits::ptxLanguage));
    }
    if (!editEntryHeaders(ptx, edits, problem))
      return reporter.error(Status::Compile,
                            "internal error: entry header: " + problem);
  }
  if (std::optional<size_t> at = findForeignByte(ptx))
    return reporter.error(
        Status::Compile, formatv("PTX holds byte {0} at line {1}",
                                 format_hex(uint8_t(ptx[*at]), 4, true),
                                 1 + StringRef(ptx).take_front(*at).count('\n'))
                             .str());
  return Status::Success;
}

} // namespace tileir

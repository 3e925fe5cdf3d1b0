// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Explain.h"

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Rates.h"
#include "passes/analysis/ExecScope.h"
#include "passes/analysis/budgets/RegisterDemand.h"
#include "passes/analysis/budgets/TensorMemoryBudget.h"
#include "serialize/Serializer.h"
#include "serialize/elf/Cubin.h"
#include "tools/driver/Summary.h"

#include "mlir/IR/AsmState.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

namespace tileir::driver {

using namespace mlir;
namespace json = llvm::json;

/// The pass after which no tiles are left.
static constexpr llvm::StringLiteral kLowering = "convert-tileas-to-llvm";

namespace {

/// Numbers the operations of a function in program order.
class Numbering {
public:
  explicit Numbering(nv_tileaa::FuncOp func) {
    func->walk([&](Operation *op, const WalkStage &stage) {
      if (stage.isBeforeAllRegions())
        spans[op].first = count++;
      if (stage.isAfterAllRegions())
        spans[op].second = count - 1;
    });
  }

  int64_t first(Operation *op) const { return spans.lookup(op).first; }
  int64_t last(Operation *op) const { return spans.lookup(op).second; }
  int64_t size() const { return count; }

private:
  llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> spans;
  int64_t count = 0;
};

} // namespace

/// Returns the 32-bit registers of a thread that hold `type`. A tile without a
/// layout is distributed evenly over `threads`.
static int64_t getRegisters(Type type, int64_t threads) {
  if (auto future = dyn_cast<nv_tileas::FutureType>(type))
    return future.getTile() ? getRegisters(future.getTile(), threads) : 0;
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile || !tile.hasStaticShape())
    return 0;
  if (nv_tileas::getTileLayout(tile))
    return getRegisterCount(tile);
  int64_t bits =
      tile.getElementType().isIntOrFloat() ? tile.getElementTypeBitWidth() : 64;
  return llvm::divideCeil(tile.getNumElements() * std::max<int64_t>(bits, 8),
                          32 * threads);
}

/// Returns the maximum registers of a thread that live tiles occupy at once,
/// and the operation at which they do.
static std::pair<int64_t, Operation *> getPeak(nv_tileaa::FuncOp func) {
  Numbering numbers(func);
  int64_t threads =
      int64_t(limits::threadsPerWarp) * std::max(1u, getLaunchedWarps(func));
  std::vector<int64_t> change(size_t(numbers.size()) + 2);
  auto add = [&](Value value, int64_t begin, Block *block) {
    int64_t registers = getRegisters(value.getType(), threads);
    if (!registers)
      return;
    int64_t end = begin;
    for (Operation *user : value.getUsers())
      if (Operation *at = block->findAncestorOpInBlock(*user))
        end = std::max(end, at == user ? numbers.first(at) : numbers.last(at));
    change[size_t(begin)] += registers;
    change[size_t(end) + 1] -= registers;
  };
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      if (op->getBlock())
        add(result, numbers.last(op), op->getBlock());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          add(argument, numbers.first(op), &block);
  });
  int64_t peak = 0, at = 0, now = 0;
  for (size_t n = 0; n < change.size(); ++n)
    if ((now += change[n]) > peak) {
      peak = now;
      at = int64_t(n);
    }
  Operation *where = func;
  func->walk([&](Operation *op) {
    if (numbers.first(op) == at)
      where = op;
  });
  return {peak, where};
}

static json::Object located(Location loc) {
  auto [file, line, column] = getUserPosition(loc);
  return json::Object{{"file", file}, {"line", line}, {"column", column}};
}

/// Returns where the live range of `alloc` ends: the last sibling operation
/// that contains a `dealloc`, or the end of the function.
static int64_t getEnd(nv_tileas::AllocTensorOp alloc,
                      const Numbering &numbers) {
  int64_t end = -1;
  for (Operation *user : alloc->getUsers())
    if (isa<nv_tileas::DeallocOp>(user))
      if (Operation *at = alloc->getBlock()->findAncestorOpInBlock(*user))
        end = std::max(end, numbers.last(at));
  return end < 0 ? numbers.size() : end;
}

struct ExplainCollector::Instrumentation final : PassInstrumentation {
  explicit Instrumentation(ExplainCollector &to) : to(to) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (pass->getArgument() == kLowering)
      op->walk([&](nv_tileaa::FuncOp func) { describe(func); });
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    StringRef name = pass->getArgument();
    if (name.starts_with("tileas-") || name.contains("pipeline") ||
        name == "convert-tileaa-to-tileas")
      op->walk([&](nv_tileaa::FuncOp func) { count(name, func); });
  }

  void count(StringRef pass, nv_tileaa::FuncOp func);
  void describe(nv_tileaa::FuncOp func);

  ExplainCollector &to;
};

void ExplainCollector::Instrumentation::count(StringRef pass,
                                              nv_tileaa::FuncOp func) {
  if (func.isExternal())
    return;
  auto [registers, where] = getPeak(func);
  json::Object entry = located(where->getLoc());
  entry["pass"] = pass;
  entry["kernel"] = func.getName();
  entry["registers"] = registers;
  to.passes.push_back(std::move(entry));
}

void ExplainCollector::Instrumentation::describe(nv_tileaa::FuncOp func) {
  if (func.isExternal())
    return;
  Numbering numbers(func);
  auto add = [&](Operation *op, StringRef space, StringRef kind, int64_t begin,
                 int64_t size, int64_t first, int64_t last) {
    json::Object entry = located(op->getLoc());
    entry["kernel"] = func.getName();
    entry["space"] = space;
    entry["kind"] = kind;
    entry["begin"] = begin;
    entry["end"] = begin + size;
    entry["first"] = first;
    entry["last"] = last;
    if (auto alloc = dyn_cast<nv_tileas::AllocTensorOp>(op)) {
      auto type = cast<nv_tileas::BufferType>(alloc.getType());
      entry["slots"] = type.getStages();
      entry["shape"] = json::Array(type.getShape());
    }
    to.storage.push_back(std::move(entry));
  };
  AsmState names(func, OpPrintingFlags().skipRegions());
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    int64_t first = numbers.first(op), last = numbers.last(op);
    json::Object entry = located(op->getLoc());
    entry["kernel"] = func.getName();
    entry["first"] = first;
    entry["last"] = last;
    if (isa<LoopLikeOpInterface>(op))
      to.loops.push_back(json::Object(entry));
    if (op != func) {
      std::string text;
      llvm::raw_string_ostream os(text);
      op->print(os, names);
      entry["text"] = text;
      to.operations.push_back(std::move(entry));
    }
    if (auto alloc = dyn_cast<nv_tileas::AllocTensorOp>(op)) {
      auto type = cast<nv_tileas::BufferType>(alloc.getType());
      if (type.getSpace() == LayoutSpace::Smem)
        add(op, "shared", "buffer", alloc.getSmemOffset().value_or(0),
            type.getTotalBytes(), first, getEnd(alloc, numbers));
      else if (type.getSpace() == LayoutSpace::Tmem)
        add(op, "tensor", "buffer", alloc.getTmemCol().value_or(0),
            getTensorColumns(alloc), first, getEnd(alloc, numbers));
    } else if (auto barrier = dyn_cast<nv_tileas::MbarrierAllocOp>(op)) {
      add(op, "shared", "mbarrier", barrier.getSmemOffset().value_or(0),
          nv_tileas::MbarrierType::getObjectBytes() *
              barrier.getType().getStages(),
          0, numbers.size());
    } else if (auto user = dyn_cast<nv_tileas::ScratchOpInterface>(op)) {
      if (std::optional<int64_t> offset = user.getScratchOffset())
        add(op, "shared", "scratch", *offset, user.getScratchBytes(), first,
            last);
    }
  });
}

void ExplainCollector::attach(PassManager &manager) {
  manager.addInstrumentation(std::make_unique<Instrumentation>(*this));
}

/// Returns every rate and latency of `target`, by the names of Rates.def.
static json::Object describeTarget(const Target &target) {
  Rates rates(target);
  json::Object slots, mma, latencies;
#define TILEIR_RATE(Name, ...) slots[#Name] = rates.rate(Rates::Name);
#define TILEIR_MMA_RATE(Name, ...) mma[#Name] = rates.rate(Rates::Mma::Name);
#define TILEIR_LATENCY(Name, ...)                                              \
  latencies[#Name] = rates.latency(Rates::Latency::Name);
#include "dialects/support/Rates.def"
  return json::Object{
      {"name", target.name()},
      {"family", rates.family()},
      {"model_version", Rates::version()},
      {"sms", target.typicalSMs()},
      {"clock_mhz", rates.clockMHz()},
      {"dram_bytes_per_cycle", rates.dramBytesPerCycle()},
      {"threads_per_sm", target.threadsPerSM()},
      {"registers_per_thread", int64_t(limits::registersPerThread)},
      {"shared_bytes_per_sm", target.sharedMemoryPerSM()},
      {"shared_bytes_per_block", target.sharedMemoryPerBlock()},
      {"tensor_columns", target.tensorMemoryColumns()},
      {"rates", std::move(slots)},
      {"mma_rates", std::move(mma)},
      {"latencies", std::move(latencies)}};
}

static json::Object describeKernel(const CubinKernel &kernel,
                                   const Target &target,
                                   ArrayRef<PtxasStatistics> statistics) {
  int64_t threads = 1;
  for (uint32_t extent : kernel.reqntid)
    threads *= std::max(1u, extent);
  json::Object entry{
      {"name", kernel.name},
      {"registers", kernel.registers},
      {"shared_bytes", kernel.sharedBytes},
      {"code_bytes", kernel.codeBytes},
      {"stack_bytes", kernel.frameBytes},
      {"threads", threads},
      {"cluster",
       json::Array{kernel.cluster[0], kernel.cluster[1], kernel.cluster[2]}},
      {"resident_ctas",
       getResidentBlocks(target, kernel, int64_t(kernel.sharedBytes))}};
  for (const PtxasStatistics &s : statistics)
    if (s.kernel == kernel.name) {
      entry["spill_store_bytes"] = s.spillStores;
      entry["spill_load_bytes"] = s.spillLoads;
    }
  return entry;
}

std::string ExplainCollector::json(const SerializeResult &result,
                                   const RemarkCollector &remarks) const {
  json::Object all{{"schema", 1},
                   {"passes", json::Array(passes)},
                   {"storage", json::Array(storage)},
                   {"loops", json::Array(loops)},
                   {"operations", json::Array(operations)},
                   {"remarks", remarks.json()}};
  if (std::optional<Target> target = Target::parse(result.arch)) {
    all["target"] = describeTarget(*target);
    json::Array kernels;
    std::string ignored;
    if (std::optional<CubinInfo> cubin = readCubin(result.cubin, ignored))
      for (const CubinKernel &kernel : cubin->kernels)
        kernels.push_back(describeKernel(
            kernel, *target, parsePtxasStatistics(result.ptxasLog)));
    all["kernels"] = std::move(kernels);
  }
  return llvm::formatv("{0}\n", json::Value(std::move(all))).str();
}

} // namespace tileir::driver

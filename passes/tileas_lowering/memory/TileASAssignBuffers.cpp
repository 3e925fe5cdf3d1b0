// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/Prepare.h"
#include "passes/tileas_lowering/memory/Alloca.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/support/Heuristics.h"
#include "dialects/support/RuntimeGates.h"
#include "passes/analysis/Remarks.h"
#include "passes/analysis/budgets/Occupancy.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/FormatVariadic.h"

#define DEBUG_TYPE "tileas-assign-buffers"

using namespace mlir;

namespace tileir::lowering {

namespace {

/// A request for bytes of shared memory while the operations `first` to `last`
/// run, in pre-order numbering.
struct Request {
  Operation *op;
  int64_t bytes;
  int64_t align;
  unsigned first, last;
  /// The scope of the request.
  Region *scope;
  int64_t offset = 0;

  /// Returns whether both are live at once; different agents run concurrently.
  bool overlaps(const Request &other) const {
    return (first <= other.last && other.first <= last) ||
           (!scope->isAncestor(other.scope) && !other.scope->isAncestor(scope));
  }
  int64_t end() const { return offset + bytes; }
};

/// Shared memory of a function: long-lived buffers, and scratch memory of
/// single operations, whose live ranges are disjoint.
class StoragePlan {
public:
  explicit StoragePlan(nv_tileaa::FuncOp func);

  /// Assigns each buffer bytes of its own, and all scratch memory one region.
  /// Mbarriers come last in both, side by side.
  void placeApart();
  /// Moves scratch memory of its own to bytes that the preceding operations did
  /// not use, which saves a barrier between them, as long as the total `fits`.
  void spreadScratch(llvm::function_ref<bool(int64_t bytes)> fits);
  /// Assigns each request the lowest bytes that are free during its live range.
  void placeByLiveRange();
  /// Returns the number of buffers that share bytes.
  unsigned countShared() const;
  int64_t getBytes() const { return bytes; }
  /// Returns whether several scopes have storage: scopes do not share bytes.
  bool hasAgents() const { return scopes.size() > 1; }
  void write(nv_tileaa::FuncOp func) const;
  /// Adds notes on the requests that exceed `limit` bytes.
  void explain(InFlightDiagnostic &diag, int64_t limit) const;
  /// Prints the bytes and the live range of each request.
  void print(raw_ostream &os) const;
  friend raw_ostream &operator<<(raw_ostream &os, const StoragePlan &plan) {
    plan.print(os);
    return os;
  }

private:
  void number(nv_tileaa::FuncOp func);
  /// Returns the scope of `op` and records it as one with storage.
  Region *getScope(Operation *op) {
    return *scopes.insert(getExecScope(op).region).first;
  }
  void addBuffer(nv_tileas::AllocTensorOp alloc);
  void place(Request &request, ArrayRef<Request *> placed);
  void placeBarriers();

  SmallVector<Request> buffers, scratch, barriers;
  llvm::SmallPtrSet<Region *, 2> scopes;
  /// First and last number of each operation, its regions included.
  llvm::DenseMap<Operation *, std::pair<unsigned, unsigned>> spans;
  unsigned end = 0;
  int64_t bytes = 0;
};

} // namespace

/// ldmatrix and swizzled storage want 128 bytes (PTX ISA: rows of 16).
static constexpr int64_t kScratchRegionAlign = 128;

void StoragePlan::number(nv_tileaa::FuncOp func) {
  func->walk([&](Operation *op, const WalkStage &stage) {
    if (stage.isBeforeAllRegions())
      spans[op].first = end++;
    if (stage.isAfterAllRegions())
      spans[op].second = end - 1;
  });
}

/// Returns the operation that ends the live range of an allocation in `block`:
/// `dealloc`, or the outermost loop or branch around it. An agent runs once.
static Operation *getEnd(Operation *dealloc, Block *block) {
  Operation *end = dealloc;
  for (Operation *at = dealloc; at->getBlock() != block;) {
    at = at->getParentOp();
    if (!isAgent(at))
      end = at;
  }
  return end;
}

void StoragePlan::addBuffer(nv_tileas::AllocTensorOp alloc) {
  auto type = cast<nv_tileas::BufferType>(alloc.getType());
  int64_t align =
      std::max<int64_t>(alloc.getAlignment().value_or(16), type.getAlignment());
  unsigned first = spans[alloc].first, last = first;
  for (Operation *user : alloc->getUsers())
    if (isa<nv_tileas::DeallocOp>(user))
      last = std::max(last, spans[getEnd(user, alloc->getBlock())].second);
  if (last == first) {
    last = end;
    Operation *at = alloc;
    while (auto loop = at->getParentOfType<LoopLikeOpInterface>())
      first = spans[at = loop].first;
  }
  buffers.push_back(
      {alloc, type.getTotalBytes(), align, first, last, getScope(alloc)});
}

StoragePlan::StoragePlan(nv_tileaa::FuncOp func) {
  number(func);
  func.walk([&](Operation *op) {
    if (auto alloc = dyn_cast<nv_tileas::AllocTensorOp>(op)) {
      auto type = dyn_cast<nv_tileas::BufferType>(alloc.getType());
      if (type && type.getSpace() == LayoutSpace::Smem)
        addBuffer(alloc);
      return;
    }
    if (auto alloca = dyn_cast<nv_tileas::AllocaOp>(op);
        alloca && isShared(alloca)) {
      // Any code may hold pointers to it.
      int64_t align = std::max<int64_t>(alloca.getAlignment(), 16);
      buffers.push_back(
          {op, getAllocaBytes(alloca), align, 0, end, getScope(op)});
      return;
    }
    if (auto alloc = dyn_cast<nv_tileas::MbarrierAllocOp>(op)) {
      constexpr int64_t size = nv_tileas::MbarrierType::getObjectBytes();
      barriers.push_back(
          {op, size * alloc.getType().getStages(), size, 0, end, getScope(op)});
      return;
    }
    auto user = dyn_cast<nv_tileas::ScratchOpInterface>(op);
    if (int64_t bytes = user ? user.getScratchBytes() : 0)
      scratch.push_back({op, bytes,
                         std::max<int64_t>(16, user.getScratchAlignment()),
                         spans[op].first, spans[op].second, getScope(op)});
  });
}

void StoragePlan::placeBarriers() {
  for (Request &request : barriers) {
    request.offset = llvm::alignTo(bytes, request.align);
    bytes = request.end();
  }
  bytes = llvm::alignTo(bytes, 16);
}

void StoragePlan::placeApart() {
  int64_t at = 0, region = 0;
  for (Request &request : buffers) {
    request.offset = llvm::alignTo(at, request.align);
    at = request.end();
  }
  if (!scratch.empty())
    at = llvm::alignTo(at, kScratchRegionAlign);
  for (Request &request : scratch) {
    request.offset = at;
    region = std::max(region, request.bytes);
  }
  bytes = llvm::alignTo(at + region, 16);
  placeBarriers();
}

void StoragePlan::spreadScratch(llvm::function_ref<bool(int64_t bytes)> fits) {
  if (scratch.size() < 2)
    return;
  int64_t start = scratch.front().offset, all = 0, largest = 0, objects = 0;
  for (const Request &request : barriers)
    objects += request.bytes;
  for (const Request &request : scratch) {
    all += llvm::alignTo(request.bytes, kScratchRegionAlign);
    largest = std::max(largest, request.bytes);
  }
  // Room for two of the largest scratch areas lets adjacent operations
  // alternate.
  int64_t pair = 2 * llvm::alignTo(largest, kScratchRegionAlign);
  int64_t region = std::min(all, std::max(heuristics::scratchBytes, pair));
  if (!fits(llvm::alignTo(start + region + objects, 16)))
    return;
  bytes = start;
  int64_t at = 0;
  for (Request &request : scratch) {
    at = llvm::alignTo(at, request.align);
    if (at + request.bytes > region)
      at = 0;
    request.offset = start + at;
    at += request.bytes;
    bytes = std::max(bytes, int64_t(llvm::alignTo(request.end(), 16)));
  }
  placeBarriers();
}

/// Takes the first gap between the live requests of `placed`, ordered by
/// offset.
void StoragePlan::place(Request &request, ArrayRef<Request *> placed) {
  int64_t at = 0;
  for (const Request *other : placed) {
    if (!request.overlaps(*other))
      continue;
    if (at + request.bytes <= other->offset)
      break;
    at = std::max<int64_t>(at, llvm::alignTo(other->end(), request.align));
  }
  request.offset = at;
  bytes = std::max(bytes, int64_t(llvm::alignTo(request.end(), 16)));
}

/// Inserts `request` into `placed`, which is ordered by offset.
static void insert(SmallVectorImpl<Request *> &placed, Request *request) {
  placed.insert(llvm::upper_bound(placed, request,
                                  [](const Request *a, const Request *b) {
                                    return a->offset < b->offset;
                                  }),
                request);
}

void StoragePlan::placeByLiveRange() {
  bytes = 0;
  SmallVector<Request *> order, placed;
  for (Request &request : buffers)
    order.push_back(&request);
  llvm::sort(order, [](const Request *a, const Request *b) {
    return std::make_pair(-a->bytes, a->first) <
           std::make_pair(-b->bytes, b->first);
  });
  for (Request *request : order) {
    place(*request, placed);
    insert(placed, request);
  }
  for (Request &request : scratch) {
    place(request, placed);
    // In one scope operations run one at a time.
    if (hasAgents())
      insert(placed, &request);
  }
  placeBarriers();
}

unsigned StoragePlan::countShared() const {
  unsigned shared = 0;
  auto overlap = [](const Request &a, const Request &b) {
    return &a != &b && a.offset < b.end() && b.offset < a.end();
  };
  for (const Request &buffer : buffers) {
    auto overlaps = [&](const Request &other) {
      return overlap(buffer, other);
    };
    shared +=
        llvm::any_of(buffers, overlaps) || llvm::any_of(scratch, overlaps);
  }
  return shared;
}

void StoragePlan::write(nv_tileaa::FuncOp func) const {
  OpBuilder builder(func.getContext());
  int64_t align = scratch.empty() ? 16 : kScratchRegionAlign;
  for (const Request &request : buffers) {
    align = std::max(align, request.align);
    if (auto alloc = dyn_cast<nv_tileas::AllocTensorOp>(request.op))
      alloc.setSmemOffset(request.offset);
    else
      cast<nv_tileas::ScratchOpInterface>(request.op)
          .setScratchOffset(request.offset);
  }
  for (const Request &request : scratch)
    cast<nv_tileas::ScratchOpInterface>(request.op)
        .setScratchOffset(request.offset);
  for (const Request &request : barriers)
    cast<nv_tileas::MbarrierAllocOp>(request.op).setSmemOffset(request.offset);
  func->setAttr(nv_tileas::kSmemBytesAttr, builder.getI32IntegerAttr(bytes));
  func->setAttr(nv_tileas::kSmemAlignAttr, builder.getI32IntegerAttr(align));
}

void StoragePlan::explain(InFlightDiagnostic &diag, int64_t limit) const {
  SmallVector<const Request *> large;
  for (const SmallVector<Request> *requests : {&buffers, &scratch})
    for (const Request &request : *requests)
      if (request.bytes > limit)
        large.push_back(&request);
  llvm::sort(large, [](const Request *a, const Request *b) {
    return a->first < b->first;
  });
  for (const Request *request : large)
    diag.attachNote(request->op->getLoc())
        << request->bytes << " bytes for this operation";
}

void StoragePlan::print(raw_ostream &os) const {
  os << bytes << " bytes";
  auto print = [&](StringRef kind, ArrayRef<Request> requests) {
    for (const Request &request : requests) {
      os << "\n  [" << request.offset << ", " << request.end() << ") " << kind
         << ", operations " << request.first << " to " << request.last << ": "
         << request.op->getName() << " at ";
      printPlace(os, request.op->getLoc());
    }
  };
  print("buffer", buffers);
  print("scratch", scratch);
  print("barriers", barriers);
}

/// Returns the minimum registers of a thread: the operand and result tiles of
/// one operation, and some for addresses and counters.
static int64_t getLeastRegisters(nv_tileaa::FuncOp func) {
  int64_t most = 0;
  func.walk([&](Operation *op) {
    int64_t bits = 0;
    auto count = [&](Type type) {
      auto tile = dyn_cast<RankedTensorType>(type);
      if (tile && nv_tileas::getTileLayout(tile))
        bits += getLayout(tile).getNumRegisters() *
                getRegisterBits(tile.getElementType());
    };
    // A result may reuse the registers of an operand.
    llvm::for_each(op->getOperandTypes(), count);
    int64_t operands = std::exchange(bits, 0);
    llvm::for_each(op->getResultTypes(), count);
    most = std::max({most, operands, bits});
  });
  return std::min<int64_t>(most / 32 + heuristics::minRegistersBesideOperation,
                           limits::registersPerThread);
}

/// Returns the register count below which ptxas rejects `func`: accumulators of
/// MMAs in flight, the tile of one tensor memory access, and operands of one
/// f64 MMA cannot be spilled; plus some for addresses and counters.
static int64_t getMinRegisters(nv_tileaa::FuncOp func) {
  auto countRegisters = [](RankedTensorType tile) -> int64_t {
    return nv_tileas::getTileLayout(tile)
               ? getLayout(tile).getNumRegisters() *
                     getRegisterBits(tile.getElementType()) / 32
               : 0;
  };
  auto countInFlight = [&](TypeRange types) {
    int64_t registers = 0;
    for (Type type : types)
      if (auto future = dyn_cast<nv_tileas::FutureType>(type))
        registers += countRegisters(future.getTile());
    return registers;
  };
  int64_t minRegisters = 0;
  func.walk([&](Operation *op) {
    int64_t registers = std::max(countInFlight(op->getOperandTypes()),
                                 countInFlight(op->getResultTypes()));
    if (auto dot = dyn_cast<nv_tileas::DotOp>(op))
      if (dot.getAtom().getAType().isF64())
        registers = heuristics::minRegistersBesideDoubles;
    if (auto copy = dyn_cast<nv_tileas::CopyOp>(op)) {
      Value tile = copy.getResult() ? copy.getResult() : copy.getSrc();
      Value buffer = copy.getResult() ? copy.getSrc() : copy.getDst();
      auto type = dyn_cast<nv_tileas::BufferType>(buffer.getType());
      if (type && type.getSpace() == LayoutSpace::Tmem)
        if (auto of = dyn_cast<RankedTensorType>(tile.getType()))
          registers = countRegisters(of);
    }
    if (registers)
      minRegisters = std::max(minRegisters,
                              registers + heuristics::minRegistersBesideTiles);
  });
  return minRegisters;
}

/// Assigns a hardware barrier to each agent of several warps.
static LogicalResult assignBarriers(nv_tileaa::FuncOp func) {
  SmallVector<scf::IfOp> agents;
  llvm::BitVector isTaken(limits::namedBarriers);
  isTaken.set(0);
  func->walk([&](scf::IfOp branch) {
    if (!isAgent(branch))
      return;
    ExecScope scope = getExecScope(&branch.getThenRegion());
    if (scope.barrierId)
      isTaken.set(scope.barrierId);
    else if (scope.warps > 1)
      agents.push_back(branch);
  });
  for (scf::IfOp agent : agents) {
    int id = isTaken.find_first_unset();
    if (id < 0)
      return agent.emitOpError("fails to assign named barrier: a CTA has ")
             << limits::namedBarriers - 1
             << " for agents; let fewer agents have several warps";
    isTaken.set(id);
    setAgentBarrier(agent, id);
  }
  return success();
}

LogicalResult assignBuffers(nv_tileaa::FuncOp func, const Target &target,
                            StorageSharing sharing) {
  if (failed(assignTensorMemory(func, target)) || failed(assignBarriers(func)))
    return failure();
  int64_t cap = gates::sharedMemoryCap(target);
  // Half is left for layout conversions.
  if (failed(placeAllocas(func, cap / 2)))
    return failure();
  StoragePlan plan(func);
  plan.placeApart();
  int64_t apart = plan.getBytes(), registers = getLeastRegisters(func),
          threads = int64_t(limits::threadsPerWarp) * getLaunchedWarps(func);
  auto ctas = [&](int64_t bytes) {
    return getResidentCtas(target, threads, registers, bytes);
  };
  bool isApart = sharing == StorageSharing::Never && !plan.hasAgents();
  if (!isApart) {
    plan.placeByLiveRange();
    isApart = sharing == StorageSharing::Auto && !plan.hasAgents() &&
              apart <= cap && ctas(apart) >= ctas(plan.getBytes());
    if (isApart)
      plan.placeApart();
  }
  if (isApart)
    plan.spreadScratch([&](int64_t bytes) {
      return bytes <= cap && ctas(bytes) >= ctas(apart);
    });
  if (plan.getBytes() > cap) {
    auto diag = func.emitError("fails to assign smem buffer");
    // Clients search for the message of ptxas.
    diag.attachNote()
        << "Entry function '" << func.getName()
        << "' uses too much shared data ("
        << llvm::formatv("{0:x} bytes, {1:x} max", plan.getBytes(), cap).str()
        << ")";
    diag.attachNote() << "the kernel needs " << plan.getBytes()
                      << " bytes of shared memory, '" << target.name()
                      << "' has " << cap << "; use smaller tiles";
    plan.explain(diag, cap / 4);
    return failure();
  }
  TILEIR_LOG() << func.getName() << ": "
               << (isApart ? "storage apart, " : "storage by live range, ")
               << ctas(plan.getBytes()) << " CTAs on an SM (" << ctas(apart)
               << " apart)\n"
               << plan;
  plan.write(func);
  CtaNeeds needs = {threads, getMinRegisters(func)};
  needs.bytes = plan.getBytes();
  func.walk([&](nv_tileas::TmemAllocOp alloc) {
    needs.columns += alloc.getColumns();
  });
  clampLaunch(func, target, needs);
  if (unsigned shared = plan.countShared())
    remark::passed(func.getLoc(), remarkAbout(func, "SharedStorage", "tileas"))
        << "share pipeline buffer" << remark::metric("Buffers", shared)
        << remark::metric("Bytes", plan.getBytes());
  return success();
}

} // namespace tileir::lowering

namespace tileir {

#define GEN_PASS_DECL_TILEASASSIGNBUFFERS
#define GEN_PASS_DEF_TILEASASSIGNBUFFERS
#include "passes/tileas_lowering/memory/TileASAssignBuffers.h.inc"

namespace {

using namespace lowering;

struct TileASAssignBuffers final
    : impl::TileASAssignBuffersBase<TileASAssignBuffers> {
  using TileASAssignBuffersBase::TileASAssignBuffersBase;

  void runOnOperation() override;
};

} // namespace

void TileASAssignBuffers::runOnOperation() {
  nv_tileaa::FuncOp func = getOperation();
  if (func.isExternal())
    return markAllAnalysesPreserved();
  std::optional<StorageSharing> sharing =
      llvm::StringSwitch<std::optional<StorageSharing>>(share)
          .Case("always", StorageSharing::Always)
          .Case("never", StorageSharing::Never)
          .Case("auto", StorageSharing::Auto)
          .Default(std::nullopt);
  if (!sharing) {
    func.emitError("share must be 'always', 'never' or 'auto', is '")
        << share.getValue() << "'";
    return signalPassFailure();
  }
  std::optional<Target> target = getTarget(func);
  if (!target) {
    func.emitError("Failed to get ComputeCapability");
    return signalPassFailure();
  }
  if (failed(assignBuffers(func, *target, *sharing)))
    return signalPassFailure();
  auto bytes = func->getAttrOfType<IntegerAttr>(nv_tileas::kSmemBytesAttr);
  smemBytes += bytes.getInt();
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow: tile blocks, their frames, and their interleaving.

#include "dialects/cuda_tile/reference/TileBlock.h"

#include "llvm/ADT/TypeSwitch.h"

namespace tileir::reference {

using namespace mlir;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

TileBlock::TileBlock(Run &run, std::array<uint32_t, 3> id, unsigned number)
    : run(run), id(id), number(number),
      weakGenerator(run.options.weakMemory.value_or(0) + number) {}

const RuntimeValue &TileBlock::value(Value value) {
  if (current) {
    auto it = current->operands.find(value);
    if (it != current->operands.end())
      return it->second;
  }
  return values[value];
}

const Tile &TileBlock::get(Value value) {
  const RuntimeValue &known = this->value(value);
  if (!known.pending)
    return *known.tile;
  unsigned id = known.pending - 1;
  force(id);
  if (!pendings[id].result) {
    // The run has stopped here; any value serves until the block notices.
    pendings[id].result = std::make_shared<const Tile>(makeTile(value));
  }
  return *pendings[id].result;
}

const View &TileBlock::view(Value value) { return *this->value(value).view; }

void TileBlock::set(Value value, Tile tile) {
  auto shared = std::make_shared<const Tile>(std::move(tile));
  if (current && value.getDefiningOp() == current->op) {
    current->result = std::move(shared);
    return;
  }
  RuntimeValue known;
  known.tile = std::move(shared);
  values[value] = std::move(known);
}

void TileBlock::set(Value value, View view) {
  RuntimeValue known;
  known.view = std::make_shared<const View>(std::move(view));
  values[value] = std::move(known);
}

void TileBlock::copyAll(ValueRange to, ValueRange from) {
  // All values are read before any is written: a loop may swap them.
  std::vector<RuntimeValue> read;
  for (Value source : from)
    read.push_back(value(source));
  for (auto [target, source] : llvm::zip_equal(to, read))
    values[target] = std::move(source);
}

bool TileBlock::isOpen(Operation *op, const Tile &tile, size_t index,
                       const Twine &what) {
  if (!tile.isMarked(index) && tile.errorAt(index) == 0)
    return false;
  std::string place;
  if (tile.size() > 1)
    place = ", at element " + std::to_string(index);
  stop(op, tile.isMarked(index) ? "init" : "inexact",
       what + " is not determined" + place);
  return true;
}

bool TileBlock::decides(Operation *op, Value value, StringRef what) {
  return isOpen(op, get(value), 0, what);
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

void TileBlock::start(ArrayRef<uint64_t> arguments) {
  Block &body = run.entry.getBody().front();
  for (auto [argument, bits] :
       llvm::zip_equal(body.getArguments(), arguments)) {
    Tile tile = makeTile(argument);
    tile.bits[0] = bits & maskOf(bitWidth(tile.element()));
    set(argument, std::move(tile));
  }
  enter(run.entry.getBody(), run.entry);
}

void TileBlock::enter(Region &region, Operation *owner) {
  Block &block = region.front();
  frames.push_back(Frame{&block, block.begin(), owner, 0, {}});
}

void TileBlock::leave() {
  for (uint64_t base : frames.back().allocations)
    run.memory.release(base);
  frames.pop_back();
}

/// Drops the frames of branches that a `break` or `continue` leaves.
void TileBlock::leaveToLoop() {
  while (isa<ct::IfOp>(frames.back().owner))
    leave();
}

bool TileBlock::isBelow(ct::ForOp op, uint64_t a, uint64_t b) {
  unsigned width = bitWidth(
      cast<ct::TileType>(op.getLowerBound().getType()).getElementType());
  return op.getUnsignedCmp() ? a < b
                             : signExtend(a, width) < signExtend(b, width);
}

/// Starts the next iteration or ends the loop; the region's arguments hold the
/// carried values.
void TileBlock::startIteration(ct::ForOp op, Frame &frame) {
  if (isBelow(op, frame.induction, scalar(op.getUpperBound()))) {
    Tile induction = makeTile(op.getInductionVar());
    induction.bits[0] = frame.induction;
    set(op.getInductionVar(), std::move(induction));
    frame.next = frame.block->begin();
    return;
  }
  copyAll(op.getResultValues(), op.getRegionIterValues());
  leave();
}

bool TileBlock::executeControl(Operation *op) {
  if (auto branch = dyn_cast<ct::IfOp>(op)) {
    if (decides(op, branch.getCondition(), "the condition"))
      return true;
    run.reportDoubts(value(branch.getCondition()).doubts);
    bool isTaken = scalar(branch.getCondition()) != 0;
    Region &region = isTaken ? branch.getThenRegion() : branch.getElseRegion();
    if (!region.empty())
      enter(region, op);
    return true;
  }
  if (auto loop = dyn_cast<ct::ForOp>(op)) {
    for (Value bound :
         {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()}) {
      if (decides(op, bound, "a bound of the loop"))
        return true;
      run.reportDoubts(value(bound).doubts);
    }
    unsigned width = bitWidth(get(loop.getStep()).element());
    uint64_t step = scalar(loop.getStep());
    if (step == 0 || (!loop.getUnsignedCmp() && signExtend(step, width) <= 0)) {
      stop(op, "ub", "the step of the loop is not positive");
      return true;
    }
    copyAll(loop.getRegionIterValues(), loop.getInitValues());
    enter(loop.getRegion(), op);
    frames.back().induction = scalar(loop.getLowerBound());
    startIteration(loop, frames.back());
    return true;
  }
  if (auto loop = dyn_cast<ct::LoopOp>(op)) {
    copyAll(loop.getRegionIterValues(), loop.getInitValues());
    enter(loop.getRegion(), op);
    return true;
  }
  if (auto yield = dyn_cast<ct::YieldOp>(op)) {
    copyAll(frames.back().owner->getResults(), yield.getOperands());
    leave();
    return true;
  }
  if (auto next = dyn_cast<ct::ContinueOp>(op)) {
    leaveToLoop();
    Frame &frame = frames.back();
    for (uint64_t base : frame.allocations)
      run.memory.release(base);
    frame.allocations.clear();
    auto loop = dyn_cast<ct::ForOp>(frame.owner);
    if (!loop) {
      copyAll(cast<ct::LoopOp>(frame.owner).getRegionIterValues(),
              next.getOperands());
      frame.next = frame.block->begin();
      return true;
    }
    copyAll(loop.getRegionIterValues(), next.getOperands());
    unsigned width = bitWidth(get(loop.getStep()).element());
    uint64_t after = (frame.induction + scalar(loop.getStep())) & maskOf(width);
    if (!isBelow(loop, frame.induction, after)) {
      stop(loop, "ub", "the induction variable wraps");
      return true;
    }
    frame.induction = after;
    startIteration(loop, frame);
    return true;
  }
  if (auto leaveLoop = dyn_cast<ct::BreakOp>(op)) {
    leaveToLoop();
    copyAll(frames.back().owner->getResults(), leaveLoop.getOperands());
    leave();
    return true;
  }
  if (isa<ct::ReturnOp>(op)) {
    forceAll();
    while (!frames.empty())
      leave();
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Returns the evaluation function of each operation except control flow.
const TileBlock::Handlers &TileBlock::handlers() {
  static const Handlers table = [] {
    Handlers result;
    addHandlers<
        // Floating point.
        ct::AbsFOp, ct::NegFOp, ct::CeilOp, ct::FloorOp, ct::AddFOp, ct::SubFOp,
        ct::MulFOp, ct::DivFOp, ct::FmaOp, ct::RemFOp, ct::MaxFOp, ct::MinFOp,
        ct::CosOp, ct::CosHOp, ct::SinOp, ct::SinHOp, ct::TanOp, ct::TanHOp,
        ct::ExpOp, ct::Exp2Op, ct::LogOp, ct::Log2Op, ct::SqrtOp, ct::RsqrtOp,
        ct::PowOp, ct::FPowIOp, ct::Atan2Op, ct::CmpFOp, ct::MmaFOp,
        ct::MmaFScaledOp,
        // Integers, conversions.
        ct::AbsIOp, ct::NegIOp, ct::AddIOp, ct::SubIOp, ct::MulIOp,
        ct::MulhiIOp, ct::DivIOp, ct::RemIOp, ct::ShLIOp, ct::ShRIOp,
        ct::MaxIOp, ct::MinIOp, ct::AndIOp, ct::OrIOp, ct::XOrIOp, ct::CmpIOp,
        ct::MmaIOp, ct::ExtIOp, ct::TruncIOp, ct::FToFOp, ct::FToIOp,
        ct::IToFOp, ct::BitcastOp, ct::IntToPtrOp, ct::PtrToIntOp,
        ct::PtrToPtrOp,
        // Tiles.
        ct::ConstantOp, ct::IotaOp, ct::BroadcastOp, ct::ReshapeOp,
        ct::PermuteOp, ct::CatOp, ct::ExtractOp, ct::InsertOp, ct::OffsetOp,
        ct::PackOp, ct::UnpackOp, ct::SelectOp, ct::GetTileBlockIdOp,
        ct::GetNumTileBlocksOp, ct::GetGlobalOp, ct::ReduceOp, ct::ScanOp,
        ct::AssumeOp, ct::AssertOp, ct::PrintTkoOp,
        // Memory.
        ct::MakeTokenOp, ct::JoinTokensOp, ct::GdcWaitTkoOp,
        ct::GdcLaunchDependentsTkoOp, ct::MemoryFenceAliasTkoOp, ct::AllocaOp,
        ct::LoadPtrTkoOp, ct::StorePtrTkoOp, ct::AtomicRMWTkoOp,
        ct::AtomicCASTkoOp, ct::AtomicRedViewTkoOp, ct::MakeTensorViewOp,
        ct::MakePartitionViewOp, ct::MakeStridedViewOp,
        ct::MakeGatherScatterViewOp, ct::GetTensorShapeOp,
        ct::GetIndexSpaceShapeOp, ct::LoadViewTkoOp, ct::StoreViewTkoOp,
        ct::MultimemLoadReduceViewTkoOp, ct::MultimemReduceViewTkoOp,
        ct::MultimemStoreViewTkoOp>(result);
    return result;
  }();
  return table;
}

void TileBlock::execute(Operation *op) {
  auto handler = handlers().find(op->getName().getTypeID());
  if (handler == handlers().end())
    return stop(op, "error",
                "the oracle cannot execute '" + op->getName().getStringRef() +
                    "'");
  handler->second(*this, op);
  snapshot.reset();
  if (run.options.tracksErrors)
    boundErrors(op);
  if (run.hasDoubts())
    passDoubts(op);
}

void TileBlock::passDoubts(Operation *op) {
  // These operations pass doubts on themselves.
  if (isa<ct::AssumeOp, ct::MakeTensorViewOp, ct::GetTensorShapeOp,
          ct::GetIndexSpaceShapeOp>(op))
    return;
  Doubts all;
  for (Value operand : op->getOperands())
    llvm::append_range(all, value(operand).doubts);
  if (all.empty())
    return;
  llvm::sort(all);
  all.erase(llvm::unique(all), all.end());
  bool isUse =
      isa<ct::LoadPtrTkoOp, ct::StorePtrTkoOp, ct::AtomicRMWTkoOp,
          ct::AtomicCASTkoOp, ct::AtomicRedViewTkoOp, ct::LoadViewTkoOp,
          ct::StoreViewTkoOp, ct::MultimemLoadReduceViewTkoOp,
          ct::MultimemReduceViewTkoOp, ct::MultimemStoreViewTkoOp,
          ct::PrintTkoOp, ct::AssertOp>(op);
  if (isUse)
    return run.reportDoubts(all);
  for (Value result : op->getResults())
    values[result].doubts = all;
}

bool canExecute(OperationName name) {
  static const TypeID control[] = {
      TypeID::get<ct::ModuleOp>(), TypeID::get<ct::EntryOp>(),
      TypeID::get<ct::GlobalOp>(), TypeID::get<ct::IfOp>(),
      TypeID::get<ct::ForOp>(),    TypeID::get<ct::LoopOp>(),
      TypeID::get<ct::YieldOp>(),  TypeID::get<ct::ContinueOp>(),
      TypeID::get<ct::BreakOp>(),  TypeID::get<ct::ReturnOp>()};
  return llvm::is_contained(control, name.getTypeID()) ||
         TileBlock::handlers().count(name.getTypeID());
}

void TileBlock::trace(Operation *op) {
  llvm::raw_ostream &os = *run.options.trace;
  os << '(' << id[0] << ',' << id[1] << ',' << id[2] << ") " << op->getName();
  for (Value result : op->getResults()) {
    auto it = values.find(result);
    if (it == values.end() || !it->second.tile)
      continue;
    const Tile &tile = *it->second.tile;
    os << " [";
    for (size_t i = 0; i < std::min<size_t>(tile.size(), 8); ++i)
      os << (i ? ", " : "") << formatElement(tile.element(), tile.bits[i])
         << (tile.isMarked(i) ? "?" : "");
    os << (tile.size() > 8 ? ", ...]" : "]");
  }
  os << '\n';
}

void TileBlock::runNext() {
  Operation *op = &*frames.back().next++;
  ++run.numOps;
  if (run.options.maxOps && run.numOps > run.options.maxOps)
    return stop(op, "timeout",
                "more than " + Twine(run.options.maxOps) + " operations");
  if (!executeControl(op))
    execute(op);
  if (run.options.trace)
    trace(op);
}

/// Operations at which the scheduler switches to other blocks.
static bool mayDependOnOthers(Operation *op) {
  if (isa<ct::AtomicRMWTkoOp, ct::AtomicCASTkoOp, ct::AtomicRedViewTkoOp,
          ct::MultimemReduceViewTkoOp>(op))
    return true;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ct::LoadPtrTkoOp, ct::StorePtrTkoOp, ct::LoadViewTkoOp,
            ct::StoreViewTkoOp, ct::MultimemLoadReduceViewTkoOp,
            ct::MultimemStoreViewTkoOp>([](auto typed) {
        return typed.getMemoryOrderingSemantics() !=
               ct::MemoryOrderingSemantics::WEAK;
      })
      .Default([](Operation *) { return false; });
}

void TileBlock::runToSwitch() {
  do {
    runNext();
  } while (!isFinished() && !run.isStopped &&
           !mayDependOnOthers(&*frames.back().next));
}

//===----------------------------------------------------------------------===//
// Run
//===----------------------------------------------------------------------===//

Run::Run(ct::EntryOp entry, const RunOptions &options)
    : options(options), entry(entry), generator(options.seed) {
  entry.walk([&](Operation *op) {
    if (mayDependOnOthers(op))
      isFreeOfSync = false;
  });
  auto module = entry->getParentOfType<ct::ModuleOp>();
  if (!module)
    return;
  for (auto global : module.getBody().getOps<ct::GlobalOp>()) {
    Tile tile = fromAttr(global.getValue());
    unsigned bits = storageBits(tile.element());
    Allocation &allocation =
        memory.allocate(global.getSymName().str(), (tile.size() * bits + 7) / 8,
                        std::max<uint64_t>(global.getAlignment(), 16));
    for (size_t i = 0; i < tile.size(); ++i) {
      uint64_t value = tile.bits[i];
      if (isa<FloatTF32Type>(tile.element()))
        value <<= 13;
      if (bits == 4) {
        allocation.bytes.at(i / 2) |= value << (4 * (i % 2));
        continue;
      }
      for (unsigned byte = 0; byte < bits / 8; ++byte)
        allocation.bytes.at(i * (bits / 8) + byte) = value >> (8 * byte);
    }
    allocation.state.reset(allocation.bytes.size(), 1);
    globals[global.getSymName()] = allocation.base;
  }
}

/// The source location of an operation.
static FileLineColLoc findLine(Location loc) {
  if (auto line = dyn_cast<FileLineColLoc>(loc))
    return line;
  if (auto scoped = dyn_cast<ct::DILocAttr>(LocationAttr(loc)))
    return scoped.getSourceLoc();
  if (auto callSite = dyn_cast<CallSiteLoc>(loc))
    return findLine(callSite.getCallee());
  if (auto name = dyn_cast<NameLoc>(loc))
    return findLine(name.getChildLoc());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location child : fused.getLocations())
      if (FileLineColLoc line = findLine(child))
        return line;
  return {};
}

std::string Place::source() const {
  return line == 0
             ? ""
             : (Twine(file) + ":" + Twine(line) + ":" + Twine(column)).str();
}

static Place placeOf(Operation *op, const std::array<uint32_t, 3> &block) {
  Place place;
  place.op = op;
  if (FileLineColLoc line = findLine(op->getLoc())) {
    place.file = line.getFilename().str();
    place.line = line.getLine();
    place.column = line.getColumn();
  }
  place.block = block;
  return place;
}

Finding Run::makeFinding(Operation *op, const std::array<uint32_t, 3> &block,
                         StringRef kind, const Twine &message) {
  Finding finding;
  static_cast<Place &>(finding) = placeOf(op, block);
  finding.kind = kind.str();
  finding.message = (op->getName().getStringRef() + ": " + message).str();
  return finding;
}

void Run::add(std::vector<Finding> &findings, Finding finding) {
  auto same = [](const Place &a, const Place &b) {
    return a.op == b.op ||
           (a.line != 0 && a.line == b.line && a.file == b.file);
  };
  for (Finding &known : findings)
    if (known.kind == finding.kind && same(known, finding) &&
        known.isWithinBlock == finding.isWithinBlock &&
        known.other.has_value() == finding.other.has_value() &&
        (!known.other || same(*known.other, *finding.other))) {
      ++known.count;
      return;
    }
  findings.push_back(std::move(finding));
}

void Run::report(Operation *op, const std::array<uint32_t, 3> &block,
                 StringRef kind, const Twine &message) {
  add(findings, makeFinding(op, block, kind, message));
}

void Run::reportOverhang(Operation *op, const std::array<uint32_t, 3> &block,
                         const Twine &message) {
  if (options.checksInbounds)
    report(op, block, "inbounds", message);
  else
    add(notes, makeFinding(op, block, "note", message));
}

/// Adds the values that flow into `value`: yielded and loop-carried values,
/// else the operands of its operation.
static void addSources(Value value, SmallVectorImpl<Value> &sources) {
  Operation *owner = value.getDefiningOp();
  unsigned index = 0;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    owner = argument.getOwner()->getParentOp();
    index = argument.getArgNumber() - (isa<ct::ForOp>(owner) ? 1 : 0);
  } else {
    index = cast<OpResult>(value).getResultNumber();
  }
  // The terminators of one kind that leave `owner`, not a nested loop.
  auto addLeaving = [&](auto kind) {
    owner->walk([&](decltype(kind) leaving) {
      Operation *left = leaving->getParentOp();
      while (left != owner && isa<ct::IfOp>(left))
        left = left->getParentOp();
      if (left == owner)
        sources.push_back(leaving->getOperand(index));
    });
  };
  if (isa<BlockArgument>(value)) {
    sources.push_back(isa<ct::ForOp>(owner)
                          ? cast<ct::ForOp>(owner).getInitValues()[index]
                          : cast<ct::LoopOp>(owner).getInitValues()[index]);
    addLeaving(ct::ContinueOp());
  } else if (auto loop = dyn_cast<ct::ForOp>(owner)) {
    sources.push_back(loop.getRegionIterValues()[index]);
  } else if (isa<ct::LoopOp>(owner)) {
    addLeaving(ct::BreakOp());
  } else if (isa<ct::IfOp>(owner)) {
    addLeaving(ct::YieldOp());
  } else {
    llvm::append_range(sources, owner->getOperands());
  }
}

static bool isAddress(Value value) {
  auto tile = dyn_cast<ct::TileType>(value.getType());
  return tile ? isa<ct::PointerType>(tile.getElementType())
              : isa<ct::TensorViewType, ct::TileView>(value.getType());
}

std::optional<unsigned> Run::findArray(Operation *op,
                                       const Allocation &allocation) {
  // A store has its address operand before pointers that it may store.
  SmallVector<Value> work{*llvm::find_if(op->getOperands(), isAddress)};
  llvm::SmallDenseSet<Value> seen;
  std::optional<unsigned> array;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner()->getParentOp() == entry) {
      if (array && *array != argument.getArgNumber())
        return std::nullopt;
      array = argument.getArgNumber();
      continue;
    }
    SmallVector<Value> sources;
    addSources(value, sources);
    llvm::erase_if(sources, [](Value source) { return !isAddress(source); });
    // Computed from an integer, the address of a global, or loaded from memory.
    if (sources.empty() || isa_and_nonnull<ct::LoadPtrTkoOp, ct::LoadViewTkoOp>(
                               value.getDefiningOp()))
      return std::nullopt;
    llvm::append_range(work, sources);
  }
  if (!array || memory.find(arguments[*array], 0) != &allocation)
    return std::nullopt;
  return array;
}

void Run::reportRace(Operation *op, const std::array<uint32_t, 3> &block,
                     bool isWrite, const Event &earlier, bool earlierWrote,
                     const Allocation &allocation, uint64_t byte) {
  std::array<uint32_t, 3> earlierBlock{
      earlier.block % options.grid[0],
      earlier.block / options.grid[0] % options.grid[1],
      earlier.block / options.grid[0] / options.grid[1]};
  bool isWithinBlock = earlierBlock == block;
  for (Finding &known : findings)
    if (known.op == op && known.other && known.other->op == earlier.op &&
        known.isWithinBlock == isWithinBlock) {
      ++known.count;
      return;
    }
  auto describe = [&](Operation *access, bool writes,
                      std::optional<unsigned> &array) {
    std::string text = writes ? "write of " : "read of ";
    array = findArray(access, allocation);
    uint64_t at = allocation.base + byte;
    if (!array || arguments[*array] > at) {
      array.reset();
      return text + "'" + allocation.name + "', byte " + std::to_string(byte);
    }
    std::string name = *array < parameterNames.size()
                           ? "'" + parameterNames[*array] + "'"
                           : "parameter " + std::to_string(*array);
    auto pointer = cast<ct::PointerType>(
        cast<ct::TileType>(entry.getArgumentTypes()[*array]).getElementType());
    uint64_t offset = at - arguments[*array];
    return text + name + ", element " +
           std::to_string(offset * 8 / storageBits(pointer.getPointeeType())) +
           " (byte " + std::to_string(offset) + ")";
  };
  std::optional<unsigned> mine, its;
  std::string message = describe(op, isWrite, mine);
  Place other = placeOf(earlier.op, earlierBlock);
  message += ", races with the " + describe(earlier.op, earlierWrote, its);
  if (other.line != 0)
    message += " at " + other.source();
  if (!isWithinBlock)
    message += " of block (" + std::to_string(earlierBlock[0]) + "," +
               std::to_string(earlierBlock[1]) + "," +
               std::to_string(earlierBlock[2]) + ")";
  if (mine && its && mine != its)
    message += "; the two arrays share memory";
  Finding finding = makeFinding(op, block, "race", message);
  finding.other = std::move(other);
  finding.isWithinBlock = isWithinBlock;
  add(findings, std::move(finding));
}

unsigned Run::doubt(Operation *op, const std::array<uint32_t, 3> &block,
                    const Twine &message) {
  auto [known, isFirst] = doubtOf.try_emplace(op, doubts.size());
  if (isFirst)
    doubts.push_back({op, block, message.str()});
  return known->second;
}

void Run::reportDoubts(const Doubts &numbers) {
  for (unsigned number : numbers) {
    Doubt &doubt = doubts[number];
    if (!std::exchange(doubt.isReported, true))
      report(doubt.op, doubt.block, "ub", doubt.message);
  }
}

void Run::execute(ArrayRef<uint64_t> arguments) {
  this->arguments = arguments.vec();
  std::vector<TileBlock> blocks;
  unsigned number = 0;
  for (uint32_t z = 0; z < options.grid[2]; ++z)
    for (uint32_t y = 0; y < options.grid[1]; ++y)
      for (uint32_t x = 0; x < options.grid[0]; ++x)
        blocks.emplace_back(*this, std::array<uint32_t, 3>{x, y, z}, number++);
  std::vector<unsigned> waiting(blocks.size());
  for (unsigned i = 0; i < waiting.size(); ++i)
    waiting[i] = i;
  if (!options.inOrder)
    std::shuffle(waiting.begin(), waiting.end(), generator);
  // A block starts at its first turn, so that few blocks hold values.
  std::vector<bool> isStarted(blocks.size());
  while (!waiting.empty() && !isStopped) {
    size_t pick =
        isFreeOfSync || options.inOrder ? 0 : generator() % waiting.size();
    TileBlock &block = blocks[waiting[pick]];
    if (!isStarted[waiting[pick]])
      block.start(arguments);
    isStarted[waiting[pick]] = true;
    block.runToSwitch();
    if (block.isFinished()) {
      block.clear();
      waiting.erase(waiting.begin() + pick);
    } else if (options.inOrder) {
      std::rotate(waiting.begin(), waiting.begin() + 1, waiting.end());
    }
  }
  for (const Doubt &doubt : doubts)
    if (!doubt.isReported)
      add(notes, makeFinding(doubt.op, doubt.block, "note",
                             doubt.message + ", but no access depends on it"));
}

} // namespace tileir::reference

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileas/MmaOperands.h"
#include "dialects/nv_tileas/Printing.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileir::Layout;
using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

//===----------------------------------------------------------------------===//
// dot
//===----------------------------------------------------------------------===//

/// Extents of a tile or buffer.
static ArrayRef<int64_t> operandTileShape(Type type) {
  if (auto buffer = dyn_cast<BufferType>(type))
    return buffer.getShape();
  return cast<RankedTensorType>(type).getShape();
}

static Type operandElement(Type type) {
  if (auto buffer = dyn_cast<BufferType>(type))
    return buffer.getElementType();
  return cast<RankedTensorType>(type).getElementType();
}

int64_t DotOp::getDepth() { return operandTileShape(getA().getType())[1]; }

bool DotOp::hasHalfOfB() {
  std::optional<MmaAttr> mma = getMma();
  return mma && mma->getCtaGroup() == 2 && getC().getType().getRank() == 2 &&
         2 * operandTileShape(getB().getType())[1] ==
             getC().getType().getDimSize(1);
}

void DotOp::getEffects(Effects &effects) {
  if (hasBuffers())
    effects.emplace_back(MemoryEffects::Read::get(), SharedResource::get());
}

/// C3 of an operand in shared memory.
static LogicalResult verifyOperandBuffer(DotOp op, Type type, StringRef name) {
  auto buffer = cast<BufferType>(type);
  if (buffer.isStaged() || buffer.getSpace() != tileir::LayoutSpace::Smem)
    return op.emitOpError("operand ")
           << name << " must be an unstaged buffer in shared memory, but is "
           << buffer;
  return success();
}

/// C2 and C5 of scales that the atom does not take.
static LogicalResult verifyScalesApart(DotOp op) {
  if (op.hasBuffers() || !op.getScaleB())
    return op.emitOpError(
        "expects two tiles to multiply and two tiles of scales");
  RankedTensorType c = op.getC().getType();
  for (bool isA : {true, false}) {
    auto tile = cast<RankedTensorType>((isA ? op.getA() : op.getB()).getType());
    auto type = cast<RankedTensorType>(
        (isA ? op.getScaleA() : op.getScaleB()).getType());
    StringRef name = isA ? "A" : "B";
    if (!isa<Float8E4M3FNType, Float8E5M2Type, Float4E2M1FNType>(
            tile.getElementType()))
      return op.emitOpError("expects 4-bit or 8-bit floats beside scales, but ")
             << name << " is " << tile;
    unsigned rowDim = isA ? 0 : 1;
    if (type.getRank() != 2 || !isa<FloatType>(type.getElementType()) ||
        type.getDimSize(rowDim) != c.getDimSize(rowDim) ||
        op.getDepth() % type.getDimSize(1 - rowDim))
      return op.emitOpError("expects scales of ")
             << name << " whose number along K divides " << op.getDepth()
             << ", but got " << type;
  }
  return success();
}

/// C5.
static LogicalResult verifyScales(DotOp op, const Layout &acc) {
  MmaAtomAttr atom = op.getAtom();
  bool isScaled = bool(atom.getScaleType());
  if (isScaled != bool(op.getScaleA()) || isScaled != bool(op.getScaleB()))
    return op.emitOpError("expects ")
           << (isScaled ? "two tiles of scales" : "no scales") << " with "
           << atom;
  if (!isScaled)
    return success();
  int64_t end = op.getFirstScale() + op.getDepth() / atom.getTileBlock();
  for (bool isA : {true, false}) {
    auto type = cast<RankedTensorType>(
        (isA ? op.getScaleA() : op.getScaleB()).getType());
    StringRef name = isA ? "A" : "B";
    int64_t scales = type.getRank() == 2 ? type.getDimSize(isA ? 1 : 0) : 0;
    if (type.getElementType() != atom.getScaleType() || scales < end)
      return op.emitOpError("expects at least ")
             << end << " scales of " << name << " along K, of type "
             << atom.getScaleType() << ", but got " << type;
    std::optional<Layout> want = getDotScaleLayout(atom, acc, scales, isA);
    if (*want != getTileLayout(type).getLayout())
      return op.emitOpError("scales of ")
             << name << " must have the layout "
             << getLayoutAttr(op.getContext(), *want);
  }
  return success();
}

/// C6.
static LogicalResult verifyMma(DotOp op, MmaAttr mma) {
  MmaAtomAttr atom = op.getAtom();
  ArrayRef<int64_t> shape = mma.getShape();
  if (mma.getKind() == atom.getKind()) {
    if (shape != ArrayRef<int64_t>{atom.getM(), atom.getN(), atom.getK()})
      return op.emitOpError("expects the shape of ") << atom << " in " << mma;
    return success();
  }
  bool isUnit =
      mma.getKind() == MmaKind::Umma || mma.getKind() == MmaKind::Wgmma;
  if (!isUnit || atom.getKind() != MmaKind::MmaSync)
    return op.emitOpError("cannot be ") << mma << " in place of " << atom;
  if (mma.getKind() == MmaKind::Wgmma &&
      !MmaAtomAttr::hasWgmma(shape[0], shape[1], shape[2], atom.getAType(),
                             atom.getBType(), atom.getCType()))
    return op.emitOpError("has other element types than ") << mma;
  return success();
}

DotOp DotOp::createPart(OpBuilder &builder, int64_t k, Value a, Value b,
                        Value c) {
  auto part = cast<DotOp>(builder.clone(*getOperation()));
  part.getAMutable().assign(a);
  part.getBMutable().assign(b);
  part.getCMutable().assign(c);
  if (int64_t block = getAtom().getTileBlock(); block && k)
    part.setFirstScale(getFirstScale() + k / block);
  return part;
}

LogicalResult DotOp::verify() {
  Type aType = getA().getType(), bType = getB().getType();
  if (isa<BufferType>(aType) != isa<BufferType>(bType)) // C1
    return emitOpError("expects two tiles or two buffers to multiply");
  ArrayRef<int64_t> a = operandTileShape(aType), b = operandTileShape(bType);
  RankedTensorType c = getC().getType();
  if (a.size() != 2 || b.size() != 2 || c.getRank() != 2 ||
      a[0] != c.getDimSize(0) || a[1] != b[0] ||
      (b[1] != c.getDimSize(1) && !hasHalfOfB()) || getType() != c) // C1
    return emitOpError("expects A of MxK, B of KxN, C and the result of MxN");
  MmaAtomAttr atom = getAtom();
  bool hasScalesApart = needsDecomposition();
  if ((!hasScalesApart &&
       (operandElement(aType) != atom.getTileElement(atom.getAType()) ||
        operandElement(bType) != atom.getTileElement(atom.getBType()))) ||
      c.getElementType() != atom.getCType()) // C2
    return emitOpError("expects the element types of the atom ") << atom;
  if (isa<IntegerType>(atom.getAType()) && atom.getKind() != MmaKind::Fma &&
      (!getSignednessA() || !getSignednessB()))
    return emitOpError("expects 'signedness_a' and 'signedness_b' on integers");
  int64_t k = getDepth();
  if (c.getDimSize(0) % atom.getM() || c.getDimSize(1) % atom.getN() ||
      k % atom.getTileK()) // C4
    return emitOpError("extents must be multiples of the atom's ") << atom;
  Layout acc = getTileLayout(c).getLayout();
  std::optional<Layout> wantA = getDotOperandLayout(atom, acc, k, true),
                        wantB = getDotOperandLayout(atom, acc, k, false);
  if (!wantA || !wantB) // C3
    return emitOpError("accumulator layout is no fragment of the atom ")
           << atom;
  if (getMma() && failed(verifyMma(*this, *getMma())))
    return failure();
  if (hasScalesApart)
    return verifyScalesApart(*this);
  if (hasBuffers()) {
    if (failed(verifyOperandBuffer(*this, aType, "A")) ||
        failed(verifyOperandBuffer(*this, bType, "B")))
      return failure();
    return verifyScales(*this, acc);
  }
  if (*wantA != getTileLayout(aType).getLayout())
    return emitOpError("operand A must have the layout ")
           << getLayoutAttr(getContext(), *wantA);
  if (!hasHalfOfB() && *wantB != getTileLayout(bType).getLayout())
    return emitOpError("operand B must have the layout ")
           << getLayoutAttr(getContext(), *wantB);
  return verifyScales(*this, acc);
}

//===----------------------------------------------------------------------===//
// reduce, scan
//===----------------------------------------------------------------------===//

/// C1, C2, C4, C5 of `reduce` and `scan`.
template <typename OpTy> static LogicalResult verifyCombine(OpTy op) {
  size_t count = op.getOperands().size();
  if (!count)
    return op.emitOpError("expect at least 1 operand");
  if (op.getNumResults() != count)
    return op.emitOpError("expect same number of operands and results");
  if (op.getIdentities().size() != count) // C4
    return op.emitOpError("expects ")
           << count << " identities, but got " << op.getIdentities().size();
  auto first = cast<RankedTensorType>(op.getOperands().front().getType());
  for (Value operand : op.getOperands()) { // C1
    auto type = cast<RankedTensorType>(operand.getType());
    if (type.getShape() != first.getShape() ||
        type.getEncoding() != first.getEncoding())
      return op.emitOpError("operands must have one shape and layout");
  }
  int64_t axis = op.getAxis();
  if (axis < 0 || axis >= first.getRank()) // C2
    return op.emitOpError("dimension (")
           << axis << ") is out of bound [0, " << first.getRank() << ")";
  Block &body = op.getBody().front();
  if (body.getNumArguments() != 2 * count) // C5
    return op.emitOpError("expect ")
           << 2 * count
           << " block arguments but got: " << body.getNumArguments();
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || yield.getNumOperands() != count)
    return op.emitOpError("expects a 'nv_tileas.yield' of ")
           << count << " values";
  for (size_t i = 0; i < count; ++i) {
    Type element =
        cast<RankedTensorType>(op.getOperands()[i].getType()).getElementType();
    auto identity = dyn_cast<TypedAttr>(op.getIdentities()[i]);
    if (!identity || identity.getType() != element)
      return op.emitOpError("expect same type for operand at index: ")
             << i << " and identity at index: " << i;
    if (body.getArgument(2 * i).getType() != element ||
        body.getArgument(2 * i + 1).getType() != element ||
        yield.getOperand(i).getType() != element)
      return op.emitOpError("block arguments and yielded value at index ")
             << i << " must have the type " << element;
  }
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  if (failed(verifyCombine(*this)))
    return failure();
  auto source = cast<RankedTensorType>(getOperands().front().getType());
  SmallVector<int64_t> shape(source.getShape());
  shape.erase(shape.begin() + getAxis());
  Layout sliced = getTileLayout(source).getLayout().slice(getAxis());
  for (auto [operand, result] : llvm::zip(getOperands(), getResults())) { // C3
    Type expected = cast<RankedTensorType>(operand.getType()).getElementType();
    if (!shape.empty())
      expected = RankedTensorType::get(shape, expected,
                                       getLayoutAttr(getContext(), sliced));
    if (result.getType() != expected)
      return emitOpError("expects a result of type ")
             << expected << ", but got " << result.getType();
  }
  return success();
}

LogicalResult ScanOp::verifyRegions() {
  if (failed(verifyCombine(*this)))
    return failure();
  if (getOperandTypes() != getResultTypes()) // C3
    return emitOpError("results must have the types of the operands");
  return success();
}

//===----------------------------------------------------------------------===//
// elementwise
//===----------------------------------------------------------------------===//

LogicalResult ElementwiseOp::verify() {
  auto result = dyn_cast<RankedTensorType>(getType());
  for (Value input : getInputs()) { // C1
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (bool(type) != bool(result) ||
        (type && (type.getShape() != result.getShape() ||
                  type.getEncoding() != result.getEncoding())))
      return emitOpError("inputs and result must have one shape and layout");
  }
  if (getConstraints().has_value() != (getKind() == ElementwiseKind::Asm))
    return emitOpError("constraints go with 'asm' and with nothing else"); // C2
  return success();
}

void ElementwiseOp::getEffects(Effects &effects) {
  if (getPure())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

void AssertOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), SyncResource::get());
}

void PrintOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), SyncResource::get());
}

int64_t tileir::getNumPrintedValues(PrintOp op) {
  int64_t values = 0;
  for (Type type : op.getArgs().getTypes()) {
    auto tile = dyn_cast<RankedTensorType>(type);
    values += tile ? tile.getNumElements() : 1;
  }
  return values;
}

static void barrierEffects(Effects &effects) {
  // Accesses of every kind do not cross the barrier.
  for (SideEffects::Resource *resource :
       {static_cast<SideEffects::Resource *>(SyncResource::get()),
        static_cast<SideEffects::Resource *>(SharedResource::get()),
        static_cast<SideEffects::Resource *>(TensorResource::get()),
        static_cast<SideEffects::Resource *>(GlobalResource::get())}) {
    effects.emplace_back(MemoryEffects::Read::get(), resource);
    effects.emplace_back(MemoryEffects::Write::get(), resource);
  }
}

void GridDependencyOp::getEffects(Effects &effects) { barrierEffects(effects); }
void BarrierOp::getEffects(Effects &effects) { barrierEffects(effects); }
void FenceOp::getEffects(Effects &effects) { barrierEffects(effects); }

LogicalResult BarrierOp::verify() {
  if (!getBarrierId())
    return success();
  if (getScope() == BarrierScope::Cluster) // C1
    return emitOpError("a cluster barrier has no 'barrier_id'");
  if (*getBarrierId() >= 16)
    return emitOpError("'barrier_id' must be below 16, got ")
           << *getBarrierId();
  return success();
}

LogicalResult FenceOp::verify() {
  if (getMemScope().has_value() != (getKind() == FenceKind::Scope)) // C1
    return emitOpError("a memory scope goes with 'scope' and nothing else");
  return success();
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

LogicalResult AtomMmaSyncOp::verify() {
  MmaAtomAttr atom = getAtom();
  if (atom.getKind() != MmaKind::MmaSync) // C1
    return emitOpError("expects a 'mma_sync' atom, but got ") << atom;
  // Registers of a fragment in one lane: packed below 32 bits, f16 results too.
  auto registers = [](int64_t elements, Type type) {
    int64_t bits = getStorageBits(type);
    return elements / 32 / std::max<int64_t>(1, 32 / bits);
  };
  int64_t a = registers(atom.getM() * atom.getK(), atom.getAType()),
          b = registers(atom.getK() * atom.getN(), atom.getBType()),
          c = registers(atom.getM() * atom.getN(), atom.getCType());
  if (int64_t(getA().size()) != a || int64_t(getB().size()) != b ||
      int64_t(getC().size()) != c) // C2
    return emitOpError("expects ")
           << a << ", " << b << " and " << c << " registers, but got "
           << getA().size() << ", " << getB().size() << " and "
           << getC().size();
  if (getResultTypes() != getC().getTypes()) // C3
    return emitOpError("results must have the types of 'c'");
  return success();
}

LogicalResult AtomMmaBsOp::verify() {
  MmaAtomAttr atom = getAtom();
  if (atom.getKind() != MmaKind::MmaBs) // C1
    return emitOpError("expects a 'mma_bs' atom, but got ") << atom;
  if (getA().size() != 4 || getB().size() != 2 || getC().size() != 4) // C2
    return emitOpError("expects 4, 2 and 4 registers, but got ")
           << getA().size() << ", " << getB().size() << " and "
           << getC().size();
  if (getResultTypes() != getC().getTypes()) // C3
    return emitOpError("results must have the types of 'c'");
  // C4
  int64_t scales = atom.getTileK() / atom.getTileBlock();
  if (getByteA() % scales || getByteB() % scales || getByteA() + scales > 4 ||
      getByteB() + scales > 4)
    return emitOpError("byte ids must be multiples of ")
           << scales << " up to " << 4 - scales << ", got " << getByteA()
           << " and " << getByteB();
  if (getThreadA() >= 2 || getThreadB() >= 4)
    return emitOpError("thread ids must be below 2 and 4, got ")
           << getThreadA() << " and " << getThreadB();
  return success();
}

LogicalResult AtomLdmatrixOp::verify() {
  if (getNum() != 1 && getNum() != 2 && getNum() != 4) // C1
    return emitOpError("'num' must be 1, 2 or 4, got ") << getNum();
  if (getNumResults() != getNum())
    return emitOpError("expects ")
           << getNum() << " results, but got " << getNumResults();
  return success();
}

LogicalResult AtomStmatrixOp::verify() {
  size_t count = getWords().size();
  if (count != 1 && count != 2 && count != 4) // C1
    return emitOpError("expects 1, 2 or 4 registers, but got ") << count;
  return success();
}

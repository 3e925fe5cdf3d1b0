// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to multicast memory, of which several devices have a copy.

#include "passes/tileas_lowering/memory/Access.h"

using namespace mlir;

namespace tileir::lowering {

bool isMultimem(Operation *op) { return op->hasAttr(nv_tileaa::kMultimemAttr); }

nv_tileaa::RmwMode getMultimemMode(Operation *op) {
  return op->getAttrOfType<nv_tileaa::RmwModeAttr>(nv_tileaa::kMultimemAttr)
      .getValue();
}

/// Returns `.relaxed.sys.global` and the like.
static std::string getOrder(const AccessList &list,
                            const AccessModifiers &modifiers,
                            const Target &target) {
  std::string text =
      "." + nv_tileaa::stringifyMemSemantic(modifiers.semantic).str();
  if (!modifiers.isWeak())
    text += "." + getScopeName(*modifiers.scope, target).str();
  return text + getSpaceName(list.space).str();
}

/// Returns `.add.f16x2`, `.max.s32`, `.and.b64`: the reduction and the type of
/// one access, a word of 32 or 64 bits.
static std::string getReduction(nv_tileaa::RmwMode mode, Type element) {
  using nv_tileaa::RmwMode;
  std::string bits = std::to_string(getMemoryBits(element));
  std::string floating = element.isF16()    ? "f16x2"
                         : element.isBF16() ? "bf16x2"
                                            : "f" + bits;
  bool isFloat = isa<FloatType>(element);
  switch (mode) {
  case RmwMode::And:
    return ".and.b" + bits;
  case RmwMode::Or:
    return ".or.b" + bits;
  case RmwMode::Xor:
    return ".xor.b" + bits;
  case RmwMode::Add:
  case RmwMode::AddF:
    return ".add." + (isFloat ? floating : "u" + bits);
  case RmwMode::Max:
    return ".max." + (isFloat ? floating : "s" + bits);
  case RmwMode::Min:
    return ".min." + (isFloat ? floating : "s" + bits);
  case RmwMode::UMax:
    return ".max.u" + bits;
  case RmwMode::UMin:
    return ".min.u" + bits;
  case RmwMode::Xchg:
    break;
  }
  return ".b" + std::to_string(std::max(32u, getMemoryBits(element)));
}

//===----------------------------------------------------------------------===//
// Halves of words
//===----------------------------------------------------------------------===//

namespace {

/// One 16-bit element that is not known to fill an aligned word with its
/// neighbour: the instructions move words of at least 32 bits.
class Half {
public:
  /// Computes the aligned word around `pointer` and the bit offset in it.
  Half(Emitter &emitter, Value pointer) : emitter(emitter) {
    OpBuilder &builder = emitter.builder;
    Type i64 = emitter.intType(64), i32 = emitter.intType(32);
    Value address =
        LLVM::PtrToIntOp::create(builder, emitter.loc, i64, pointer);
    Value start = LLVM::AndOp::create(builder, emitter.loc, address,
                                      emitter.constant(64, ~int64_t(3)));
    word = LLVM::IntToPtrOp::create(builder, emitter.loc, pointer.getType(),
                                    start);
    Value low = LLVM::TruncOp::create(builder, emitter.loc, i32, address);
    low =
        LLVM::AndOp::create(builder, emitter.loc, low, emitter.constant(32, 2));
    shift =
        LLVM::ShlOp::create(builder, emitter.loc, low, emitter.constant(32, 3));
  }

  Value getWord() const { return word; }

  /// Returns `image` of 16 bits at its offset, and zeros beside it.
  Value place(Value image) const {
    return shiftLeft(LLVM::ZExtOp::create(emitter.builder, emitter.loc,
                                          emitter.intType(32), image));
  }
  /// Returns the low half of `bits`, of 32 bits, at the offset of the other
  /// element.
  Value placeBeside(uint32_t bits) const {
    Value other = LLVM::XOrOp::create(emitter.builder, emitter.loc, shift,
                                      emitter.constant(32, 16));
    return LLVM::ShlOp::create(emitter.builder, emitter.loc,
                               emitter.constant(32, bits), other);
  }
  Value take(Value image) const {
    Value bits =
        LLVM::LShrOp::create(emitter.builder, emitter.loc, image, shift);
    return LLVM::TruncOp::create(emitter.builder, emitter.loc,
                                 emitter.intType(16), bits);
  }

private:
  Value shiftLeft(Value bits) const {
    return LLVM::ShlOp::create(emitter.builder, emitter.loc, bits, shift);
  }

  Emitter &emitter;
  Value word, shift;
};

} // namespace

static bool isHalf(const AccessList &list, Type element) {
  return getMemoryBits(element) * list.width == 16;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

SmallVector<Value> emitMultimemLoads(Emitter &emitter, const AccessList &list,
                                     Type element,
                                     const AccessModifiers &modifiers,
                                     nv_tileaa::RmwMode mode,
                                     function_ref<Value(int64_t)> defaults) {
  unsigned bits = std::max(32u, unsigned(getMemoryBits(element) * list.width));
  Type word = emitter.intType(bits);
  std::string instruction = "multimem.ld_reduce" +
                            getOrder(list, modifiers, emitter.state.target) +
                            getReduction(mode, element);
  SmallVector<Value> elements;
  for (const Access &access : list.accesses) {
    std::optional<Half> half;
    if (isHalf(list, element))
      half.emplace(emitter, access.ptr);
    PtxBuilder ptx = emitter.ptx();
    std::string result = ptx.out(word, /*early=*/bool(access.predicate)),
                from = ptx.in(half ? half->getWord() : access.ptr),
                guard = ptx.guard(access.predicate), start;
    if (access.predicate)
      if (Value fallback = defaults(access.reg))
        start = "mov.b" + std::to_string(bits) + " " + result + ", " +
                ptx.in(half ? half->place(fallback) : fallback) + ";\n\t";
    Value image = ptx.emit(start + guard + instruction + " " + result + ", [" +
                           from + "];")
                      .front();
    if (half)
      image = half->take(image);
    llvm::append_range(elements,
                       emitter.fromMemory(image, list.width, element));
  }
  return elements;
}

/// Emits the access of one word of 32 or 64 bits.
static void emitWord(Emitter &emitter, StringRef instruction, Value pointer,
                     Value image, Value predicate) {
  PtxBuilder ptx = emitter.ptx();
  std::string to = ptx.in(pointer), word = ptx.in(image),
              guard = ptx.guard(predicate);
  ptx.emit(guard + instruction + " [" + to + "], " + word + ";");
}

void emitMultimemStores(Emitter &emitter, const AccessList &list, Type element,
                        const AccessModifiers &modifiers,
                        std::optional<nv_tileaa::RmwMode> mode,
                        ArrayRef<Value> values) {
  std::string order = getOrder(list, modifiers, emitter.state.target);
  std::string instruction =
      (mode ? "multimem.red" : "multimem.st") + order +
      getReduction(mode.value_or(nv_tileaa::RmwMode::Xchg), element);
  for (const Access &access : list.accesses) {
    Value image =
        emitter.toMemory(values.slice(access.reg, list.width), element);
    if (!isHalf(list, element)) {
      emitWord(emitter, instruction, access.ptr, image, access.predicate);
      continue;
    }
    Half half(emitter, access.ptr);
    Value word = half.getWord(), placed = half.place(image);
    if (mode) {
      // Adding -0 preserves the other element; floats have no other mode.
      placed = LLVM::OrOp::create(emitter.builder, emitter.loc, placed,
                                  half.placeBeside(0x8000));
      emitWord(emitter, instruction, word, placed, access.predicate);
      continue;
    }
    // There is no narrower store: reductions clear the bits and set the new
    // ones, and preserve the other element.
    std::string red =
        "multimem.red.relaxed.sys" + getSpaceName(list.space).str();
    emitWord(emitter, red + ".and.b32", word, half.placeBeside(0xFFFF),
             access.predicate);
    emitWord(emitter, red + ".or.b32", word, placed, access.predicate);
  }
}

/// Two adjacent 16-bit elements at a multiple of 4 bytes form a word. A single
/// one can be loaded and reduced, and stored if no other thread may read it
/// meanwhile.
LogicalResult checkMultimem(Operation *op, nv_tileaa::TATiledViewType view) {
  auto store = dyn_cast<nv_tileas::TiledStoreOp>(op);
  if (!store || getMemoryBits(view.getElementType()) >= 32 ||
      store.getMemSemantic() == nv_tileaa::MemSemantic::Weak)
    return success();
  std::optional<unsigned> dim = getPackedDim(view);
  auto align = op->getAttrOfType<IntegerAttr>(
      nv_tileas::TileASDialect::getAlignAttrName());
  auto runs = op->getAttrOfType<DenseI32ArrayAttr>(
      nv_tileas::TileASDialect::getContiguousAttrName());
  if (dim && align && align.getInt() >= 4 && runs &&
      *dim < unsigned(runs.size()) && runs[*dim] >= 2)
    return success();
  return op->emitOpError("stores elements of 16 bits in pairs; state with "
                         "'assume' that the base and the sizes are multiples "
                         "of 4 bytes, in a view of static stride 1, or store "
                         "'weak'");
}

} // namespace tileir::lowering

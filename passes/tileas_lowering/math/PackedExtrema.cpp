// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/math/PackedExtrema.h"

#include "dialects/support/Heuristics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tileir::lowering {

/// Returns the half of a word from whose bits `value` was converted.
static Half getHalfOfBits(Value value) {
  auto cast = value.getDefiningOp<LLVM::BitcastOp>();
  if (!cast)
    return {};
  if (auto high = cast.getArg().getDefiningOp<LLVM::AndOp>();
      high &&
      Emitter::constantOf(high.getRhs()).value_or(0) == int32_t(0xffff0000))
    return {high.getLhs(), true};
  if (auto low = cast.getArg().getDefiningOp<LLVM::ShlOp>();
      low && Emitter::constantOf(low.getRhs()).value_or(0) == 16)
    return {low.getLhs(), false};
  return {};
}

Half getHalf(Value value) {
  auto wide = value.getDefiningOp<arith::ExtFOp>();
  if (!wide)
    return getHalfOfBits(value);
  auto element = wide.getIn().getDefiningOp<LLVM::ExtractElementOp>();
  if (!element)
    return {};
  auto word = dyn_cast<VectorType>(element.getVector().getType());
  std::optional<int64_t> at = Emitter::constantOf(element.getPosition());
  if (!word || word.getNumElements() != 2 || !at ||
      !(word.getElementType().isF16() || word.getElementType().isBF16()))
    return {};
  return {element.getVector(), *at == 1};
}

SmallVector<Value> PackedExtremum::extend() const {
  OpBuilder &builder = emitter.builder;
  Type f32 = builder.getF32Type();
  if (isBits) {
    Value bits = emitter.bitcast(word, emitter.intType(32));
    return {emitter.bitcast(emitter.shlConst(bits, 16), f32),
            emitter.bitcast(emitter.andConst(bits, 0xffff0000), f32)};
  }
  SmallVector<Value> results;
  for (unsigned i : {0, 1})
    results.push_back(arith::ExtFOp::create(builder, emitter.loc, f32,
                                            emitter.extract(word, i)));
  return results;
}

/// Applies `combiner` to the halves of two registers. libdevice functions have
/// no packed variant.
Value PackedExtremum::combine(Value a, Value b) const {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  if (isa<arith::MaximumFOp>(combiner))
    return LLVM::MaximumOp::create(builder, loc, a, b);
  if (isa<arith::MinimumFOp>(combiner))
    return LLVM::MinimumOp::create(builder, loc, a, b);
  if (isa<arith::MaxNumFOp>(combiner))
    return LLVM::MaxNumOp::create(builder, loc, a, b);
  return LLVM::MinNumOp::create(builder, loc, a, b);
}

void PackedExtremum::take(ArrayRef<Value> values) {
  SmallVector<Value> words(values);
  while (words.size() > 1) {
    SmallVector<Value> next;
    for (size_t i = 0; i + 1 < words.size(); i += 2)
      next.push_back(combine(words[i + 1], words[i]));
    if (words.size() % 2)
      next.push_back(words.back());
    words = next;
  }
  word = words.front();
}

void PackedExtremum::combineLanes(ArrayRef<unsigned> lanes) {
  for (unsigned bit : lanes) {
    Value other = emitter.shuffle(NVVM::ShflKind::bfly, word,
                                  emitter.i32(int64_t(1) << bit));
    word = combine(other, word);
  }
}

Value PackedExtremum::getNarrow() const {
  Value swapped = LLVM::ShuffleVectorOp::create(emitter.builder, emitter.loc,
                                                word, word, {1, 0});
  return emitter.extract(combine(swapped, word), 0);
}

std::optional<PackedExtremum> PackedExtremum::get(Emitter &emitter,
                                                  Operation *combiner,
                                                  ArrayRef<Value> values) {
  constexpr unsigned kBoth = 3;
  llvm::MapVector<Value, unsigned> halves;
  for (Value value : values) {
    Half half = getHalf(value);
    unsigned bit = half.isUpper ? 2 : 1;
    if (!half.word || (halves[half.word] & bit))
      return std::nullopt;
    halves[half.word] |= bit;
  }
  Type type = halves.front().first.getType();
  if (halves.size() < heuristics::minPackedExtrema ||
      llvm::any_of(halves, [&](const auto &entry) {
        return entry.second != kBoth || entry.first.getType() != type;
      }))
    return std::nullopt;

  bool isBits = !isa<VectorType>(type);
  if (isBits)
    type = VectorType::get({2}, emitter.builder.getBF16Type());
  SmallVector<Value> words;
  for (auto &[word, both] : halves)
    words.push_back(emitter.bitcast(word, type));
  PackedExtremum result(emitter, combiner, isBits);
  result.take(words);
  return result;
}

} // namespace tileir::lowering

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/Lowering.h"

using namespace mlir;

namespace tileir::lowering {

namespace {

/// Registers of the three tiles of a product, by position in the tile.
struct DotRegisters {
  DotRegisters(const Layout &a, const Layout &b, const Layout &acc)
      : a(a), b(b), acc(acc),
        fromA(a.map(kRegister).rightInverse(a.getTileBits())),
        fromB(b.map(kRegister).rightInverse(b.getTileBits())) {}

  /// What register `reg` of the accumulator multiplies at depth `k`.
  int64_t registerOfA(int64_t reg, int64_t k) const {
    int64_t m = acc.unflatten(acc.applyFlat(reg))[0];
    return fromA(a.flatten({m, k}));
  }
  int64_t registerOfB(int64_t reg, int64_t k) const {
    int64_t n = acc.unflatten(acc.applyFlat(reg))[1];
    return fromB(b.flatten({k, n}));
  }

  Layout a, b, acc;
  LinearMap fromA, fromB;
};

struct DotLowering final : TilePattern<nv_tileas::DotOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::DotOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    SmallVector<Value> words = op.getAtom().getKind() == nv_tileas::MmaKind::Fma
                                   ? multiplyAdd(emitter, op, adaptor)
                                   : mmaSync(emitter, op, adaptor);
    rewriter.replaceOpWithMultiple(op, {words});
    return success();
  }

private:
  SmallVector<Value> multiplyAdd(Emitter &emitter, nv_tileas::DotOp op,
                                 OneToNOpAdaptor adaptor) const;
  SmallVector<Value> mmaSync(Emitter &emitter, nv_tileas::DotOp op,
                             OneToNOpAdaptor adaptor) const;
};

} // namespace

SmallVector<Value> DotLowering::multiplyAdd(Emitter &emitter,
                                            nv_tileas::DotOp op,
                                            OneToNOpAdaptor adaptor) const {
  RankedTensorType aType = op.getA().getType(), bType = op.getB().getType(),
                   cType = op.getC().getType();
  SmallVector<Value> a = emitter.unpack(adaptor.getA(), aType);
  SmallVector<Value> b = emitter.unpack(adaptor.getB(), bType);
  SmallVector<Value> c = emitter.unpack(adaptor.getC(), cType);
  DotRegisters registers(getLayout(aType), getLayout(bType), getLayout(cType));
  int64_t depth = aType.getShape()[1];
  Type element = getRegisterType(cType.getElementType());
  unsigned bits = getRegisterBits(cType.getElementType());
  bool isFloat = isa<FloatType>(element);
  // Factors may be narrower than the accumulator.
  auto widen = [&](Value value, std::optional<nv_tileaa::Signedness> sign) {
    if (!isFloat)
      return emitter.resize(value, bits,
                            sign != nv_tileaa::Signedness::Unsigned);
    if (value.getType() == element)
      return value;
    return Value(
        LLVM::FPExtOp::create(emitter.builder, emitter.loc, element, value));
  };
  for (Value &value : a)
    value = widen(value, op.getSignednessA());
  for (Value &value : b)
    value = widen(value, op.getSignednessB());
  for (int64_t reg = 0; reg < int64_t(c.size()); ++reg)
    for (int64_t k = 0; k < depth; ++k) {
      Value x = a[registers.registerOfA(reg, k)];
      Value y = b[registers.registerOfB(reg, k)];
      if (isFloat)
        c[reg] =
            LLVM::FMAOp::create(emitter.builder, emitter.loc, x, y, c[reg]);
      else
        c[reg] = LLVM::AddOp::create(
            emitter.builder, emitter.loc,
            LLVM::MulOp::create(emitter.builder, emitter.loc, x, y), c[reg]);
    }
  return emitter.pack(c, cType);
}

SmallVector<Value> DotLowering::mmaSync(Emitter &emitter, nv_tileas::DotOp op,
                                        OneToNOpAdaptor adaptor) const {
  RankedTensorType aType = op.getA().getType(), bType = op.getB().getType(),
                   cType = op.getC().getType();
  nv_tileas::MmaAtomAttr atom = op.getAtom();
  DotRegisters registers(getLayout(aType), getLayout(bType), getLayout(cType));
  Packing aPacking = getTilePacking(aType), bPacking = getTilePacking(bType),
          cPacking = getTilePacking(cType);
  // Elements of one fragment per thread.
  int64_t aCount = atom.getM() * atom.getK() / 32;
  int64_t bCount = atom.getK() * atom.getN() / 32;
  int64_t cCount = atom.getM() * atom.getN() / 32;
  SmallVector<Value> a = llvm::to_vector(adaptor.getA());
  SmallVector<Value> b = llvm::to_vector(adaptor.getB());
  SmallVector<Value> c = llvm::to_vector(adaptor.getC());
  auto words = [](SmallVector<Value> &all, int64_t reg, int64_t count,
                  const Packing &packing) {
    return MutableArrayRef<Value>(all).slice(reg / packing.perWord,
                                             count / packing.perWord);
  };
  bool signedA = op.getSignednessA() == nv_tileaa::Signedness::Signed;
  bool signedB = op.getSignednessB() == nv_tileaa::Signedness::Signed;
  int64_t depth = aType.getShape()[1];
  int64_t total = getLayout(cType).getNumRegisters();
  for (int64_t k = 0; k < depth; k += atom.getK())
    for (int64_t reg = 0; reg < total; reg += cCount) {
      ArrayRef<Value> x =
          words(a, registers.registerOfA(reg, k), aCount, aPacking);
      ArrayRef<Value> y =
          words(b, registers.registerOfB(reg, k), bCount, bPacking);
      MutableArrayRef<Value> z = words(c, reg, cCount, cPacking);
      SmallVector<Type> types(z.size(), z[0].getType());
      auto mma = nv_tileas::AtomMmaSyncOp::create(
          emitter.builder, emitter.loc, types, x, y, z, atom, signedA, signedB);
      llvm::copy(mma.getResults(), z.begin());
    }
  return c;
}

void populateDotPatterns(RewritePatternSet &patterns,
                         const TileTypeConverter &converter,
                         const LoweringState &state) {
  patterns.add<DotLowering>(converter, patterns.getContext(), state);
}

} // namespace tileir::lowering

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise operations as values, for random choice from a list.

#ifndef TOOLS_TILEIR_CHECK_ELEMENTWISE_H
#define TOOLS_TILEIR_CHECK_ELEMENTWISE_H

#include "dialects/cuda_tile/CudaTile.h"

#include "mlir/IR/Builders.h"

#include <optional>

namespace tileir::check {

namespace ct = mlir::cuda_tile;

/// Modifiers of all operations; each operation reads its own.
struct Modifiers {
  /// Without one, the operation's default.
  std::optional<ct::RoundingMode> rounding;
  bool flushesToZero = false, propagatesNan = false;
  ct::Signedness sign = ct::Signedness::Signed;
  ct::IntegerOverflow overflow = ct::IntegerOverflow::NONE;
};

inline Modifiers rounded(std::optional<ct::RoundingMode> mode) {
  Modifiers modifiers;
  modifiers.rounding = mode;
  return modifiers;
}
inline Modifiers flushed(bool flushesToZero) {
  Modifiers modifiers;
  modifiers.flushesToZero = flushesToZero;
  return modifiers;
}
inline Modifiers readAs(ct::Signedness sign) {
  Modifiers modifiers;
  modifiers.sign = sign;
  return modifiers;
}
inline Modifiers promising(ct::IntegerOverflow overflow) {
  Modifiers modifiers;
  modifiers.overflow = overflow;
  return modifiers;
}

/// Builds one operation on its operands.
using Elementwise = mlir::Value (*)(mlir::OpBuilder &,
                                    llvm::ArrayRef<mlir::Value>,
                                    const Modifiers &);

namespace op {

template <typename Op>
mlir::Value plain(mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> in,
                  const Modifiers &) {
  return Op::create(builder, builder.getUnknownLoc(), in[0]);
}
template <typename Op>
mlir::Value plainPair(mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> in,
                      const Modifiers &) {
  return Op::create(builder, builder.getUnknownLoc(), in[0], in[1]);
}
template <typename Op>
mlir::Value approximate(mlir::OpBuilder &builder,
                        llvm::ArrayRef<mlir::Value> in, const Modifiers &with) {
  return Op::create(builder, builder.getUnknownLoc(), in[0],
                    with.rounding.value_or(ct::RoundingMode::FULL));
}
template <typename Op>
mlir::Value flushing(mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> in,
                     const Modifiers &with) {
  return Op::create(builder, builder.getUnknownLoc(), in[0],
                    with.flushesToZero);
}
template <typename Op>
mlir::Value rounding(mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> in,
                     const Modifiers &with) {
  auto mode = with.rounding.value_or(ct::RoundingMode::NEAREST_EVEN);
  if constexpr (std::is_same_v<Op, ct::SqrtOp>)
    return Op::create(builder, builder.getUnknownLoc(), in[0], mode,
                      with.flushesToZero);
  else if constexpr (std::is_same_v<Op, ct::FmaOp>)
    return Op::create(builder, builder.getUnknownLoc(), in[0], in[1], in[2],
                      mode, with.flushesToZero);
  else
    return Op::create(builder, builder.getUnknownLoc(), in[0], in[1], mode,
                      with.flushesToZero);
}
template <typename Op>
mlir::Value extremum(mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> in,
                     const Modifiers &with) {
  return Op::create(builder, builder.getUnknownLoc(), in[0], in[1],
                    with.propagatesNan, with.flushesToZero);
}
template <typename Op>
mlir::Value wrapping(mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> in,
                     const Modifiers &with) {
  if constexpr (std::is_same_v<Op, ct::NegIOp>)
    return Op::create(builder, builder.getUnknownLoc(), in[0], with.overflow);
  else
    return Op::create(builder, builder.getUnknownLoc(), in[0], in[1],
                      with.overflow);
}
template <typename Op>
mlir::Value signedPair(mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> in,
                       const Modifiers &with) {
  if constexpr (std::is_same_v<Op, ct::DivIOp>)
    return Op::create(builder, builder.getUnknownLoc(), in[0], in[1], with.sign,
                      with.rounding.value_or(ct::RoundingMode::ZERO));
  else
    return Op::create(builder, builder.getUnknownLoc(), in[0], in[1],
                      with.sign);
}

// clang-format off
inline constexpr Elementwise
    absf = plain<ct::AbsFOp>, negf = plain<ct::NegFOp>,
    ceil = plain<ct::CeilOp>, floor = plain<ct::FloorOp>,
    cos = plain<ct::CosOp>, sin = plain<ct::SinOp>, tan = plain<ct::TanOp>,
    cosh = plain<ct::CosHOp>, sinh = plain<ct::SinHOp>,
    log = plain<ct::LogOp>, log2 = plain<ct::Log2Op>,
    absi = plain<ct::AbsIOp>,
    remf = plainPair<ct::RemFOp>, pow = plainPair<ct::PowOp>,
    atan2 = plainPair<ct::Atan2Op>, fpowi = plainPair<ct::FPowIOp>,
    andi = plainPair<ct::AndIOp>, ori = plainPair<ct::OrIOp>,
    xori = plainPair<ct::XOrIOp>, mulhii = plainPair<ct::MulhiIOp>,
    exp = approximate<ct::ExpOp>, tanh = approximate<ct::TanHOp>,
    exp2 = flushing<ct::Exp2Op>, rsqrt = flushing<ct::RsqrtOp>,
    addf = rounding<ct::AddFOp>, subf = rounding<ct::SubFOp>,
    mulf = rounding<ct::MulFOp>, divf = rounding<ct::DivFOp>,
    fma = rounding<ct::FmaOp>, sqrt = rounding<ct::SqrtOp>,
    maxf = extremum<ct::MaxFOp>, minf = extremum<ct::MinFOp>,
    addi = wrapping<ct::AddIOp>, subi = wrapping<ct::SubIOp>,
    muli = wrapping<ct::MulIOp>, shli = wrapping<ct::ShLIOp>,
    negi = wrapping<ct::NegIOp>,
    divi = signedPair<ct::DivIOp>, remi = signedPair<ct::RemIOp>,
    shri = signedPair<ct::ShRIOp>, maxi = signedPair<ct::MaxIOp>,
    mini = signedPair<ct::MinIOp>;
// clang-format on

} // namespace op

} // namespace tileir::check

#endif // TOOLS_TILEIR_CHECK_ELEMENTWISE_H

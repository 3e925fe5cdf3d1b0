// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/PtxBuilder.h"

using namespace mlir;

namespace tileir {

/// The constraint letter of the registers that hold `type` (LLVM, "NVPTX
/// constraints").
static char getLetter(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return 'l';
  if (type.isF32())
    return 'f';
  if (type.isF64())
    return 'd';
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits == 1)
    return 'b';
  assert(bits <= 64 && "one register");
  return bits <= 16 ? 'h' : bits == 32 ? 'r' : 'l';
}

static LLVM::InlineAsmOp create(OpBuilder &builder, Location loc,
                                TypeRange result, ValueRange operands,
                                StringRef text, StringRef constraints,
                                bool hasSideEffects) {
  return LLVM::InlineAsmOp::create(
      builder, loc, result, operands, text, constraints, hasSideEffects,
      /*is_align_stack=*/false, LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr(), ArrayAttr());
}

PtxBuilder::PtxBuilder(OpBuilder &builder, Location loc, PtxEffects effects)
    : builder(builder), loc(loc), effects(effects) {}

std::string PtxBuilder::declare(const Twine &constraint) {
  constraints.push_back(constraint.str());
  return "$" + std::to_string(constraints.size() - 1);
}

std::string PtxBuilder::out(Type type, bool early) {
  assert(operands.empty() && "results come first");
  results.push_back(type);
  return declare((early ? "=&" : "=") + Twine(getLetter(type)));
}

std::string PtxBuilder::in(Value value) {
  operands.push_back(value);
  return declare(Twine(getLetter(value.getType())));
}

std::string PtxBuilder::address(Value pointer) {
  auto sum = pointer.getDefiningOp<LLVM::GEPOp>();
  if (!sum || !sum.getDynamicIndices().empty() ||
      !sum.getElemType().isInteger(8) ||
      sum.getRawConstantIndices().size() != 1)
    return in(pointer);
  return in(sum.getBase()) + " + " +
         std::to_string(sum.getRawConstantIndices().front());
}

void PtxBuilder::tie(Value value, unsigned index) {
  assert(index < results.size() && results[index] == value.getType());
  // LLVM lets another operand of the same value share the result's register,
  // unless the result is early-clobber.
  if (!StringRef(constraints[index]).starts_with("=&"))
    constraints[index].insert(1, "&");
  operands.push_back(value);
  declare(Twine(index));
}

std::string PtxBuilder::guard(Value predicate) {
  return predicate ? "@" + in(predicate) + " " : "";
}

std::string PtxBuilder::list(ArrayRef<std::string> names, StringRef separator) {
  std::string text = llvm::join(names, separator);
  return names.size() == 1 ? text : "{" + text + "}";
}

SmallVector<Value> PtxBuilder::emit(const Twine &text) {
  if (effects == PtxEffects::Memory)
    declare("~{memory}");
  SmallVector<Type> type = results;
  if (results.size() > 1)
    type = {LLVM::LLVMStructType::getLiteral(builder.getContext(), results)};
  auto op = create(builder, loc, type, operands, text.str(),
                   llvm::join(constraints, ","), effects != PtxEffects::None);
  SmallVector<Value> values(op->getResults());
  if (results.size() > 1) {
    values.clear();
    for (int64_t i = 0, count = results.size(); i < count; ++i)
      values.push_back(
          LLVM::ExtractValueOp::create(builder, loc, op.getRes(), i));
  }
  return values;
}

Value PtxBuilder::emitAsGiven(OpBuilder &builder, Location loc, Type result,
                              ValueRange operands, StringRef text,
                              StringRef constraints, bool isPure) {
  return create(builder, loc, result, operands, text, constraints, !isPure)
      .getRes();
}

} // namespace tileir

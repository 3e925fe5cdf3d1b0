// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to multicast memory, which several devices have a copy of.

#include "passes/tileas_lowering/Access.h"

using namespace mlir;

namespace tileir::lowering {

bool isMultimem(Operation *op) { return op->hasAttr(nv_tileaa::kMultimemAttr); }

nv_tileaa::RmwMode getMultimemMode(Operation *op) {
  return op->getAttrOfType<nv_tileaa::RmwModeAttr>(nv_tileaa::kMultimemAttr)
      .getValue();
}

/// `.relaxed.sys.global` and the like.
static std::string getOrder(const AccessList &list,
                            const AccessModifiers &modifiers,
                            const Target &target) {
  std::string text =
      "." + nv_tileaa::stringifyMemSemantic(modifiers.semantic).str();
  if (!modifiers.isWeak())
    text += "." + getScopeName(*modifiers.scope, target).str();
  return text + getSpaceName(list.space).str();
}

/// `.add.f16x2`, `.max.s32`, `.and.b64`: the reduction and the type of one
/// access, which is a word of 32 or 64 bits.
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

static LLVM::InlineAsmOp createAsm(Emitter &emitter, TypeRange results,
                                   ArrayRef<Value> operands, StringRef text,
                                   StringRef constraints) {
  return LLVM::InlineAsmOp::create(
      emitter.builder, emitter.loc, results, operands, text, constraints,
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
}

SmallVector<Value> emitMultimemLoads(Emitter &emitter, const AccessList &list,
                                     Type element,
                                     const AccessModifiers &modifiers,
                                     nv_tileaa::RmwMode mode,
                                     function_ref<Value(int64_t)> defaults) {
  unsigned bits = getMemoryBits(element) * list.width;
  char letter = bits == 64 ? 'l' : 'r';
  Type word = emitter.intType(bits);
  std::string instruction = "multimem.ld_reduce" +
                            getOrder(list, modifiers, emitter.state.target) +
                            getReduction(mode, element) + " $0, [$1];";
  SmallVector<Value> elements;
  for (const Access &access : list.accesses) {
    SmallVector<Value> operands = {access.ptr};
    std::string text = instruction, constraints;
    if (access.predicate) {
      operands.push_back(access.predicate);
      constraints = std::string("=&") + letter + ",l,b";
      text = "@$2 " + text;
      if (Value fallback = defaults(access.reg)) {
        operands.push_back(fallback);
        constraints += std::string(",") + letter;
        text = "mov.b" + std::to_string(bits) + " $0, $3;\n\t" + text;
      }
    } else {
      constraints = std::string("=") + letter + ",l";
    }
    Value image =
        createAsm(emitter, word, operands, text, constraints).getRes();
    llvm::append_range(elements,
                       emitter.fromMemory(image, list.width, element));
  }
  return elements;
}

void emitMultimemStores(Emitter &emitter, const AccessList &list, Type element,
                        const AccessModifiers &modifiers,
                        std::optional<nv_tileaa::RmwMode> mode,
                        ArrayRef<Value> values) {
  unsigned bits = getMemoryBits(element) * list.width;
  std::string instruction =
      std::string(mode ? "multimem.red" : "multimem.st") +
      getOrder(list, modifiers, emitter.state.target) +
      getReduction(mode.value_or(nv_tileaa::RmwMode::Xchg), element) +
      " [$0], $1;";
  for (const Access &access : list.accesses) {
    Value image =
        emitter.toMemory(values.slice(access.reg, list.width), element);
    SmallVector<Value> operands = {access.ptr, image};
    std::string text = instruction;
    std::string constraints = std::string("l,") + (bits == 64 ? "l" : "r");
    if (access.predicate) {
      operands.push_back(access.predicate);
      constraints += ",b";
      text = "@$2 " + text;
    }
    createAsm(emitter, TypeRange(), operands, text, constraints);
  }
}

/// The instructions move words of 32 bits at least: two elements of 16 bits
/// must be neighbours, on a multiple of 4 bytes, and have one predicate.
LogicalResult checkMultimem(Operation *op, nv_tileaa::TATiledViewType view) {
  if (getMemoryBits(view.getElementType()) >= 32)
    return success();
  std::optional<unsigned> dim = getPackedDim(view);
  auto align = op->getAttrOfType<IntegerAttr>(
      nv_tileas::TileASDialect::getAlignAttrName());
  auto runs = op->getAttrOfType<DenseI32ArrayAttr>(
      nv_tileas::TileASDialect::getContiguousAttrName());
  if (dim && align && align.getInt() >= 4 && runs &&
      *dim < unsigned(runs.size()) && runs[*dim] >= 2)
    return success();
  return op->emitOpError("moves elements of 16 bits in pairs; state with "
                         "'assume' that the base and the sizes are multiples "
                         "of 4 bytes, in a view of static stride 1");
}

} // namespace tileir::lowering

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions of accesses: loads and stores of vectors, masked, ordered
// and hinted.

#include "passes/tileas_lowering/Access.h"

using namespace mlir;

namespace tileir::lowering {

bool AccessModifiers::isPlain() const {
  return isWeak() && !isVolatile &&
         cache.value_or(nv_tileaa::CacheModifier::None) ==
             nv_tileaa::CacheModifier::None &&
         (!eviction || *eviction == nv_tileaa::EvictionPolicy::None ||
          *eviction == nv_tileaa::EvictionPolicy::Normal);
}

StringRef getScopeName(nv_tileaa::MemScope scope, const Target &target) {
  switch (scope) {
  case nv_tileaa::MemScope::TlBlk:
    return "cta";
  case nv_tileaa::MemScope::Cluster:
    return target.clusterMax() > 1 ? "cluster" : "cta";
  case nv_tileaa::MemScope::Gpu:
    return "gpu";
  case nv_tileaa::MemScope::Sys:
    return "sys";
  }
  return "sys";
}

StringRef getSpaceName(unsigned space) {
  switch (space) {
  case nv_tileaa::GlobalSpace:
    return ".global";
  case nv_tileaa::SharedSpace:
    return ".shared";
  case nv_tileaa::ConstantSpace:
    return ".const";
  case nv_tileaa::LocalSpace:
    return ".local";
  default:
    return "";
  }
}

/// `.relaxed.gpu.global`, `.volatile.global`, `.global.cg`, … up to the type.
static std::string getInstructionModifiers(const AccessList &list,
                                           const AccessModifiers &modifiers,
                                           const Target &target, bool isStore) {
  std::string text;
  if (!modifiers.isWeak()) {
    text += modifiers.semantic == nv_tileaa::MemSemantic::Relaxed ? ".relaxed"
            : isStore                                             ? ".release"
                                                                  : ".acquire";
    text += ".";
    text += getScopeName(*modifiers.scope, target);
    return text + getSpaceName(list.space).str();
  }
  if (modifiers.isVolatile)
    return ".volatile" + getSpaceName(list.space).str();
  text += getSpaceName(list.space);
  if (list.space != nv_tileaa::GlobalSpace)
    return text;
  switch (modifiers.cache.value_or(nv_tileaa::CacheModifier::None)) {
  case nv_tileaa::CacheModifier::CA:
    return text + (isStore ? ".wb" : ".ca");
  case nv_tileaa::CacheModifier::CG:
    return text + ".cg";
  case nv_tileaa::CacheModifier::CS:
    return text + ".cs";
  case nv_tileaa::CacheModifier::LU:
    return text + (isStore ? ".wb" : ".lu");
  case nv_tileaa::CacheModifier::CV:
    return text + (isStore ? ".wt" : ".cv");
  case nv_tileaa::CacheModifier::None:
    break;
  }
  switch (modifiers.eviction.value_or(nv_tileaa::EvictionPolicy::None)) {
  case nv_tileaa::EvictionPolicy::First:
    return text + ".L1::evict_first";
  case nv_tileaa::EvictionPolicy::Last:
    return text + ".L1::evict_last";
  default:
    return text;
  }
}

namespace {

/// The registers of one access in inline PTX.
struct AsmShape {
  AsmShape(unsigned totalBits, unsigned elementBits) {
    unit = totalBits < 32 ? totalBits : elementBits == 64 ? 64 : 32;
    count = totalBits / unit;
    letter = unit == 64 ? 'l' : unit == 32 ? 'r' : 'h';
    type = (count > 1 ? ".v" + std::to_string(count) : std::string()) + ".b" +
           std::to_string(unit);
  }
  /// A byte travels in a 16-bit register.
  unsigned registerBits() const { return std::max(unit, 16u); }
  std::string braces(unsigned first) const {
    std::string text;
    for (unsigned i = 0; i < count; ++i)
      text += (i ? ", $" : "$") + std::to_string(first + i);
    return count > 1 ? "{" + text + "}" : text;
  }

  unsigned unit, count;
  char letter;
  std::string type;
};

} // namespace

static SmallVector<Value> splitImage(Emitter &emitter, Value image,
                                     const AsmShape &shape) {
  SmallVector<Value> parts;
  if (isa<VectorType>(image.getType()))
    for (unsigned i = 0; i < shape.count; ++i)
      parts.push_back(emitter.extract(image, i));
  else
    parts.push_back(emitter.resize(image, shape.registerBits()));
  return parts;
}

static Value loadThroughAsm(Emitter &emitter, const AsmShape &shape,
                            const std::string &modifiers, Value ptr,
                            Value predicate, Value fallback) {
  OpBuilder &builder = emitter.builder;
  std::string text, constraints;
  SmallVector<Value> operands = {ptr};
  for (unsigned i = 0; i < shape.count; ++i)
    constraints +=
        std::string(i ? ",=" : "=") + (predicate ? "&" : "") + shape.letter;
  constraints += ",l";
  unsigned next = shape.count + 1;
  if (predicate) {
    operands.push_back(predicate);
    constraints += ",b";
    unsigned predicateAt = next++;
    SmallVector<Value> parts;
    if (fallback)
      parts = splitImage(emitter, fallback, shape);
    for (auto [i, part] : llvm::enumerate(parts)) {
      text += "mov.b" + std::to_string(shape.registerBits()) + " $" +
              std::to_string(i) + ", ";
      APInt known;
      if (matchPattern(part, m_ConstantInt(&known))) {
        text += std::to_string(known.getZExtValue());
      } else {
        text += "$" + std::to_string(next++);
        operands.push_back(part);
        constraints += std::string(",") + shape.letter;
      }
      text += ";\n\t";
    }
    text += "@$" + std::to_string(predicateAt) + " ";
  }
  text += "ld" + modifiers + shape.type + " " + shape.braces(0) + ", [$" +
          std::to_string(shape.count) + "];";
  Type unit = emitter.intType(shape.registerBits());
  Type result = unit;
  if (shape.count > 1)
    result = LLVM::LLVMStructType::getLiteral(
        emitter.context(), SmallVector<Type>(shape.count, unit));
  auto asmOp = LLVM::InlineAsmOp::create(
      builder, emitter.loc, result, operands, text, constraints,
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  SmallVector<Value> parts;
  for (unsigned i = 0; i < shape.count; ++i)
    parts.push_back(shape.count > 1
                        ? Value(LLVM::ExtractValueOp::create(
                              builder, emitter.loc, asmOp.getRes(), i))
                        : asmOp.getRes());
  if (shape.count == 1)
    return emitter.resize(parts[0], shape.unit);
  return emitter.packVector(parts);
}

SmallVector<Value> emitLoads(Emitter &emitter, const AccessList &list,
                             Type element, const AccessModifiers &modifiers,
                             function_ref<Value(int64_t)> defaults) {
  unsigned bits = getMemoryBits(element);
  Type type = emitter.memoryType(list.width, element);
  AsmShape shape(bits * list.width, bits);
  std::string text =
      getInstructionModifiers(list, modifiers, emitter.state.target, false);
  unsigned align = std::min<int64_t>(list.align, list.width * bits / 8);
  SmallVector<Value> elements;
  for (const Access &access : list.accesses) {
    Value image;
    if (!access.predicate && modifiers.isPlain())
      image = LLVM::LoadOp::create(emitter.builder, emitter.loc, type,
                                   access.ptr, align, /*isVolatile=*/false,
                                   /*isNonTemporal=*/false,
                                   /*isInvariant=*/modifiers.invariant);
    else
      image = loadThroughAsm(emitter, shape, text, access.ptr, access.predicate,
                             access.predicate ? defaults(access.reg) : Value());
    llvm::append_range(elements,
                       emitter.fromMemory(image, list.width, element));
  }
  return elements;
}

void emitStores(Emitter &emitter, const AccessList &list, Type element,
                const AccessModifiers &modifiers, ArrayRef<Value> values) {
  unsigned bits = getMemoryBits(element);
  AsmShape shape(bits * list.width, bits);
  std::string name =
      getInstructionModifiers(list, modifiers, emitter.state.target, true);
  unsigned align = std::min<int64_t>(list.align, list.width * bits / 8);
  for (const Access &access : list.accesses) {
    Value image =
        emitter.toMemory(values.slice(access.reg, list.width), element);
    if (!access.predicate && modifiers.isPlain()) {
      emitter.store(image, access.ptr, align);
      continue;
    }
    SmallVector<Value> operands = {access.ptr};
    std::string constraints = "l";
    llvm::append_range(operands, splitImage(emitter, image, shape));
    for (unsigned i = 0; i < shape.count; ++i)
      constraints += std::string(",") + shape.letter;
    std::string text;
    if (access.predicate) {
      operands.push_back(access.predicate);
      constraints += ",b";
      text = "@$" + std::to_string(shape.count + 1) + " ";
    }
    text += "st" + name + shape.type + " [$0], " + shape.braces(1) + ";";
    LLVM::InlineAsmOp::create(
        emitter.builder, emitter.loc, TypeRange(), operands, text, constraints,
        /*has_side_effects=*/true, /*is_align_stack=*/false,
        LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  }
}

} // namespace tileir::lowering

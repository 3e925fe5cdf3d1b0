// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Load and store instructions of accesses: vectorized, masked, ordered and with
// cache hints.

#include "passes/tileas_lowering/memory/Access.h"

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
  StringRef path = modifiers.invariant && !isStore ? ".nc" : "";
  switch (modifiers.cache.value_or(nv_tileaa::CacheModifier::None)) {
  case nv_tileaa::CacheModifier::CA:
    return text + (isStore ? ".wb" : ".ca") + path.str();
  case nv_tileaa::CacheModifier::CG:
    return text + ".cg" + path.str();
  case nv_tileaa::CacheModifier::CS:
    return text + ".cs" + path.str();
  case nv_tileaa::CacheModifier::LU:
    return text + (isStore ? ".wb" : ".lu");
  case nv_tileaa::CacheModifier::CV:
    return text + (isStore ? ".wt" : ".cv");
  case nv_tileaa::CacheModifier::None:
    text += path;
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
    type = (count > 1 ? ".v" + std::to_string(count) : std::string()) + ".b" +
           std::to_string(unit);
  }
  /// A byte is passed in a 16-bit register.
  unsigned registerBits() const { return std::max(unit, 16u); }
  /// Returns whether a register holds one `element` in its own type, without a
  /// bitcast.
  bool holdsWhole(Type element) const {
    return (element.isF32() && unit == 32) || (element.isF64() && unit == 64);
  }

  unsigned unit, count;
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

/// Returns the comment after the guard of an access by which the emulator knows
/// that the program guarantees the predicate (`Parser::instructionOrLabel`).
static StringRef getMark(const AccessList &list, Value predicate) {
  return list.isPromised && predicate ? "/* inbounds */ " : "";
}

/// Returns the image in pieces: elements that fill a register of their own
/// type, or bits. `mark` follows the guard.
static SmallVector<Value> loadThroughAsm(Emitter &emitter, Type element,
                                         const AsmShape &shape,
                                         const std::string &modifiers,
                                         Value pointer, Value predicate,
                                         StringRef mark, Value fallback) {
  PtxBuilder ptx = emitter.ptx();
  Type unit = shape.holdsWhole(element) ? element
                                        : emitter.intType(shape.registerBits());
  SmallVector<std::string> results;
  for (unsigned i = 0; i < shape.count; ++i)
    results.push_back(ptx.out(unit, /*early=*/bool(predicate)));
  std::string from = ptx.address(pointer), guard = ptx.guard(predicate), text;
  SmallVector<Value> starts;
  if (predicate && fallback)
    starts = splitImage(emitter, fallback, shape);
  for (auto [result, start] : llvm::zip(results, starts)) {
    APInt known;
    text += "mov.b" + std::to_string(shape.registerBits()) + " " + result +
            ", " +
            (matchPattern(start, m_ConstantInt(&known))
                 ? std::to_string(known.getZExtValue())
                 : ptx.in(start)) +
            ";\n\t";
  }
  SmallVector<Value> parts =
      ptx.emit(text + guard + mark.str() + "ld" + modifiers + shape.type + " " +
               PtxBuilder::list(results) + ", [" + from + "];");
  if (shape.count == 1)
    parts[0] = emitter.resize(parts[0], shape.unit);
  return parts;
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
    if (!access.predicate && modifiers.isPlain()) {
      Value image =
          LLVM::LoadOp::create(emitter.builder, emitter.loc, type, access.ptr,
                               align, /*isVolatile=*/false,
                               /*isNonTemporal=*/false,
                               /*isInvariant=*/modifiers.invariant);
      llvm::append_range(elements,
                         emitter.fromMemory(image, list.width, element));
      continue;
    }
    SmallVector<Value> parts =
        loadThroughAsm(emitter, element, shape, text, access.ptr,
                       access.predicate, getMark(list, access.predicate),
                       access.predicate ? defaults(access.reg) : Value());
    llvm::append_range(elements,
                       emitter.fromMemory(parts, list.width, element));
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
    ArrayRef<Value> elements = values.slice(access.reg, list.width);
    if (!access.predicate && modifiers.isPlain()) {
      emitter.store(emitter.toMemory(elements, element), access.ptr, align);
      continue;
    }
    SmallVector<Value> parts(elements);
    if (!shape.holdsWhole(element))
      parts = splitImage(emitter, emitter.toMemory(elements, element), shape);
    // Threads exchange values through shared memory with plain loads.
    PtxBuilder ptx =
        emitter.ptx(list.space == nv_tileaa::SharedSpace ? PtxEffects::Memory
                                                         : PtxEffects::Some);
    std::string to = ptx.address(access.ptr);
    SmallVector<std::string> words;
    for (Value part : parts)
      words.push_back(ptx.in(part));
    std::string guard = ptx.guard(access.predicate);
    ptx.emit(guard + getMark(list, access.predicate).str() + "st" + name +
             shape.type + " [" + to + "], " + PtxBuilder::list(words) + ";");
  }
}

void storeShared(Emitter &emitter, Value predicate, ArrayRef<Value> pointers,
                 ArrayRef<Value> values, Type element, int64_t width) {
  AccessList list;
  list.width = width;
  list.align = width * getMemoryBits(element) / 8;
  list.space = nv_tileaa::SharedSpace;
  for (auto [i, pointer] : llvm::enumerate(pointers))
    list.accesses.push_back({int64_t(i) * width, pointer, predicate});
  emitStores(emitter, list, element, AccessModifiers(), values);
}

} // namespace tileir::lowering

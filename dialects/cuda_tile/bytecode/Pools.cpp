// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/Pools.h"

#include "dialects/cuda_tile/bytecode/Tables.h"

#include "llvm/ADT/TypeSwitch.h"

namespace tileir::bytecode {

using namespace mlir;
using namespace mlir::cuda_tile;

static std::string takeBytes(const Encoder &out) {
  return std::string(reinterpret_cast<const char *>(out.data().data()),
                     out.size());
}

InFlightDiagnostic Pools::error() const {
  InFlightDiagnostic diag = emitError(UnknownLoc::get(context));
  // A tool that compares diagnostics turns this off.
  if (user && context->shouldPrintOpOnDiagnostic())
    diag.attachNote(user->getLoc()) << "used by '" << user->getName() << "'";
  return diag;
}

uint64_t Pools::string(StringRef text) {
  return strings.insert({StringAttr::get(context, text), strings.size()})
      .first->second;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The tag of a type, or none for types that the format does not know.
static std::optional<TypeTag> tagOf(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (!integer.isSignless())
      return std::nullopt;
    switch (integer.getWidth()) {
    case 1:
      return TypeTag::I1;
    case 4:
      return TypeTag::I4;
    case 8:
      return TypeTag::I8;
    case 16:
      return TypeTag::I16;
    case 32:
      return TypeTag::I32;
    case 64:
      return TypeTag::I64;
    default:
      return std::nullopt;
    }
  }
  using Tag = std::optional<TypeTag>;
  return llvm::TypeSwitch<Type, Tag>(type)
      .Case<Float16Type>([](auto) { return TypeTag::F16; })
      .Case<BFloat16Type>([](auto) { return TypeTag::BF16; })
      .Case<Float32Type>([](auto) { return TypeTag::F32; })
      .Case<FloatTF32Type>([](auto) { return TypeTag::TF32; })
      .Case<Float64Type>([](auto) { return TypeTag::F64; })
      .Case<Float8E4M3FNType>([](auto) { return TypeTag::F8E4M3FN; })
      .Case<Float8E5M2Type>([](auto) { return TypeTag::F8E5M2; })
      .Case<Float8E8M0FNUType>([](auto) { return TypeTag::F8E8M0FNU; })
      .Case<Float4E2M1FNType>([](auto) { return TypeTag::F4E2M1FN; })
      .Case<PointerType>([](auto) { return TypeTag::Pointer; })
      .Case<TileType>([](auto) { return TypeTag::Tile; })
      .Case<TensorViewType>([](auto) { return TypeTag::TensorView; })
      .Case<PartitionViewType>([](auto) { return TypeTag::PartitionView; })
      .Case<GatherScatterViewType>(
          [](auto) { return TypeTag::GatherScatterView; })
      .Case<StridedViewType>([](auto) { return TypeTag::StridedView; })
      .Case<FunctionType>([](auto) { return TypeTag::Function; })
      .Case<TokenType>([](auto) { return TypeTag::Token; })
      .Case<FloatNV8E5M3FNUType>([](auto) { return TypeTag::FNV8E5M3FNU; })
      .Case<TestingBytecodeTestEvolvedType>(
          [](auto) { return TypeTag::TestEvolved; })
      .Default([](Type) { return std::nullopt; });
}

FailureOr<uint64_t> Pools::type(Type type) {
  auto known = typeNumbers.find(type);
  if (known != typeNumbers.end())
    return known->second;
  std::optional<TypeTag> tag = tagOf(type);
  if (!tag) {
    if (isa<IntegerType>(type))
      return error() << "unsupported integer type width", failure();
    if (isa<FloatType>(type))
      return error() << "unsupported float type: " << type, failure();
    return error() << "unsupported type in bytecode writer", failure();
  }
  const TypeInfo *info = findTypeInfo(uint64_t(*tag));
  if (version < info->since)
    return error() << "type '" << info->name << "' requires bytecode version "
                   << info->since.str() << "+, targeting " << version.str(),
           failure();
  if (failed(internParts(type)))
    return failure();
  Encoder out;
  out.varInt(uint64_t(*tag));
  if (failed(writeType(out, type)))
    return failure();
  uint64_t number = types.size();
  typeNumbers[type] = number;
  types.insert({type, takeBytes(out)});
  return number;
}

/// Interns the types to which `type` refers before it.
LogicalResult Pools::internParts(Type type) {
  SmallVector<Type> parts;
  llvm::TypeSwitch<Type>(type)
      .Case([&](PointerType t) { parts.push_back(t.getPointeeType()); })
      .Case<TileType, TensorViewType>(
          [&](auto t) { parts.push_back(t.getElementType()); })
      .Case<PartitionViewType, StridedViewType, GatherScatterViewType>(
          [&](auto t) { parts.push_back(t.getTensorView()); })
      .Case([&](FunctionType t) {
        llvm::append_range(parts, t.getInputs());
        llvm::append_range(parts, t.getResults());
      })
      .Case([&](TestingBytecodeTestEvolvedType t) {
        parts = {t.getBaseType(), t.getNewType()};
        if (t.getOptionalType())
          parts.push_back(t.getOptionalType());
      });
  for (Type part : parts)
    if (failed(this->type(part)))
      return failure();
  return success();
}

LogicalResult Pools::writeTypes(Encoder &out, TypeRange list) {
  out.varInt(list.size());
  for (Type item : list) {
    FailureOr<uint64_t> number = type(item);
    if (failed(number))
      return failure();
    out.varInt(*number);
  }
  return success();
}

template <typename ViewT>
static void writeViewFields(Encoder &out, ViewT view, uint64_t tensorView,
                            bool hasFlagsWord) {
  PaddingValueAttr padding = view.getPaddingValue();
  if (hasFlagsWord)
    out.varInt(padding ? 1 : 0);
  out.array(view.getTileShape().asArrayRef());
  if constexpr (std::is_same_v<ViewT, StridedViewType>)
    out.array(view.getTraversalStrides().asArrayRef());
  out.varInt(tensorView);
  if constexpr (std::is_same_v<ViewT, GatherScatterViewType>)
    out.varInt(static_cast<uint32_t>(view.getSparseDim()));
  else
    out.array(view.getDimMap());
  if (!hasFlagsWord)
    out.byte(padding ? 1 : 0);
  if (padding)
    out.varInt(static_cast<uint32_t>(padding.getValue()));
}

LogicalResult Pools::checkPointerKind(PointerKindAttr kind) const {
  if (!kind)
    return success();
  if (version < kVersion13_4)
    return error() << "parameter 'ptrAttr' requires bytecode version 13.4+, "
                      "but targeting "
                   << version.str();
  if (version < pointerKindSince(kind.getValue()))
    return error() << "enum value for attribute 'ptrAttr' is not available in "
                      "bytecode version "
                   << version.str();
  return success();
}

LogicalResult Pools::writeTestEvolved(Encoder &out,
                                      TestingBytecodeTestEvolvedType type) {
  PaddingValueAttr padding = type.getOptionalAttr();
  Type optional = type.getOptionalType();
  bool grown = version >= kVersion250_1;
  StringRef tooNew = padding    ? "optionalAttr"
                     : optional ? "optionalType"
                     : type.getNewType() != IntegerType::get(context, 32)
                         ? "newType"
                         : "";
  if (!grown && !tooNew.empty())
    return error() << "parameter '" << tooNew
                   << "' requires bytecode version 250.1+, but targeting "
                   << version.str();
  if (grown)
    out.varInt((padding ? 1 : 0) | (optional ? 2 : 0));
  out.varInt(typeNumbers.lookup(type.getBaseType()));
  if (grown)
    out.varInt(typeNumbers.lookup(type.getNewType()));
  if (padding)
    out.varInt(static_cast<uint32_t>(padding.getValue()));
  if (optional)
    out.varInt(typeNumbers.lookup(optional));
  return success();
}

/// Writes everything after the tag. The parts are interned already.
LogicalResult Pools::writeType(Encoder &out, Type type) {
  if (auto function = dyn_cast<FunctionType>(type))
    return failure(failed(writeTypes(out, function.getInputs())) ||
                   failed(writeTypes(out, function.getResults())));
  if (auto evolved = dyn_cast<TestingBytecodeTestEvolvedType>(type))
    return writeTestEvolved(out, evolved);
  PointerKindAttr kind;
  if (auto pointer = dyn_cast<PointerType>(type))
    kind = pointer.getPtrAttr();
  else if (auto tensorView = dyn_cast<TensorViewType>(type))
    kind = tensorView.getPtrAttr();
  if (failed(checkPointerKind(kind)))
    return failure();
  if (version >= kVersion13_4 && isa<PointerType, TensorViewType>(type))
    out.varInt(kind ? 1 : 0);
  llvm::TypeSwitch<Type>(type)
      .Case([&](PointerType t) {
        out.varInt(typeNumbers.lookup(t.getPointeeType()));
      })
      .Case([&](TileType t) {
        out.varInt(typeNumbers.lookup(t.getElementType()));
        out.array(t.getShape());
      })
      .Case([&](TensorViewType t) {
        out.varInt(typeNumbers.lookup(t.getElementType()));
        out.array(t.getShape());
        out.array(t.getStrides());
      })
      .Case<PartitionViewType, StridedViewType, GatherScatterViewType>(
          [&](auto t) {
            writeViewFields(out, t, typeNumbers.lookup(t.getTensorView()),
                            /*hasFlagsWord=*/version >= kVersion13_3);
          });
  if (kind)
    out.varInt(static_cast<uint32_t>(kind.getValue()));
  return success();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The raw data of `value`, one element when all are equal.
static ArrayRef<char> rawData(DenseElementsAttr value) {
  ArrayRef<char> data = value.getRawData();
  if (value.isSplat())
    return data;
  unsigned width = value.getElementType().getIntOrFloatBitWidth();
  if (width == 1) {
    // Packed bits; the last byte may be partial.
    int64_t count = value.getNumElements();
    auto bit = [&](int64_t i) { return data[i / 8] >> (i % 8) & 1; };
    for (int64_t i = 1; i != count; ++i)
      if (bit(i) != bit(0))
        return data;
    static const char kSplats[] = {0, static_cast<char>(0xFF)};
    return ArrayRef<char>(bit(0) ? &kSplats[1] : &kSplats[0], 1);
  }
  size_t bytes = llvm::divideCeil(width, 8);
  for (size_t i = bytes; i < data.size(); ++i)
    if (data[i] != data[i - bytes])
      return data;
  return data.take_front(bytes);
}

FailureOr<uint64_t> Pools::constant(DenseElementsAttr value) {
  auto known = constantNumbers.find(value);
  if (known != constantNumbers.end())
    return known->second;
  ArrayRef<char> data = rawData(value);
  if (data.empty())
    return error() << "constant has empty serialized representation, which is "
                      "invalid",
           failure();
  Encoder out;
  out.varInt(data.size());
  out.append({reinterpret_cast<const uint8_t *>(data.data()), data.size()});
  uint64_t number = constants.size();
  constantNumbers[value] = number;
  constants.insert({value, takeBytes(out)});
  return number;
}

//===----------------------------------------------------------------------===//
// Debug attributes
//===----------------------------------------------------------------------===//

uint64_t Pools::location(LocationAttr loc) {
  return isa<UnknownLoc, FileLineColLoc>(loc) ? 0 : debugAttr(loc);
}

/// Returns the number of `attr`, after the attributes to which it refers.
uint64_t Pools::debugAttr(Attribute attr) {
  if (isa<UnknownLoc, FileLineColLoc>(attr))
    return 0;
  auto known = debugAttrs.find(attr);
  if (known != debugAttrs.end())
    return known->second;
  llvm::TypeSwitch<Attribute>(attr)
      .Case([&](DICompileUnitAttr unit) { debugAttr(unit.getFile()); })
      .Case([&](DILexicalBlockAttr block) {
        debugAttr(block.getScope());
        debugAttr(block.getFile());
      })
      .Case([&](DILocAttr loc) { debugAttr(loc.getScope()); })
      .Case([&](DISubprogramAttr subprogram) {
        debugAttr(subprogram.getFile());
        debugAttr(subprogram.getCompileUnit());
      })
      .Case([&](CallSiteLoc loc) {
        debugAttr(loc.getCallee());
        debugAttr(loc.getCaller());
      });
  uint64_t number = debugAttrs.size() + 1;
  debugAttrs.insert({attr, number});
  return number;
}

void Pools::writeDebugAttr(Encoder &out, Attribute attr) {
  auto tag = [&](DebugTag value) { out.varInt(uint64_t(value)); };
  auto ref = [&](Attribute other) { out.varInt(debugAttr(other)); };
  auto text = [&](StringAttr value) { out.varInt(string(value)); };
  llvm::TypeSwitch<Attribute>(attr)
      .Case([&](DICompileUnitAttr unit) {
        tag(DebugTag::CompileUnit);
        ref(unit.getFile());
      })
      .Case([&](DIFileAttr file) {
        tag(DebugTag::File);
        text(file.getName());
        text(file.getDirectory());
      })
      .Case([&](DILexicalBlockAttr block) {
        tag(DebugTag::LexicalBlock);
        ref(block.getScope());
        ref(block.getFile());
        out.varInt(block.getLine());
        out.varInt(block.getColumn());
      })
      .Case([&](DILocAttr loc) {
        tag(DebugTag::Loc);
        ref(loc.getScope());
        text(loc.getSourceLoc().getFilename());
        out.varInt(loc.getSourceLoc().getLine());
        out.varInt(loc.getSourceLoc().getColumn());
      })
      .Case([&](DISubprogramAttr subprogram) {
        tag(DebugTag::Subprogram);
        ref(subprogram.getFile());
        out.varInt(subprogram.getLine());
        text(subprogram.getName());
        text(subprogram.getLinkageName());
        ref(subprogram.getCompileUnit());
        out.varInt(subprogram.getScopeLine());
        if (version >= kVersion13_5)
          out.varInt(subprogram.getFlags() == DISubprogramFlags::Declaration
                         ? kSubprogramDeclaration
                         : 0);
      })
      .Case([&](CallSiteLoc loc) {
        tag(DebugTag::CallSite);
        ref(loc.getCallee());
        ref(loc.getCaller());
      });
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static LogicalResult unsupported(Operation *op, StringRef name,
                                 Attribute value) {
  return op->emitError() << "unsupported attribute type encountered during "
                            "serialization of attribute '"
                         << name << "': " << value;
}

LogicalResult Pools::writeInteger(Encoder &out, IntegerAttr value) {
  if (value.getType().isInteger(1))
    out.byte(value.getValue().getZExtValue());
  else
    out.varInt(value.getValue().getZExtValue());
  return success();
}

void Pools::writeAPInt(Encoder &out, const APInt &value) {
  if (value.getBitWidth() <= 8)
    out.byte(value.getZExtValue());
  else
    out.signedVarInt(static_cast<int64_t>(value.getZExtValue()));
}

LogicalResult Pools::writeElements(Encoder &out, Operation *op, StringRef name,
                                   ArrayAttr elements) {
  out.varInt(elements.size());
  for (Attribute element : elements)
    if (failed(writeAttr(out, op, name, element)))
      return op->emitError()
             << "failed to write ArrayAttr element: " << element;
  return success();
}

LogicalResult Pools::writeDictionary(Encoder &out, Operation *op,
                                     StringRef name, DictionaryAttr entries) {
  out.varInt(entries.size());
  for (NamedAttribute entry : entries) {
    out.varInt(string(entry.getName()));
    if (failed(writeAttr(out, op, name, entry.getValue())))
      return op->emitError()
             << "failed to write DictionaryAttr element: " << entry.getValue();
  }
  return success();
}

LogicalResult Pools::writeAttr(Encoder &out, Operation *op, StringRef name,
                               Attribute value) {
  auto tag = [&](AttrTag which) { out.varInt(uint64_t(which)); };
  auto typeRef = [&](Type which) -> LogicalResult {
    FailureOr<uint64_t> number = type(which);
    if (succeeded(number))
      out.varInt(*number);
    return number;
  };
  auto optionalPair = [&](std::optional<int64_t> first,
                          std::optional<int64_t> second) {
    out.byte((first ? 1 : 0) | (second ? 2 : 0));
    if (first)
      out.signedVarInt(*first);
    if (second)
      out.signedVarInt(*second);
  };
  return llvm::TypeSwitch<Attribute, LogicalResult>(value)
      .Case([&](IntegerAttr attr) -> LogicalResult {
        if (!isa<IntegerType>(attr.getType()))
          return unsupported(op, name, value);
        tag(AttrTag::Integer);
        if (failed(typeRef(attr.getType())))
          return failure();
        return writeInteger(out, attr);
      })
      .Case([&](FloatAttr attr) -> LogicalResult {
        tag(AttrTag::Float);
        if (failed(typeRef(attr.getType())))
          return failure();
        writeAPInt(out, attr.getValue().bitcastToAPInt());
        return success();
      })
      .Case([&](TypeAttr attr) {
        tag(AttrTag::Type);
        return typeRef(attr.getValue());
      })
      .Case([&](StringAttr attr) {
        tag(AttrTag::String);
        out.varInt(string(attr));
        return success();
      })
      .Case([&](ArrayAttr attr) {
        tag(AttrTag::Array);
        return writeElements(out, op, name, attr);
      })
      .Case([&](DenseIntOrFPElementsAttr attr) -> LogicalResult {
        tag(AttrTag::Dense);
        if (failed(typeRef(attr.getType())))
          return failure();
        return writeInlineAttr(out, op, name, AttrCode::Dense, attr);
      })
      .Case([&](DivByAttr attr) {
        tag(AttrTag::DivBy);
        out.varInt(attr.getDivisor());
        optionalPair(attr.getEvery(), attr.getAlong());
        return success();
      })
      .Case([&](SameElementsAttr attr) {
        tag(AttrTag::SameElements);
        out.array(attr.getValues().asArrayRef());
        return success();
      })
      .Case([&](BoundedAttr attr) {
        tag(AttrTag::Bounded);
        optionalPair(attr.getLb(), attr.getUb());
        return success();
      })
      .Case([&](MultimemReductionKindAttr attr) -> LogicalResult {
        if (version < kVersion13_5)
          return op->emitError()
                 << "attribute 'MultimemReductionKindAttr' is not available in "
                    "bytecode version "
                 << version.str();
        tag(AttrTag::MultimemReductionKind);
        return writeInlineAttr(out, op, name, AttrCode::MultimemReduction,
                               attr);
      })
      .Case([&](BytecodeTestValueAttr attr) -> LogicalResult {
        if (version < kVersion250_1)
          return op->emitError()
                 << "attribute 'BytecodeTestValueAttr' is not available in "
                    "bytecode version "
                 << version.str();
        tag(AttrTag::TestValue);
        return writeInlineAttr(out, op, name, AttrCode::TestValue, attr);
      })
      .Case([&](DictionaryAttr attr) {
        tag(AttrTag::Dictionary);
        return writeDictionary(out, op, name, attr);
      })
      .Case([&](OptimizationHintsAttr attr) {
        tag(AttrTag::OptimizationHints);
        return writeDictionary(out, op, name, attr.getValue());
      })
      .Default([&](Attribute) { return unsupported(op, name, value); });
}

/// The number of an enum case; none when `value` is no such enum.
static std::optional<uint64_t> enumNumber(Attribute value) {
  using Number = std::optional<uint64_t>;
  return llvm::TypeSwitch<Attribute, Number>(value)
      .Case<RoundingModeAttr, IntegerOverflowAttr, SignednessAttr,
            ComparisonPredicateAttr, ComparisonOrderingAttr,
            MultimemReductionKindAttr, BytecodeTestPriorityAttr>([](auto attr) {
        return Number(static_cast<uint64_t>(attr.getValue()));
      })
      .Case([](IntegerAttr attr) {
        return Number(attr.getValue().getZExtValue());
      })
      .Default([](Attribute) { return std::nullopt; });
}

LogicalResult Pools::writeInlineAttr(Encoder &out, Operation *op,
                                     StringRef name, AttrCode code,
                                     Attribute value) {
  switch (code) {
  case AttrCode::None:
  case AttrCode::Unit:
    return success();
  case AttrCode::I32:
  case AttrCode::I64:
  case AttrCode::Bool:
    return writeInteger(out, cast<IntegerAttr>(value));
  case AttrCode::String:
    out.varInt(string(cast<StringAttr>(value)));
    return success();
  case AttrCode::Symbol:
    out.varInt(string(cast<FlatSymbolRefAttr>(value).getValue()));
    return success();
  case AttrCode::Type: {
    FailureOr<uint64_t> number = type(cast<TypeAttr>(value).getValue());
    if (failed(number))
      return failure();
    out.varInt(*number);
    return success();
  }
  case AttrCode::Dense: {
    FailureOr<uint64_t> number = constant(cast<DenseElementsAttr>(value));
    if (failed(number))
      return op->emitError() << "failed to add constant attribute '" << name
                             << "' to pool: " << value;
    out.varInt(*number);
    return success();
  }
  case AttrCode::I32Array:
    out.array(cast<DenseI32ArrayAttr>(value).asArrayRef());
    return success();
  case AttrCode::Inbounds: {
    ArrayRef<bool> flags = cast<DenseBoolArrayAttr>(value).asArrayRef();
    out.varInt(flags.size());
    for (bool flag : flags)
      out.byte(flag);
    return success();
  }
  case AttrCode::TestValue:
    out.signedVarInt(cast<BytecodeTestValueAttr>(value).getValue());
    return success();
  case AttrCode::TypedArray:
    return writeElements(out, op, name, cast<ArrayAttr>(value));
  case AttrCode::Hints:
    return writeDictionary(out, op, name,
                           cast<OptimizationHintsAttr>(value).getValue());
  case AttrCode::Predicate:
    return writeAttr(out, op, name, value);
  default:
    break;
  }
  std::optional<uint64_t> number = enumNumber(value);
  if (!number)
    return unsupported(op, name, value);
  if (version < enumCaseSince(code, *number))
    return op->emitError() << "enum value for attribute '" << name
                           << "' is not available in bytecode version "
                           << version.str();
  out.varInt(*number);
  return success();
}

//===----------------------------------------------------------------------===//
// Payloads
//===----------------------------------------------------------------------===//

template <typename OffsetT, typename MapT>
static Encoder itemTable(const MapT &map) {
  Encoder out;
  out.table<OffsetT>(llvm::map_to_vector(
      map, [](const auto &entry) -> StringRef { return entry.second; }));
  return out;
}

Encoder Pools::typePayload() const { return itemTable<uint32_t>(types); }

Encoder Pools::constantPayload() const {
  return itemTable<uint64_t>(constants);
}

Encoder Pools::debugPayload(ArrayRef<SmallVector<uint64_t, 0>> lists) {
  Encoder out;
  uint32_t start = 0;
  out.varInt(lists.size());
  out.padTo(sizeof(uint32_t));
  for (const auto &list : lists) {
    out.fixed(start);
    start += list.size();
  }
  out.varInt(start);
  out.padTo(sizeof(uint64_t));
  for (const auto &list : lists)
    for (uint64_t number : list)
      out.fixed(number);
  std::vector<Bytes> items;
  for (const auto &entry : debugAttrs) {
    Encoder item;
    writeDebugAttr(item, entry.first);
    items.push_back(takeBytes(item));
  }
  out.table<uint32_t>(items);
  return out;
}

Encoder Pools::stringPayload() const {
  Encoder out;
  out.table<uint32_t>(
      llvm::map_to_vector(strings, [](const auto &entry) -> StringRef {
        return entry.first.getValue();
      }));
  return out;
}

} // namespace tileir::bytecode

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/FunctionReader.h"

namespace tileir::bytecode {

using namespace mlir;
using namespace mlir::cuda_tile;

namespace {

/// Decodes the body of one function.
class BodyReader {
public:
  /// `locations` are the debug attribute numbers of the operations, in encoding
  /// order; absent when all are unknown.
  BodyReader(Tables &tables, DebugInfo &debugInfo,
             std::optional<ArrayRef<uint64_t>> locations)
      : tables(tables), debugInfo(debugInfo), locations(locations),
        maxOpcode(findBytecodeVersion(tables.getVersion())->maxOpcode) {}

  LogicalResult readBody(Cursor &cursor, Block &block);

private:
  LogicalResult readOperation(Cursor &cursor, Block &block);
  LogicalResult readLocation(Cursor &cursor, Location &loc);
  LogicalResult readResults(Cursor &cursor, const OpRecord &op,
                            OperationState &state, unsigned &numValues);
  LogicalResult readFlags(Cursor &cursor, const OpRecord &op, uint64_t &flags);
  LogicalResult readAttrs(Cursor &cursor, const OpRecord &op, uint64_t flags,
                          OperationState &state);
  LogicalResult readOperands(Cursor &cursor, const OpRecord &op,
                             OperationState &state);
  LogicalResult readSegments(Cursor &cursor, const OpRecord &op, uint64_t flags,
                             OperationState &state);
  LogicalResult readRegions(Cursor &cursor, const OpRecord &op,
                            OperationState &state);
  LogicalResult readRegion(Cursor &cursor, Region &region, Location loc);
  LogicalResult readBlock(Cursor &cursor, Block &block, Location loc);
  LogicalResult checkTerminator(Cursor &cursor, Block &block);

  Tables &tables;
  DebugInfo &debugInfo;
  std::optional<ArrayRef<uint64_t>> locations;
  size_t nextLocation = 0;
  uint32_t maxOpcode;
  /// Values by number; a finished block gives its numbers back.
  SmallVector<Value> values;
  unsigned depth = 0;
};

} // namespace

static std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult BodyReader::readBody(Cursor &cursor, Block &block) {
  llvm::append_range(values, block.getArguments());
  while (!cursor.empty())
    if (failed(readOperation(cursor, block)))
      return failure();
  return checkTerminator(cursor, block);
}

LogicalResult BodyReader::readOperation(Cursor &cursor, Block &block) {
  uint64_t opcode;
  if (!cursor.readVarInt(opcode) || opcode > UINT32_MAX)
    return cursor.fail("failed to read operation opcode.");
  if (opcode > maxOpcode)
    return cursor.fail("unsupported opcode " + Twine(opcode) +
                       " for bytecode version " + tables.getVersion().str());
  const OpRecord *op = findOpRecord(opcode);
  if (!op)
    return cursor.fail("unknown or unimplemented opcode: " + Twine(opcode));
  MLIRContext *context = tables.getContext();
  Location loc = UnknownLoc::get(context);
  if (failed(readLocation(cursor, loc)))
    return failure();
  OperationState state(loc, ("cuda_tile." + Twine(op->name)).str());
  unsigned numValues;
  uint64_t flags;
  if (failed(readResults(cursor, *op, state, numValues)) ||
      failed(readFlags(cursor, *op, flags)) ||
      failed(readAttrs(cursor, *op, flags, state)) ||
      failed(op->hasSegments ? readSegments(cursor, *op, flags, state)
                             : readOperands(cursor, *op, state)) ||
      failed(readRegions(cursor, *op, state)))
    return failure();
  Operation *operation = Operation::create(state);
  block.push_back(operation);
  llvm::append_range(values, operation->getResults().take_front(numValues));
  return success();
}

LogicalResult BodyReader::readLocation(Cursor &cursor, Location &loc) {
  if (!locations)
    return success();
  LocationAttr attr;
  if (nextLocation < locations->size())
    attr = debugInfo.getLocation((*locations)[nextLocation++]);
  if (!attr)
    return cursor.fail("failed to read operation location.");
  loc = Location(attr);
  return success();
}

/// A result that the file is too old for gets its type, but no value number.
LogicalResult BodyReader::readResults(Cursor &cursor, const OpRecord &op,
                                      OperationState &state,
                                      unsigned &numValues) {
  ArrayRef<ValueField> fields = op.resultFields();
  bool isVariadic = llvm::any_of(fields, [](const ValueField &field) {
    return field.kind == FieldKind::Variadic;
  });
  uint64_t expected = llvm::count_if(fields, [&](const ValueField &field) {
    return tables.getVersion() >= field.since;
  });
  uint64_t count = expected;
  if (op.countsResults) {
    if (failed(cursor.readCount(count,
                                "failed to read number of result types for " +
                                    Twine(op.className))))
      return failure();
    if (!isVariadic && count != expected)
      return cursor.fail("result count mismatch for " + Twine(op.className) +
                         ": expected " + Twine(expected) +
                         " compatible results but got " + Twine(count));
  }
  for (uint64_t i = 0; i != count; ++i) {
    Type type = tables.readType(cursor);
    if (!type)
      return cursor.fail("failed to get result type " + Twine(i) + " for " +
                         op.className);
    state.addTypes(type);
  }
  numValues = count;
  // All such results are tokens.
  if (!isVariadic)
    state.types.append(fields.size() - expected,
                       TokenType::get(tables.getContext()));
  return success();
}

LogicalResult BodyReader::readFlags(Cursor &cursor, const OpRecord &op,
                                    uint64_t &flags) {
  flags = 0;
  BytecodeVersion version = tables.getVersion();
  if (!op.hasFlags(version))
    return success();
  if (!cursor.readVarInt(flags))
    return cursor.fail("failed to read flags field");
  if (flags & ~op.knownFlags())
    return cursor.fail("malformed bytecode: unknown flag bits in operation "
                       "'cuda_tile." +
                       Twine(op.name) + "'");
  auto checkSince = [&](StringRef what, const auto &field) -> LogicalResult {
    if (field.flag < 0 || !(flags >> field.flag & 1) || version >= field.since)
      return success();
    return cursor.fail("malformed bytecode: flag set for " + what + " '" +
                       field.name + "' which requires " + field.since.str() +
                       " but reading " + version.str() + " bytecode");
  };
  for (const AttrField &field : op.attrFields())
    if (failed(checkSince("attribute", field)))
      return failure();
  for (const ValueField &field : op.operandFields())
    if (failed(checkSince("operand", field)))
      return failure();
  return success();
}

LogicalResult BodyReader::readAttrs(Cursor &cursor, const OpRecord &op,
                                    uint64_t flags, OperationState &state) {
  Type resultType = state.types.empty() ? Type() : state.types.front();
  for (const AttrField &field : op.attrFields()) {
    if (field.flag >= 0 && !(flags >> field.flag & 1))
      continue;
    Attribute value;
    if (tables.getVersion() >= field.since)
      value = tables.readInlineAttr(cursor, field.code, resultType);
    else
      value = tables.getEnum(field.code, field.fallback);
    if (!value)
      return cursor.fail(
          Twine("failed to parse ") +
          (field.flag >= 0 ? "optional attribute '" : "attribute '") +
          field.name + "'");
    state.addAttribute(field.name, value);
  }
  return success();
}

LogicalResult BodyReader::readOperands(Cursor &cursor, const OpRecord &op,
                                       OperationState &state) {
  uint64_t count = op.operandFields().size();
  if (op.countsOperands() &&
      failed(cursor.readCount(count, "failed to read operand count")))
    return failure();
  for (uint64_t i = 0; i != count; ++i) {
    uint64_t index;
    if (!cursor.readVarInt(index))
      return cursor.fail("failed to read operand index " + Twine(i));
    if (index >= values.size())
      return cursor.fail("operand index " + Twine(index) +
                         " out of bounds (size=" + Twine(values.size()) +
                         ") for operand " + Twine(i));
    state.operands.push_back(values[index]);
  }
  return success();
}

LogicalResult BodyReader::readSegments(Cursor &cursor, const OpRecord &op,
                                       uint64_t flags, OperationState &state) {
  SmallVector<int32_t> sizes;
  for (const ValueField &field : op.operandFields()) {
    uint64_t count = 1;
    if (field.kind == FieldKind::Optional)
      count = flags >> field.flag & 1;
    else if (field.kind == FieldKind::Variadic &&
             failed(cursor.readCount(
                 count, Twine("failed to read actual size for variadic ODS "
                              "segment '") +
                            field.name + "' of op 'cuda_tile." + op.name +
                            "'")))
      return failure();
    for (uint64_t i = 0; i != count; ++i) {
      uint64_t index;
      if (!cursor.readVarInt(index))
        return cursor.fail(Twine("failed to read operand index for ") +
                           field.name + " segment, element " + Twine(i));
      if (index >= values.size())
        return cursor.fail("operand index " + Twine(index) +
                           " out of bounds (size=" + Twine(values.size()) +
                           ") for " + field.name + " segment, element " +
                           Twine(i));
      state.operands.push_back(values[index]);
    }
    if (count > INT32_MAX)
      return cursor.fail(Twine("failed to read operands for ") + field.name +
                         " segment, exceeds maximum supported capacity");
    sizes.push_back(static_cast<int32_t>(count));
  }
  state.addAttribute("operandSegmentSizes",
                     DenseI32ArrayAttr::get(tables.getContext(), sizes));
  return success();
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

LogicalResult BodyReader::readRegions(Cursor &cursor, const OpRecord &op,
                                      OperationState &state) {
  if (!op.numRegions)
    return success();
  uint64_t count;
  if (failed(cursor.readCount(count,
                              "failed to read number of regions to parse.")))
    return failure();
  if (count != op.numRegions)
    return cursor.fail("cuda_tile." + Twine(op.name) + " op expected " +
                       Twine(unsigned(op.numRegions)) + " regions, got " +
                       Twine(count));
  if (depth == kMaxDepth)
    return cursor.fail("nesting too deep");
  ++depth;
  for (unsigned i = 0; i != op.numRegions; ++i)
    if (failed(readRegion(cursor, *state.addRegion(), state.location)))
      return cursor.fail("failed to parse region " + Twine(i));
  --depth;
  return success();
}

LogicalResult BodyReader::readRegion(Cursor &cursor, Region &region,
                                     Location loc) {
  uint64_t count;
  if (failed(cursor.readCount(count, "failed to read region block count")))
    return failure();
  for (uint64_t i = 0; i != count; ++i) {
    auto *block = new Block();
    region.push_back(block);
    if (failed(readBlock(cursor, *block, loc)))
      return cursor.fail("failed to parse block " + Twine(i) + " in region.");
  }
  return success();
}

LogicalResult BodyReader::readBlock(Cursor &cursor, Block &block,
                                    Location loc) {
  size_t firstNumber = values.size();
  uint64_t count;
  if (failed(cursor.readCount(count, "failed to read block argument count.")))
    return failure();
  for (uint64_t i = 0; i != count; ++i) {
    Type type = tables.readType(cursor);
    if (!type)
      return cursor.fail("failed to read block argument type: " + Twine(i));
    values.push_back(block.addArgument(type, loc));
  }
  if (failed(cursor.readCount(count, "failed to read block operation count.")))
    return failure();
  for (uint64_t i = 0; i != count; ++i)
    if (failed(readOperation(cursor, block)))
      return cursor.fail("failed to parse operation " + Twine(i) +
                         " in block.");
  values.truncate(firstNumber);
  return checkTerminator(cursor, block);
}

LogicalResult BodyReader::checkTerminator(Cursor &cursor, Block &block) {
  if (block.empty())
    return cursor.fail("invalid block structure: block is expected to have a "
                       "terminator operation, but it is empty");
  Operation &last = block.back();
  if (!last.hasTrait<OpTrait::IsTerminator>())
    return cursor.fail("invalid block structure: block is expected to have a "
                       "terminator operation, but the last operation '" +
                       last.getName().getStringRef() +
                       "' is not a terminator.");
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult FunctionReader::readTable(ArrayRef<uint8_t> payload) {
  Cursor cursor(payload, tables.getContext());
  uint64_t count;
  if (!cursor.readVarInt(count))
    return cursor.fail("failed to read number of functions");
  if (count > cursor.remaining())
    return cursor.fail("number of functions (" + Twine(count) +
                       ") exceeds payload size (" + Twine(cursor.remaining()) +
                       ")");
  for (uint64_t i = 0; i != count; ++i)
    if (failed(readRecord(cursor, i, functions.emplace_back())))
      return failure();
  return success();
}

LogicalResult FunctionReader::readRecord(Cursor &cursor, size_t index,
                                         Record &function) {
  if (!tables.readString(cursor, function.name))
    return cursor.fail("failed to get function name string at index " +
                       Twine(index));
  if (function.name.empty())
    return cursor.fail("function name at index " + Twine(index) + " is empty");
  std::string quoted = ("'" + function.name + "'").str();
  uint64_t signature = 0;
  if (!cursor.readVarInt(signature) || signature >= tables.numTypes())
    return cursor.fail("function signature index " + Twine(signature) +
                       " out of bounds for function " + quoted);
  Type type = tables.getType(signature);
  if (!type)
    return cursor.fail("failed to parse type at index " + Twine(signature) +
                       " for function '" + function.name);
  function.type = dyn_cast<FunctionType>(type);
  if (!function.type)
    return cursor.fail("function signature index " + Twine(signature) +
                       " does not refer to a function type for function " +
                       quoted + ", got type: " + typeText(type));
  if (!cursor.readByte(function.flags))
    return cursor.fail("failed to read function flags for " + quoted);
  if (!cursor.readVarInt(function.location))
    return cursor.fail("failed to read function location for " + quoted);
  if (function.flags & kFunctionEntry && function.flags & kFunctionHints) {
    function.hints = tables.readAttr(cursor);
    if (!isa_and_present<OptimizationHintsAttr>(function.hints))
      return cursor.fail("invalid optimization hints attribute for function " +
                         quoted);
  }
  if (!(function.flags & kFunctionEntry))
    return cursor.fail("un-expected non-entry function " + quoted);
  uint64_t length;
  if (!cursor.readVarInt(length))
    return cursor.fail("failed to read length of function body");
  if (length > cursor.remaining())
    return cursor.fail("function body length " + Twine(length) +
                       " exceeds remaining bytecode data (" +
                       Twine(cursor.remaining()) + " bytes)");
  cursor.readBytes(length, function.body);
  return success();
}

LogicalResult FunctionReader::checkRecord(const Record &function,
                                          Location loc) {
  if (function.flags & kFunctionPrivate)
    return emitError(loc) << "'cuda_tile.entry' op entry op must have public "
                             "symbol visibility";
  for (auto [i, type] : llvm::enumerate(function.type.getInputs())) {
    auto tile = dyn_cast<TileType>(type);
    if (!tile || !tile.getShape().empty())
      return emitError(loc)
             << "unsupported type in bytecode for entry argument #" << i
             << ": '" << typeText(type)
             << "'; expected a rank-0 !cuda_tile.tile type";
  }
  return success();
}

LogicalResult FunctionReader::createFunction(size_t index, OpBuilder &builder) {
  const Record &function = functions[index];
  Cursor cursor(function.body, tables.getContext());
  Location loc = builder.getUnknownLoc();
  std::optional<ArrayRef<uint64_t>> locations;
  if (function.location) {
    ArrayRef<uint64_t> numbers;
    LocationAttr own;
    if (debugInfo.getList(function.location, numbers) && !numbers.empty())
      own = debugInfo.getLocation(numbers.front());
    if (!own)
      return cursor.fail("failed to read function location for '" +
                         function.name + "'");
    loc = Location(own);
    locations = numbers.drop_front();
  }
  if (failed(checkRecord(function, loc)))
    return failure();

  OperationState state(loc, EntryOp::getOperationName());
  state.addAttribute("sym_name", builder.getStringAttr(function.name));
  state.addAttribute("function_type", TypeAttr::get(function.type));
  if (function.hints)
    state.addAttribute("optimization_hints", function.hints);
  auto *block = new Block();
  state.addRegion()->push_back(block);
  for (Type type : function.type.getInputs())
    block->addArgument(type, loc);
  builder.create(state);

  BodyReader body(tables, debugInfo, locations);
  if (failed(body.readBody(cursor, *block)))
    return cursor.fail("failed to parse function body for function '" +
                       function.name + "'");
  return success();
}

} // namespace tileir::bytecode

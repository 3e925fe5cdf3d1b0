// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/BodyReader.h"

namespace tileir::bytecode {

using namespace mlir;
using namespace mlir::cuda_tile;

BodyReader::BodyReader(Tables &tables, DebugInfo &debugInfo)
    : tables(tables), debugInfo(debugInfo),
      maxOpcode(findBytecodeVersion(tables.getVersion())->maxOpcode),
      names(opRecords().size()),
      segmentSizesName(
          StringAttr::get(tables.getContext(), "operandSegmentSizes")),
      noAttrs(DictionaryAttr::get(tables.getContext())) {}

const BodyReader::Names &BodyReader::namesOf(const OpRecord &op) {
  Names &entry = names[&op - opRecords().begin()];
  if (entry.op)
    return entry;
  MLIRContext *context = tables.getContext();
  entry.op.emplace(("cuda_tile." + Twine(op.name)).str(), context);
  for (auto [i, field] : llvm::enumerate(op.attrFields()))
    entry.attrs[i] = StringAttr::get(context, field.name);
  return entry;
}

Attribute BodyReader::segmentSizes(ArrayRef<int32_t> sizes) {
  constexpr unsigned kBits = 64 / OpRecord::kMaxFields;
  uint64_t key = 0;
  for (int32_t size : sizes) {
    if (size >> kBits)
      return DenseI32ArrayAttr::get(tables.getContext(), sizes);
    key = key << kBits | size;
  }
  // Operations differ in how many sizes they have.
  Attribute &cached = segmentSizesCache[key << 3 | sizes.size()];
  if (!cached)
    cached = DenseI32ArrayAttr::get(tables.getContext(), sizes);
  return cached;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult
BodyReader::read(Cursor &cursor, Block &block,
                 std::optional<ArrayRef<uint64_t>> functionLocations) {
  locations = functionLocations;
  nextLocation = 0;
  values.assign(block.args_begin(), block.args_end());
  while (!cursor.empty())
    if (failed(readOperation(cursor, block)))
      return failure();
  // How the block ends is told by the verifier of the function.
  return success();
}

LogicalResult BodyReader::readOperation(Cursor &cursor, Block &block) {
  uint64_t opcode;
  if (!cursor.readVarInt(opcode) || opcode > UINT32_MAX)
    return cursor.fail("failed to read operation opcode.");
  if (opcode >= kFirstPreviewOpcode && opcode <= kLastPreviewOpcode &&
      tables.getVersion() >= kVersion13_5)
    return cursor.fail(
        "malformed bytecode: encountered public-preview opcode " +
        Twine(opcode) + " but the header does not advertise preview content");
  if (opcode > maxOpcode)
    return cursor.fail("unsupported opcode " + Twine(opcode) +
                       " for bytecode version " + tables.getVersion().str());
  const OpRecord *op = findOpRecord(static_cast<uint32_t>(opcode));
  if (!op)
    return cursor.fail("unknown or unimplemented opcode: " + Twine(opcode));
  Location loc = UnknownLoc::get(tables.getContext());
  if (failed(readLocation(cursor, loc)))
    return failure();
  const Names &opNames = namesOf(*op);
  unsigned numValues;
  uint64_t flags;
  if (failed(readResults(cursor, *op, numValues)) ||
      failed(readFlags(cursor, *op, flags)) ||
      failed(readAttrs(cursor, *op, opNames, flags)) ||
      failed(op->hasSegments ? readSegments(cursor, *op, flags)
                             : readOperands(cursor, *op)))
    return failure();
  Operation *operation = Operation::create(
      loc, *opNames.op, resultTypes, operands, noAttrs,
      OpaqueProperties(nullptr), BlockRange(), op->numRegions);
  block.push_back(operation);
  for (const PendingAttr &attr : attrs)
    if (!promisesNothing(attr.value))
      operation->setInherentAttr(attr.name, attr.value);
  if (failed(readRegions(cursor, *op, operation)))
    return failure();
  llvm::append_range(values, operation->getResults().take_front(numValues));
  return success();
}

/// Whether `attr` is an `inbounds` that is false for each index, which is the
/// same as none; a wrong number of flags is left for the verifier.
bool BodyReader::promisesNothing(Attribute attr) const {
  auto inbounds = dyn_cast<DenseBoolArrayAttr>(attr);
  return inbounds && inbounds.size() == int64_t(numIndices) &&
         !llvm::is_contained(inbounds.asArrayRef(), true);
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
                                      unsigned &numValues) {
  resultTypes.clear();
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
    resultTypes.push_back(type);
  }
  numValues = count;
  // All such results are tokens.
  if (!isVariadic)
    resultTypes.append(fields.size() - expected,
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
                                    const Names &opNames, uint64_t flags) {
  attrs.clear();
  Type resultType = resultTypes.empty() ? Type() : resultTypes.front();
  for (auto [i, field] : llvm::enumerate(op.attrFields())) {
    if (field.flag >= 0 && !(flags >> field.flag & 1))
      continue;
    Attribute value;
    if (tables.getVersion() >= field.since)
      value = tables.readInlineAttr(cursor, field.code, resultType);
    else if (field.code == AttrCode::Inbounds)
      continue;
    else
      value = tables.getDefault(field);
    if (!value)
      return cursor.fail(
          Twine("failed to parse ") +
          (field.flag >= 0 ? "optional attribute '" : "attribute '") +
          field.name + "'");
    attrs.push_back({opNames.attrs[i], value});
  }
  return success();
}

LogicalResult BodyReader::readOperands(Cursor &cursor, const OpRecord &op) {
  operands.clear();
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
    operands.push_back(values[index]);
  }
  return success();
}

LogicalResult BodyReader::readSegments(Cursor &cursor, const OpRecord &op,
                                       uint64_t flags) {
  operands.clear();
  SmallVector<int32_t, OpRecord::kMaxFields> sizes;
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
      operands.push_back(values[index]);
    }
    // All views name their variadic operand alike.
    if (field.kind == FieldKind::Variadic)
      numIndices = count;
    if (count > INT32_MAX)
      return cursor.fail(Twine("failed to read operands for ") + field.name +
                         " segment, exceeds maximum supported capacity");
    sizes.push_back(static_cast<int32_t>(count));
  }
  attrs.push_back({segmentSizesName, segmentSizes(sizes)});
  return success();
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

LogicalResult BodyReader::readRegions(Cursor &cursor, const OpRecord &op,
                                      Operation *operation) {
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
    if (failed(
            readRegion(cursor, operation->getRegion(i), operation->getLoc())))
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

} // namespace tileir::bytecode

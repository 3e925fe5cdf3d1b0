// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/BodyReader.h"

namespace tileir::bytecode {

using namespace mlir;
using namespace mlir::cuda_tile;

BodyReader::BodyReader(Tables &tables, DebugInfo &debugInfo)
    : tables(tables), debugInfo(debugInfo),
      maxOpcode(findBytecodeVersion(tables.getVersion())->maxOpcode),
      plans(opRecords().size()),
      segmentSizesName(
          StringAttr::get(tables.getContext(), "operandSegmentSizes")),
      noAttrs(DictionaryAttr::get(tables.getContext())),
      unknown(UnknownLoc::get(tables.getContext())) {}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// Flag bits of those `fields` for which `condition` holds.
template <typename Field, typename Condition>
static uint64_t flagsOf(ArrayRef<Field> fields, Condition condition) {
  uint64_t bits = 0;
  for (const Field &field : fields)
    if (field.flag >= 0 && condition(field))
      bits |= uint64_t(1) << field.flag;
  return bits;
}

const BodyReader::Plan &BodyReader::makePlan(const OpRecord &record) {
  MLIRContext *context = tables.getContext();
  BytecodeVersion version = tables.getVersion();
  OperationName name(("cuda_tile." + Twine(record.name)).str(), context);
  auto &plan = plans[&record - opRecords().begin()];
  plan = std::make_unique<Plan>(record, name);
  for (auto [i, field] : llvm::enumerate(plan->attrs)) {
    plan->attrNames[i] = StringAttr::get(context, field.name);
    if (field.code == AttrCode::Dense)
      plan->dataField = i;
  }
  for (const ValueField &field : record.resultFields()) {
    plan->hasYoungerResults |= record.since < field.since;
    ++(version >= field.since ? plan->numResults : plan->numLaterResults);
  }
  plan->hasFlags = record.hasFlags(version);
  plan->countsOperands = record.countsOperands();
  plan->knownFlags = record.knownFlags();
  // A terminator depends on its parent, and `extract` warns about constant
  // operands.
  plan->usesSymbols = name.hasInterface<SymbolUserOpInterface>();
  plan->isLocal = !record.numRegions &&
                  !name.hasTrait<OpTrait::IsTerminator>() &&
                  name.getTypeID() != TypeID::get<ExtractOp>();
  return *plan;
}

LogicalResult BodyReader::readPlan(Cursor &cursor, const Plan *&plan) {
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
  const OpRecord *record = findOpRecord(static_cast<uint32_t>(opcode));
  if (!record)
    return cursor.fail("unknown or unimplemented opcode: " + Twine(opcode));
  plan = plans[record - opRecords().begin()].get();
  if (!plan)
    plan = &makePlan(*record);
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult
BodyReader::read(Cursor &cursor, Block &block,
                 std::optional<Numbers<uint64_t>> functionLocations) {
  locations = functionLocations;
  nextLocation = 0;
  checks.clear();
  values.assign(block.args_begin(), block.args_end());
  while (!cursor.empty())
    if (failed(readOperation(cursor, block)))
      return failure();
  // The verifier of the function checks the end of the block.
  return success();
}

LogicalResult BodyReader::readOperation(Cursor &cursor, Block &block) {
  const Plan *plan;
  Location loc = unknown;
  unsigned numValues;
  uint64_t flags = 0;
  if (failed(readPlan(cursor, plan)) || failed(readLocation(cursor, loc)) ||
      failed(readResults(cursor, *plan, numValues)) ||
      failed(readFlags(cursor, *plan, flags)) ||
      failed(readAttrs(cursor, *plan, flags)) ||
      failed(plan->record->hasSegments ? readSegments(cursor, *plan, flags)
                                       : readOperands(cursor, *plan)))
    return failure();
  Operation *operation = makeOperation(*plan, loc, block);
  if (plan->record->numRegions) {
    checks.emplace_back(operation, CheckStage::BeforeRegions);
    if (failed(readRegions(cursor, *plan->record, operation)))
      return failure();
    checks.emplace_back(operation, CheckStage::AfterRegions);
  }
  for (unsigned i = 0; i != numValues; ++i)
    values.push_back(operation->getResult(i));
  return success();
}

unsigned BodyReader::SignatureInfo::getHashValue(Signature signature) {
  uint64_t hash = 0;
  for (const void *part : signature)
    hash = (llvm::rotl(hash, 23) ^ reinterpret_cast<uintptr_t>(part)) *
           0x9E3779B97F4A7C15ull;
  return static_cast<unsigned>(hash >> 32);
}

/// Makes an operation from the parts read, as a copy of the first of its kind
/// if there is one.
Operation *BodyReader::makeOperation(const Plan &plan, Location loc,
                                     Block &block) {
  signature.clear();
  signature.push_back(&plan);
  uintptr_t present = 0;
  for (unsigned i = 0; i != plan.attrs.size(); ++i) {
    present |= uintptr_t(bool(attrs[i])) << i;
    if (attrs[i] && int(i) != plan.dataField)
      signature.push_back(attrs[i].getAsOpaquePointer());
  }
  // The counts come after the counted items, so they may be appended at the
  // end.
  for (Type type : resultTypes)
    signature.push_back(type.getAsOpaquePointer());
  for (Value operand : operands)
    signature.push_back(operand.getType().getAsOpaquePointer());
  signature.push_back(segments.getAsOpaquePointer());
  signature.push_back(reinterpret_cast<const void *>(
      present | uintptr_t(resultTypes.size()) << OpRecord::kMaxFields));

  auto known = prototypes.find(signature);
  bool isFirst = known == prototypes.end();
  Operation *operation =
      Operation::create(loc, plan.name, resultTypes, operands, noAttrs,
                        isFirst ? OpaqueProperties(nullptr)
                                : known->second->getPropertiesStorage(),
                        BlockRange(), plan.record->numRegions);
  block.push_back(operation);
  if (isFirst) {
    prototypes.try_emplace(Signature(signature).copy(signatureStorage),
                           operation);
    setAttrs(plan, operation);
  } else if (plan.dataField >= 0) {
    operation->setInherentAttr(plan.attrNames[plan.dataField],
                               attrs[plan.dataField]);
  }
  if (!plan.record->numRegions && (isFirst || !plan.isLocal))
    checks.emplace_back(operation, CheckStage::Whole);
  if (plan.usesSymbols)
    symbolUsers.push_back(cast<SymbolUserOpInterface>(operation));
  return operation;
}

void BodyReader::setAttrs(const Plan &plan, Operation *operation) {
  for (unsigned i = 0; i != plan.attrs.size(); ++i)
    if (attrs[i] && !promisesNothing(attrs[i]))
      operation->setInherentAttr(plan.attrNames[i], attrs[i]);
  if (segments)
    operation->setInherentAttr(segmentSizesName, segments);
}

/// Returns whether `attr` is an `inbounds` that is false for each index, which
/// equals its absence; the verifier reports a wrong number of flags.
bool BodyReader::promisesNothing(Attribute attr) const {
  auto inbounds = dyn_cast<DenseBoolArrayAttr>(attr);
  return inbounds && inbounds.size() == int64_t(numIndices) &&
         !llvm::is_contained(inbounds.asArrayRef(), true);
}

//===----------------------------------------------------------------------===//
// Parts of operations
//===----------------------------------------------------------------------===//

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

/// A result that is newer than the file gets its type, but no value number.
LogicalResult BodyReader::readResults(Cursor &cursor, const Plan &plan,
                                      unsigned &numValues) {
  resultTypes.clear();
  const char *className = plan.record->className;
  uint64_t count = plan.numResults;
  if (plan.record->countsResults &&
      failed(
          cursor.readCount(count, "failed to read number of result types for " +
                                      Twine(className))))
    return failure();
  // The verifier reports wrong counts that no version changed.
  uint64_t expected = plan.hasYoungerResults ? plan.numResults : count;
  for (uint64_t i = 0; i != expected; ++i) {
    Type type = tables.readType(cursor);
    if (!type)
      return cursor.fail("failed to get result type " + Twine(i) + " for " +
                         className);
    resultTypes.push_back(type);
  }
  if (count != expected)
    return cursor.fail("result count mismatch for " + Twine(className) +
                       ": expected " + Twine(expected) +
                       " compatible results but got " + Twine(count));
  numValues = count;
  // All such results are tokens.
  if (plan.numLaterResults)
    resultTypes.append(plan.numLaterResults,
                       TokenType::get(tables.getContext()));
  return success();
}

LogicalResult BodyReader::readFlags(Cursor &cursor, const Plan &plan,
                                    uint64_t &flags) {
  if (!plan.hasFlags)
    return success();
  if (!cursor.readVarInt(flags))
    return cursor.fail("failed to read flags field");
  return flags ? checkFlags(cursor, plan, flags) : success();
}

LogicalResult BodyReader::checkFlags(const Cursor &cursor, const Plan &plan,
                                     uint64_t flags) const {
  if (flags & ~plan.knownFlags)
    return cursor.fail("malformed bytecode: unknown flag bits in operation "
                       "'cuda_tile." +
                       Twine(plan.record->name) + "'");
  BytecodeVersion version = tables.getVersion();
  auto checkSince = [&](StringRef what, const auto &field) -> LogicalResult {
    if (field.flag < 0 || !(flags >> field.flag & 1) || version >= field.since)
      return success();
    return cursor.fail("malformed bytecode: flag set for " + what + " '" +
                       field.name + "' which requires " + field.since.str() +
                       " but reading " + version.str() + " bytecode");
  };
  for (const AttrField &field : plan.attrs)
    if (failed(checkSince("attribute", field)))
      return failure();
  for (const ValueField &field : plan.operands)
    if (failed(checkSince("operand", field)))
      return failure();
  return success();
}

LogicalResult BodyReader::readAttrs(Cursor &cursor, const Plan &plan,
                                    uint64_t flags) {
  Type resultType = resultTypes.empty() ? Type() : resultTypes.front();
  BytecodeVersion version = tables.getVersion();
  for (unsigned i = 0; i != plan.attrs.size(); ++i) {
    const AttrField &field = plan.attrs[i];
    Attribute &value = attrs[i];
    value = {};
    if (field.flag >= 0 && !(flags >> field.flag & 1))
      continue;
    if (version >= field.since)
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
  }
  return success();
}

LogicalResult BodyReader::readOperands(Cursor &cursor, const Plan &plan) {
  operands.clear();
  segments = {};
  uint64_t count = plan.operands.size();
  if (plan.countsOperands &&
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

LogicalResult BodyReader::readSegments(Cursor &cursor, const Plan &plan,
                                       uint64_t flags) {
  operands.clear();
  SmallVector<int32_t, OpRecord::kMaxFields> sizes;
  for (const ValueField &field : plan.operands) {
    uint64_t count = 1;
    if (field.kind == FieldKind::Optional)
      count = flags >> field.flag & 1;
    else if (field.kind == FieldKind::Variadic &&
             failed(cursor.readCount(
                 count, Twine("failed to read actual size for variadic ODS "
                              "segment '") +
                            field.name + "' of op 'cuda_tile." +
                            plan.record->name + "'")))
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
    // All views have the same name for their variadic operand.
    if (field.kind == FieldKind::Variadic)
      numIndices = count;
    if (count > INT32_MAX)
      return cursor.fail(Twine("failed to read operands for ") + field.name +
                         " segment, exceeds maximum supported capacity");
    sizes.push_back(static_cast<int32_t>(count));
  }
  segments = segmentSizes(sizes);
  return success();
}

Attribute BodyReader::segmentSizes(ArrayRef<int32_t> sizes) {
  constexpr unsigned kBits = 64 / OpRecord::kMaxFields;
  uint64_t key = 0;
  for (int32_t size : sizes) {
    if (size >> kBits)
      return DenseI32ArrayAttr::get(tables.getContext(), sizes);
    key = key << kBits | size;
  }
  // Operations have different numbers of segment sizes.
  Attribute &cached = segmentSizesCache[key << 3 | sizes.size()];
  if (!cached)
    cached = DenseI32ArrayAttr::get(tables.getContext(), sizes);
  return cached;
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
  if (depth == kMaxRegionDepth)
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileas/IR/Directives.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

LogicalResult
PipelineType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     int64_t depth, ArrayRef<Type> payloads) {
  if (depth < 1)
    return emitError() << "a pipeline has at least one slot, got " << depth;
  for (Type payload : payloads) {
    auto buffer = dyn_cast<BufferType>(payload);
    if (!buffer || buffer.isStaged())
      return emitError() << "a payload is an unstaged buffer, got " << payload;
  }
  return success();
}

/// Parses payloads as buffers without the prefix of the dialect.
Type PipelineType::parse(AsmParser &parser) {
  int64_t depth;
  SmallVector<Type> payloads;
  SMLoc loc = parser.getCurrentLocation();
  auto parsePayload = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalKeyword("buffer"))) {
      Type type = BufferType::parse(parser);
      payloads.push_back(type);
      return success(!!type);
    }
    return parser.parseType(payloads.emplace_back());
  };
  if (parser.parseLess() || parser.parseInteger(depth) || parser.parseComma() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     parsePayload) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<PipelineType>(loc, parser.getContext(), depth,
                                         ArrayRef<Type>(payloads));
}

void PipelineType::print(AsmPrinter &printer) const {
  printer << '<' << getDepth() << ", (";
  llvm::interleaveComma(getPayloads(), printer, [&](Type payload) {
    printer << "buffer";
    cast<BufferType>(payload).print(printer);
  });
  printer << ")>";
}

LogicalResult
PipelineIteratorType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                             int64_t depth) {
  if (depth < 1)
    return emitError() << "a pipeline has at least one slot, got " << depth;
  return success();
}

//===----------------------------------------------------------------------===//
// create
//===----------------------------------------------------------------------===//

static ParseResult parseNamed(OpAsmParser &parser, StringRef name) {
  return failure(parser.parseKeyword(name) || parser.parseEqual());
}

ParseResult PipelineCreateOp::parse(OpAsmParser &parser,
                                    OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> buffers;
  SMLoc loc = parser.getCurrentLocation();
  Attribute producer, sync, empty;
  SmallVector<Attribute> consumers;
  auto parseConsumer = [&]() -> ParseResult {
    return parseEnumKeyword<PipelineConsumerAttr, PipelineConsumer>(
        parser, consumers.emplace_back(), "consumer",
        symbolizePipelineConsumer);
  };
  if (parser.parseOperandList(buffers) || parser.parseLBrace() ||
      parseNamed(parser, "producer") ||
      parseEnumKeyword<PipelineProducerAttr, PipelineProducer>(
          parser, producer, "producer", symbolizePipelineProducer) ||
      parser.parseComma() || parseNamed(parser, "consumers") ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseConsumer) ||
      parser.parseComma() || parseNamed(parser, "sync") ||
      parseEnumKeyword<PipelineSyncAttr, PipelineSync>(parser, sync, "sync",
                                                       symbolizePipelineSync) ||
      parser.parseComma() || parseNamed(parser, "empty") ||
      parseEnumKeyword<PipelineEmptyAttr, PipelineEmpty>(
          parser, empty, "empty", symbolizePipelineEmpty) ||
      parser.parseRBrace() || parser.parseOptionalAttrDict(state.attributes))
    return failure();
  SmallVector<Type> types;
  Type result;
  if (parser.parseColon())
    return failure();
  if (!buffers.empty() && parser.parseTypeList(types))
    return failure();
  if (parser.parseArrow() || parser.parseType(result) ||
      parser.resolveOperands(buffers, types, loc, state.operands))
    return failure();
  Builder builder(parser.getContext());
  state.addAttribute(getProducerAttrName(state.name), producer);
  state.addAttribute(getConsumersAttrName(state.name),
                     builder.getArrayAttr(consumers));
  state.addAttribute(getSyncAttrName(state.name), sync);
  state.addAttribute(getEmptyAttrName(state.name), empty);
  state.addTypes(result);
  return success();
}

void PipelineCreateOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printOperands(getBuffers());
  printer << (getBuffers().empty() ? "" : " ")
          << "{producer = " << stringifyPipelineProducer(getProducer())
          << ", consumers = [";
  llvm::interleaveComma(getConsumers(), printer, [&](Attribute attr) {
    printer << stringifyPipelineConsumer(
        cast<PipelineConsumerAttr>(attr).getValue());
  });
  printer << "], sync = " << stringifyPipelineSync(getSync())
          << ", empty = " << stringifyPipelineEmpty(getEmpty()) << '}';
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {"producer", "consumers", "sync", "empty"});
  printer << " : ";
  llvm::interleaveComma(getBuffers().getTypes(), printer);
  printer << (getBuffers().empty() ? "-> " : " -> ") << getType();
}

LogicalResult PipelineCreateOp::verify() {
  PipelineType type = getType();
  SmallVector<Type> payloads;
  for (Type operand : getBuffers().getTypes()) {
    auto buffer = cast<BufferType>(operand);
    if (buffer.getStages() != type.getDepth()) // C1
      return emitOpError("expects buffers of ")
             << type.getDepth() << " stages, but got " << buffer;
    payloads.push_back(BufferType::get(getContext(), 0, buffer.getShape(),
                                       buffer.getElementType(),
                                       buffer.getLayout()));
  }
  if (ArrayRef<Type>(payloads) != type.getPayloads()) // C1
    return emitOpError("payloads must be the stages of the buffers, but got ")
           << type;
  if (getSync() == PipelineSync::Group &&
      getProducer() != PipelineProducer::CpAsync) // C2
    return emitOpError("'group' is for the producer 'cp_async', but got '")
           << stringifyPipelineProducer(getProducer()) << "'";
  llvm::SmallSet<PipelineConsumer, 4> seen;
  for (Attribute attr : getConsumers()) { // C3
    auto consumer = dyn_cast<PipelineConsumerAttr>(attr);
    if (!consumer || !seen.insert(consumer.getValue()).second)
      return emitOpError("'consumers' names each kind of consumer once");
  }
  if (seen.empty())
    return emitOpError("expects at least one consumer");
  return success();
}

static void syncEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SyncResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SyncResource::get());
}

/// Effects of operations that order reads and writes of slots.
static void orderEffects(Effects &effects) {
  syncEffects(effects);
  effects.emplace_back(MemoryEffects::Read::get(), SharedResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SharedResource::get());
}

void PipelineCreateOp::getEffects(Effects &effects) { syncEffects(effects); }

//===----------------------------------------------------------------------===//
// iterator
//===----------------------------------------------------------------------===//

ParseResult PipelineIteratorOp::parse(OpAsmParser &parser,
                                      OperationState &state) {
  OpAsmParser::UnresolvedOperand pipeline, from;
  Attribute side;
  Type type, result;
  if (parser.parseOperand(pipeline) ||
      parseEnumKeyword<PipelineSideAttr, PipelineSide>(parser, side, "side",
                                                       symbolizePipelineSide))
    return failure();
  bool hasFrom = succeeded(parser.parseOptionalKeyword("from"));
  if ((hasFrom && parser.parseOperand(from)) ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColon() ||
      parser.parseType(type) || parser.parseArrow() ||
      parser.parseType(result) ||
      parser.resolveOperand(pipeline, type, state.operands) ||
      (hasFrom && parser.resolveOperand(from, result, state.operands)))
    return failure();
  state.addAttribute(getSideAttrName(state.name), side);
  state.addTypes(result);
  return success();
}

void PipelineIteratorOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getPipeline() << ' ' << stringifyPipelineSide(getSide());
  if (getFrom())
    printer << " from " << getFrom();
  printer.printOptionalAttrDict((*this)->getAttrs(), {"side"});
  printer << " : " << getPipeline().getType() << " -> " << getType();
}

LogicalResult PipelineIteratorOp::verify() {
  int64_t depth = getPipeline().getType().getDepth();
  if (getType().getDepth() != depth ||
      (getFrom() && getFrom().getType() != getType())) // C1
    return emitOpError("expects iterators of depth ")
           << depth << ", but got " << getType();
  return success();
}

//===----------------------------------------------------------------------===//
// acquire, commit, wait, release
//===----------------------------------------------------------------------===//

/// Parses `%p[%i] if %c {…} : pipeline -> slots`.
static ParseResult parseStep(OpAsmParser &parser, OperationState &state,
                             bool hasSlots) {
  OpAsmParser::UnresolvedOperand pipeline, iterator, condition;
  if (parser.parseOperand(pipeline) || parser.parseLSquare() ||
      parser.parseOperand(iterator) || parser.parseRSquare())
    return failure();
  bool isConditional = succeeded(parser.parseOptionalKeyword("if"));
  PipelineType type;
  if ((isConditional && parser.parseOperand(condition)) ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColon() ||
      parser.parseType(type))
    return failure();
  Builder builder(parser.getContext());
  auto position =
      PipelineIteratorType::get(parser.getContext(), type.getDepth());
  if (parser.resolveOperand(pipeline, type, state.operands) ||
      parser.resolveOperand(iterator, position, state.operands) ||
      (isConditional &&
       parser.resolveOperand(condition, builder.getI1Type(), state.operands)))
    return failure();
  if (hasSlots && succeeded(parser.parseOptionalArrow()) &&
      parser.parseTypeList(state.types))
    return failure();
  return success();
}

template <typename OpTy>
static void printStep(OpAsmPrinter &printer, OpTy op, Value condition = {}) {
  printer << ' ' << op.getPipeline() << '[' << op.getIterator() << ']';
  if (condition)
    printer << " if " << condition;
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : " << op.getPipeline().getType();
  if (op->getNumResults()) {
    printer << " -> ";
    llvm::interleaveComma(op->getResultTypes(), printer);
  }
}

template <typename OpTy> static LogicalResult verifyStep(OpTy op) {
  PipelineType type = op.getPipeline().getType();
  if (op.getIterator().getType().getDepth() != type.getDepth()) // C1
    return op.emitOpError("expects an iterator of depth ")
           << type.getDepth() << ", but got " << op.getIterator().getType();
  return success();
}

template <typename OpTy> static LogicalResult verifySlots(OpTy op) {
  if (failed(verifyStep(op)))
    return failure();
  PipelineType type = op.getPipeline().getType();
  if (!llvm::equal(op.getSlots().getTypes(), type.getPayloads())) // C2
    return op.emitOpError("results must be the payloads of ") << type;
  return success();
}

ParseResult PipelineAcquireOp::parse(OpAsmParser &parser,
                                     OperationState &state) {
  return parseStep(parser, state, /*hasSlots=*/true);
}
void PipelineAcquireOp::print(OpAsmPrinter &printer) {
  printStep(printer, *this, getCondition());
}
LogicalResult PipelineAcquireOp::verify() { return verifySlots(*this); }
void PipelineAcquireOp::getEffects(Effects &effects) { orderEffects(effects); }

ParseResult PipelineCommitOp::parse(OpAsmParser &parser,
                                    OperationState &state) {
  return parseStep(parser, state, /*hasSlots=*/false);
}
void PipelineCommitOp::print(OpAsmPrinter &printer) {
  printStep(printer, *this, getCondition());
}
LogicalResult PipelineCommitOp::verify() { return verifyStep(*this); }
void PipelineCommitOp::getEffects(Effects &effects) { orderEffects(effects); }

ParseResult PipelineWaitOp::parse(OpAsmParser &parser, OperationState &state) {
  return parseStep(parser, state, /*hasSlots=*/true);
}
void PipelineWaitOp::print(OpAsmPrinter &printer) { printStep(printer, *this); }
LogicalResult PipelineWaitOp::verify() {
  if (static_cast<int32_t>(getPending()) < 0) // C3
    return emitOpError("'pending' must not be negative");
  return verifySlots(*this);
}
void PipelineWaitOp::getEffects(Effects &effects) { orderEffects(effects); }

ParseResult PipelineReleaseOp::parse(OpAsmParser &parser,
                                     OperationState &state) {
  return parseStep(parser, state, /*hasSlots=*/false);
}
void PipelineReleaseOp::print(OpAsmPrinter &printer) {
  printStep(printer, *this, getCondition());
}
LogicalResult PipelineReleaseOp::verify() {
  if (static_cast<int32_t>(getPending()) < 0) // C2
    return emitOpError("'pending' must not be negative");
  return verifyStep(*this);
}
void PipelineReleaseOp::getEffects(Effects &effects) { orderEffects(effects); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers and printers of branches, loops and their terminators.

#include "dialects/cuda_tile/IR/Directives.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::cuda_tile;

StringRef IfOp::getDefaultDialect() { return "cuda_tile"; }
StringRef ForOp::getDefaultDialect() { return "cuda_tile"; }
StringRef LoopOp::getDefaultDialect() { return "cuda_tile"; }

/// Views cannot be carried: they have no value that a branch could select.
static StringRef describeView(Type type) {
  if (isa<TensorViewType>(type))
    return "is a tensor_view, which is not supported";
  if (isa<TileView>(type))
    return "is a tile view, which is not supported";
  return {};
}

//===----------------------------------------------------------------------===//
// IfOp
//===----------------------------------------------------------------------===//

static LogicalResult verifyBranch(IfOp op, Region &region, StringRef name) {
  auto yield = dyn_cast<YieldOp>(region.front().getTerminator());
  if (!yield)
    return success();
  TypeRange results = op.getResultTypes(), yielded = yield.getOperandTypes();
  if (results == yielded)
    return success();
  if (yielded.empty())
    return op.emitOpError("has return type of ")
           << results << " but " << name << " branch does not yield anything";
  if (results.empty())
    return op.emitOpError("does not return a value, but ")
           << name << " branch yields " << yielded;
  return op.emitOpError("type does not match yield type, ")
         << name << " branch yields " << yielded << " but op result type is "
         << results;
}

LogicalResult IfOp::verify() {
  if (getThenRegion().empty())
    return emitOpError("must define then branch");
  for (OpResult result : getResults()) { // C3
    StringRef fault = describeView(result.getType());
    if (!fault.empty())
      return emitOpError("result type ")
             << result.getResultNumber() << " " << fault;
  }
  if (failed(verifyBranch(*this, getThenRegion(), "then"))) // C1
    return failure();
  if (!getElseRegion().empty())
    return verifyBranch(*this, getElseRegion(), "else"); // C1
  if (getNumResults() > 0)                               // C2
    return emitOpError("has non-empty return type, must define else branch");
  return success();
}

//===----------------------------------------------------------------------===//
// ForOp
//===----------------------------------------------------------------------===//

void ForOp::build(OpBuilder &builder, OperationState &state, Value lowerBound,
                  Value upperBound, Value step, ValueRange initValues,
                  bool unsignedCmp) {
  state.addOperands({lowerBound, upperBound, step});
  state.addOperands(initValues);
  state.addTypes(initValues.getTypes());
  if (unsignedCmp)
    state.getOrAddProperties<Properties>().setUnsignedCmp(
        builder.getUnitAttr());
  Block &body = state.addRegion()->emplaceBlock();
  body.addArgument(lowerBound.getType(), state.location);
  for (Value init : initValues)
    body.addArgument(init.getType(), init.getLoc());
}

void ForOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (!getResultValues().empty())
    setName(getResultValues().front(), "for");
}

void ForOp::getAsmBlockArgumentNames(Region &region,
                                     OpAsmSetValueNameFn setName) {
  if (region.empty() || region.getNumArguments() == 0)
    return;
  setName(region.getArgument(0), "loopIdx");
  for (BlockArgument arg : region.getArguments().drop_front())
    setName(arg, "iterArg" + std::to_string(arg.getArgNumber() - 1));
}

static void printIterValues(OpAsmPrinter &printer,
                            Block::BlockArgListType arguments,
                            OperandRange inits) {
  printer << " iter_values(";
  llvm::interleaveComma(
      llvm::zip_equal(arguments, inits), printer, [&](auto pair) {
        printer << std::get<0>(pair) << " = " << std::get<1>(pair);
      });
  printer << ')';
}

/// Returns whether the printed text omits the terminator.
static bool isImplicitContinue(Block *body) {
  return isa<ContinueOp>(body->back()) && body->back().getNumOperands() == 0;
}

ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  if (succeeded(parser.parseOptionalKeyword("unsigned")))
    result.getOrAddProperties<Properties>().setUnsignedCmp(
        parser.getBuilder().getUnitAttr());
  SmallVector<OpAsmParser::Argument> arguments(1);
  OpAsmParser::UnresolvedOperand lower, upper, step;
  Type inductionType;
  if (parser.parseArgument(arguments.front()) || parser.parseKeyword("in") ||
      parser.parseLParen() || parser.parseOperand(lower) ||
      parser.parseKeyword("to") || parser.parseOperand(upper) ||
      parser.parseComma() || parser.parseKeyword("step") ||
      parser.parseOperand(step) || parser.parseRParen() ||
      parser.parseColon() || parseShortType(parser, inductionType))
    return failure();
  arguments.front().type = inductionType;

  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  if (succeeded(parser.parseOptionalKeyword("iter_values"))) {
    if (parser.parseAssignmentList(arguments, inits) || parser.parseArrow() ||
        parser.parseLParen() || parseShortTypes(parser, result.types) ||
        parser.parseRParen())
      return failure();
  }
  if (inits.size() != result.types.size())
    return parser.emitError(
        parser.getNameLoc(),
        "mismatch in number of loop-carried values and defined values");
  for (auto [argument, type] :
       llvm::zip_equal(MutableArrayRef(arguments).drop_front(), result.types))
    argument.type = type;

  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments) ||
      parser.resolveOperands({lower, upper, step}, inductionType,
                             result.operands) ||
      parser.resolveOperands(inits, result.types, parser.getNameLoc(),
                             result.operands))
    return failure();
  ForOp::ensureTerminator(*body, parser.getBuilder(), result.location);
  return parser.parseOptionalAttrDict(result.attributes);
}

void ForOp::print(OpAsmPrinter &printer) {
  if (getUnsignedCmp())
    printer << " unsigned";
  printer << ' ' << getInductionVar() << " in (" << getLowerBound() << " to "
          << getUpperBound() << ", step " << getStep() << ") : ";
  printShortType(printer, *this, getInductionVar().getType());
  if (!getInitValues().empty()) {
    printIterValues(printer, getRegionIterValues(), getInitValues());
    printer << " -> (";
    printShortTypes(printer, getInitValues().getTypes());
    printer << ')';
  }
  printer << ' ';
  printer.printRegion(getRegion(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/!isImplicitContinue(getBody()));
  printer.printOptionalAttrDict((*this)->getAttrs(), {"unsignedCmp"});
}

/// C2 and C3: carried values and results of a loop.
static LogicalResult verifyLoopValues(Operation *op,
                                      Block::BlockArgListType arguments,
                                      OperandRange inits) {
  if (arguments.size() != inits.size())
    return op->emitOpError("mismatch in number of region iterator values and "
                           "loop iterator inits: ")
           << arguments.size() << " vs " << inits.size();
  for (auto [index, argument, init] : llvm::enumerate(arguments, inits)) {
    StringRef fault = describeView(init.getType());
    if (!fault.empty())
      return op->emitOpError("loop-carried value ") << index << " " << fault;
    if (init.getType() != argument.getType())
      return op->emitOpError("init value ")
             << index << " and region iter_value " << index
             << " have different type: " << init.getType()
             << " != " << argument.getType();
  }
  for (OpResult result : op->getResults()) {
    StringRef fault = describeView(result.getType());
    if (!fault.empty())
      return op->emitOpError("result type ")
             << result.getResultNumber() << " " << fault;
  }
  return success();
}

LogicalResult ForOp::verify() {
  // C2
  if (getInitValues().getTypes() != getResultValues().getTypes())
    return emitOpError("failed to verify that all of {initValues, "
                       "resultValues} have same type");
  return success();
}

LogicalResult ForOp::verifyRegions() {
  Block *body = getBody();
  if (body->getNumArguments() == 0) // C1
    return emitOpError(
        "expected at least one block argument for induction variable");
  if (getInductionVar().getType() != getLowerBound().getType())
    return emitOpError("expected induction variable to be same type as bounds "
                       "and step: ")
           << getInductionVar().getType() << " vs "
           << getLowerBound().getType();
  return verifyLoopValues(*this, getRegionIterValues(), getInitValues());
}

//===----------------------------------------------------------------------===//
// LoopOp
//===----------------------------------------------------------------------===//

ParseResult LoopOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  SmallVector<Type> initTypes;
  if (succeeded(parser.parseOptionalKeyword("iter_values"))) {
    if (parser.parseAssignmentList(arguments, inits) || parser.parseColon() ||
        parseShortTypes(parser, initTypes))
      return failure();
    if (inits.size() != initTypes.size())
      return parser.emitError(
          parser.getCurrentLocation(),
          "found different number of iter_values and types");
    if (succeeded(parser.parseOptionalArrow()) &&
        parseShortTypes(parser, result.types))
      return failure();
  } else if (succeeded(parser.parseOptionalColon())) {
    if (parseShortTypes(parser, result.types))
      return failure();
  }
  for (auto [argument, type] : llvm::zip_equal(arguments, initTypes))
    argument.type = type;

  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments) ||
      parser.resolveOperands(inits, initTypes, parser.getNameLoc(),
                             result.operands))
    return failure();
  LoopOp::ensureTerminator(*body, parser.getBuilder(), result.location);
  return parser.parseOptionalAttrDict(result.attributes);
}

void LoopOp::print(OpAsmPrinter &printer) {
  if (!getInitValues().empty()) {
    printIterValues(printer, getRegionIterValues(), getInitValues());
    printer << " : ";
    printShortTypes(printer, getInitValues().getTypes());
    if (!getResultValues().empty())
      printer << " -> ";
  } else if (!getResultValues().empty()) {
    printer << " : ";
  }
  printShortTypes(printer, getResultValues().getTypes());
  printer << ' ';
  printer.printRegion(getRegion(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/!isImplicitContinue(getBody()));
  printer.printOptionalAttrDict((*this)->getAttrs());
}

LogicalResult LoopOp::verifyRegions() {
  return verifyLoopValues(*this, getRegionIterValues(), getInitValues());
}

//===----------------------------------------------------------------------===//
// Terminators
//===----------------------------------------------------------------------===//

/// The loop that `op` ends or continues, with only `if` in between; null after
/// a diagnostic.
template <typename... Loops>
static Operation *findLoop(Operation *op, StringRef expected) {
  Operation *ancestor = op->getParentOp();
  while (isa_and_present<IfOp>(ancestor))
    ancestor = ancestor->getParentOp();
  if (isa_and_present<Loops...>(ancestor))
    return ancestor;
  InFlightDiagnostic diag =
      op->emitOpError("can only be nested within a ancestor chain of ")
      << expected << " operations";
  if (ancestor)
    diag.attachNote(ancestor->getLoc()) << "see unexpected ancestor operation";
  return nullptr;
}

/// Appends `('T', 'T')`.
static InFlightDiagnostic &appendTypes(InFlightDiagnostic &diag,
                                       TypeRange types) {
  diag << "(";
  llvm::interleaveComma(types, diag);
  return diag << ")";
}

LogicalResult BreakOp::verify() {
  Operation *loop =
      findLoop<LoopOp>(*this, "'cuda_tile.loop', 'cuda_tile.if'"); // C1
  if (!loop)
    return failure();
  if (loop->getResultTypes() == getOperandTypes()) // C2
    return success();
  InFlightDiagnostic diag = emitOpError(
      "operand types must correspond to the parent loop result types: ");
  appendTypes(diag, getOperandTypes()) << " vs ";
  return appendTypes(diag, loop->getResultTypes());
}

LogicalResult ContinueOp::verify() {
  Operation *loop = findLoop<ForOp, LoopOp>( // C1
      *this, "'cuda_tile.for', 'cuda_tile.loop', 'cuda_tile.if'");
  if (!loop)
    return failure();
  // C2
  if (auto plainLoop = dyn_cast<LoopOp>(loop)) {
    if (plainLoop.getInitValues().getTypes() == getOperandTypes())
      return success();
    InFlightDiagnostic diag = emitError(
        "`loop` is missing a valid terminator. `continue` op should have "
        "operand types that match the parent loop iter_values: ");
    appendTypes(diag, plainLoop.getInitValues().getTypes()) << ", but found: ";
    return appendTypes(diag, getOperandTypes());
  }
  if (loop->getResultTypes() == getOperandTypes())
    return success();
  InFlightDiagnostic diag = emitError(
      "`for` is missing a valid terminator. `continue` op should have operand "
      "types that match the parent loop return types: ");
  appendTypes(diag, loop->getResultTypes()) << ", but found: ";
  return appendTypes(diag, getOperandTypes());
}

LogicalResult ReturnOp::verify() {
  bool isNewest = followsNewestRelease(getContext());
  // From the newest release on `return` may leave loops, too.
  auto isTransparent = [&](Operation *op) {
    return isa<IfOp>(op) || (isNewest && isa<LoopOp>(op));
  };
  Operation *ancestor = (*this)->getParentOp();
  if (!isa_and_present<EntryOp, TestingFuncOp>(ancestor) &&
      !(ancestor && isTransparent(ancestor)))
    return emitOpError("expects parent op to be one of '")
           << (isNewest ? "cuda_tile.entry, cuda_tile.preview$func, "
                          "cuda_tile.if, cuda_tile.loop"
                        : "cuda_tile.entry, cuda_tile.if, "
                          "cuda_tile.testing$func")
           << "'";
  while (ancestor && isTransparent(ancestor)) // C1
    ancestor = ancestor->getParentOp();
  // C2
  auto function = dyn_cast_if_present<FunctionOpInterface>(ancestor);
  if (!isa_and_present<EntryOp, TestingFuncOp>(ancestor))
    return emitOpError("must be used within a ")
           << (isNewest
                   ? "cuda_tile.entry, cuda_tile.if, or cuda_tile.loop "
                     "operation"
                   : "cuda_tile.testing$func, cuda_tile.entry, or cuda_tile.if "
                     "operation");
  ArrayRef<Type> results = function.getResultTypes();
  if (getNumOperands() != results.size())
    return emitOpError("has ")
           << getNumOperands() << " operands, but enclosing function (@"
           << function.getName() << ") returns " << results.size();
  if (isa<EntryOp>(ancestor) && getNumOperands() != 0)
    return emitOpError("has ")
           << getNumOperands()
           << " operands, but entry function must return 0 operands";
  for (auto [index, operand, result] :
       llvm::enumerate(getOperandTypes(), results))
    if (operand != result)
      return emitError("type of return operand ")
             << index << " (" << operand
             << ") doesn't match function result type (" << result
             << ") in function @" << function.getName();
  return success();
}

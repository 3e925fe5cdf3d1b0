// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsers, printers and verifiers of modules, globals and functions.

#include "dialects/cuda_tile/IR/Directives.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::cuda_tile;

//===----------------------------------------------------------------------===//
// ModuleOp, GlobalOp, GetGlobalOp
//===----------------------------------------------------------------------===//

/// The first location with a scope within `loc`.
static DILocAttr findScopedLoc(Location loc) {
  if (auto scoped = dyn_cast<DILocAttr>(LocationAttr(loc)))
    return scoped;
  if (auto callSite = dyn_cast<CallSiteLoc>(loc))
    return findScopedLoc(callSite.getCaller());
  if (auto name = dyn_cast<NameLoc>(loc))
    return findScopedLoc(name.getChildLoc());
  if (auto opaque = dyn_cast<OpaqueLoc>(loc))
    return findScopedLoc(opaque.getFallbackLocation());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location child : fused.getLocations())
      if (DILocAttr scoped = findScopedLoc(child))
        return scoped;
  return {};
}

/// The function that contains `scope`.
static DISubprogramAttr subprogramOf(DILocalScopeAttr scope) {
  while (auto block = dyn_cast_if_present<DILexicalBlockAttr>(scope))
    scope = block.getScope();
  return dyn_cast_if_present<DISubprogramAttr>(scope);
}

void cuda_tile::ModuleOp::build(OpBuilder &builder, OperationState &state,
                                StringRef name) {
  state.addRegion()->emplaceBlock();
  state.getOrAddProperties<Properties>().setSymName(
      builder.getStringAttr(name));
}

StringRef cuda_tile::ModuleOp::getDefaultDialect() { return "cuda_tile"; }

LogicalResult cuda_tile::ModuleOp::verify() {
  if (getBody().getNumArguments() > 0)
    return emitOpError("region should have no arguments");
  for (Operation &op : getBody().getOps()) {
    if (isa<FunctionOpInterface>(op))
      continue;
    if (DILocAttr scoped = findScopedLoc(op.getLoc())) // C1
      return op.emitOpError("invalid operation debug info scope: ")
             << Attribute(scoped) << ". Global variables must not have scope.";
  }
  return success();
}

LogicalResult GlobalOp::verify() {
  if (!isa<TileType>(Type(getValue().getType())))
    return emitOpError("value must be a tile, but got ")
           << getValue().getType();
  if (getValue().getType().getRank() != 1) // C1
    return emitOpError("type must have rank 1");
  return success();
}

LogicalResult
GetGlobalOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto global =
      symbolTable.lookupNearestSymbolFrom<GlobalOp>(*this, getNameAttr());
  if (!global) // C1
    return emitOpError("'")
           << getName() << "' does not reference a valid global";
  auto pointer =
      cast<PointerType>(cast<TileType>(getResult().getType()).getElementType());
  Type element = global.getValue().getElementType();
  if (pointer.getPointeeType() != element) // C2
    return emitOpError("pointee type of result type ")
           << pointer << " does not match type " << element
           << " of the global @" << getName();
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Parses `-> T` or `-> (T {attrs}, …)`.
static ParseResult parseResults(OpAsmParser &parser,
                                SmallVectorImpl<Type> &types,
                                SmallVectorImpl<Attribute> &attrs) {
  auto parseResult = [&](bool hasAttrs) -> ParseResult {
    NamedAttrList dictionary;
    if (parseShortType(parser, types.emplace_back()) ||
        (hasAttrs && parser.parseOptionalAttrDict(dictionary)))
      return failure();
    attrs.push_back(dictionary.getDictionary(parser.getContext()));
    return success();
  };
  if (failed(parser.parseOptionalLParen()))
    return parseResult(/*hasAttrs=*/false);
  if (succeeded(parser.parseOptionalRParen()))
    return success();
  return failure(parser.parseCommaSeparatedList([&] {
    return parseResult(true);
  }) || parser.parseRParen());
}

ParseResult cuda_tile::parseFunction(OpAsmParser &parser,
                                     OperationState &result, bool hasHints) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> resultTypes;
  SmallVector<Attribute> resultAttrs;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(),
                             result.attributes) ||
      parseArguments(parser, arguments))
    return failure();
  if (succeeded(parser.parseOptionalArrow()) &&
      parseResults(parser, resultTypes, resultAttrs))
    return failure();

  SmallVector<Type> argumentTypes;
  SmallVector<Attribute> argumentAttrs;
  for (const OpAsmParser::Argument &argument : arguments) {
    argumentTypes.push_back(argument.type);
    argumentAttrs.push_back(argument.attrs);
  }
  result.addAttribute("function_type", TypeAttr::get(builder.getFunctionType(
                                           argumentTypes, resultTypes)));
  result.addAttribute("arg_attrs", builder.getArrayAttr(argumentAttrs));
  if (llvm::any_of(resultAttrs, [](Attribute attr) {
        return !cast<DictionaryAttr>(attr).empty();
      }))
    result.addAttribute("res_attrs", builder.getArrayAttr(resultAttrs));

  if (hasHints &&
      succeeded(parser.parseOptionalKeyword("optimization_hints"))) {
    if (parser.parseEqual())
      return failure();
    Attribute hints = OptimizationHintsAttr::parse(parser, Type());
    if (!hints)
      return failure();
    result.addAttribute("optimization_hints", hints);
  }

  // Unnamed arguments have no value; the verifier rejects them.
  bool isNamed = arguments.empty() || !arguments.front().ssaName.name.empty();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, isNamed ? ArrayRef(arguments)
                                        : ArrayRef<OpAsmParser::Argument>()))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  EntryOp::ensureTerminator(*body, builder, result.location);
  return parser.parseOptionalAttrDict(result.attributes);
}

/// Returns whether the printed text of a function may omit its only block.
static bool isImplicitBody(Region &body) {
  return body.empty() || body.front().empty();
}

void cuda_tile::printFunction(OpAsmPrinter &printer, FunctionOpInterface op,
                              OptimizationHintsAttr hints) {
  Region &body = op.getFunctionBody();
  printer << ' ';
  printer.printSymbolName(op.getName());
  printArguments(printer, body, op.getArgAttrsAttr());
  ArrayRef<Type> results = op.getResultTypes();
  if (!results.empty()) {
    ArrayAttr resultAttrs = op.getResAttrsAttr();
    printer << " -> ";
    if (results.size() > 1 || resultAttrs)
      printer << '(';
    llvm::interleaveComma(
        llvm::enumerate(results), printer, [&](auto indexedType) {
          printShortType(static_cast<AsmPrinter &>(printer),
                         indexedType.value());
          if (resultAttrs)
            printer.printOptionalAttrDict(
                cast<DictionaryAttr>(resultAttrs[indexedType.index()])
                    .getValue());
        });
    if (results.size() > 1 || resultAttrs)
      printer << ')';
  }
  if (hints && !hints.getValue().empty()) {
    printer << " optimization_hints=";
    hints.print(printer);
  }
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/true,
                      /*printEmptyBlock=*/!isImplicitBody(body));
  printer.printOptionalAttrDict(op->getAttrs(),
                                {"arg_attrs", "function_type", "sym_name",
                                 "res_attrs", "optimization_hints"});
}

static void buildFunction(OpBuilder &builder, OperationState &state,
                          StringRef name, FunctionType type,
                          ArrayRef<DictionaryAttr> argAttrs,
                          ArrayRef<DictionaryAttr> resAttrs) {
  auto toArray = [&](ArrayRef<DictionaryAttr> attrs) {
    return builder.getArrayAttr(
        SmallVector<Attribute>(attrs.begin(), attrs.end()));
  };
  auto &properties = state.getOrAddProperties<EntryOp::Properties>();
  properties.setSymName(builder.getStringAttr(name));
  properties.setFunctionType(TypeAttr::get(type));
  if (!argAttrs.empty())
    properties.setArgAttrs(toArray(argAttrs));
  if (!resAttrs.empty())
    properties.setResAttrs(toArray(resAttrs));
  properties.setOptimizationHints(OptimizationHintsAttr::get(
      builder.getContext(), builder.getDictionaryAttr({})));
  Block &block = state.addRegion()->emplaceBlock();
  block.addArguments(
      type.getInputs(),
      SmallVector<Location>(type.getNumInputs(), state.location));
}

void EntryOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                    FunctionType type) {
  buildFunction(builder, state, name, type, {}, {});
}

void EntryOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                    FunctionType type, ArrayRef<DictionaryAttr> argAttrs,
                    ArrayRef<DictionaryAttr> resAttrs) {
  buildFunction(builder, state, name, type, argAttrs, resAttrs);
}

StringRef EntryOp::getDefaultDialect() { return "cuda_tile"; }

ParseResult EntryOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunction(parser, result, /*hasHints=*/true);
}

void EntryOp::print(OpAsmPrinter &printer) {
  printFunction(printer, *this, getOptimizationHintsAttr());
}

/// Verifies the location of a kernel.
static LogicalResult verifyKernelLoc(EntryOp op) {
  Location loc = op.getLoc();
  if (isa<CallSiteLoc>(loc))
    return op.emitOpError("invalid function debug info location: ")
           << Attribute(LocationAttr(loc))
           << ". Function location must not be a CallSiteLoc.";
  DILocAttr scoped = findScopedLoc(loc);
  if (!scoped)
    return success();
  auto subprogram = dyn_cast<DISubprogramAttr>(scoped.getScope());
  if (!subprogram)
    return op.emitOpError("invalid function debug info scope: ")
           << Attribute(scoped.getScope())
           << ". Function location must have cuda_tile.di_subprogram debug "
              "info scope.";
  if (subprogram.getLinkageName() != op.getSymName())
    return op.emitOpError("invalid function debug info scope: ")
           << Attribute(subprogram) << ". Function name \"" << op.getSymName()
           << "\" does not match subprogram scope linkage name "
           << subprogram.getLinkageName() << ".";
  return success();
}

LogicalResult EntryOp::verify() {
  if (!getResultTypes().empty()) // C1
    return emitOpError("entry op must not return values");
  for (Type type : getArgumentTypes()) {
    auto tile = dyn_cast<TileType>(type);
    if (tile && tile.getRank() > 0) // C2
      return emitOpError("entry op must have scalar types (rank 0 "
                         "!cuda_tile.tile)");
  }
  if (failed(verifyKernelLoc(*this))) // C3
    return failure();
  if (OptimizationHintsAttr hints = getOptimizationHintsAttr())
    return hints.verifyWithOp(
        *this, {"num_cta_in_cga", "num_worker_warps_per_cta", "occupancy"});
  return success();
}

LogicalResult EntryOp::verifyRegions() {
  DILocAttr kernelLoc = findScopedLoc(getLoc());
  DISubprogramAttr kernelScope =
      kernelLoc ? subprogramOf(kernelLoc.getScope()) : DISubprogramAttr();
  // Most operations have the location of the previous one.
  Location lastLoc = getLoc();
  WalkResult result = walk([&](Operation *op) { // C3
    if (op->getLoc() == lastLoc)
      return WalkResult::advance();
    lastLoc = op->getLoc();
    DILocAttr scoped = findScopedLoc(lastLoc);
    if (!scoped)
      return WalkResult::advance();
    DISubprogramAttr scope = subprogramOf(scoped.getScope());
    if (!kernelScope) {
      op->emitOpError("invalid operation debug info scope: ")
          << Attribute(scope)
          << ". Operation has debug info scope, but function debug info scope "
             "is undefined.";
      return WalkResult::interrupt();
    }
    if (scope != kernelScope) {
      op->emitError("invalid operation debug info scope: ")
          << Attribute(scope)
          << ". Operation debug info scope does not match function debug info "
             "scope: "
          << Attribute(kernelScope) << ".";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

StringRef TestingFuncOp::getDefaultDialect() { return "cuda_tile"; }

ParseResult TestingFuncOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunction(parser, result, /*hasHints=*/false);
}

void TestingFuncOp::print(OpAsmPrinter &printer) {
  printFunction(printer, *this, OptimizationHintsAttr());
}

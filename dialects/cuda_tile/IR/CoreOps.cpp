// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles, modules, kernels, globals, reductions and the miscellaneous
// operations.

#include "dialects/cuda_tile/IR/Directives.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::cuda_tile;

static TileType tileTypeOf(Value tile) {
  return cast<TileType>(tile.getType());
}

//===----------------------------------------------------------------------===//
// ConstantOp, IotaOp
//===----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

/// Name of a splat: `cst_<value>_<type>` where the value is short enough.
static void nameSplat(Attribute value, Type element, raw_ostream &os) {
  os << "cst_";
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    integer.getValue().print(os, /*isSigned=*/true);
    os << '_';
  } else if (auto number = dyn_cast<FloatAttr>(value)) {
    APFloat f = number.getValue();
    llvm::APSInt integer(64, /*isUnsigned=*/true);
    bool isExact = false;
    if (f.isNaN())
      os << "NaN_";
    else if (f.convertToInteger(integer, llvm::APFloat::rmTowardZero,
                                &isExact) == llvm::APFloat::opOK &&
             isExact)
      os << integer << '_';
  }
  os << element;
}

void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  DenseIntOrFPElementsAttr value = getValue();
  Type element = value.getElementType();
  bool isSingle = value.isSplat() || value.getNumElements() == 1;
  llvm::SmallString<32> name;
  llvm::raw_svector_ostream os(name);
  if (element.isInteger(1)) {
    if (!isSingle)
      os << "cst_i1";
    else
      os << ((*value.value_begin<APInt>()).isZero() ? "false" : "true");
  } else if (isSingle && !isa<FloatNV8E5M3FNUType>(element)) {
    nameSplat(*value.value_begin<Attribute>(), element, os);
  } else if (isa<FloatNV8E5M3FNUType>(element)) {
    os << "cst_" << FloatNV8E5M3FNUType::getMnemonic();
  } else {
    os << "cst_" << element;
  }
  setName(getResult(), name);
}

LogicalResult IotaOp::verify() {
  auto type = tileTypeOf(getResult());
  if (type.getRank() != 1) // C1
    return emitOpError("expects result type to be 1-d tile");
  unsigned width = type.getElementType().getIntOrFloatBitWidth();
  int64_t size = type.getDimSize(0);
  if (width < 64 && size > (int64_t(1) << width)) // C2
    return emitOpError("the number of elements ")
           << size << " exceeds the maximum value of element type "
           << type.getElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  TileType source = tileTypeOf(getSource()), result = tileTypeOf(getResult());
  for (auto [from, to] : llvm::zip_equal(source.getShape(), result.getShape()))
    if (from != 1 && from != to) // C1
      return emitOpError("expects the shape of source tile to be compatible "
                         "with that of the result tile, but got: ")
             << source << " and " << result;
  return success();
}

LogicalResult ReshapeOp::verify() {
  if (tileTypeOf(getSource()).getNumElements() !=
      tileTypeOf(getResult()).getNumElements()) // C1
    return emitOpError("expected source tile and result tile to have the same "
                       "number of elements");
  return success();
}

LogicalResult PermuteOp::verify() {
  TileType source = tileTypeOf(getSource()), result = tileTypeOf(getResult());
  ArrayRef<int32_t> permutation = getPermutation();
  int64_t rank = source.getRank();
  if (rank < 2) // C1
    return emitOpError("expects at least rank 2, but got: ") << rank;
  // C2
  if (static_cast<int64_t>(permutation.size()) != rank)
    return emitOpError("expect permutation size (")
           << permutation.size() << ") to equal the rank of the source ("
           << rank << ")";
  SmallVector<int32_t> sorted(permutation);
  llvm::sort(sorted);
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    return emitOpError("expect permutation elements to be unique");
  for (auto [index, dim] : llvm::enumerate(permutation))
    if (dim < 0 || dim >= rank)
      return emitOpError("permutation element at index ")
             << index << " (" << dim << ") is out of bound [0, " << rank << ")";
  // C3
  for (auto [index, dim] : llvm::enumerate(permutation))
    if (result.getDimSize(index) != source.getDimSize(dim))
      return emitOpError("result shape invalid at index ")
             << index << ", expected: " << source.getDimSize(dim)
             << ", but got: " << result.getDimSize(index);
  return success();
}

LogicalResult CatOp::verify() {
  TileType lhs = tileTypeOf(getLhs()), rhs = tileTypeOf(getRhs()),
           result = tileTypeOf(getResult());
  int64_t dim = getDim();
  if (dim < 0 || dim >= lhs.getRank()) // C1
    return emitOpError("expect dim to be [0, ")
           << lhs.getRank() << "), but got: " << dim;
  // C2
  int64_t sum = lhs.getDimSize(dim) + rhs.getDimSize(dim);
  if (result.getDimSize(dim) != sum)
    return emitOpError("invalid concat at position ")
           << dim << ", expected: " << sum
           << " but got: " << result.getDimSize(dim);
  for (int64_t i = 0; i < lhs.getRank(); ++i) {
    if (i == dim)
      continue;
    if (lhs.getDimSize(i) != rhs.getDimSize(i))
      return emitOpError(
                 "expect lhs and rhs shapes to match at non-concat position ")
             << i << ", expected: " << lhs.getDimSize(i)
             << " but got: " << rhs.getDimSize(i);
    if (lhs.getDimSize(i) != result.getDimSize(i))
      return emitOpError("expect lhs and result shapes to match at non-concat "
                         "position ")
             << i << ", expected: " << lhs.getDimSize(i)
             << " but got: " << result.getDimSize(i);
  }
  return success();
}

/// Warns about a constant index that is certainly outside.
static void warnAboutIndex(ExtractOp op, unsigned position, int64_t max) {
  DenseIntElementsAttr constant;
  if (!matchPattern(op.getIndices()[position], m_Constant(&constant)) ||
      !constant.isSplat())
    return;
  int64_t value = constant.getSplatValue<APInt>().getSExtValue();
  // Not `op.emitWarning`: it may print the operation, which verifies it first.
  if (value < 0)
    emitWarning(op.getLoc(), "extract index ")
        << position << " has negative value " << value
        << ", which may cause undefined behavior";
  else if (value > max)
    emitWarning(op.getLoc(), "extract index ")
        << position << " value " << value
        << " may be out of bounds (max valid index: " << max << ")";
}

LogicalResult ExtractOp::verify() {
  TileType source = tileTypeOf(getSource()), result = tileTypeOf(getResult());
  if (source.getElementType() != result.getElementType()) // C1
    return emitOpError("source and result element type do not match");
  if (source.getRank() != result.getRank())
    return emitOpError("source and result must have the same rank");
  for (int64_t i = 0; i < source.getRank(); ++i)
    if (source.getDimSize(i) % result.getDimSize(i) != 0) // C2
      return emitOpError("source dimension ")
             << i << " size (" << source.getDimSize(i)
             << ") must be evenly divisible by result dimension " << i
             << " size (" << result.getDimSize(i) << ")";
  if (static_cast<int64_t>(getIndices().size()) != source.getRank()) // C3
    return emitOpError("expected ")
           << source.getRank() << " indices, but got " << getIndices().size();
  for (int64_t i = 0; i < source.getRank(); ++i)
    warnAboutIndex(*this, i, source.getDimSize(i) / result.getDimSize(i) - 1);
  return success();
}

LogicalResult InsertOp::verify() {
  TileType source = tileTypeOf(getSource()), result = tileTypeOf(getResult());
  if (source.getElementType() != result.getElementType()) // C1
    return emitOpError("source and result element type do not match");
  if (source.getRank() != result.getRank())
    return emitOpError("source and result must have the same rank");
  for (int64_t i = 0; i < source.getRank(); ++i)
    if (result.getDimSize(i) % source.getDimSize(i) != 0) // C2
      return emitOpError("result dimension ")
             << i << " size (" << result.getDimSize(i)
             << ") must be evenly divisible by source dimension " << i
             << " size (" << source.getDimSize(i) << ")";
  if (static_cast<int64_t>(getIndices().size()) != source.getRank()) // C3
    return emitOpError("expected ")
           << source.getRank() << " indices, but got " << getIndices().size();
  return success();
}

/// Bits of an element as `pack` counts them.
static int64_t packedWidth(Type type) {
  return isa<FloatTF32Type>(type) ? 32 : type.getIntOrFloatBitWidth();
}

static LogicalResult verifyPacking(Operation *op, TileType source,
                                   TileType result) {
  if (source.getRank() != 1 || result.getRank() != 1) // C1
    return op->emitOpError("expects source and result to be rank-1 tiles");
  int64_t sourceWidth = packedWidth(source.getElementType());
  int64_t resultWidth = packedWidth(result.getElementType());
  if (sourceWidth == resultWidth) // C2
    return op->emitOpError(
        "expects source and result to have different element type widths");
  int64_t sourceBits = source.getNumElements() * sourceWidth;
  int64_t resultBits = result.getNumElements() * resultWidth;
  // C3
  if (sourceBits % 8 != 0)
    return op->emitOpError("expects source tile to be byte-aligned");
  if (resultBits % 8 != 0)
    return op->emitOpError("expects result tile to be byte-aligned");
  if (sourceBits != resultBits)
    return op->emitOpError("expects source and result to have the same size in "
                           "bytes, but got source tile size ")
           << sourceBits / 8 << " bytes and result tile size " << resultBits / 8
           << " bytes";
  return success();
}

LogicalResult PackOp::verify() {
  return verifyPacking(*this, tileTypeOf(getSource()), tileTypeOf(getResult()));
}

LogicalResult UnpackOp::verify() {
  return verifyPacking(*this, tileTypeOf(getSource()), tileTypeOf(getResult()));
}

LogicalResult SelectOp::verify() {
  if (isa<Float4E2M1FNType>(tileTypeOf(getResult()).getElementType())) // C1
    return emitOpError("cannot operate on sub-byte type F4E2M1FN");
  return success();
}

//===----------------------------------------------------------------------===//
// Names of results
//===----------------------------------------------------------------------===//

void BroadcastOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "bcast");
}

void ReshapeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "reshape");
}

void GetTileBlockIdOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getBlockIdX(), "blockId_x");
  setName(getBlockIdY(), "blockId_y");
  setName(getBlockIdZ(), "blockId_z");
}

void GetNumTileBlocksOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getGridSizeX(), "gridSize_x");
  setName(getGridSizeY(), "gridSize_y");
  setName(getGridSizeZ(), "gridSize_z");
}

//===----------------------------------------------------------------------===//
// ModuleOp, GlobalOp, GetGlobalOp
//===----------------------------------------------------------------------===//

/// The first location with a scope that `loc` leads to.
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

/// The function that `scope` lies in.
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
  Type pointee = cast<PointerType>(tileTypeOf(getResult()).getElementType())
                     .getPointeeType();
  Type element = global.getValue().getElementType();
  if (pointee != element) // C2
    return emitOpError("pointee type of result type ")
           << pointee << " does not match type " << element
           << " of the global @" << getName();
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// `-> T` or `-> (T {attrs}, …)`.
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
      parseArguments(parser, arguments, /*allowUnnamed=*/true))
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

  // Unnamed arguments have values too, which nothing can refer to.
  bool isNamed = arguments.empty() || !arguments.front().ssaName.name.empty();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, isNamed ? ArrayRef(arguments)
                                        : ArrayRef<OpAsmParser::Argument>()))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  if (body->getNumArguments() == 0)
    for (const OpAsmParser::Argument &argument : arguments)
      body->addArgument(argument.type,
                        argument.sourceLoc.value_or(result.location));
  EntryOp::ensureTerminator(*body, builder, result.location);
  return parser.parseOptionalAttrDict(result.attributes);
}

/// Whether the printed form of a function may leave out its only block.
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

/// What the location of a kernel may be.
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
  // Most operations have the location of the one before.
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

//===----------------------------------------------------------------------===//
// ReduceOp, ScanOp
//===----------------------------------------------------------------------===//

StringRef ReduceOp::getDefaultDialect() { return "cuda_tile"; }
StringRef ScanOp::getDefaultDialect() { return "cuda_tile"; }

void ReduceOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (!getResults().empty())
    setName(getResults().front(), "reduce");
}

void ReduceOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  if (region.empty())
    return;
  bool isNumbered = region.getNumArguments() > 2;
  for (BlockArgument arg : region.getArguments()) {
    unsigned number = arg.getArgNumber();
    std::string name = number % 2 == 0 ? "reduce_lhs" : "reduce_rhs";
    if (isNumbered)
      name += std::to_string(number / 2);
    setName(arg, name);
  }
}

LogicalResult ReduceOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  if (operands.empty() || !adaptor.getDimAttr())
    return failure();
  for (Value operand : operands) {
    auto tile = dyn_cast<TileType>(operand.getType());
    if (!tile)
      return failure();
    SmallVector<int64_t> shape(tile.getShape());
    // The verifier reports a dimension that does not exist.
    if (adaptor.getDim() < shape.size())
      shape.erase(shape.begin() + adaptor.getDim());
    types.push_back(TileType::get(shape, tile.getElementType()));
  }
  return success();
}

LogicalResult
ScanOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                         ValueRange operands, DictionaryAttr attributes,
                         OpaqueProperties properties, RegionRange regions,
                         SmallVectorImpl<Type> &types) {
  if (operands.empty())
    return failure();
  llvm::append_range(types, operands.getTypes());
  return success();
}

/// Producers give f16 identities to bf16 operands and the other way round.
static bool isCompatibleIdentity(Type element, Type identity) {
  return element == identity || (isa<Float16Type, BFloat16Type>(element) &&
                                 isa<Float16Type, BFloat16Type>(identity));
}

template <typename OpTy> static LogicalResult verifyAggregate(OpTy op) {
  OperandRange operands = op.getOperands();
  if (operands.empty())
    return op.emitOpError("failed to infer returned types");
  if (!llvm::all_equal(llvm::map_range(operands, [](Value operand) {
        return cast<TileType>(operand.getType()).getShape();
      })))
    return op.emitOpError("requires the same shape for all operands");
  if (operands.size() != op.getResults().size())
    return op.emitOpError("expect same number of operands and results");
  // C1
  ArrayAttr identities = op.getIdentities();
  if (identities.size() != operands.size())
    return op.emitOpError(
               "expect identities to match the number of operands but got: ")
           << operands.size() << " operands and " << identities.size()
           << " identities";
  for (auto [index, operand] : llvm::enumerate(operands)) {
    TileType tile = tileTypeOf(operand);
    auto identity = dyn_cast<TypedAttr>(identities[index]);
    Type identityType =
        identity ? identity.getType() : NoneType::get(op.getContext());
    if (!isCompatibleIdentity(tile.getElementType(), identityType))
      return op.emitOpError("expect same type for operand at index: ")
             << index << " and identity at index: " << index
             << " but got: " << tile.getElementType() << " and "
             << identityType;
  }
  // C2
  auto first = cast<TileType>(operands.front().getType());
  if (op.getDim() >= first.getRank())
    return op.emitOpError("dimension (")
           << op.getDim() << ") is out of bound [0, " << first.getRank() << ")";
  return success();
}

LogicalResult ReduceOp::verify() { return verifyAggregate(*this); }

LogicalResult ScanOp::verify() {
  if (failed(verifyAggregate(*this)))
    return failure();
  for (auto [index, operand, result] :
       llvm::enumerate(getOperands(), getResults()))
    if (operand.getType() != result.getType()) // C5
      return emitOpError("expect same type for operand at index: ")
             << index << " and result at index: " << index;
  return success();
}

/// C3: the block's arguments and what it yields.
template <typename OpTy> static LogicalResult verifyAggregateBlock(OpTy op) {
  Block &block = op.getBody().front();
  OperandRange operands = op.getOperands();
  if (block.empty())
    return op.emitOpError("expect non-empty block");
  if (block.getNumArguments() != 2 * operands.size())
    return op.emitOpError("expect ")
           << 2 * operands.size()
           << " block arguments but got: " << block.getNumArguments();
  for (BlockArgument arg : block.getArguments()) {
    auto tile = dyn_cast<TileType>(arg.getType());
    if (!tile || tile.getRank() != 0)
      return op.emitOpError("expect 0-rank tile type at index: ")
             << arg.getArgNumber() << " but got: " << arg.getType();
  }
  auto argElement = [&](unsigned number) {
    return tileTypeOf(block.getArgument(number)).getElementType();
  };
  for (unsigned i = 0; i < block.getNumArguments(); i += 2)
    if (argElement(i) != argElement(i + 1))
      return op.emitOpError(
                 "expect same element type for block argument at index: ")
             << i << " and " << i + 1 << " but got: " << argElement(i)
             << " and " << argElement(i + 1);
  for (auto [index, operand] : llvm::enumerate(operands)) {
    Type element = tileTypeOf(operand).getElementType();
    if (element != argElement(2 * index))
      return op.emitOpError("expect same type for operand at index: ")
             << index << " and block argument at index: " << 2 * index
             << " but got: " << element << " and " << argElement(2 * index);
  }
  Operation *terminator = block.getTerminator();
  if (terminator->getNumOperands() != operands.size())
    return op.emitOpError("expect number of terminators operands (")
           << terminator->getNumOperands() << ") to match number of operands ("
           << operands.size() << ")";
  for (auto [index, operand] : llvm::enumerate(operands)) {
    Type expected = TileType::get({}, tileTypeOf(operand).getElementType());
    Type actual = terminator->getOperand(index).getType();
    if (expected != actual)
      return op.emitOpError("expect same type for operand at index: ")
             << index << " and terminator argument at index: " << index
             << " but got: " << expected << " and " << actual;
  }
  return success();
}

template <typename OpTy> static LogicalResult verifyAggregateBody(OpTy op) {
  if (failed(verifyAggregateBlock(op)))
    return failure();
  for (Operation &nested : op.getBody().front().without_terminator())
    if (!isPure(&nested)) // C4
      return nested.emitOpError("only pure operations are allowed inside '")
             << op->getName() << "'";
  return success();
}

LogicalResult ReduceOp::verifyRegions() { return verifyAggregateBody(*this); }
LogicalResult ScanOp::verifyRegions() { return verifyAggregateBody(*this); }

//===----------------------------------------------------------------------===//
// AssumeOp, PrintTkoOp
//===----------------------------------------------------------------------===//

OpFoldResult AssumeOp::fold(FoldAdaptor) {
  auto inner = getValue().getDefiningOp<AssumeOp>();
  if (inner && inner.getPredicate() == getPredicate())
    return getValue();
  return {};
}

void AssumeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  std::string name = "assume";
  if (auto asmOp = getValue().getDefiningOp<OpAsmOpInterface>()) {
    std::string inner;
    asmOp.getAsmResultNames([&](Value value, StringRef hint) {
      if (value == getValue())
        inner = hint.str();
    });
    if (!inner.empty())
      name += "_" + inner;
  }
  setName(getResult(), name);
}

LogicalResult AssumeOp::verify() {
  return getPredicate().verifyWithAssumeOp(*this); // C1
}

/// Counts the arguments that a format string asks for; nothing if it ends
/// inside of a format.
static std::optional<unsigned> countFormats(StringRef text) {
  unsigned count = 0;
  for (size_t at = text.find('%'); at != StringRef::npos;
       at = text.find('%', at)) {
    size_t end = text.find_first_of("diuoxXeEfFgGaAcsSpn%", at + 1);
    if (end == StringRef::npos)
      return std::nullopt;
    if (end == at + 1 && text[end] == '%') {
      at += 2;
      continue;
    }
    ++count;
    ++at;
  }
  return count;
}

LogicalResult PrintTkoOp::verify() {
  std::optional<unsigned> expected = countFormats(getStr()); // C1
  if (!expected)
    return emitOpError("found unterminated format expression");
  if (*expected != getArgs().size())
    return emitOpError("incorrect number of operands: expected ")
           << *expected << ", found " << getArgs().size();
  return success();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/support/Target.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::cuda_tile;

#include "dialects/cuda_tile/Enums.cpp.inc"

#include "dialects/cuda_tile/AttrInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/cuda_tile/Attrs.cpp.inc"

void CudaTileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/cuda_tile/Attrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Debug information
//===----------------------------------------------------------------------===//

bool DINodeAttr::classof(Attribute attr) {
  return isa<DICompileUnitAttr, DIFileAttr, DILexicalBlockAttr,
             DISubprogramAttr>(attr);
}

bool DIScopeAttr::classof(Attribute attr) {
  return isa<DICompileUnitAttr, DIFileAttr, DILocalScopeAttr>(attr);
}

bool DILocalScopeAttr::classof(Attribute attr) {
  return isa<DILexicalBlockAttr, DISubprogramAttr>(attr);
}

//===----------------------------------------------------------------------===//
// DivByAttr
//===----------------------------------------------------------------------===//

Attribute DivByAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  uint64_t divisor = 0;
  if (parser.parseInteger(divisor)) {
    parser.emitError(parser.getCurrentLocation(),
                     "failed to parse parameter 'divisor' which is "
                     "expected to be an integer");
    return {};
  }
  std::optional<int64_t> every, along;
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("every") || parser.parseInteger(every.emplace()) ||
        parser.parseKeyword("along") || parser.parseInteger(along.emplace()))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<DivByAttr>(loc, parser.getContext(), divisor, every,
                                      along);
}

void DivByAttr::print(AsmPrinter &printer) const {
  printer << '<' << getDivisor();
  if (getEvery() || getAlong())
    printer << ',';
  if (getEvery())
    printer << " every " << *getEvery();
  if (getAlong())
    printer << " along " << *getAlong();
  printer << '>';
}

LogicalResult DivByAttr::verifyWithAssumeOp(Operation *op) const {
  auto emitError = [&] { return op->emitOpError(); };
  const char *name = "'cuda_tile.div_by' ";
  if (!llvm::isPowerOf2_64(getDivisor()))
    return emitError() << name << "divisor must be a power of 2";
  if (getEvery().has_value() != getAlong().has_value())
    return emitError() << name << "'every'/'along' must be used in combination";
  if (getDivisor() > (uint64_t(1) << 62))
    return emitError() << name << "divisor is too large";
  Type type = op->getOperand(0).getType();
  if (isa<TensorViewType>(type)) {
    if (getEvery())
      return emitError() << name
                         << "'every'/'along' cannot be used if the "
                            "constrained value is a tensor_view";
    return success();
  }
  auto tile = dyn_cast<TileType>(type);
  const char *validFor =
      "is valid only for tile of integer/pointer or tensor_view values";
  if (!tile)
    return emitError() << name << validFor;
  if (tile.getRank() == 0 && getEvery())
    return emitError() << name
                       << "'every'/'along' cannot be used if the constrained "
                          "value is a 0D tile";
  if (!isa<IntegerType, PointerType>(tile.getElementType()))
    return emitError() << name << validFor;
  if (!getEvery())
    return success();
  if (*getAlong() < 0 || *getAlong() >= tile.getRank())
    return emitError() << name << "every_dim (" << *getAlong()
                       << ") must be >= 0 and < tile rank (" << tile.getRank()
                       << ")";
  int64_t size = tile.getDimSize(*getAlong());
  if (*getEvery() < 0 || *getEvery() > size)
    return emitError() << "expected " << name
                       << "every_dim to be within 0 and the size of the "
                          "respective dimension ("
                       << size << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// SameElementsAttr
//===----------------------------------------------------------------------===//

Attribute SameElementsAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  Attribute values = DenseI64ArrayAttr::parse(parser, Type());
  if (!values) {
    parser.emitError(parser.getCurrentLocation(),
                     "failed to parse CudaTile_SameElementsAttr parameter "
                     "'values' which is to be a `DenseI64ArrayAttr`");
    return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<SameElementsAttr>(loc, parser.getContext(),
                                             cast<DenseI64ArrayAttr>(values));
}

void SameElementsAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getValues().asArrayRef(), printer);
  printer << "]>";
}

LogicalResult SameElementsAttr::verifyWithAssumeOp(Operation *op) const {
  auto tile = dyn_cast<TileType>(op->getOperand(0).getType());
  if (!tile || !isa<IntegerType, PointerType>(tile.getElementType()))
    return op->emitOpError("'cuda_tile.same_elements' is valid only for tile "
                           "of integer/pointer values");
  if (getValues().size() != tile.getRank())
    return op->emitOpError("expected number of values in "
                           "'cuda_tile.same_elements' (")
           << getValues().size() << ") to match rank of constrained tile ("
           << tile.getRank() << ")";
  for (auto [index, value] : llvm::enumerate(getValues().asArrayRef()))
    if (value < 0 || value > tile.getDimSize(index))
      return op->emitOpError("expected 'cuda_tile.same_elements' value ")
             << index
             << " to be within 0 and the size of the respective dimension ("
             << tile.getDimSize(index) << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// BoundedAttr
//===----------------------------------------------------------------------===//

static ParseResult parseBound(AsmParser &parser, StringRef name,
                              std::optional<int64_t> &bound) {
  int64_t value = 0;
  OptionalParseResult integer = parser.parseOptionalInteger(value);
  if (!integer.has_value())
    return parser.parseQuestion();
  if (failed(*integer))
    return parser.emitError(parser.getCurrentLocation(),
                            "failed to parse CudaTile_BoundedAttr parameter '")
           << name << "' which is to be a `std::optional<int64_t>`";
  bound = value;
  return success();
}

Attribute BoundedAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  std::optional<int64_t> lb, ub;
  if (parser.parseLess() || parseBound(parser, "lb", lb) ||
      parser.parseComma() || parseBound(parser, "ub", ub) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<BoundedAttr>(loc, parser.getContext(), lb, ub);
}

void BoundedAttr::print(AsmPrinter &printer) const {
  auto printBound = [&](std::optional<int64_t> bound) {
    if (bound)
      printer << *bound;
    else
      printer << '?';
  };
  printer << '<';
  printBound(getLb());
  printer << ", ";
  printBound(getUb());
  printer << '>';
}

LogicalResult BoundedAttr::verifyWithAssumeOp(Operation *op) const {
  auto tile = dyn_cast<TileType>(op->getOperand(0).getType());
  if (!tile || !isa<IntegerType>(tile.getElementType()))
    return op->emitOpError(
        "'cuda_tile.bounded' is valid only for tile of integer values");
  unsigned width = tile.getElementType().getIntOrFloatBitWidth();
  int64_t min = llvm::minIntN(width), max = llvm::maxIntN(width);
  auto isOutside = [&](std::optional<int64_t> bound) {
    return bound && (*bound < min || *bound > max);
  };
  if (isOutside(getLb()))
    return op->emitOpError(
               "'cuda_tile.bounded' expects lower bound to be within [")
           << min << ", " << max << "]";
  if (isOutside(getUb()))
    return op->emitOpError(
               "'cuda_tile.bounded' expects upper bound to be within [")
           << min << ", " << max << "]";
  if (getLb() && getUb() && *getLb() > *getUb())
    return op->emitOpError("'cuda_tile.bounded' expects lower bound to be less "
                           "than or equal to upper bound");
  return success();
}

//===----------------------------------------------------------------------===//
// OptimizationHintsAttr
//===----------------------------------------------------------------------===//

static constexpr StringRef kDefaultArch = "default";

/// Returns whether hints may name `arch`: a target without a suffix.
static bool isKnownArch(StringRef arch) {
  std::optional<tileir::Target> target = tileir::Target::parse(arch);
  return arch == kDefaultArch ||
         (target && target->suffix() == tileir::ArchSuffix::None &&
          target->supportedForTileLowering());
}

static bool isWithoutClusters(StringRef arch) {
  std::optional<tileir::Target> target = tileir::Target::parse(arch);
  return target && target->clusterMax() == 1;
}

/// Returns the fault of `key = value` in the entry `arch`; empty for a legal
/// hint.
static std::string checkHint(StringRef arch, StringRef key, Attribute value) {
  auto in = [&](Twine text) { return (text + arch + "." + key).str(); };
  if (key == "allow_tma")
    return isa<BoolAttr>(value) ? "" : in("boolean value expected for ");
  if (!llvm::is_contained({"num_cta_in_cga", "num_worker_warps_per_cta",
                           "occupancy", "latency"},
                          key))
    return ("unknown param " + key + " for " + arch).str();
  auto integer = dyn_cast<IntegerAttr>(value);
  if (!integer || isa<BoolAttr>(value))
    return in("integer value expected for ");
  // A number that does not fit in 64 bits is out of every range.
  int64_t number = integer.getValue().trySExtValue().value_or(-1);
  auto isPowerOf2UpTo = [&](int64_t limit) {
    return number > 0 && number <= limit && llvm::isPowerOf2_64(number);
  };
  if (key == "num_cta_in_cga") {
    if (isWithoutClusters(arch) && number != 1)
      return in("expected 1 for ");
    if (!isPowerOf2UpTo(16))
      return in("expected power-of-two ≤ 16 for ");
    return "";
  }
  if (key == "num_worker_warps_per_cta")
    return isPowerOf2UpTo(32) ? "" : in("expected power-of-two ≤ 32 for ");
  int64_t limit = key == "latency" ? 10 : 32;
  if (number < 1 || number > limit)
    return in("integer value in the range [1, " + Twine(limit) +
              "] is expected for ");
  return "";
}

/// The hint `key` for target `sm`; null where it is absent or illegal.
static Attribute lookupHint(OptimizationHintsAttr hints, StringRef sm,
                            StringRef key) {
  for (StringRef arch : {sm, kDefaultArch}) {
    auto entry = hints.getValue().getAs<DictionaryAttr>(arch);
    Attribute value = entry ? entry.get(key) : Attribute();
    if (value)
      return checkHint(sm, key, value).empty() ? value : Attribute();
  }
  return {};
}

static std::optional<int> lookupIntHint(OptimizationHintsAttr hints,
                                        StringRef sm, StringRef key) {
  if (auto value = dyn_cast_if_present<IntegerAttr>(lookupHint(hints, sm, key)))
    return value.getValue().getSExtValue();
  return std::nullopt;
}

std::optional<int> OptimizationHintsAttr::getNumCTAInCGA(StringRef sm) const {
  return lookupIntHint(*this, sm, "num_cta_in_cga");
}

std::optional<int>
OptimizationHintsAttr::getNumWorkerWarpsPerCTA(StringRef sm) const {
  std::optional<int> value =
      lookupIntHint(*this, sm, "num_worker_warps_per_cta");
  if (value)
    value = std::clamp(*value, 4, 8);
  return value;
}

std::optional<bool> OptimizationHintsAttr::getAllowTMA(StringRef sm) const {
  if (auto value =
          dyn_cast_if_present<BoolAttr>(lookupHint(*this, sm, "allow_tma")))
    return value.getValue();
  return std::nullopt;
}

std::optional<int> OptimizationHintsAttr::getLatency(StringRef sm) const {
  return lookupIntHint(*this, sm, "latency");
}

std::optional<int> OptimizationHintsAttr::getOccupancy(StringRef sm) const {
  return lookupIntHint(*this, sm, "occupancy");
}

LogicalResult
OptimizationHintsAttr::verifyWithOp(Operation *op,
                                    ArrayRef<StringRef> allowedKeys) const {
  auto *dialect = op->getContext()->getLoadedDialect<CudaTileDialect>();
  if (!dialect || !dialect->getWarnUnsupportedHints())
    return success();
  bool clean = true;
  auto warn = [&](Twine text) {
    emitWarning(op->getLoc(), text);
    clean = false;
  };
  for (NamedAttribute entry : getValue()) {
    StringRef arch = entry.getName();
    if (!isKnownArch(arch)) {
      warn("unknown hint key " + arch);
      continue;
    }
    for (NamedAttribute hint : cast<DictionaryAttr>(entry.getValue())) {
      StringRef key = hint.getName();
      if (!allowedKeys.empty() && !llvm::is_contained(allowedKeys, key)) {
        warn(key + " is not known hint for current Operation");
        continue;
      }
      std::string fault = checkHint(arch, key, hint.getValue());
      if (!fault.empty())
        warn(fault);
    }
  }
  if (!clean && dialect->getErrorOnHints())
    return op->emitOpError("Optimization hints verification failed");
  return success();
}

LogicalResult OptimizationHintsAttr::verify(
    llvm::function_ref<InFlightDiagnostic()> emitError, DictionaryAttr value) {
  if (!value)
    return success();
  for (NamedAttribute entry : value)
    if (!isa<DictionaryAttr>(entry.getValue()))
      return emitError()
             << "expected dictionary attribute for optimization_hints entry `"
             << entry.getName().getValue()
             << "` got value=" << entry.getValue();
  return success();
}

Attribute OptimizationHintsAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  NamedAttrList entries;
  auto parseEntry = [&]() -> ParseResult {
    std::string key;
    Attribute value;
    if (parser.parseKeywordOrString(&key) || parser.parseEqual() ||
        parser.parseAttribute(value))
      return failure();
    SMLoc endLoc = parser.getCurrentLocation();
    if (entries.get(key))
      return parser.emitError(endLoc, "duplicate optimization_hints key `")
             << key << "`";
    if (!isa<DictionaryAttr>(value))
      return parser.emitError(endLoc, "expected dictionary attribute for "
                                      "optimization_hints entry `")
             << key << "` got value=" << value;
    entries.append(key, value);
    return success();
  };
  // The list parser with this delimiter continues after a missing `<`.
  if (parser.parseLess())
    return {};
  if (failed(parser.parseOptionalGreater()) &&
      (parser.parseCommaSeparatedList(parseEntry) || parser.parseGreater()))
    return {};
  return parser.getChecked<OptimizationHintsAttr>(
      loc, parser.getContext(), entries.getDictionary(parser.getContext()));
}

void OptimizationHintsAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getValue(), printer, [&](NamedAttribute entry) {
    printer.printKeywordOrString(entry.getName());
    printer << " = {";
    llvm::interleaveComma(cast<DictionaryAttr>(entry.getValue()), printer,
                          [&](NamedAttribute hint) {
                            printer.printKeywordOrString(hint.getName());
                            printer << " = ";
                            printer.printAttributeWithoutType(hint.getValue());
                          });
    printer << '}';
  });
  printer << '>';
}

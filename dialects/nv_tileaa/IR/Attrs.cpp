// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/NVTileAA.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

#include "dialects/nv_tileaa/Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/nv_tileaa/Attrs.cpp.inc"

void TileAADialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/nv_tileaa/Attrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// div_by
//===----------------------------------------------------------------------===//

Attribute DivByAttr::parse(AsmParser &parser, Type) {
  uint64_t divisor = 0;
  std::optional<int64_t> every, along;
  if (parser.parseLess() || parser.parseInteger(divisor))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    int64_t number = 0;
    bool found = false;
    if (succeeded(parser.parseOptionalKeyword("every"))) {
      found = true;
      if (parser.parseInteger(number))
        return {};
      every = number;
    }
    if (succeeded(parser.parseOptionalKeyword("along"))) {
      found = true;
      if (parser.parseInteger(number))
        return {};
      along = number;
    }
    if (!found) {
      parser.emitError(parser.getCurrentLocation(),
                       "expected 'every' or 'along'");
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), divisor, every, along);
}

void DivByAttr::print(AsmPrinter &printer) const {
  printer << "<" << getDivisor();
  if (getEvery() || getAlong())
    printer << ",";
  if (getEvery())
    printer << " every " << *getEvery();
  if (getAlong())
    printer << " along " << *getAlong();
  printer << ">";
}

//===----------------------------------------------------------------------===//
// bounded
//===----------------------------------------------------------------------===//

static ParseResult parseBound(AsmParser &parser,
                              std::optional<int64_t> &bound) {
  if (succeeded(parser.parseOptionalQuestion()))
    return success();
  int64_t number = 0;
  if (parser.parseInteger(number))
    return failure();
  bound = number;
  return success();
}

Attribute BoundedAttr::parse(AsmParser &parser, Type) {
  std::optional<int64_t> lb, ub;
  if (parser.parseLess() || parseBound(parser, lb) || parser.parseComma() ||
      parseBound(parser, ub) || parser.parseGreater())
    return {};
  return get(parser.getContext(), lb, ub);
}

static void printBound(AsmPrinter &printer, std::optional<int64_t> bound) {
  if (bound)
    printer << *bound;
  else
    printer << "?";
}

void BoundedAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printBound(printer, getLb());
  printer << ", ";
  printBound(printer, getUb());
  printer << ">";
}

//===----------------------------------------------------------------------===//
// same_elements
//===----------------------------------------------------------------------===//

Attribute SameElementsAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> values;
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&] { return parser.parseInteger(values.emplace_back()); }) ||
      parser.parseGreater())
    return {};
  return get(parser.getContext(), values);
}

void SameElementsAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getValues(), printer.getStream());
  printer << "]>";
}

//===----------------------------------------------------------------------===//
// kernel_spec
//===----------------------------------------------------------------------===//

Attribute KernelSpecAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  uint32_t numWarps = 0, numCtas = 0, occupancy = 0, maxRegs = 0;
  SmallVector<uint32_t> clusterDim;
  if (parser.parseLess() || parser.parseKeyword("num_warps") ||
      parser.parseEqual() || parser.parseInteger(numWarps) ||
      parser.parseComma() || parser.parseKeyword("num_ctas") ||
      parser.parseEqual() || parser.parseInteger(numCtas) ||
      parser.parseComma() || parser.parseKeyword("cluster_dim") ||
      parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parser.parseInteger(clusterDim.emplace_back());
      }))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef keyword;
    SMLoc keywordLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&keyword) || parser.parseEqual())
      return {};
    if (keyword != "occupancy" && keyword != "max_regs") {
      parser.emitError(keywordLoc, "expected 'occupancy' or 'max_regs'");
      return {};
    }
    if (parser.parseInteger(keyword == "occupancy" ? occupancy : maxRegs))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<KernelSpecAttr>(loc, parser.getContext(), numWarps,
                                           numCtas, clusterDim, occupancy,
                                           maxRegs);
}

void KernelSpecAttr::print(AsmPrinter &printer) const {
  printer << "<num_warps = " << getNumWarps() << ", num_ctas = " << getNumCtas()
          << ", cluster_dim = [";
  llvm::interleaveComma(getClusterDim(), printer.getStream());
  printer << "]";
  if (getOccupancy())
    printer << ", occupancy = " << getOccupancy();
  if (getMaxRegs())
    printer << ", max_regs = " << getMaxRegs();
  printer << ">";
}

LogicalResult
KernelSpecAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       uint32_t numWarps, uint32_t numCtas,
                       ArrayRef<uint32_t> clusterDim, uint32_t occupancy,
                       uint32_t maxRegs) {
  if (!llvm::isPowerOf2_32(numWarps) || numWarps > 32)
    return emitError() << "num_warps must be a power of two in [1, 32]";
  uint64_t product = 1;
  for (uint32_t dim : clusterDim)
    product *= dim;
  if (clusterDim.size() != 3)
    return emitError() << "cluster_dim must have 3 numbers, but got "
                       << clusterDim.size();
  if (product != numCtas)
    return emitError() << "cluster_dim product (" << product
                       << ") must equal num_ctas (" << numCtas << ")";
  return success();
}

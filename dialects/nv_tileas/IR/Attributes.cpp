// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileas/NVTileAS.h"

#include "dialects/nv_tileas/MmaOperands.h"
#include "dialects/support/layout/Fragments.h"
#include "dialects/support/layout/SharedMemory.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileir::Layout;
using tileir::LayoutSpace;

//===----------------------------------------------------------------------===//
// Text of the MMA decision of a dot
//===----------------------------------------------------------------------===//

/// Parses `[m, n, k]`.
static ParseResult parseMmaShape(AsmParser &parser,
                                 SmallVector<int64_t> &shape) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(shape.emplace_back());
  });
}

static void printMmaShape(AsmPrinter &printer, ArrayRef<int64_t> shape) {
  printer << '[' << shape << ']';
}

/// Parses `registers` or `space<how>`.
static ParseResult parsePlace(AsmParser &parser, StringRef space,
                              MmaOperand &place) {
  place = MmaOperand::Registers;
  if (succeeded(parser.parseOptionalKeyword("registers")))
    return success();
  StringRef how;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(space) || parser.parseLess() ||
      parser.parseKeyword(&how) || parser.parseGreater())
    return failure();
  std::optional<MmaOperand> found = symbolizeMmaOperand(how);
  if (!found || *found == MmaOperand::Registers)
    return parser.emitError(loc)
           << "expected 'pipeline', 'invariant' or 'restaged' in '" << space
           << "'";
  place = *found;
  return success();
}

static void printPlace(AsmPrinter &printer, StringRef space, MmaOperand place) {
  if (place == MmaOperand::Registers)
    printer << "registers";
  else
    printer << space << '<' << stringifyMmaOperand(place) << '>';
}

static ParseResult parseMmaOperand(AsmParser &parser, MmaOperand &place) {
  return parsePlace(parser, "shared", place);
}

static void printMmaOperand(AsmPrinter &printer, MmaOperand place) {
  printPlace(printer, "shared", place);
}

static ParseResult parseMmaScales(AsmParser &parser,
                                  std::optional<MmaOperand> &place) {
  return parsePlace(parser, "tmem", place.emplace());
}

static void printMmaScales(AsmPrinter &printer,
                           std::optional<MmaOperand> place) {
  printPlace(printer, "tmem", *place);
}

/// Parses `registers`, which has no slots, or `tmem<slots = n>`.
static ParseResult parseMmaAcc(AsmParser &parser, int64_t &slots) {
  slots = 0;
  if (succeeded(parser.parseOptionalKeyword("registers")))
    return success();
  return failure(parser.parseKeyword("tmem") || parser.parseLess() ||
                 parser.parseKeyword("slots") || parser.parseEqual() ||
                 parser.parseInteger(slots) || parser.parseGreater());
}

static void printMmaAcc(AsmPrinter &printer, int64_t slots) {
  if (slots)
    printer << "tmem<slots = " << slots << '>';
  else
    printer << "registers";
}

#define GET_ATTRDEF_CLASSES
#include "dialects/nv_tileas/Attrs.cpp.inc"

void TileASDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/nv_tileas/Attrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

LogicalResult
LayoutAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   Layout layout) {
  std::string error = layout.verify();
  return error.empty() ? success() : emitError() << error;
}

LogicalResult LayoutAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type elementType,
    llvm::function_ref<InFlightDiagnostic()> emitError) const {
  if (!isReg())
    return emitError() << "expects a 'reg' layout on a tensor";
  if (shape != ArrayRef<int64_t>(getLayout().getShape()))
    return emitError() << "layout shape must match the tensor shape";
  return success();
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << getLayout().str();
}

namespace {

/// Parses a layout between its angle brackets.
class LayoutParser {
public:
  explicit LayoutParser(AsmParser &parser) : parser(parser) {}

  FailureOr<Layout> parse();

private:
  ParseResult parseInts(std::vector<int64_t> &values) {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
      return parser.parseInteger(values.emplace_back());
    });
  }
  /// Parses `name = [ints]`, one entry for each dimension, each a power of two.
  ParseResult parseCounts(StringRef name, size_t count,
                          std::vector<int64_t> &values);
  ParseResult parseOrder(std::vector<unsigned> &order);
  ParseResult parseNamedInt(StringRef name, int64_t &value) {
    return failure(parser.parseKeyword(name) || parser.parseEqual() ||
                   parser.parseInteger(value));
  }
  FailureOr<Layout> parseBases(StringRef firstDim);
  FailureOr<Layout> parseBlocked();
  FailureOr<Layout> parseMma();
  FailureOr<Layout> parseSlice();
  FailureOr<Layout> parseSwizzled();
  FailureOr<Layout> parseLinear();
  FailureOr<Layout> parseTmemAcc();

  AsmParser &parser;
  LayoutSpace space = LayoutSpace::Reg;
  Layout::Shape shape;
};

} // namespace

ParseResult LayoutParser::parseCounts(StringRef name, size_t count,
                                      std::vector<int64_t> &values) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(name) || parser.parseEqual() || parseInts(values))
    return failure();
  if (values.size() != count)
    return parser.emitError(loc) << "'" << name << "' expects " << count
                                 << " numbers, but got " << values.size();
  for (int64_t value : values)
    if (value < 1 || value > Layout::kMaxBases * 1024 ||
        !llvm::isPowerOf2_64(value))
      return parser.emitError(loc)
             << "'" << name << "' expects powers of two, but got " << value;
  return success();
}

ParseResult LayoutParser::parseOrder(std::vector<unsigned> &order) {
  std::vector<int64_t> values;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword("order") || parser.parseEqual() || parseInts(values))
    return failure();
  std::vector<bool> seen(shape.size(), false);
  for (int64_t value : values) {
    if (value < 0 || value >= int64_t(shape.size()) || seen[value])
      return parser.emitError(loc) << "'order' must be a permutation";
    seen[value] = true;
    order.push_back(value);
  }
  if (order.size() != shape.size())
    return parser.emitError(loc) << "'order' must be a permutation";
  return success();
}

FailureOr<Layout> LayoutParser::parseBases(StringRef firstDim) {
  Layout::Bases bases(Layout::getNumDims(space));
  std::vector<bool> seen(bases.size(), false);
  StringRef name = firstDim;
  SMLoc loc = parser.getCurrentLocation();
  while (!name.empty()) {
    unsigned dim = 0;
    while (dim < bases.size() && name != Layout::getDimName(space, dim))
      ++dim;
    if (dim == bases.size())
      return parser.emitError(loc)
             << "'" << name << "' is no input of a '"
             << Layout::getSpaceName(space) << "' layout and no short form";
    if (seen[dim])
      return parser.emitError(loc) << "'" << name << "' is given twice";
    seen[dim] = true;
    if (parser.parseEqual() ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
          return parseInts(bases[dim].emplace_back());
        }))
      return failure();
    name = "";
    if (succeeded(parser.parseOptionalComma())) {
      loc = parser.getCurrentLocation();
      if (parser.parseKeyword(&name))
        return failure();
    }
  }
  std::string error;
  std::optional<Layout> layout = Layout::get(space, shape, bases, error);
  if (!layout)
    return parser.emitError(loc) << error;
  return *layout;
}

FailureOr<Layout> LayoutParser::parseBlocked() {
  std::vector<int64_t> perThread, lanes, warps;
  std::vector<unsigned> order;
  size_t rank = shape.size();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseCounts("per_thread", rank, perThread) ||
      parser.parseComma() || parseCounts("lanes", rank, lanes) ||
      parser.parseComma() || parseCounts("warps", rank, warps) ||
      parser.parseComma() || parseOrder(order) || parser.parseGreater())
    return failure();
  int64_t numLanes = 1, numWarps = 1;
  for (size_t d = 0; d < rank; ++d) {
    numLanes *= lanes[d];
    numWarps *= warps[d];
  }
  if (numLanes != 32)
    return parser.emitError(loc)
           << "'lanes' must have the product 32, but got " << numLanes;
  if (numWarps > 32)
    return parser.emitError(loc)
           << "'warps' must have a product of at most 32, but got " << numWarps;
  return Layout::blocked(shape, perThread, lanes, warps, order);
}

FailureOr<Layout> LayoutParser::parseMma() {
  MmaAtomAttr atom;
  StringRef role;
  std::vector<int64_t> warps;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseAttribute(atom) ||
      parser.parseComma() || parser.parseKeyword(&role) ||
      parser.parseComma() || parseCounts("warps", 2, warps) ||
      parser.parseGreater())
    return failure();
  Type type = role == "a"     ? atom.getAType()
              : role == "b"   ? atom.getBType()
              : role == "acc" ? atom.getCType()
                              : Type();
  if (!type)
    return parser.emitError(loc)
           << "expected 'a', 'b' or 'acc', but got '" << role << "'";
  if (warps[0] * warps[1] > 32)
    return parser.emitError(loc) << "'warps' must have a product of at most 32";
  tileir::MmaRole which = role == "a"   ? tileir::MmaRole::A
                          : role == "b" ? tileir::MmaRole::B
                                        : tileir::MmaRole::Acc;
  std::optional<tileir::Fragment> fragment;
  if (atom.getKind() == MmaKind::MmaSync || atom.getKind() == MmaKind::MmaBs)
    fragment = getMmaFragment(atom, which);
  if (atom.getKind() == MmaKind::Wgmma && role == "acc")
    fragment = tileir::wgmmaAccFragment(atom.getN());
  if (!fragment)
    return parser.emitError(loc) << "the atom has no register fragments";
  std::optional<Layout> layout =
      tileir::mmaLayout(shape, *fragment, which, warps[0], warps[1]);
  if (!layout)
    return parser.emitError(loc) << "the shape is smaller than the atom";
  return *layout;
}

FailureOr<Layout> LayoutParser::parseSlice() {
  int64_t dim;
  LayoutAttr parent;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseInteger(dim) || parser.parseComma() ||
      parser.parseAttribute(parent) || parser.parseGreater())
    return failure();
  if (!parent.isReg() || dim < 0 || dim >= int64_t(parent.getRank()))
    return parser.emitError(loc)
           << "slice needs a 'reg' layout and one of its dimensions";
  Layout layout = parent.getLayout().slice(dim);
  if (layout.getShape() != shape)
    return parser.emitError(loc) << "slice does not have the given shape";
  return layout;
}

FailureOr<Layout> LayoutParser::parseSwizzled() {
  StringRef span;
  int64_t major, bits;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&span) || parser.parseComma() ||
      parseNamedInt("major", major) || parser.parseComma() ||
      parseNamedInt("bits", bits) || parser.parseGreater())
    return failure();
  std::optional<tileir::Swizzle> swizzle =
      llvm::StringSwitch<std::optional<tileir::Swizzle>>(span)
          .Case("none", tileir::Swizzle::None)
          .Case("b32", tileir::Swizzle::B32)
          .Case("b64", tileir::Swizzle::B64)
          .Case("b128", tileir::Swizzle::B128)
          .Case("b128_wide", tileir::Swizzle::B128Wide)
          .Default(std::nullopt);
  if (!swizzle)
    return parser.emitError(loc)
           << "expected 'none', 'b32', 'b64', 'b128' or 'b128_wide', but got '"
           << span << "'";
  int64_t rank = shape.size();
  if (rank < 2 || major < rank - 2 || major >= rank)
    return parser.emitError(loc) << "'major' must be one of the last two of at "
                                    "least two dimensions";
  if (!llvm::is_contained({4, 8, 16, 32, 64}, bits))
    return parser.emitError(loc) << "'bits' must be 4, 8, 16, 32 or 64";
  std::optional<Layout> layout =
      tileir::swizzledSmem(shape, *swizzle, major, bits);
  if (!layout)
    return parser.emitError(loc) << "the shape is too small for the swizzle";
  return *layout;
}

FailureOr<Layout> LayoutParser::parseLinear() {
  std::vector<unsigned> order;
  if (parser.parseLess() || parseOrder(order) || parser.parseGreater())
    return failure();
  return Layout::linearSmem(shape, order);
}

FailureOr<Layout> LayoutParser::parseTmemAcc() {
  int64_t m, bits, group = 1;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseNamedInt("m", m) || parser.parseComma() ||
      parseNamedInt("bits", bits))
    return failure();
  if (succeeded(parser.parseOptionalComma()) &&
      failed(parseNamedInt("cta_group", group)))
    return failure();
  if (parser.parseGreater())
    return failure();
  bool legal = group == 1 ? m == 64 || m == 128 : group == 2 && m == 256;
  if (!legal || !llvm::is_contained({8, 16, 32}, bits) || shape.size() != 2 ||
      shape[0] != m)
    return parser.emitError(loc) << "'tmem_acc' needs a matrix of m rows, m of "
                                    "64 or 128 (256 for two "
                                    "CTAs), and 8, 16 or 32 bits";
  return Layout::tmemAcc(shape, m, bits, group);
}

FailureOr<Layout> LayoutParser::parse() {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&word))
    return failure();
  if (word == "smem")
    space = LayoutSpace::Smem;
  else if (word == "tmem")
    space = LayoutSpace::Tmem;
  else if (word != "reg")
    return parser.emitError(loc)
           << "expected 'reg', 'smem' or 'tmem', but got '" << word << "'";
  if (parser.parseComma() || parseInts(shape))
    return failure();
  // Shape errors come before errors that depend on the shape.
  int64_t elements = 1;
  for (int64_t extent : shape) {
    if (extent < 1 || !llvm::isPowerOf2_64(extent))
      return parser.emitError(loc)
             << "layout extents must be powers of two, got " << extent;
    if (extent > (int64_t(1) << Layout::kMaxTileBits) ||
        (elements *= extent) > (int64_t(1) << Layout::kMaxTileBits))
      return parser.emitError(loc)
             << "tile would exceed the maximum of 16777216 elements";
  }
  if (shape.size() > Layout::kMaxRank)
    return parser.emitError(loc)
           << "layout rank " << shape.size() << " exceeds the maximum of "
           << unsigned(Layout::kMaxRank);

  FailureOr<Layout> layout = failure();
  word = "";
  if (succeeded(parser.parseOptionalComma())) {
    loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
  }
  bool reg = space == LayoutSpace::Reg, smem = space == LayoutSpace::Smem;
  if (reg && word == "blocked")
    layout = parseBlocked();
  else if (reg && word == "mma")
    layout = parseMma();
  else if (reg && word == "slice")
    layout = parseSlice();
  else if (smem && word == "swizzled")
    layout = parseSwizzled();
  else if (smem && word == "linear")
    layout = parseLinear();
  else if (space == LayoutSpace::Tmem && word == "tmem_acc")
    layout = parseTmemAcc();
  else
    layout = parseBases(word);
  if (failed(layout) || parser.parseGreater())
    return failure();
  std::string error = layout->verify();
  if (!error.empty())
    return parser.emitError(loc) << error;
  return layout;
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  FailureOr<Layout> layout = LayoutParser(parser).parse();
  if (failed(layout))
    return {};
  return LayoutAttr::get(parser.getContext(), *layout);
}

//===----------------------------------------------------------------------===//
// Copy atom
//===----------------------------------------------------------------------===//

LogicalResult
CopyAtomAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     CopyKind kind, unsigned bits, unsigned num, bool trans) {
  if (bits && (bits < 8 || bits > 256 || !llvm::isPowerOf2_32(bits)))
    return emitError() << "'bits' must be a power of two from 8 to 256, got "
                       << bits;
  if (kind == CopyKind::Ldgsts && bits && bits != 32 && bits != 64 &&
      bits != 128)
    return emitError() << "'ldgsts' copies 32, 64 or 128 bits, got " << bits;
  bool matrix = kind == CopyKind::Ldsm || kind == CopyKind::Stsm;
  if (matrix && num != 1 && num != 2 && num != 4)
    return emitError() << "'num' must be 1, 2 or 4, got " << num;
  if (!matrix && (num || trans))
    return emitError() << "'num' and 'trans' belong to 'ldsm' and 'stsm'";
  return success();
}

Attribute CopyAtomAttr::parse(AsmParser &parser, Type) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&word))
    return {};
  std::optional<CopyKind> kind = symbolizeCopyKind(word);
  if (!kind) {
    parser.emitError(loc) << "unknown copy atom '" << word << "'";
    return {};
  }
  unsigned bits = 0, num = 0;
  bool trans = false;
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc keyLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return {};
    if (word == "trans") {
      trans = true;
    } else if (word == "bits" || word == "num") {
      if (parser.parseEqual() ||
          parser.parseInteger(word == "bits" ? bits : num))
        return {};
    } else {
      parser.emitError(keyLoc) << "unknown key '" << word << "' of a copy atom";
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<CopyAtomAttr>(loc, parser.getContext(), *kind, bits,
                                         num, trans);
}

void CopyAtomAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringifyCopyKind(getKind());
  if (getBits())
    printer << ", bits = " << getBits();
  if (getNum())
    printer << ", num = " << getNum();
  if (getTrans())
    printer << ", trans";
  printer << '>';
}

//===----------------------------------------------------------------------===//
// MMA atom
//===----------------------------------------------------------------------===//

namespace {

/// Types of `mma.sync`: legal pairs, and their K (PTX ISA, warp-level matrix
/// instructions).
struct MmaSyncTypes {
  bool (*operand)(Type);
  bool (*acc)(Type);
  bool mixed; // a and b may differ
  int64_t m;
  int64_t k[3];
};

} // namespace

static const MmaSyncTypes kMmaSyncTypes[] = {
    {[](Type t) { return t.isF16(); },
     [](Type t) { return t.isF16() || t.isF32(); },
     false,
     16,
     {8, 16, 0}},
    {[](Type t) { return t.isBF16(); },
     [](Type t) { return t.isF32(); },
     false,
     16,
     {8, 16, 0}},
    {[](Type t) { return t.isTF32(); },
     [](Type t) { return t.isF32(); },
     false,
     16,
     {4, 8, 0}},
    {[](Type t) { return t.isF64(); },
     [](Type t) { return t.isF64(); },
     false,
     8,
     {4, 0, 0}},
    {[](Type t) { return t.isF64(); },
     [](Type t) { return t.isF64(); },
     false,
     16,
     {4, 8, 16}},
    {[](Type t) { return t.isInteger(8); },
     [](Type t) { return t.isInteger(32); },
     false,
     16,
     {16, 32, 0}},
    {[](Type t) { return t.isInteger(4); },
     [](Type t) { return t.isInteger(32); },
     false,
     16,
     {32, 64, 0}},
    {[](Type t) { return isa<Float8E4M3FNType, Float8E5M2Type>(t); },
     [](Type t) { return t.isF16() || t.isF32(); },
     true,
     16,
     {16, 32, 0}},
};

static const MmaSyncTypes *findMmaSync(int64_t m, int64_t n, int64_t k, Type a,
                                       Type b, Type c) {
  for (const MmaSyncTypes &row : kMmaSyncTypes)
    if (row.operand(a) && row.operand(b) && row.acc(c) &&
        (row.mixed || a == b) && row.m == m && n == 8 && k &&
        llvm::is_contained(row.k, k))
      return &row;
  return nullptr;
}

bool MmaAtomAttr::hasMmaSync(int64_t m, int64_t n, int64_t k, Type a, Type b,
                             Type c) {
  return findMmaSync(m, n, k, a, b, c);
}

bool MmaAtomAttr::hasWgmma(int64_t m, int64_t n, int64_t k, Type a, Type b,
                           Type c) {
  if (m != 64 || n < 8 || n > 256 || !llvm::isPowerOf2_64(n) ||
      k * int64_t(getStorageBits(a)) != 256)
    return false;
  auto isFp8 = [](Type t) { return isa<Float8E4M3FNType, Float8E5M2Type>(t); };
  if (isFp8(a) && isFp8(b))
    return c.isF16() || c.isF32();
  if (a != b)
    return false;
  if (a.isF16())
    return c.isF16() || c.isF32();
  if (a.isBF16() || a.isTF32())
    return c.isF32();
  return a.isInteger(8) && c.isInteger(32);
}

bool MmaAtomAttr::hasUmma(int64_t m, int64_t n, int64_t k, Type a, Type b,
                          Type c) {
  // With M 128, N is a multiple of 16.
  if ((m != 64 && m != 128 && m != kPairRows) || n < (m == 64 ? 8 : 16) ||
      n > 256 || !llvm::isPowerOf2_64(n) ||
      k * int64_t(getStorageBits(a)) != 256)
    return false;
  auto isFp8 = [](Type t) { return isa<Float8E4M3FNType, Float8E5M2Type>(t); };
  if (isFp8(a) && isFp8(b))
    return c.isF32();
  if (a != b)
    return false;
  // Kinds with block scales.
  if (isa<Float4E2M1FNType>(a))
    return m == 128 && c.isF32();
  if (a.isF16() || a.isBF16() || a.isTF32())
    return c.isF32();
  return a.isInteger(8) && c.isInteger(32);
}

bool MmaAtomAttr::hasMmaBs(int64_t m, int64_t n, int64_t k, Type a, Type b,
                           Type c, Type scale) {
  // K has the same bytes for all types.
  unsigned bits = getStorageBits(a);
  return m == 16 && n == 8 && k * int64_t(bits) == 256 &&
         bits == getStorageBits(b) && c.isF32() && getScaledBlock(a, scale) &&
         getScaledBlock(a, scale) == getScaledBlock(b, scale);
}

bool MmaAtomAttr::isPacked() const {
  return getKind() == MmaKind::MmaBs && getStorageBits(getAType()) < 8;
}

Type MmaAtomAttr::getTileElement(Type element) const {
  return isPacked() && element != getCType() ? IntegerType::get(getContext(), 8)
                                             : element;
}

int64_t MmaAtomAttr::getTileBlock() const {
  if (!getScaleType())
    return 0;
  int64_t block = getScaledBlock(getAType(), getScaleType());
  return isPacked() ? block / 2 : block;
}

LogicalResult
MmaAtomAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                    MmaKind kind, int64_t m, int64_t n, int64_t k, Type a,
                    Type b, Type c, Type scale) {
  if (bool(scale) != (kind == MmaKind::MmaBs))
    return emitError() << "'scale' goes with 'mma_bs' and with nothing else";
  if (kind == MmaKind::Fma) {
    if (m != 1 || n != 1 || k != 1)
      return emitError() << "'fma' has the shape [1, 1, 1]";
    if (a != b || a != c || !isTileElementType(a) ||
        !isa<IntegerType, FloatType>(a))
      return emitError() << "'fma' has one element type";
    return success();
  }
  bool exists = kind == MmaKind::Wgmma  ? hasWgmma(m, n, k, a, b, c)
                : kind == MmaKind::Umma ? hasUmma(m, n, k, a, b, c)
                : kind == MmaKind::MmaBs
                    ? hasMmaBs(m, n, k, a, b, c, scale)
                    : findMmaSync(m, n, k, a, b, c) != nullptr;
  if (!exists)
    return emitError() << "no '" << stringifyMmaKind(kind) << "' of shape ["
                       << m << ", " << n << ", " << k << "] from " << a
                       << " and " << b << " to " << c
                       << (scale ? " with scales of " : "") << scale;
  return success();
}

Attribute MmaAtomAttr::parse(AsmParser &parser, Type) {
  StringRef word;
  int64_t m, n, k;
  Type a, b, c, scale;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&word))
    return {};
  std::optional<MmaKind> kind = symbolizeMmaKind(word);
  if (!kind) {
    parser.emitError(loc) << "unknown mma atom '" << word << "'";
    return {};
  }
  auto parseNamed = [&](StringRef name, Type &type) -> ParseResult {
    return failure(parser.parseKeyword(name) || parser.parseEqual() ||
                   parser.parseType(type));
  };
  auto parseType = [&](StringRef name, Type &type) -> ParseResult {
    return failure(parser.parseComma() || parseNamed(name, type));
  };
  if (parser.parseComma() || parser.parseLSquare() || parser.parseInteger(m) ||
      parser.parseComma() || parser.parseInteger(n) || parser.parseComma() ||
      parser.parseInteger(k) || parser.parseRSquare() || parseType("a", a) ||
      parseType("b", b) || parseType("c", c) ||
      (succeeded(parser.parseOptionalComma()) && parseNamed("scale", scale)) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<MmaAtomAttr>(loc, parser.getContext(), *kind, m, n,
                                        k, a, b, c, scale);
}

void MmaAtomAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringifyMmaKind(getKind()) << ", [" << getM() << ", "
          << getN() << ", " << getK() << "], a = " << getAType()
          << ", b = " << getBType() << ", c = " << getCType();
  if (getScaleType())
    printer << ", scale = " << getScaleType();
  printer << '>';
}

LogicalResult
MmaAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                MmaKind kind, ArrayRef<int64_t> shape, int64_t ctaGroup,
                MmaOperand a, MmaOperand b, std::optional<MmaOperand> scales,
                int64_t acc, int64_t promote) {
  StringRef name = stringifyMmaKind(kind);
  bool isUmma = kind == MmaKind::Umma, isWgmma = kind == MmaKind::Wgmma;
  if (shape.size() != 3)
    return emitError() << "expects M, N and K as the shape";
  bool hasShape = llvm::all_of(
      shape, [](int64_t extent) { return llvm::isPowerOf2_64(extent); });
  if (kind == MmaKind::Fma)
    hasShape &= shape == ArrayRef<int64_t>{1, 1, 1};
  else if (isWgmma)
    hasShape &= shape[0] == 64;
  else if (isUmma)
    hasShape &= ctaGroup == 2 ? shape[0] == MmaAtomAttr::kPairRows
                              : shape[0] == 64 || shape[0] == 128;
  if (!hasShape) // C1
    return emitError() << "no '" << name << "' has the shape [" << shape << "]";
  if (acc < 0 || (acc > 0) != isUmma) // C2
    return emitError() << "'" << name << "' has its accumulator in "
                       << (isUmma ? "tensor memory" : "registers");
  if ((isUmma && a == MmaOperand::Registers) ||
      ((isUmma || isWgmma) && b == MmaOperand::Registers)) // C3
    return emitError() << "'" << name << "' reads "
                       << (isUmma ? "operands" : "operand B")
                       << " from shared memory";
  bool hasScales = kind == MmaKind::MmaBs ? scales == MmaOperand::Registers
                   : isUmma ? !scales || *scales == MmaOperand::Pipeline ||
                                  *scales == MmaOperand::Restaged
                            : !scales;
  if (!hasScales) // C4
    return emitError() << "'" << name << "' cannot have these scales";
  if (promote < 0 || (promote && !isWgmma)) // C5
    return emitError() << "'promote' goes with 'wgmma'";
  bool isPair = ctaGroup == 2 && isUmma && a == MmaOperand::Pipeline &&
                b == MmaOperand::Pipeline && !scales;
  if (ctaGroup != 1 && !isPair) // C6
    return emitError() << "no '" << name << "' with these operands has the "
                       << "cta_group " << ctaGroup;
  return success();
}

//===----------------------------------------------------------------------===//
// Buffer type
//===----------------------------------------------------------------------===//

#define GET_TYPEDEF_CLASSES
#include "dialects/nv_tileas/Types.cpp.inc"

void TileASDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/nv_tileas/Types.cpp.inc"
      >();
}

LogicalResult
BufferType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   int64_t stages, ArrayRef<int64_t> shape, Type elementType,
                   LayoutAttr layout) {
  if (stages < 0)
    return emitError() << "stages must be positive, got " << stages;
  if (shape.empty())
    return emitError() << "a buffer has at least one dimension";
  if (!isTileElementType(elementType))
    return emitError() << "invalid element type " << elementType;
  if (layout.isReg())
    return emitError() << "expects a 'smem' or 'tmem' layout on a buffer";
  const tileir::Layout &whole = layout.getLayout();
  if (shape.size() != whole.getRank())
    return emitError() << "layout shape must match the buffer shape";
  for (auto [d, extent] : llvm::enumerate(shape)) {
    bool part = extent > 0 && llvm::isPowerOf2_64(extent) &&
                extent < whole.getExtent(d) && !stages;
    if (extent != whole.getExtent(d) && !part)
      return emitError() << "layout shape must match the buffer shape";
  }
  return success();
}

Type BufferType::parse(AsmParser &parser) {
  int64_t stages = 0;
  SmallVector<int64_t> shape;
  Type elementType;
  LayoutAttr layout;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  if (succeeded(parser.parseOptionalLSquare())) {
    SMLoc stagesLoc = parser.getCurrentLocation();
    if (parser.parseInteger(stages) || parser.parseRSquare())
      return {};
    if (stages < 1) {
      parser.emitError(stagesLoc) << "stages must be positive, got " << stages;
      return {};
    }
  }
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma() ||
      parser.parseAttribute(layout) || parser.parseGreater())
    return {};
  return parser.getChecked<BufferType>(loc, parser.getContext(), stages, shape,
                                       elementType, layout);
}

void BufferType::print(AsmPrinter &printer) const {
  printer << '<';
  if (isStaged())
    printer << '[' << getStages() << "] ";
  printer.printDimensionList(getShape());
  printer << 'x' << getElementType() << ", " << getLayout() << '>';
}

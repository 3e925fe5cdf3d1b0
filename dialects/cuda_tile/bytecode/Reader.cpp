// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/Bytecode.h"
#include "dialects/cuda_tile/bytecode/DebugInfo.h"
#include "dialects/cuda_tile/bytecode/FunctionReader.h"
#include "dialects/cuda_tile/bytecode/Tables.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

namespace tileir {

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace tileir::bytecode;

bool isTileIRBytecode(StringRef bytes) {
  return bytes.starts_with(
      StringRef(reinterpret_cast<const char *>(kMagic), sizeof(kMagic)));
}

bool isMLIRBytecode(StringRef bytes) { return bytes.starts_with("ML\xefR"); }

std::optional<size_t> getBytecodeSize(const char *bytes) {
  // The loop stops at the first difference, so it does not read past the file.
  for (size_t i = 0; i != sizeof(kMagic); ++i)
    if (static_cast<uint8_t>(bytes[i]) != kMagic[i])
      return std::nullopt;
  // The end is unknown, but no object in memory is larger.
  size_t room = PTRDIFF_MAX;
  Cursor file({reinterpret_cast<const uint8_t *>(bytes), room},
              /*context=*/nullptr);
  ArrayRef<uint8_t> skipped;
  uint8_t major = 0;
  file.readBytes(sizeof(kMagic), skipped);
  if (!file.readByte(major) || !major || !file.readBytes(3, skipped))
    return std::nullopt;
  bool seen[kNumSections] = {};
  for (;;) {
    uint8_t head = 0;
    uint64_t length, alignment = 1;
    if (!file.readByte(head))
      return std::nullopt;
    if (head == uint8_t(Section::End))
      return file.offset();
    unsigned id = head & ~kAlignedBit;
    if (id == unsigned(Section::End) || id >= kNumSections ||
        std::exchange(seen[id], true) || !file.readVarInt(length))
      return std::nullopt;
    if (head & kAlignedBit &&
        (!file.readVarInt(alignment) || !llvm::isPowerOf2_64(alignment) ||
         !file.skipPadding(alignment)))
      return std::nullopt;
    if (!file.readBytes(length, skipped))
      return std::nullopt;
  }
}

std::string notTileIRBytecodeMessage(StringRef bytes) {
  std::string message = "input does not correspond to Tile IR bytecode";
  if (isMLIRBytecode(bytes))
    message += " (it looks like MLIR bytecode instead)";
  return message;
}

namespace {

/// The encoded parts of one global.
struct GlobalRecord {
  uint64_t name, type, value, alignment;
  uint64_t visibility = 0;
  bool isConstant = false;
};

/// Required alignment in the header of a section, by section number; 0 where it
/// is free.
constexpr unsigned kAlignments[kNumSections] = {0, 4, 8, 8, 8, 4, 0, 0};

class ModuleReader {
public:
  ModuleReader(ArrayRef<uint8_t> bytes, MLIRContext *context)
      : file(bytes, context), context(context) {}

  OwningOpRef<cuda_tile::ModuleOp> read();

  BytecodeVersion version;

private:
  LogicalResult readHeader();
  LogicalResult checkPreview();
  struct SectionHeader {
    unsigned id = 0;
    bool isAligned = false;
    uint64_t length = 0, alignment = 1;
  };
  LogicalResult readSectionHeader(SectionHeader &header);
  LogicalResult readPayload(const SectionHeader &header);
  LogicalResult readProducer(ArrayRef<uint8_t> payload, Tables &tables);
  LogicalResult readGlobals(ArrayRef<uint8_t> payload);
  LogicalResult readGlobal(Cursor &cursor, GlobalRecord &global);
  LogicalResult createGlobal(size_t index, OpBuilder &builder, Tables &tables);
  OwningOpRef<cuda_tile::ModuleOp> createModule(Tables &tables);

  std::optional<ArrayRef<uint8_t>> &payload(Section section) {
    return payloads[unsigned(section)];
  }

  Cursor file;
  MLIRContext *context;
  std::optional<ArrayRef<uint8_t>> payloads[kNumSections];
  SmallVector<GlobalRecord, 0> globals;
  StringAttr producer;
};

} // namespace

//===----------------------------------------------------------------------===//
// Container
//===----------------------------------------------------------------------===//

LogicalResult ModuleReader::readHeader() {
  for (size_t i = 0; i != sizeof(kMagic); ++i) {
    uint8_t byte = 0;
    if (!file.readByte(byte) || byte != kMagic[i])
      return file.fail("invalid magic number at position " + Twine(i) +
                       ", got " + Twine(unsigned(byte)) + " expected " +
                       Twine(unsigned(kMagic[i])));
  }
  if (!file.readByte(version.major) || !file.readByte(version.minor) ||
      !file.readFixed(version.tag))
    return failure();
  if (!findBytecodeVersion(version))
    return file.fail(
        "unsupported Tile version " + Twine(unsigned(version.major)) + "." +
        Twine(unsigned(version.minor)) + "." + Twine(version.tag) +
        ", this reader supports versions " + supportedBytecodeRange());
  if (version.tag & ~1u)
    return file.fail("header has unrecognized version tag bits (0x" +
                     llvm::utohexstr(version.tag & ~1u) + ");");
  return success();
}

/// Bit 0 of the tag marks a file with content that a release may change.
LogicalResult ModuleReader::checkPreview() {
  if (version.tag) {
    BytecodeVersion newest = newestBytecodeVersion();
    if (version.major != newest.major || version.minor != newest.minor)
      return file.fail("public-preview bytecode at version " + version.str() +
                       " is not readable; preview content is only valid at "
                       "the current version " +
                       newest.str());
    return file.fail("public-preview bytecode requires at least one enabled "
                     "preview feature");
  }
  return success();
}

LogicalResult ModuleReader::readSectionHeader(SectionHeader &header) {
  uint8_t head;
  if (!file.readByte(head))
    return file.fail("unexpected end of data while reading section header");
  header.id = head & ~kAlignedBit;
  header.isAligned = head & kAlignedBit;
  if (header.id == unsigned(Section::End)) {
    if (header.isAligned)
      return file.fail("end section should not have alignment flag set");
    return success();
  }
  if (header.id >= kNumSections)
    return file.fail("unknown section ID: " + Twine(header.id));
  if (payloads[header.id])
    return file.fail("duplicate section ID: " + Twine(header.id));
  if (!file.readVarInt(header.length))
    return file.fail("failed to read section length");
  if (header.length > file.remaining())
    return file.fail("section length " + Twine(header.length) +
                     " exceeds remaining data size " + Twine(file.remaining()));
  if (header.isAligned) {
    if (!file.readVarInt(header.alignment))
      return failure();
    if (!llvm::isPowerOf2_64(header.alignment))
      return file.fail("invalid alignment value: " + Twine(header.alignment));
    if (!file.skipPadding(header.alignment))
      return failure();
  }
  return success();
}

LogicalResult ModuleReader::readPayload(const SectionHeader &header) {
  if (unsigned required = kAlignments[header.id];
      required && header.alignment % required)
    return file.fail("section " + Twine(header.id) +
                     " must have alignment that is a multiple of " +
                     Twine(required) + " bytes, but has " +
                     (header.isAligned
                          ? "alignment of " + Twine(header.alignment).str()
                          : std::string("no alignment flag set")));
  ArrayRef<uint8_t> bytes;
  if (!file.readBytes(header.length, bytes))
    return file.fail("section length " + Twine(header.length) +
                     " exceeds remaining bytecode data. " +
                     Twine(file.remaining()));
  payloads[header.id] = bytes;
  return success();
}

//===----------------------------------------------------------------------===//
// Producer and globals
//===----------------------------------------------------------------------===//

LogicalResult ModuleReader::readProducer(ArrayRef<uint8_t> payload,
                                         Tables &tables) {
  Cursor cursor(payload, context);
  uint64_t index;
  StringRef text;
  if (!cursor.readVarInt(index))
    return cursor.fail("failed to read producer string index");
  if (!tables.getString(index, text))
    return cursor.fail("failed to get producer string at index " +
                       Twine(index));
  producer = StringAttr::get(context, text);
  return success();
}

LogicalResult ModuleReader::readGlobal(Cursor &cursor, GlobalRecord &global) {
  if (!cursor.readVarInt(global.name))
    return cursor.fail("failed to read global symbol name string.");
  if (!cursor.readVarInt(global.type))
    return cursor.fail("failed to read global value type");
  if (!cursor.readVarInt(global.value))
    return cursor.fail("failed to read global value constant index");
  if (!cursor.readVarInt(global.alignment))
    return cursor.fail("failed to read global alignment");
  if (version < kVersion13_3)
    return success();
  uint64_t isConstant;
  if (!cursor.readVarInt(global.visibility))
    return cursor.fail("failed to read global symbol visibility");
  if (!cursor.readVarInt(isConstant))
    return cursor.fail("failed to read global constant flag");
  global.isConstant = isConstant != 0;
  return success();
}

LogicalResult ModuleReader::readGlobals(ArrayRef<uint8_t> payload) {
  Cursor cursor(payload, context);
  uint64_t count;
  if (!cursor.readVarInt(count))
    return cursor.fail("failed to read number of global.");
  uint64_t limit = cursor.remaining() / (version < kVersion13_3 ? 4 : 6);
  if (count > limit)
    return cursor.fail("number of globals (" + Twine(count) +
                       ") exceeds the maximum of " + Twine(limit) +
                       " that can fit in the remaining payload of " +
                       Twine(cursor.remaining()) + " bytes.");
  globals.resize(count);
  for (GlobalRecord &global : globals)
    if (failed(readGlobal(cursor, global)))
      return failure();
  return success();
}

LogicalResult ModuleReader::createGlobal(size_t index, OpBuilder &builder,
                                         Tables &tables) {
  const GlobalRecord &global = globals[index];
  Cursor none({}, context);
  StringRef name;
  if (!tables.getString(global.name, name))
    return file.fail("failed to get global symbol name string for index " +
                     Twine(global.name));
  if (name.empty())
    return file.fail("global symbol name at index " + Twine(global.name) +
                     " is empty");
  if (global.value >= tables.numConstants())
    return file.fail("global value constant index out of bounds");
  std::optional<SymbolVisibility> visibility;
  if (global.visibility <= UINT32_MAX)
    visibility =
        symbolizeSymbolVisibility(static_cast<uint32_t>(global.visibility));
  if (!visibility)
    return file.fail("invalid symbol visibility value: " +
                     Twine(global.visibility));
  DenseElementsAttr value =
      tables.getConstant(global.value, tables.getType(global.type), none);
  if (!value)
    return failure();
  OperationState state(builder.getUnknownLoc(), GlobalOp::getOperationName());
  state.addAttribute("sym_name", builder.getStringAttr(name));
  state.addAttribute("value", value);
  state.addAttribute("alignment", builder.getI64IntegerAttr(global.alignment));
  if (global.isConstant)
    state.addAttribute("constant", builder.getUnitAttr());
  state.addAttribute("symbol_visibility",
                     SymbolVisibilityAttr::get(context, *visibility));
  builder.create(state);
  return success();
}

//===----------------------------------------------------------------------===//
// Module
//===----------------------------------------------------------------------===//

OwningOpRef<cuda_tile::ModuleOp> ModuleReader::read() {
  auto stage = [&](StringRef message) {
    (void)file.fail(message);
    return nullptr;
  };
  if (failed(readHeader()))
    return stage("failed to parse bytecode header");
  if (failed(checkPreview()))
    return nullptr;
  for (;;) {
    SectionHeader header;
    if (failed(readSectionHeader(header)))
      return stage("failed to parse section header");
    if (header.id == unsigned(Section::End))
      break;
    if (failed(readPayload(header)))
      return nullptr;
  }
  if (!file.empty())
    return stage("end section is not the last section");
  if (!payload(Section::String))
    return stage("string section is mandatory");
  if (!payload(Section::Func))
    return stage("function section is mandatory");

  Tables tables(context, version);
  if (failed(tables.readStrings(*payload(Section::String))))
    return stage("failed to parse string section");
  if (auto bytes = payload(Section::Producer);
      bytes && failed(readProducer(*bytes, tables)))
    return stage("failed to parse producer section");
  if (auto bytes = payload(Section::Type);
      bytes && failed(tables.readTypes(*bytes)))
    return stage("failed to parse type section");
  if (auto bytes = payload(Section::Constant);
      bytes && failed(tables.readConstants(*bytes)))
    return stage("failed to parse constant section");
  if (auto bytes = payload(Section::Global);
      bytes && failed(readGlobals(*bytes)))
    return stage("failed to parse global section");
  return createModule(tables);
}

OwningOpRef<cuda_tile::ModuleOp> ModuleReader::createModule(Tables &tables) {
  auto stage = [&](StringRef message) {
    (void)file.fail(message);
    return nullptr;
  };
  DebugInfo debugInfo(tables);
  FunctionReader functions(tables, debugInfo);
  if (failed(functions.readTable(*payload(Section::Func))))
    return stage("failed to parse function section");
  if (auto bytes = payload(Section::Debug);
      bytes && failed(debugInfo.read(*bytes)))
    return stage("failed to parse debug section");

  OpBuilder builder(context);
  OperationState state(builder.getUnknownLoc(),
                       cuda_tile::ModuleOp::getOperationName());
  state.addAttribute("sym_name", builder.getStringAttr("kernels"));
  if (producer)
    state.addAttribute("producer", producer);
  state.addRegion()->push_back(new Block());
  OwningOpRef<cuda_tile::ModuleOp> module(
      cast<cuda_tile::ModuleOp>(builder.create(state)));
  builder.setInsertionPointToEnd(&module->getOperation()->getRegion(0).front());
  for (size_t i = 0; i != globals.size(); ++i)
    if (failed(createGlobal(i, builder, tables)))
      return stage("failed to create global from bytecode");
  for (size_t i = 0; i != functions.size(); ++i)
    if (failed(functions.createFunction(i, builder, file)))
      return stage("failed to create function from bytecode");
  // The whole verifier runs only where it may report something.
  if (failed(functions.checkKinds()) ||
      (!(functions.areSilent() &&
         verifiesSilently(*module, functions.getSymbolUsers())) &&
       failed(mlir::verify(*module)))) {
    emitError(builder.getUnknownLoc())
        << "verification failed for deserialized cuda_tile::ModuleOp";
    return nullptr;
  }
  if (failed(functions.checkArguments())) {
    emitError(builder.getUnknownLoc())
        << "deserialized module does not conform to bytecode format invariants";
    return nullptr;
  }
  return module;
}

OwningOpRef<cuda_tile::ModuleOp> readBytecode(llvm::MemoryBufferRef buffer,
                                              MLIRContext *context,
                                              BytecodeVersion *fileVersion) {
  // Producers write files for the newest release.
  NewestReleaseScope newest(context);
  if (!buffer.getBufferStart()) {
    emitError(UnknownLoc::get(context)) << "input buffer is null";
    return nullptr;
  }
  // Printed operations around a fault can be many times larger than the file.
  bool printsOps = context->shouldPrintOpOnDiagnostic();
  context->printOpOnDiagnostic(false);
  llvm::scope_exit restore([&] { context->printOpOnDiagnostic(printsOps); });
  StringRef bytes = buffer.getBuffer();
  ModuleReader reader(
      ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()),
      context);
  OwningOpRef<cuda_tile::ModuleOp> module = reader.read();
  if (fileVersion)
    *fileVersion = reader.version;
  return module;
}

} // namespace tileir

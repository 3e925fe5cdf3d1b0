// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/FunctionReader.h"

#include "llvm/ADT/StringExtras.h"

namespace tileir::bytecode {

using namespace mlir;
using namespace mlir::cuda_tile;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult FunctionReader::readTable(ArrayRef<uint8_t> payload) {
  Cursor cursor(payload, tables.getContext());
  uint64_t count;
  if (!cursor.readVarInt(count))
    return failure();
  if (count > payload.size())
    return cursor.fail("number of functions (" + Twine(count) +
                       ") exceeds payload size (" + Twine(payload.size()) +
                       ")");
  for (uint64_t i = 0; i != count; ++i)
    if (failed(readRecord(cursor, functions.emplace_back())))
      return failure();
  return success();
}

/// The stage alone reports a field that cannot be read.
LogicalResult FunctionReader::readRecord(Cursor &cursor, Record &function) {
  if (!cursor.readVarInt(function.name) ||
      !cursor.readVarInt(function.signature) ||
      !cursor.readByte(function.flags) || !cursor.readVarInt(function.location))
    return failure();
  if (failed(checkFlags(cursor, function)) ||
      failed(readAttrs(cursor, function)))
    return failure();
  uint64_t length;
  if (!cursor.readVarInt(length))
    return failure();
  if (length > cursor.remaining())
    return cursor.fail("function body length " + Twine(length) +
                       " exceeds remaining bytecode data (" +
                       Twine(cursor.remaining()) + " bytes)");
  cursor.readBytes(length, function.body);
  return success();
}

/// Rejects flags that the version does not know. Below 13.4 they are ignored.
LogicalResult FunctionReader::checkFlags(const Cursor &cursor,
                                         const Record &function) const {
  BytecodeVersion version = tables.getVersion();
  if (version < kVersion13_4)
    return success();
  unsigned known = kFunctionPrivate | kFunctionEntry;
  known |= version < kVersion13_5 ? unsigned(kFunctionHints)
                                  : unsigned(kFunctionFormMask);
  if (unsigned unknown = function.flags & ~known)
    return cursor.fail("function entry has unrecognized flag bits (0x" +
                       llvm::utohexstr(unknown) + ");");
  if (version < kVersion13_5)
    return success();
  switch (FunctionForm((function.flags & kFunctionFormMask) >> 2)) {
  case FunctionForm::Ordinary:
    return success();
  case FunctionForm::ExternImplementation:
    if (function.flags & kFunctionEntry)
      return cursor.fail(
          "function entry cannot be both kernel and extern impl");
    return cursor.fail("uses preview feature 'simt', which is not enabled");
  case FunctionForm::Testing:
    return cursor.fail("function entry has testing form in non-test build");
  case FunctionForm::Reserved:
    break;
  }
  return cursor.fail("function entry has reserved form value");
}

/// Reads hints and argument attributes, in the encoding of the version. Their
/// contents are checked when the function is made.
LogicalResult FunctionReader::readAttrs(Cursor &cursor, Record &function) {
  bool always = tables.getVersion() >= kVersion13_5;
  bool isEntry = function.flags & kFunctionEntry;
  if (isEntry && (always || function.flags & kFunctionHints) &&
      !(function.hints = tables.readAttr(cursor)))
    return failure();
  if (always && !(function.argAttrs = tables.readAttr(cursor)))
    return failure();
  return success();
}

/// Returns whether the argument attributes `attr` are empty for all arguments.
static bool isVoid(ArrayAttr attrs) {
  return llvm::all_of(attrs, [](Attribute attr) {
    auto dictionary = dyn_cast<DictionaryAttr>(attr);
    return dictionary && dictionary.empty();
  });
}

/// Adds hints and argument attributes to `state`.
LogicalResult FunctionReader::addAttrs(const Record &function, StringRef quoted,
                                       const Cursor &file,
                                       OperationState &state) {
  if (function.hints) {
    auto hints = dyn_cast<OptimizationHintsAttr>(function.hints);
    if (!hints)
      return file.fail("invalid optimization hints attribute for function " +
                       quoted);
    // Empty hints equal none; from 13.5 on the field cannot be omitted.
    if (!hints.getValue().empty())
      state.addAttribute("optimization_hints", hints);
  }
  if (function.argAttrs) {
    auto args = dyn_cast<ArrayAttr>(function.argAttrs);
    if (!args)
      return file.fail("invalid argument attributes for function " + quoted);
    if (!isVoid(args))
      state.addAttribute("arg_attrs", args);
  }
  return success();
}

/// Resolves the numbers in `function`.
LogicalResult FunctionReader::resolve(size_t index, const Cursor &file,
                                      StringRef &name, FunctionType &type) {
  const Record &function = functions[index];
  if (!tables.getString(function.name, name))
    return file.fail("failed to get function name string at index " +
                     Twine(function.name));
  if (name.empty())
    return file.fail("function name at index " + Twine(function.name) +
                     " is empty");
  uint64_t signature = function.signature;
  if (signature >= tables.numTypes())
    return file.fail("function signature index " + Twine(signature) +
                     " out of bounds for function '" + name + "'");
  Type found = tables.getType(signature);
  if (!found)
    return file.fail("failed to parse type at index " + Twine(signature) +
                     " for function '" + name);
  type = dyn_cast<FunctionType>(found);
  if (!type)
    return file.error() << "function signature index " << signature
                        << " does not refer to a function type for function '"
                        << name << "', got type: " << found;
  return success();
}

LogicalResult FunctionReader::createFunction(size_t index, OpBuilder &builder,
                                             const Cursor &file) {
  const Record &function = functions[index];
  StringRef name;
  FunctionType type;
  if (failed(resolve(index, file, name, type)))
    return failure();
  std::string quoted = ("'" + name + "'").str();
  Location loc = builder.getUnknownLoc();
  std::optional<Numbers<uint64_t>> locations;
  if (function.location) {
    Numbers<uint64_t> numbers;
    LocationAttr own;
    if (debugInfo.getList(function.location, numbers) && !numbers.empty())
      own = debugInfo.getLocation(numbers[0]);
    if (!own)
      return file.fail("failed to read function location for " + quoted);
    loc = Location(own);
    locations = numbers.slice(1, numbers.size() - 1);
  }
  bool isEntry = function.flags & kFunctionEntry;
  // The testing versions have functions that are no kernels.
  if (!isEntry && tables.getVersion() < kVersion13_4)
    return file.fail("un-expected non-entry function " + quoted);

  OperationState state(loc, isEntry ? EntryOp::getOperationName()
                                    : TestingFuncOp::getOperationName());
  state.addAttribute("sym_name", builder.getStringAttr(name));
  state.addAttribute("function_type", TypeAttr::get(type));
  if (failed(addAttrs(function, quoted, file, state)))
    return failure();
  auto *block = new Block();
  state.addRegion()->push_back(block);
  for (Type input : type.getInputs())
    block->addArgument(input, loc);
  made.push_back(builder.create(state));

  Cursor cursor(function.body, tables.getContext());
  if (failed(bodies.read(cursor, *block, locations)))
    return file.fail("failed to parse function body for function " + quoted);
  // Verified at once, while the function is in the cache.
  silent = silent && verifiesSilently(made.back(), locations.has_value(),
                                      bodies.getChecks());
  return success();
}

LogicalResult FunctionReader::checkKinds() const {
  for (auto [function, op] : llvm::zip_equal(functions, made)) {
    if (function.flags & kFunctionPrivate)
      return op->emitOpError("entry op must have public symbol visibility");
    if (isa<TestingFuncOp>(op) && tables.getVersion() < kVersion250_0)
      return op->emitError("uses preview feature 'simt', which is not enabled");
  }
  return success();
}

LogicalResult FunctionReader::checkArguments() const {
  for (Operation *op : made) {
    auto entry = dyn_cast<EntryOp>(op);
    if (!entry)
      continue;
    for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes()))
      if (!isa<TileType>(type))
        return op->emitError()
               << "unsupported type in bytecode for entry argument #" << i
               << ": " << type << "; expected a rank-0 !cuda_tile.tile type";
  }
  return success();
}

} // namespace tileir::bytecode

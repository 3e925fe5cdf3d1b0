// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/Bytecode.h"
#include "dialects/cuda_tile/bytecode/Pools.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tileir {

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace tileir::bytecode;

namespace {

class ModuleWriter {
public:
  ModuleWriter(cuda_tile::ModuleOp module, BytecodeVersion version)
      : module(module), version(version), pools(module->getContext(), version) {
  }

  LogicalResult write(Encoder &file);

private:
  LogicalResult checkModule();
  LogicalResult writeGlobals(Encoder &out);
  LogicalResult writeFunctions(Encoder &out);
  LogicalResult writeFunction(Encoder &out, FunctionOpInterface function,
                              uint64_t list);
  LogicalResult writeFunctionAttrs(Encoder &out, FunctionOpInterface function,
                                   OptimizationHintsAttr hints);
  LogicalResult writeOperation(Encoder &out, Operation *op);
  LogicalResult checkLocation(Operation *op);
  LogicalResult writeLocation(Operation *op);
  LogicalResult writeResults(Encoder &out, const OpRecord &record,
                             Operation *op, unsigned &numValues);
  LogicalResult writeFlags(Encoder &out, const OpRecord &record, Operation *op);
  LogicalResult writeAttrs(Encoder &out, const OpRecord &record, Operation *op);
  LogicalResult writeInbounds(Encoder &out, const AttrField &field,
                              Operation *op, Attribute value);
  LogicalResult writeOperands(Encoder &out, const OpRecord &record,
                              Operation *op);
  LogicalResult writeRegion(Encoder &out, Region &region);
  LogicalResult writeTypeRef(Encoder &out, Type type);
  void number(ValueRange newValues) {
    for (Value value : newValues)
      values[value] = nextValue++;
  }

  cuda_tile::ModuleOp module;
  BytecodeVersion version;
  Pools pools;
  /// Location lists of the functions that have a location.
  SmallVector<SmallVector<uint64_t, 0>> lists;
  /// The list of the current function, or null.
  SmallVector<uint64_t, 0> *list = nullptr;
  DenseMap<Value, uint64_t> values;
  uint64_t nextValue = 0;
  unsigned depth = 0;
  /// Extents of the visited debug attributes.
  DenseMap<Attribute, Extent> extents;
};

} // namespace

//===----------------------------------------------------------------------===//
// Modules that can be written
//===----------------------------------------------------------------------===//

LogicalResult ModuleWriter::checkModule() {
  if (!findBytecodeVersion(version) || version.tag)
    return module->emitError()
           << "unsupported version requested " << version.str()
           << ", must be in range ["
           << supportedBytecodeVersions().front().version.str() << ", "
           << newestBytecodeVersion().str() << "]";
  if (failed(mlir::verify(module)))
    return failure();
  Region &body = module->getRegion(0);
  if (!body.empty())
    for (Operation &op : body.front())
      if (!isa<EntryOp, TestingFuncOp, GlobalOp>(op)) {
        op.emitRemark() << "invalid op: " << op.getName();
        return module.emitOpError()
               << "only function and global ops are allowed in the body";
      }
  WalkResult walk = module->walk([&](Operation *op) {
    if (isa_and_present<CudaTileDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitRemark() << "invalid op: " << op->getName();
    module.emitOpError() << "only ops from the 'cuda_tile' dialect are allowed";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// The extent of a debug attribute; larger than the limit when its `level` is
/// too deep already.
static Extent measure(Attribute attr, unsigned level,
                      DenseMap<Attribute, Extent> &known) {
  if (isa<UnknownLoc, FileLineColLoc>(attr))
    return {};
  if (level > kMaxDepth)
    return {kMaxDepth + 1, 1};
  if (auto extent = known.find(attr); extent != known.end())
    return extent->second;
  Extent parts;
  auto add = [&](Attribute part) {
    parts.add(measure(part, level + 1, known));
  };
  llvm::TypeSwitch<Attribute>(attr)
      .Case([&](DICompileUnitAttr unit) { add(unit.getFile()); })
      .Case([&](DILexicalBlockAttr block) {
        add(block.getScope());
        add(block.getFile());
      })
      .Case([&](DILocAttr loc) { add(loc.getScope()); })
      .Case([&](DISubprogramAttr subprogram) {
        add(subprogram.getFile());
        add(subprogram.getCompileUnit());
      })
      .Case([&](CallSiteLoc loc) {
        add(loc.getCallee());
        add(loc.getCaller());
      });
  return known[attr] = parts.whole();
}

/// Only debug locations, call sites of them, and locations that count as
/// unknown can be written.
static LogicalResult checkKind(Operation *op, LocationAttr loc,
                               BytecodeVersion version) {
  if (auto debugLoc = dyn_cast<DILocAttr>(loc)) {
    DILocalScopeAttr scope = debugLoc.getScope();
    while (auto block = dyn_cast<DILexicalBlockAttr>(scope))
      scope = block.getScope();
    if (version < kVersion13_5 &&
        cast<DISubprogramAttr>(scope).getFlags() != DISubprogramFlags::None)
      return op->emitError() << "subprogram flags require bytecode version "
                                "13.5+, but targeting "
                             << version.str();
    return success();
  }
  if (auto site = dyn_cast<CallSiteLoc>(loc))
    return failure(failed(checkKind(op, site.getCallee(), version)) ||
                   failed(checkKind(op, site.getCaller(), version)));
  if (isa<UnknownLoc, FileLineColLoc>(loc))
    return success();
  StringRef kind = isa<OpaqueLoc>(loc)  ? "OpaqueLoc"
                   : isa<NameLoc>(loc)  ? "NameLoc"
                   : isa<FusedLoc>(loc) ? "FusedLoc"
                                        : "Unknown Attribute";
  return op->emitError() << "unsupported location, got " << kind
                         << ", expected DILocAttr or CallSiteLoc";
}

/// The location of the code of `loc`. Printers walk all call sites, and repeat
/// those that they reach twice.
static Location innermost(Location loc) {
  while (auto site = dyn_cast<CallSiteLoc>(loc))
    loc = site.getCallee();
  if (auto debugLoc = dyn_cast<DILocAttr>(LocationAttr(loc)))
    return debugLoc.getSourceLoc();
  return loc;
}

LogicalResult ModuleWriter::checkLocation(Operation *op) {
  if (measure(op->getLoc(), 1, extents).isTooLarge())
    return mlir::emitError(innermost(op->getLoc()))
           << "location nests too deep to be read back, the limit is "
           << kMaxDepth << " levels and " << Extent::kMaxSize
           << " attributes; leave out inner call sites or scopes";
  return checkKind(op, op->getLoc(), version);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult ModuleWriter::writeTypeRef(Encoder &out, Type type) {
  FailureOr<uint64_t> index = pools.type(type);
  if (failed(index))
    return failure();
  out.varInt(*index);
  return success();
}

LogicalResult ModuleWriter::writeLocation(Operation *op) {
  if (failed(checkLocation(op)))
    return failure();
  if (list)
    list->push_back(pools.location(op->getLoc()));
  return success();
}

LogicalResult ModuleWriter::writeResults(Encoder &out, const OpRecord &record,
                                         Operation *op, unsigned &numValues) {
  ArrayRef<ValueField> fields = record.resultFields();
  bool isVariadic = llvm::any_of(fields, [](const ValueField &field) {
    return field.kind == FieldKind::Variadic;
  });
  numValues = op->getNumResults();
  for (size_t i = fields.size(); !isVariadic && i-- != 0;) {
    if (version >= fields[i].since)
      continue;
    if (!op->getResult(i).use_empty())
      return op->emitError()
             << "result '" << fields[i].name << "' requires bytecode version "
             << fields[i].since.str() << " but is being used and targeting "
             << version.str()
             << ". Cannot serialize to older bytecode version when newer "
                "features are used.";
    --numValues;
  }
  if (record.countsResults)
    out.varInt(numValues);
  for (Type type : op->getResults().take_front(numValues).getTypes())
    if (failed(writeTypeRef(out, type)))
      return failure();
  return success();
}

/// The operands of declared operand `index` of an operation with segments.
static OperandRange segment(Operation *op, size_t index) {
  auto sizes = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  unsigned start = 0;
  for (size_t i = 0; i != index; ++i)
    start += sizes[i];
  return op->getOperands().slice(start, sizes[index]);
}

LogicalResult ModuleWriter::writeFlags(Encoder &out, const OpRecord &record,
                                       Operation *op) {
  uint64_t flags = 0;
  for (const AttrField &field : record.attrFields()) {
    if (field.flag < 0 || !op->getAttr(field.name))
      continue;
    if (version < field.since)
      return op->emitError()
             << "optional attribute '" << field.name
             << "' is provided but requires bytecode version "
             << field.since.str() << ", targeting " << version.str();
    flags |= uint64_t(1) << field.flag;
  }
  for (auto [i, field] : llvm::enumerate(record.operandFields())) {
    if (field.flag < 0 || segment(op, i).empty())
      continue;
    if (version < field.since)
      return op->emitError()
             << "optional operand '" << field.name
             << "' is provided but requires bytecode version "
             << field.since.str() << ", targeting " << version.str();
    flags |= uint64_t(1) << field.flag;
  }
  if (record.hasFlags(version))
    out.varInt(flags);
  return success();
}

/// Writes the flags of all indices, which are mandatory from `field.since` on.
LogicalResult ModuleWriter::writeInbounds(Encoder &out, const AttrField &field,
                                          Operation *op, Attribute value) {
  auto flags = cast_if_present<DenseBoolArrayAttr>(value);
  if (version < field.since) {
    if (flags && llvm::is_contained(flags.asArrayRef(), true))
      return op->emitError()
             << "attribute '" << field.name << "' requires bytecode version "
             << field.since.str() << "+, but targeting " << version.str();
    return success();
  }
  if (!flags) {
    // The only variadic operand holds the indices.
    const OpRecord &record = *findOpRecord(op->getName().stripDialect());
    SmallVector<bool> none;
    for (auto [i, operand] : llvm::enumerate(record.operandFields()))
      if (operand.kind == FieldKind::Variadic)
        none.assign(segment(op, i).size(), false);
    flags = DenseBoolArrayAttr::get(op->getContext(), none);
  }
  return pools.writeInlineAttr(out, op, field.name, field.code, flags);
}

LogicalResult ModuleWriter::writeAttrs(Encoder &out, const OpRecord &record,
                                       Operation *op) {
  for (const AttrField &field : record.attrFields()) {
    Attribute value = op->getAttr(field.name);
    if (field.code == AttrCode::Inbounds) {
      if (failed(writeInbounds(out, field, op, value)))
        return failure();
      continue;
    }
    if (!value) {
      assert(field.flag >= 0 && "verified operations have what they require");
      continue;
    }
    if (version < field.since) {
      Encoder ignored;
      Encoder expected;
      expected.varInt(field.fallback);
      if (failed(pools.writeInlineAttr(ignored, op, field.name, field.code,
                                       value)))
        return failure();
      if (ignored.data() != expected.data())
        return op->emitError()
               << "attribute '" << field.name << "' requires bytecode version "
               << field.since.str() << "+, but targeting " << version.str();
      continue;
    }
    if (failed(pools.writeInlineAttr(out, op, field.name, field.code, value)))
      return failure();
  }
  return success();
}

LogicalResult ModuleWriter::writeOperands(Encoder &out, const OpRecord &record,
                                          Operation *op) {
  auto writeAll = [&](ValueRange list) {
    for (Value value : list)
      out.varInt(values.lookup(value));
  };
  if (!record.hasSegments) {
    if (record.countsOperands())
      out.varInt(op->getNumOperands());
    writeAll(op->getOperands());
    return success();
  }
  for (auto [i, field] : llvm::enumerate(record.operandFields())) {
    OperandRange list = segment(op, i);
    if (field.kind == FieldKind::Variadic)
      out.varInt(list.size());
    writeAll(list);
  }
  return success();
}

LogicalResult ModuleWriter::writeRegion(Encoder &out, Region &region) {
  out.varInt(llvm::range_size(region));
  for (Block &block : region) {
    uint64_t first = nextValue;
    number(block.getArguments());
    out.varInt(block.getNumArguments());
    for (Type type : block.getArgumentTypes())
      if (failed(writeTypeRef(out, type)))
        return failure();
    out.varInt(llvm::range_size(block));
    for (Operation &op : block)
      if (failed(writeOperation(out, &op)))
        return failure();
    nextValue = first;
  }
  return success();
}

LogicalResult ModuleWriter::writeOperation(Encoder &out, Operation *op) {
  pools.setUser(op);
  const OpRecord *record = findOpRecord(op->getName().stripDialect());
  if (!record)
    return op->emitError() << "operation not supported in bytecode (missing "
                              "from BytecodeOpcodes.td)";
  if (version < record->since)
    return op->emitError() << "operation '" << op->getName()
                           << "' is not available in bytecode version "
                           << version.str();
  out.varInt(record->opcode);
  unsigned numValues;
  if (failed(writeLocation(op)) ||
      failed(writeResults(out, *record, op, numValues)) ||
      failed(writeFlags(out, *record, op)) ||
      failed(writeAttrs(out, *record, op)) ||
      failed(writeOperands(out, *record, op)))
    return failure();
  if (record->numRegions) {
    if (depth == kMaxRegionDepth)
      return op->emitError() << "regions nest too deep to be read back, the "
                                "limit is "
                             << kMaxRegionDepth << " levels; nest them less";
    ++depth;
    out.varInt(op->getNumRegions());
    for (Region &region : op->getRegions())
      if (failed(writeRegion(out, region)))
        return failure();
    --depth;
  }
  number(op->getResults().take_front(numValues));
  return success();
}

//===----------------------------------------------------------------------===//
// Functions and globals
//===----------------------------------------------------------------------===//

/// Returns whether `attrs` has an attribute of an argument or a result.
static bool hasContent(ArrayAttr attrs) {
  return attrs && llvm::any_of(attrs, [](Attribute attr) {
           return !cast<DictionaryAttr>(attr).empty();
         });
}

/// Writes hints and argument attributes, in the encoding of the version.
LogicalResult ModuleWriter::writeFunctionAttrs(Encoder &out,
                                               FunctionOpInterface function,
                                               OptimizationHintsAttr hints) {
  auto args = function->getAttrOfType<ArrayAttr>("arg_attrs");
  if (hasContent(function->getAttrOfType<ArrayAttr>("res_attrs")))
    return function->emitError()
           << "result attributes have no place in bytecode; drop them";
  bool always = version >= kVersion13_5;
  if (always && !hints && isa<EntryOp>(function))
    hints = OptimizationHintsAttr::get(
        function->getContext(), DictionaryAttr::get(function->getContext()));
  if (hints &&
      failed(pools.writeAttr(out, function, "optimization_hints", hints)))
    return failure();
  if (!always) {
    if (hasContent(args))
      return function->emitError()
             << "argument attributes require bytecode version 13.5+, but "
                "targeting "
             << version.str();
    return success();
  }
  if (!hasContent(args))
    args = ArrayAttr::get(function->getContext(), {});
  return pools.writeAttr(out, function, "arg_attrs", args);
}

LogicalResult ModuleWriter::writeFunction(Encoder &out,
                                          FunctionOpInterface function,
                                          uint64_t listNumber) {
  pools.setUser(function);
  bool isEntry = isa<EntryOp>(function);
  auto hints =
      function->getAttrOfType<OptimizationHintsAttr>("optimization_hints");
  out.varInt(pools.string(function.getName()));
  if (failed(writeTypeRef(out, function.getFunctionType())))
    return failure();
  bool flagsHints = hints && version < kVersion13_5;
  out.byte((isEntry ? kFunctionEntry : 0) | (flagsHints ? kFunctionHints : 0));
  out.varInt(listNumber);
  if (failed(writeFunctionAttrs(out, function, hints)))
    return failure();
  values.clear();
  nextValue = 0;
  list = listNumber ? &lists[listNumber - 1] : nullptr;
  Block &block = function.getFunctionBody().front();
  number(block.getArguments());
  Encoder body;
  for (Operation &op : block)
    if (failed(writeOperation(body, &op)))
      return failure();
  out.varInt(body.size());
  out.append(body.data());
  return success();
}

LogicalResult ModuleWriter::writeFunctions(Encoder &out) {
  auto functions =
      llvm::to_vector(module->getRegion(0).getOps<FunctionOpInterface>());
  // Names, signatures and locations of all functions come before the bodies.
  SmallVector<uint64_t> numbers;
  for (FunctionOpInterface function : functions) {
    pools.setUser(function);
    if (isa<TestingFuncOp>(function) && version < kVersion250_0)
      return function->emitError()
             << "operation '" << function->getName()
             << "' is not available in bytecode version " << version.str();
    pools.string(function.getName());
    if (failed(pools.type(function.getFunctionType())) ||
        failed(checkLocation(function)))
      return failure();
    uint64_t location = pools.location(function->getLoc());
    if (location)
      lists.push_back({location});
    numbers.push_back(location ? lists.size() : 0);
  }
  Encoder globals;
  if (failed(writeGlobals(globals)))
    return failure();
  if (globals.size())
    out.section(Section::Global, globals, 0);
  Encoder payload;
  payload.varInt(functions.size());
  for (auto [function, listNumber] : llvm::zip(functions, numbers))
    if (failed(writeFunction(payload, function, listNumber)))
      return failure();
  payload.padTo(8);
  out.section(Section::Func, payload, 8);
  return success();
}

LogicalResult ModuleWriter::writeGlobals(Encoder &out) {
  auto globals = llvm::to_vector(module->getRegion(0).getOps<GlobalOp>());
  if (globals.empty())
    return success();
  out.varInt(globals.size());
  for (GlobalOp global : globals) {
    pools.setUser(global);
    auto name = global.getSymName();
    auto value = cast<DenseElementsAttr>(global.getValue());
    out.varInt(pools.string(name));
    if (failed(writeTypeRef(out, value.getType())))
      return failure();
    FailureOr<uint64_t> constant = pools.constant(value);
    if (failed(constant))
      return global.emitError() << "failed to add global constant: '" << name;
    out.varInt(*constant);
    out.varInt(global.getAlignment());
    bool isPublic = global.getSymbolVisibility() == SymbolVisibility::Public;
    if (version >= kVersion13_3) {
      out.varInt(isPublic ? 0 : 1);
      out.varInt(global.getConstant() ? 1 : 0);
      continue;
    }
    if (!isPublic)
      return global.emitError()
             << "global `" << name
             << "` uses non-public symbol visibility, which cannot be encoded "
                "in bytecode version "
             << version.str() << " (requires bytecode 13.3+)";
    if (global.getConstant())
      return global.emitError()
             << "constant global `" << name
             << "` cannot be encoded in bytecode version " << version.str()
             << " (the `constant` attribute requires bytecode 13.3+)";
  }
  return success();
}

LogicalResult ModuleWriter::write(Encoder &file) {
  if (failed(checkModule()))
    return failure();
  for (uint8_t byte : kMagic)
    file.byte(byte);
  file.byte(version.major);
  file.byte(version.minor);
  file.fixed(version.tag);
  if (module->getRegion(0).empty())
    module->getRegion(0).emplaceBlock();
  if (failed(writeFunctions(file)))
    return failure();
  if (pools.hasConstants())
    file.section(Section::Constant, pools.constantPayload(), 8);
  if (!lists.empty() || pools.hasDebugAttrs())
    file.section(Section::Debug, pools.debugPayload(lists), 8);
  file.section(Section::Type, pools.typePayload(), 4);
  auto producer = module->getAttrOfType<StringAttr>("producer");
  if (producer && version >= kVersion13_3) {
    Encoder payload;
    payload.varInt(pools.string(producer));
    file.section(Section::Producer, payload, 0);
  }
  file.section(Section::String, pools.stringPayload(), 4);
  file.byte(static_cast<uint8_t>(Section::End));
  return success();
}

FailureOr<BytecodeVersion> minimumBytecodeVersion(cuda_tile::ModuleOp module) {
  for (const BytecodeVersionInfo &info : supportedBytecodeVersions()) {
    // A feature that an older version lacks is no error here; the newest
    // version reports faults of the module itself.
    std::optional<ScopedDiagnosticHandler> silence;
    if (info.version != supportedBytecodeVersions().back().version)
      silence.emplace(module.getContext(), [](Diagnostic &) {});
    Encoder file;
    if (succeeded(ModuleWriter(module, info.version).write(file)))
      return info.version;
  }
  return failure();
}

LogicalResult writeBytecode(cuda_tile::ModuleOp module, BytecodeVersion version,
                            llvm::raw_ostream &os) {
  Encoder file;
  ModuleWriter writer(module, version);
  if (failed(writer.write(file)))
    return failure();
  os.write(reinterpret_cast<const char *>(file.data().data()), file.size());
  return success();
}

} // namespace tileir

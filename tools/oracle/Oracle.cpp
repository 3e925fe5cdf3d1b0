// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/oracle/Oracle.h"

#include "dialects/cuda_tile/bytecode/Bytecode.h"
#include "dialects/support/Nesting.h"
#include "tools/cases/TokenRule.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

namespace tileir {

using namespace mlir;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

OwningOpRef<Operation *> loadKernel(const std::string &path,
                                    MLIRContext *context) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer) {
    llvm::errs() << "error: cannot read '" << path
                 << "': " << buffer.getError().message() << '\n';
    return {};
  }
  StringRef bytes = (*buffer)->getBuffer();
  if (isTileIRBytecode(bytes)) {
    // The context serves this kernel alone, which may be printed or verified
    // later.
    context->getOrLoadDialect<cuda_tile::CudaTileDialect>()
        ->setFollowsNewestRelease(true);
    OwningOpRef<cuda_tile::ModuleOp> module =
        readBytecode((*buffer)->getMemBufferRef(), context);
    return module ? OwningOpRef<Operation *>(module.release().getOperation())
                  : OwningOpRef<Operation *>();
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, context);
  if (auto place = findDeepNesting(bytes)) {
    emitError(FileLineColLoc::get(context, path, place->line, place->column))
        << deepNestingMessage();
    return {};
  }
  OwningOpRef<mlir::ModuleOp> module =
      parseSourceFile<mlir::ModuleOp>(sources, context);
  return module ? OwningOpRef<Operation *>(module.release().getOperation())
                : OwningOpRef<Operation *>();
}

cuda_tile::EntryOp findEntry(Operation *module, StringRef name,
                             std::string &error) {
  SmallVector<cuda_tile::EntryOp> entries;
  module->walk([&](cuda_tile::EntryOp entry) {
    if (name.empty() || entry.getSymName() == name)
      entries.push_back(entry);
  });
  if (entries.size() == 1)
    return entries.front();
  if (!entries.empty())
    error = "the module has several kernels; name one with 'entry'";
  else
    error = name.empty() ? "the module has no kernel"
                         : ("the module has no kernel '" + name + "'").str();
  return {};
}

/// Returns whether the case has the arguments of the kernel.
static bool checkArguments(cuda_tile::EntryOp entry, const cases::Case &theCase,
                           std::string &error) {
  ArrayRef<Type> types = entry.getArgumentTypes();
  if (types.size() != theCase.args.size()) {
    error = "the kernel has " + std::to_string(types.size()) +
            " parameters, the case " + std::to_string(theCase.args.size()) +
            " arguments";
    return false;
  }
  for (auto [type, arg] : llvm::zip_equal(types, theCase.args)) {
    auto tile = dyn_cast<cuda_tile::TileType>(type);
    if (!tile || tile.getRank() != 0) {
      error = "the kernel has a parameter that is not a scalar";
      return false;
    }
    bool isPointer = isa<cuda_tile::PointerType>(tile.getElementType());
    bool isBuffer = arg.kind == cases::Arg::Kind::Buffer;
    if (isPointer && arg.address())
      continue;
    if (arg.kind != cases::Arg::Kind::Scalar && !isBuffer) {
      error = arg.where + ": a tile kernel takes scalars and buffers";
      return false;
    }
    unsigned width = reference::storageBits(tile.getElementType());
    if (isPointer && !isBuffer && cases::storageBits(arg.dtype) != 64) {
      error = arg.where + ": the parameter is a pointer, expected 'shape' or "
                          "an i64 address";
      return false;
    }
    if (!isPointer &&
        (isBuffer || cases::storageBits(arg.dtype) != int(width))) {
      llvm::raw_string_ostream(error)
          << arg.where << ": the parameter is a scalar of "
          << tile.getElementType();
      return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {

/// A buffer of the case and its address.
struct Placed {
  const cases::BufferSpec *spec;
  reference::Allocation *allocation;
};

} // namespace

static bool placeBuffer(reference::Run &run, const std::string &directory,
                        const cases::BufferSpec &spec, uint64_t &used,
                        std::vector<Placed> &placed, std::string &error) {
  cases::BufferImage image;
  if (!cases::materialize(spec, directory, used, image, error))
    return false;
  reference::Allocation &allocation =
      run.memory.allocate(spec.name, image.bytes, spec.align,
                          cases::storageBytes(spec.dtype, spec.offset));
  allocation.bytes.reset(image.bytes, image.fill);
  allocation.state.reset(image.bytes, image.isFillWritten);
  size_t width = cases::storageBits(spec.dtype);
  for (auto [index, bits] : llvm::enumerate(image.elements)) {
    if (!image.isWritten(index))
      continue;
    uint64_t place = spec.place(index);
    if (width == 4) {
      uint8_t &byte = allocation.bytes.at(place / 2);
      cases::storeBits(spec.dtype, &byte, place % 2, bits);
      allocation.state.at(place / 2) = 1;
      continue;
    }
    uint8_t bytes[8];
    cases::storeBits(spec.dtype, bytes, 0, bits);
    for (size_t i = 0; i < width / 8; ++i) {
      allocation.bytes.at(place * (width / 8) + i) = bytes[i];
      allocation.state.at(place * (width / 8) + i) = 1;
    }
  }
  placed.push_back({&spec, &allocation});
  return true;
}

static const Placed *findPlaced(ArrayRef<Placed> placed, StringRef name) {
  const Placed *found = llvm::find_if(placed, [&](const Placed &candidate) {
    return candidate.spec->name == name;
  });
  return found == placed.end() ? nullptr : found;
}

static bool relocate(std::vector<Placed> &placed, std::string &error) {
  for (Placed &buffer : placed)
    for (const cases::Relocation &relocation : buffer.spec->relocations) {
      const Placed *target = findPlaced(placed, relocation.buffer);
      if (!target || relocation.offset + 8 > buffer.allocation->bytes.size()) {
        error = buffer.spec->where + ": bad relocation to '" +
                relocation.buffer + "'";
        return false;
      }
      uint64_t address = target->allocation->base + relocation.addend;
      for (unsigned i = 0; i < 8; ++i) {
        buffer.allocation->bytes.at(relocation.offset + i) = address >> (8 * i);
        buffer.allocation->state.at(relocation.offset + i) = 1;
      }
    }
  return true;
}

/// Reports the first element of an output whose value the kernel leaves open.
static void findOpenOutput(reference::Run &run, const Placed &buffer) {
  const cases::BufferSpec &spec = *buffer.spec;
  for (size_t i = 0; i < spec.count(); ++i) {
    size_t first = cases::storageBytes(spec.dtype, spec.place(i));
    if (cases::storageBits(spec.dtype) == 4)
      first = spec.place(i) / 2;
    size_t size = std::max(cases::storageBits(spec.dtype) / 8, 1);
    for (size_t byte = first; byte < first + size; ++byte)
      if (buffer.allocation->state[byte] == 2) {
        run.report(run.entry, {0, 0, 0}, "init",
                   "output '" + spec.name + "', element " + llvm::Twine(i) +
                       ", depends on a value that nothing determines");
        return;
      }
  }
}

//===----------------------------------------------------------------------===//
// Run
//===----------------------------------------------------------------------===//

/// Returns the error of each element of an output.
static std::vector<double> gatherErrors(const Placed &buffer) {
  const cases::BufferSpec &spec = *buffer.spec;
  std::vector<double> errors;
  if (buffer.allocation->errors.empty())
    return errors;
  for (size_t i = 0; i < spec.count(); ++i) {
    size_t byte = cases::storageBits(spec.dtype) == 4
                      ? spec.place(i) / 2
                      : cases::storageBytes(spec.dtype, spec.place(i));
    errors.push_back(buffer.allocation->errors[byte]);
  }
  return errors;
}

bool runOracle(cuda_tile::EntryOp entry, const cases::Case &theCase,
               const reference::RunOptions &options, OracleResult &result,
               std::string &error) {
  if (!checkArguments(entry, theCase, error))
    return false;
  reference::Run run(entry, options);
  std::vector<Placed> placed;
  uint64_t used = 0;
  for (const cases::Arg &arg : theCase.args)
    if (arg.kind == cases::Arg::Kind::Buffer &&
        !placeBuffer(run, theCase.directory, arg.buffer, used, placed, error))
      return false;
  for (const cases::BufferSpec &spec : theCase.buffers)
    if (!placeBuffer(run, theCase.directory, spec, used, placed, error))
      return false;
  if (!relocate(placed, error))
    return false;
  std::vector<uint64_t> arguments;
  size_t next = 0;
  for (auto [type, arg] :
       llvm::zip_equal(entry.getArgumentTypes(), theCase.args)) {
    run.parameterNames.push_back(arg.name);
    const cases::StructField *address = arg.address();
    if (address || arg.kind == cases::Arg::Kind::Buffer) {
      const Placed *target =
          address ? findPlaced(placed, address->buffer) : &placed[next++];
      if (!target) {
        error = arg.where + ": no buffer is called '" + address->buffer + "'";
        return false;
      }
      arguments.push_back(target->allocation->base +
                          (address ? address->addend : 0));
    } else {
      // The lower bits of a tf32 in memory are ignored.
      arguments.push_back(
          isa<FloatTF32Type>(cast<cuda_tile::TileType>(type).getElementType())
              ? arg.bits >> 13
              : arg.bits);
    }
  }

  run.execute(arguments);
  for (const Placed &buffer : placed) {
    if (!buffer.spec->output)
      continue;
    findOpenOutput(run, buffer);
    result.outputs.push_back(
        {buffer.spec,
         cases::gather(
             *buffer.spec,
             [&](uint64_t byte) { return buffer.allocation->bytes[byte]; }),
         gatherErrors(buffer)});
  }
  for (const reference::Finding &finding : run.findings)
    if (finding.kind == "error") {
      error = finding.message;
      return false;
    }
  for (reference::Finding &finding : run.findings)
    if (finding.isWithinBlock)
      finding.message += std::string("; ") + cases::kTokenRule;
  result.findings = std::move(run.findings);
  result.notes = std::move(run.notes);
  result.printed = std::move(run.printed);
  return true;
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tileir-interp/CaseRun.h"

#include "dialects/cuda_tile/bytecode/Bytecode.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

namespace tileir {

using namespace mlir;
using llvm::StringRef;

static int fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return 2;
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

/// Reads bytecode or text. Errors go to the diagnostic handlers.
static OwningOpRef<Operation *> loadModule(const std::string &path,
                                           MLIRContext *context) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer) {
    fail("cannot read '" + path + "': " + buffer.getError().message());
    return {};
  }
  StringRef bytes = (*buffer)->getBuffer();
  if (isTileIRBytecode(bytes)) {
    OwningOpRef<cuda_tile::ModuleOp> module =
        readBytecode((*buffer)->getMemBufferRef(), context);
    return module ? OwningOpRef<Operation *>(module.release().getOperation())
                  : OwningOpRef<Operation *>();
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, context);
  OwningOpRef<mlir::ModuleOp> module =
      parseSourceFile<mlir::ModuleOp>(sources, context);
  return module ? OwningOpRef<Operation *>(module.release().getOperation())
                : OwningOpRef<Operation *>();
}

/// The kernel of that name, or the only one. Null after an error.
static cuda_tile::EntryOp findEntry(Operation *module, StringRef name) {
  SmallVector<cuda_tile::EntryOp> entries;
  module->walk([&](cuda_tile::EntryOp entry) {
    if (name.empty() || entry.getSymName() == name)
      entries.push_back(entry);
  });
  if (entries.size() == 1)
    return entries.front();
  if (entries.empty())
    fail(name.empty() ? "the module has no kernel"
                      : "the module has no kernel '" + name + "'");
  else
    fail("the module has several kernels; name one with 'entry'");
  return {};
}

/// Whether the arguments of the case are those of the kernel.
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
    if (arg.kind != cases::Arg::Kind::Scalar && !isBuffer) {
      error = arg.where + ": a tile kernel takes scalars and buffers";
      return false;
    }
    unsigned width = reference::bitWidth(tile.getElementType());
    if (isPointer && !isBuffer && cases::storageBits(arg.dtype) != 64) {
      error = arg.where + ": the parameter is a pointer, expected 'shape' or "
                          "an i64 address";
      return false;
    }
    if (!isPointer && (isBuffer || cases::storageBits(arg.dtype) !=
                                       (width == 1 ? 8 : int(width)))) {
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

/// A buffer of the case and where it lies.
struct Placed {
  const cases::BufferSpec *spec;
  reference::Allocation *allocation;
};

} // namespace

static bool placeBuffer(reference::Run &run, const std::string &directory,
                        const cases::BufferSpec &spec,
                        std::vector<Placed> &placed, std::string &error) {
  cases::BufferImage image;
  if (!cases::materialize(spec, directory, image, error))
    return false;
  reference::Allocation &allocation =
      run.memory.allocate(spec.name, image.bytes.size(), spec.align,
                          cases::storageBytes(spec.dtype, spec.offset));
  allocation.bytes = image.bytes;
  allocation.state = image.written;
  placed.push_back({&spec, &allocation});
  return true;
}

static bool relocate(std::vector<Placed> &placed, std::string &error) {
  for (Placed &buffer : placed)
    for (const cases::Relocation &relocation : buffer.spec->relocations) {
      auto target = llvm::find_if(placed, [&](const Placed &candidate) {
        return candidate.spec->name == relocation.buffer;
      });
      if (target == placed.end() ||
          relocation.offset + 8 > buffer.allocation->bytes.size()) {
        error = buffer.spec->where + ": bad relocation to '" +
                relocation.buffer + "'";
        return false;
      }
      uint64_t address = target->allocation->base + relocation.addend;
      for (unsigned i = 0; i < 8; ++i) {
        buffer.allocation->bytes[relocation.offset + i] = address >> (8 * i);
        buffer.allocation->state[relocation.offset + i] = 1;
      }
    }
  return true;
}

/// Reports the first element of an output that the kernel left open.
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
// Report
//===----------------------------------------------------------------------===//

static std::string describe(const reference::Finding &finding) {
  std::string text = finding.kind + ": ";
  if (finding.line != 0)
    text += finding.file + ":" + std::to_string(finding.line) + ": ";
  text += "block (" + std::to_string(finding.block[0]) + "," +
          std::to_string(finding.block[1]) + "," +
          std::to_string(finding.block[2]) + "): " + finding.message;
  if (finding.count > 1)
    text += " (" + std::to_string(finding.count) + " times)";
  return text;
}

static std::string toJson(ArrayRef<reference::Finding> findings,
                          ArrayRef<cases::Mismatch> mismatches,
                          StringRef outcome, StringRef message) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "{\"outcome\": \"" << outcome << '"';
  if (!message.empty())
    os << ", \"message\": " << cases::quoteJson(message.str());
  os << ",\n \"findings\": [";
  for (auto [index, finding] : llvm::enumerate(findings))
    os << (index ? ",\n  " : "") << "{\"kind\": \"" << finding.kind
       << "\", \"line\": " << finding.line << ", \"block\": ["
       << finding.block[0] << ", " << finding.block[1] << ", "
       << finding.block[2]
       << "], \"message\": " << cases::quoteJson(finding.message)
       << ", \"count\": " << finding.count << ", \"related\": []}";
  os << "],\n \"mismatches\": [";
  for (auto [index, mismatch] : llvm::enumerate(mismatches)) {
    os << (index ? ",\n  " : "")
       << "{\"name\": " << cases::quoteJson(mismatch.name) << ", \"index\": [";
    llvm::interleaveComma(mismatch.index, os);
    os << "], \"got\": " << cases::quoteJson(mismatch.got)
       << ", \"expected\": " << cases::quoteJson(mismatch.expected)
       << ", \"count\": " << mismatch.count << "}";
  }
  os << "]}\n";
  return text;
}

static bool writeFile(const std::string &path, StringRef text) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code) {
    fail("cannot write '" + path + "': " + code.message());
    return false;
  }
  os << text;
  return true;
}

//===----------------------------------------------------------------------===//
// Run
//===----------------------------------------------------------------------===//

namespace {

/// What comparing the outputs gave.
struct Comparison {
  std::vector<cases::Mismatch> mismatches;
  std::string error;
};

} // namespace

static bool compareOutputs(const InterpOptions &options,
                           ArrayRef<Placed> placed, Comparison &result) {
  for (const Placed &buffer : placed) {
    const cases::BufferSpec &spec = *buffer.spec;
    if (!spec.output)
      continue;
    std::vector<uint64_t> bits =
        cases::gather(spec, buffer.allocation->bytes.data());
    if (!options.outDirectory.empty() &&
        !cases::writeOutput(spec, bits, options.outDirectory, result.error))
      return false;
    bool differs = false;
    cases::Mismatch mismatch;
    if (!cases::compareExpected(spec, options.theCase.directory, bits, differs,
                                mismatch, result.error))
      return false;
    if (differs)
      result.mismatches.push_back(mismatch);
  }
  return true;
}

/// Compares the printed text, by lines as a multiset where the case says so.
static bool comparePrinted(const InterpOptions &options, StringRef printed,
                           Comparison &result) {
  const cases::Case &theCase = options.theCase;
  if (theCase.stdoutFile.empty())
    return true;
  std::string expected;
  if (!cases::readText(theCase.resolve(theCase.stdoutFile), expected,
                       result.error))
    return false;
  auto lines = [&](StringRef text) {
    SmallVector<StringRef> split;
    text.split(split, '\n');
    if (theCase.stdoutAnyOrder)
      llvm::sort(split);
    return split;
  };
  if (lines(printed) != lines(expected)) {
    cases::Mismatch mismatch;
    mismatch.name = "stdout";
    mismatch.got = printed.str();
    mismatch.expected = expected;
    mismatch.count = 1;
    result.mismatches.push_back(mismatch);
  }
  return true;
}

/// Says on standard error what was found and gives the outcome its name.
static StringRef summarize(ArrayRef<reference::Finding> findings,
                           ArrayRef<cases::Mismatch> mismatches) {
  StringRef outcome = "ok";
  for (const reference::Finding &finding : findings) {
    llvm::errs() << describe(finding) << '\n';
    if (finding.kind != "assert")
      outcome = "fault";
    else if (outcome == "ok")
      outcome = "assert";
  }
  for (const cases::Mismatch &mismatch : mismatches) {
    llvm::errs() << "mismatch: " << mismatch.name << '[';
    llvm::interleaveComma(mismatch.index, llvm::errs());
    llvm::errs() << "]: got " << mismatch.got << ", expected "
                 << mismatch.expected << ", " << mismatch.count
                 << " elements differ\n";
  }
  return outcome;
}

int runCase(const InterpOptions &options) {
  auto refuse = [&](const llvm::Twine &message) {
    if (!options.reportFile.empty())
      writeFile(options.reportFile, toJson({}, {}, "error", message.str()));
    return fail(message);
  };
  const cases::Case &theCase = options.theCase;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  OwningOpRef<Operation *> module =
      loadModule(theCase.resolve(theCase.kernel), &context);
  if (!module)
    return refuse("cannot load the kernel '" + theCase.kernel + "'");
  cuda_tile::EntryOp entry = findEntry(*module, theCase.entry);
  std::string error;
  if (!entry)
    return 2;
  if (!checkArguments(entry, theCase, error))
    return refuse(error);

  reference::Run run(entry, options.run);
  std::vector<Placed> placed;
  for (const cases::Arg &arg : theCase.args)
    if (arg.kind == cases::Arg::Kind::Buffer &&
        !placeBuffer(run, theCase.directory, arg.buffer, placed, error))
      return refuse(error);
  for (const cases::BufferSpec &spec : theCase.buffers)
    if (!placeBuffer(run, theCase.directory, spec, placed, error))
      return refuse(error);
  if (!relocate(placed, error))
    return refuse(error);
  std::vector<uint64_t> arguments;
  size_t next = 0;
  for (const cases::Arg &arg : theCase.args)
    arguments.push_back(arg.kind == cases::Arg::Kind::Buffer
                            ? placed[next++].allocation->base
                            : arg.bits);

  run.execute(arguments);
  for (const Placed &buffer : placed)
    if (buffer.spec->output)
      findOpenOutput(run, buffer);
  for (const reference::Finding &finding : run.findings)
    if (finding.kind == "error")
      return refuse(finding.message);

  std::vector<reference::Finding> findings;
  for (const reference::Finding &finding : run.findings)
    if (!llvm::is_contained(options.silent, finding.kind))
      findings.push_back(finding);
  Comparison comparison;
  llvm::outs() << run.printed;
  if (!options.outDirectory.empty()) {
    if (std::error_code code =
            llvm::sys::fs::create_directories(options.outDirectory))
      return refuse("cannot create '" + options.outDirectory +
                    "': " + code.message());
    if (!writeFile(options.outDirectory + "/stdout.txt", run.printed))
      return 2;
  }
  if (!compareOutputs(options, placed, comparison) ||
      !comparePrinted(options, run.printed, comparison))
    return refuse(comparison.error);
  StringRef outcome = summarize(findings, comparison.mismatches);
  if (!options.reportFile.empty() &&
      !writeFile(options.reportFile,
                 toJson(findings, comparison.mismatches, outcome, "")))
    return 2;
  return outcome == "ok" && comparison.mismatches.empty() ? 0 : 1;
}

} // namespace tileir

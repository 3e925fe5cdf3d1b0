// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Speed and memory of the bytecode reader: reads a module that is mostly
// constants, one of kernels full of operations, such kernels with locations,
// and the kernels of real producers, repeated; prints a line for each.
//
// An operation takes a hundred to two hundred bytes in memory and some seven in
// a file, with any reader. So the memory is reported in two shares: the
// finished module, and the reader's own, the file included. Speed is compared
// with creating the same operations again from finished parts, without decoding
// and verification, and with MLIR's own reader of the same module in MLIR's own
// bytecode, verified and not.
//
// The bounds are 100 MB/s where bytes are data, six times the input for the
// reader's own memory on any module, and MLIR's speed for operations.

#include "dialects/cuda_tile/bytecode/Bytecode.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <ctime>
#include <fstream>
#include <malloc.h>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace tileir;
namespace cl = llvm::cl;

static cl::opt<unsigned> megabytes("size", cl::desc("Megabytes of constants"),
                                   cl::init(64));
static cl::opt<unsigned>
    kernels("kernels", cl::desc("Kernels of 6000 operations"), cl::init(50));
static cl::opt<std::string>
    folder("files", cl::desc("Folder of the bytecode files of real producers"),
           cl::init("test/data/tileirbc"));
static cl::opt<unsigned> repeat("repeat", cl::desc("How often they are in"),
                                cl::init(20));
static cl::opt<bool>
    check("check", cl::desc("Fail when a module of operations is read slower "
                            "than MLIR reads its own bytecode, the one of "
                            "constants slower than 100 MB/s or into six times "
                            "its size, or when the reader takes six times the "
                            "input of any beside the module that it makes"));

namespace {

constexpr double kMinSpeed = 100;
constexpr double kMaxMemory = 6;
/// Memory that any reading takes, including pages of the program.
constexpr double kAlwaysAllowed = 4e6;

struct Shape {
  const char *name;
  /// Writes the module to a path without its extension.
  void (*make)(const std::string &path);
  /// Mostly constants.
  bool isData;
};

/// A reader of a file.
enum class Reader { Ours, Upstream, UpstreamUnverified };

struct Result {
  /// Of one processor, so that other processes do not count.
  double seconds = 0;
  /// Bytes that the process allocated beyond its memory before.
  double memory = 0;
  /// Bytes that remain while only the module and its context exist.
  double kept = 0;
  double numOps = 0;
  /// Time and memory for creating the operations of the module again.
  double remakeSeconds = 0;
};

} // namespace

/// Writes `module` in both formats.
static void write(cuda_tile::ModuleOp module, const std::string &path) {
  std::error_code error;
  llvm::raw_fd_ostream ours(path + ".tileirbc", error);
  llvm::raw_fd_ostream upstream(path + ".mlirbc", error);
  if (error || failed(writeBytecode(module, newestBytecodeVersion(), ours)) ||
      failed(writeBytecodeToFile(module, upstream)))
    std::exit(1);
}

/// Globals of 64 KiB of noise.
static void makeConstants(const std::string &path) {
  constexpr int64_t elements = 1 << 14;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.getOrLoadDialect<cuda_tile::CudaTileDialect>()
      ->setFollowsNewestRelease(true);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  OpBuilder builder(&context);
  OwningOpRef<cuda_tile::ModuleOp> module =
      cuda_tile::ModuleOp::create(builder, builder.getUnknownLoc(), "kernels");
  builder.setInsertionPointToEnd(&module->getBody().front());
  auto type =
      cuda_tile::TileType::get(&context, {elements}, builder.getI32Type());
  std::mt19937 random(7);
  std::vector<int32_t> data(elements);
  for (unsigned i = 0, count = megabytes * 16; i != count; ++i) {
    for (int32_t &value : data)
      value = static_cast<int32_t>(random());
    OperationState state(builder.getUnknownLoc(), "cuda_tile.global");
    state.addAttribute("sym_name", builder.getStringAttr("g" + Twine(i)));
    state.addAttribute("value",
                       DenseElementsAttr::get(type, ArrayRef<int32_t>(data)));
    state.addAttribute("alignment", builder.getI64IntegerAttr(0));
    state.addAttribute("symbol_visibility",
                       cuda_tile::SymbolVisibilityAttr::get(
                           &context, cuda_tile::SymbolVisibility::Public));
    builder.create(state);
  }
  write(*module, path);
}

static void makeKernels(bool withLocations, const std::string &path) {
  std::string text = "#file = #cuda_tile.di_file<\"a.py\" in \"/src\">\n"
                     "#unit = #cuda_tile.di_compile_unit<file = #file>\n";
  llvm::raw_string_ostream os(text);
  std::string module = "cuda_tile.module @kernels {\n";
  llvm::raw_string_ostream body(module);
  unsigned line = 0, numLocations = 0;
  auto location = [&](unsigned kernel) -> std::string {
    if (!withLocations)
      return "\n";
    os << "#l" << ++numLocations
       << " = #cuda_tile.di_loc<loc(\"a.py\":" << ++line << ":3) in #sub"
       << kernel << ">\n";
    return " loc(#l" + std::to_string(numLocations) + ")\n";
  };
  for (unsigned kernel = 0; kernel != kernels; ++kernel) {
    if (withLocations)
      os << "#sub" << kernel
         << " = #cuda_tile.di_subprogram<file = #file, line = 1, name = \"k\", "
            "linkageName = \"k"
         << kernel << "\", compileUnit = #unit>\n";
    body << "entry @k" << kernel << "(%x: tile<f32>) {\n"
         << "%b = reshape %x : tile<f32> -> tile<1xf32>\n"
         << "%v0 = broadcast %b : tile<1xf32> -> tile<128xf32>\n";
    for (unsigned i = 0, v = 0; i != 1000; ++i, v += 4) {
      auto end = [&] { return location(kernel); };
      body << "%v" << v + 1 << " = addf %v" << v << ", %v0 : tile<128xf32>"
           << end() << "%v" << v + 2 << " = mulf %v" << v + 1 << ", %v" << v
           << " flush_to_zero : tile<128xf32>" << end() << "%c" << i
           << " = constant <f32: " << i << ".0> : tile<128xf32>" << end()
           << "%v" << v + 3 << " = fma %v" << v + 2 << ", %v" << v << ", %c"
           << i << " : tile<128xf32>" << end() << "%p" << i
           << " = cmpf less_than ordered %v" << v + 3 << ", %v" << v
           << " : tile<128xf32> -> tile<128xi1>" << end() << "%v" << v + 4
           << " = select %p" << i << ", %v" << v + 3 << ", %v" << v
           << " : tile<128xi1>, tile<128xf32>" << end();
    }
    body << "return\n}" << location(kernel);
  }
  text += module + "}\n";
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.getOrLoadDialect<cuda_tile::CudaTileDialect>()
      ->setFollowsNewestRelease(true);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  auto file = parseSourceString<mlir::ModuleOp>(text, &context);
  if (!file)
    std::exit(1);
  write(cuda_tile::extractCudaTileModuleOp(*file), path);
}

/// Renames the symbols of `module` with `suffix`. A kernel's subprogram has the
/// kernel's name.
static void rename(cuda_tile::ModuleOp module, const std::string &suffix) {
  MLIRContext *context = module.getContext();
  for (Operation &op : module.getBody().front()) {
    auto old = op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    auto name = StringAttr::get(context, old.getValue() + suffix);
    if (failed(SymbolTable::replaceAllSymbolUses(&op, name, module)))
      std::exit(1);
    SymbolTable::setSymbolName(&op, name);
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](cuda_tile::DISubprogramAttr subprogram) {
      return cuda_tile::DISubprogramAttr::get(
          context, subprogram.getFile(), subprogram.getLine(),
          subprogram.getName(), name, subprogram.getCompileUnit(),
          subprogram.getScopeLine(), subprogram.getFlags());
    });
    replacer.recursivelyReplaceElementsIn(&op, /*replaceAttrs=*/false,
                                          /*replaceLocs=*/true);
  }
}

/// Writes the contents of real producers' files, repeated.
static void makeProducers(const std::string &path) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.getOrLoadDialect<cuda_tile::CudaTileDialect>()
      ->setFollowsNewestRelease(true);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  OpBuilder builder(&context);
  OwningOpRef<cuda_tile::ModuleOp> all =
      cuda_tile::ModuleOp::create(builder, builder.getUnknownLoc(), "kernels");
  std::error_code error;
  std::vector<std::string> files;
  for (llvm::sys::fs::directory_iterator file(folder, error), end;
       !error && file != end; file.increment(error))
    if (llvm::StringRef(file->path()).ends_with(".tileirbc"))
      files.push_back(file->path());
  llvm::sort(files);
  for (const std::string &file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    OwningOpRef<cuda_tile::ModuleOp> module;
    if (buffer)
      module = readBytecode((*buffer)->getMemBufferRef(), &context);
    if (!module)
      std::exit(1);
    for (unsigned i = 0; i != repeat; ++i) {
      OwningOpRef<cuda_tile::ModuleOp> copy = module->clone();
      rename(*copy, "_" + std::to_string(
                              all->getBody().front().getOperations().size()));
      auto &ops = all->getBody().front().getOperations();
      ops.splice(ops.end(), copy->getBody().front().getOperations());
    }
  }
  if (files.empty()) {
    llvm::errs() << "error: no files in '" << folder
                 << "'; name their folder with --files\n";
    std::exit(1);
  }
  write(*all, path);
}

/// Returns the peak memory of this process, or its current memory.
static double memoryOfProcess(llvm::StringRef which) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (llvm::StringRef(line).starts_with(which))
      return 1024.0 * std::stod(line.substr(which.size() + 1));
  return 0;
}

static double processorSeconds() {
  timespec now;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * now.tv_nsec;
}

/// Returns allocated and not freed bytes. Each process here has one thread.
static double allocated() {
  struct mallinfo2 info = ::mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

/// Creates the operations of `module` without regions again, from finished
/// parts.
static double remake(Operation *module) {
  Block block;
  double start = processorSeconds();
  module->walk([&](Operation *op) {
    if (!op->getNumRegions())
      block.push_back(Operation::create(
          op->getLoc(), op->getName(), op->getResultTypes(), op->getOperands(),
          op->getDiscardableAttrDictionary(), op->getPropertiesStorage()));
  });
  return processorSeconds() - start;
}

static OwningOpRef<Operation *> read(llvm::MemoryBufferRef buffer,
                                     Reader reader, MLIRContext &context) {
  if (reader == Reader::Ours)
    return readBytecode(buffer, &context).release().getOperation();
  return parseSourceString(buffer.getBuffer(),
                           ParserConfig(&context, reader == Reader::Upstream));
}

/// Reads `path` once, as a tool does, from its file to a module.
static Result readOnce(const std::string &path, Reader reader) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.getOrLoadDialect<cuda_tile::CudaTileDialect>()
      ->setFollowsNewestRelease(true);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  double before = memoryOfProcess("VmRSS:"), allocatedBefore = allocated();
  double start = processorSeconds();
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    std::exit(1);
  OwningOpRef<Operation *> module =
      read((*buffer)->getMemBufferRef(), reader, context);
  Result result;
  result.seconds = processorSeconds() - start;
  if (!module)
    std::exit(1);
  result.memory = memoryOfProcess("VmHWM:") - before;
  buffer->reset();
  result.kept = allocated() - allocatedBefore;
  module->walk([&](Operation *) { ++result.numOps; });
  result.remakeSeconds = remake(*module);
  return result;
}

/// Reads in a process of its own, whose memory is that of this reading.
static Result readInChild(const std::string &path, Reader reader) {
  int ends[2];
  Result result;
  if (::pipe(ends))
    std::exit(1);
  pid_t child = ::fork();
  if (child == 0) {
    result = readOnce(path, reader);
    bool sent = ::write(ends[1], &result, sizeof(result)) == sizeof(result);
    ::_exit(sent ? 0 : 1);
  }
  int status = 1;
  if (child < 0 || ::waitpid(child, &status, 0) < 0 || status != 0 ||
      ::read(ends[0], &result, sizeof(result)) != sizeof(result)) {
    llvm::errs() << "error: a child that was to read failed\n";
    std::exit(1);
  }
  ::close(ends[0]);
  ::close(ends[1]);
  return result;
}

/// Returns the shortest time and the most memory of several runs.
static Result readSeveralTimes(const std::string &path, Reader reader) {
  Result best = readInChild(path, reader);
  for (int i = 0; i != 4; ++i) {
    Result next = readInChild(path, reader);
    best.seconds = std::min(best.seconds, next.seconds);
    best.memory = std::max(best.memory, next.memory);
    best.remakeSeconds = std::min(best.remakeSeconds, next.remakeSeconds);
  }
  return best;
}

/// Writes the two files of `shape` in a child: its work must not be counted,
/// nor its memory be present when the reading starts.
static bool makeFiles(const Shape &shape, const std::string &path) {
  pid_t child = ::fork();
  if (child == 0) {
    shape.make(path);
    ::_exit(0);
  }
  int status = 1;
  return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

static double sizeOf(const std::string &path) {
  uint64_t size = 0;
  if (llvm::sys::fs::file_size(path, size))
    std::exit(1);
  return static_cast<double>(size);
}

/// Reads the files of `shape`, prints the cost, and returns whether it is
/// within bounds.
static bool measure(const Shape &shape, const std::string &path) {
  std::string ours = path + ".tileirbc", upstream = path + ".mlirbc";
  Result own = readSeveralTimes(ours, Reader::Ours);
  Result theirs = readSeveralTimes(upstream, Reader::Upstream);
  Result unverified = readSeveralTimes(upstream, Reader::UpstreamUnverified);
  double size = sizeOf(ours);
  double speed = size / 1e6 / own.seconds, memory = own.memory / size;
  double kept = own.kept / size, beside = memory - kept;
  auto perOp = [&](double seconds) { return 1e9 * seconds / own.numOps; };
  llvm::outs() << llvm::left_justify(shape.name, 15)
               << llvm::format("%7.1f %8.1f %8.2f %8.2f %8.2f %8.0f %7.0f",
                               size / 1e6, speed, memory, kept, beside,
                               perOp(own.seconds), perOp(own.remakeSeconds))
               << llvm::format(
                      " %9.1f %8.2f %8.0f %11.0f\n", sizeOf(upstream) / 1e6,
                      theirs.memory / sizeOf(upstream), perOp(theirs.seconds),
                      perOp(unverified.seconds));
  llvm::outs().flush();
  // Copying data costs both the same.
  bool good = shape.isData || own.seconds <= theirs.seconds;
  if (!good)
    llvm::errs() << "error: MLIR reads its own bytecode of '" << shape.name
                 << "' faster\n";
  if (shape.isData && (speed < kMinSpeed || memory > kMaxMemory)) {
    llvm::errs() << "error: '" << shape.name << "' must be read with "
                 << kMinSpeed << " MB/s into " << kMaxMemory
                 << " times its size\n";
    good = false;
  }
  if (beside * size > kMaxMemory * size + kAlwaysAllowed) {
    llvm::errs() << "error: beside the module of '" << shape.name
                 << "' the reader takes more than " << kMaxMemory
                 << " times its size\n";
    good = false;
  }
  return good;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "Speed and memory of the reader\n");
  const Shape shapes[] = {
      {"constants", makeConstants, true},
      {"operations", [](auto &path) { makeKernels(false, path); }, false},
      {"with locations", [](auto &path) { makeKernels(true, path); }, false},
      {"real producers", makeProducers, false},
  };
  const char *temporary = std::getenv("TEST_TMPDIR");
  std::string path = std::string(temporary ? temporary : "/tmp") + "/module." +
                     std::to_string(::getpid());
  bool good = true;
  llvm::outs()
      << "                       Tile IR bytecode: memory in sizes of the file "
         "           |     MLIR's bytecode\n"
         "module              MB     MB/s   memory   module   reader    ns/op "
         " remake        MB   memory    ns/op  unverified\n";
  for (const Shape &shape : shapes) {
    if (!makeFiles(shape, path))
      return 1;
    good &= measure(shape, path);
  }
  llvm::sys::fs::remove(path + ".tileirbc");
  llvm::sys::fs::remove(path + ".mlirbc");
  return check && !good;
}

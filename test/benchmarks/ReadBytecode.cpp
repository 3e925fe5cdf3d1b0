// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How fast the bytecode reader is, and how much memory it takes: reads a module
// that is mostly constants, one of kernels full of operations, and one of such
// kernels with locations; prints a line for each. What is asked of the reader,
// 100 MB/s and six times the input, is asked where bytes are data: an operation
// is some two hundred bytes in memory and seven in a file.

#include "dialects/cuda_tile/bytecode/Bytecode.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <fstream>
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
static cl::opt<bool>
    check("check", cl::desc("Fail when the module of constants is read slower "
                            "than 100 MB/s or takes six times its size"));

namespace {

constexpr double kMinSpeed = 100;
constexpr double kMaxMemory = 6;

struct Shape {
  const char *name;
  std::string (*make)();
  bool isChecked;
};

struct Result {
  double seconds = 0;
  /// Bytes that the process took beyond what it had before.
  double memory = 0;
};

} // namespace

static std::string written(cuda_tile::ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (failed(writeBytecode(module, newestBytecodeVersion(), os)))
    std::exit(1);
  return bytes;
}

/// Globals of 64 KiB of noise.
static std::string makeConstants() {
  constexpr int64_t elements = 1 << 14;
  MLIRContext context(MLIRContext::Threading::DISABLED);
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
  return written(*module);
}

static std::string makeKernels(bool withLocations) {
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
  context.loadDialect<cuda_tile::CudaTileDialect>();
  auto file = parseSourceString<mlir::ModuleOp>(text, &context);
  if (!file)
    std::exit(1);
  return written(cuda_tile::extractCudaTileModuleOp(*file));
}

/// The most memory that this process had, or has.
static double memoryOfProcess(llvm::StringRef which) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (llvm::StringRef(line).starts_with(which))
      return 1024.0 * std::stod(line.substr(which.size() + 1));
  return 0;
}

/// Reads `path` once, as a tool does, from its file to a module.
static Result readOnce(const std::string &path) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  double before = memoryOfProcess("VmRSS:");
  auto start = std::chrono::steady_clock::now();
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    std::exit(1);
  OwningOpRef<cuda_tile::ModuleOp> module =
      readBytecode((*buffer)->getMemBufferRef(), &context);
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  if (!module)
    std::exit(1);
  return {seconds.count(), memoryOfProcess("VmHWM:") - before};
}

/// The same in a process of its own, whose memory is that of this reading.
static Result readInChild(const std::string &path) {
  int ends[2];
  Result result;
  if (::pipe(ends))
    std::exit(1);
  pid_t child = ::fork();
  if (child == 0) {
    result = readOnce(path);
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

/// Writes the bytes that `shape` makes to `path` in a child: what making them
/// takes must not be counted, nor be there when the reading starts.
static bool makeFile(const Shape &shape, const std::string &path) {
  pid_t child = ::fork();
  if (child == 0) {
    std::string bytes = shape.make();
    std::ofstream(path, std::ios::binary) << bytes;
    ::_exit(0);
  }
  int status = 1;
  return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "Speed and memory of the reader\n");
  const Shape shapes[] = {
      {"constants", makeConstants, true},
      {"operations", [] { return makeKernels(false); }, false},
      {"with locations", [] { return makeKernels(true); }, false},
  };
  const char *folder = std::getenv("TEST_TMPDIR");
  std::string path = std::string(folder ? folder : "/tmp") + "/module." +
                     std::to_string(::getpid()) + ".tileirbc";
  bool good = true;
  llvm::outs() << "module              MB      MB/s   memory / input\n";
  for (const Shape &shape : shapes) {
    if (!makeFile(shape, path))
      return 1;
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    double size = static_cast<double>(file.tellg());
    Result best = readInChild(path);
    for (int i = 0; i != 4; ++i) {
      Result next = readInChild(path);
      best.seconds = std::min(best.seconds, next.seconds);
      best.memory = std::max(best.memory, next.memory);
    }
    double speed = size / 1e6 / best.seconds, memory = best.memory / size;
    llvm::outs() << llvm::left_justify(shape.name, 16)
                 << llvm::format("%7.1f %9.1f %12.2f\n", size / 1e6, speed,
                                 memory);
    llvm::outs().flush();
    if (shape.isChecked)
      good = speed >= kMinSpeed && memory <= kMaxMemory;
  }
  ::unlink(path.c_str());
  if (check && !good) {
    llvm::errs() << "error: the module of constants must be read with "
                 << kMinSpeed << " MB/s in " << kMaxMemory
                 << " times its size\n";
    return 1;
  }
  return 0;
}

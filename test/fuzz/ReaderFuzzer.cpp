// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libFuzzer target: any bytes give a verified module or an error, no read
// allocates more than a constant multiple of the input at once, and a module
// that was read can be printed, written and read again. Built and run by
// run.sh.

#include "dialects/cuda_tile/bytecode/Bytecode.h"
#include "dialects/cuda_tile/bytecode/Disassembly.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <cstdlib>

extern "C" int __sanitizer_install_malloc_and_free_hooks(
    void (*)(const volatile void *, size_t), void (*)(const volatile void *));
extern "C" void __sanitizer_print_stack_trace();

using namespace mlir;
using namespace tileir;

/// Maximum size of an allocation in multiples of the input; small ones are
/// always allowed, because the context makes them for any input.
static constexpr size_t kMaxMultiple = 64;
static constexpr size_t kAlwaysAllowed = 64 << 10;

/// Maximum bytes of an allocation; 0 for no limit.
static size_t allocationLimit = 0;

static void onAllocation(const volatile void *, size_t size) {
  if (!allocationLimit || size <= allocationLimit)
    return;
  size_t limit = std::exchange(allocationLimit, 0);
  std::fprintf(stderr, "allocation of %zu bytes, the limit is %zu\n", size,
               limit);
  __sanitizer_print_stack_trace();
  std::abort();
}

static void onRelease(const volatile void *) {}

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  __sanitizer_install_malloc_and_free_hooks(onAllocation, onRelease);
  return 0;
}

static void require(bool condition, const char *what) {
  if (condition)
    return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

static OwningOpRef<cuda_tile::ModuleOp>
read(StringRef bytes, MLIRContext &context, BytecodeVersion &version) {
  size_t errors = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
  });
  OwningOpRef<cuda_tile::ModuleOp> module =
      readBytecode(llvm::MemoryBufferRef(bytes, "input"), &context, &version);
  require(bool(module) == (errors == 0),
          "neither a module without errors nor errors without a module");
  return module;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.getOrLoadDialect<cuda_tile::CudaTileDialect>()
      ->setFollowsNewestRelease(true);
  StringRef bytes(reinterpret_cast<const char *>(data), size);
  BytecodeVersion version;
  allocationLimit = std::max(kMaxMultiple * size, kAlwaysAllowed);
  OwningOpRef<cuda_tile::ModuleOp> module = read(bytes, context, version);
  allocationLimit = 0;
  if (!module)
    return 0;
  // The reader skips parts of the verification that it considers redundant.
  require(succeeded(mlir::verify(*module)), "what was read is not valid");
  std::string once, twice;
  llvm::raw_string_ostream first(once), second(twice);
  require(succeeded(writeBytecode(*module, version, first)),
          "what was read cannot be written");
  BytecodeVersion again;
  OwningOpRef<cuda_tile::ModuleOp> reread = read(once, context, again);
  require(bool(reread), "what was written cannot be read");
  require(succeeded(writeBytecode(*reread, again, second)) && once == twice,
          "a second trip changes the bytes");
  printDisassembly(*module, /*debugInfo=*/true, llvm::nulls());
  return 0;
}

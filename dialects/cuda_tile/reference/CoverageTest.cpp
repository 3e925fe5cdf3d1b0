// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle has a meaning for every operation of the dialect, and every
// operation occurs in a kernel that a test of the oracle runs.

#include "dialects/cuda_tile/reference/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace {

/// Operations of the dialect's own tests; no program has them.
bool isTesting(StringRef name) { return name.starts_with("testing$"); }

std::vector<OperationName> operationsOf(MLIRContext &context) {
  std::vector<OperationName> result;
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (name.getDialectNamespace() == "cuda_tile" &&
        !isTesting(name.stripDialect()))
      result.push_back(name);
  return result;
}

TEST(Coverage, EveryOperationHasAMeaning) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  std::vector<OperationName> operations = operationsOf(context);
  // 13.1 to 13.5 have 108.
  EXPECT_GE(operations.size(), 108u);
  for (OperationName name : operations)
    EXPECT_TRUE(tileir::reference::canExecute(name))
        << name.getStringRef().str();
}

TEST(Coverage, EveryOperationHasATest) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  llvm::StringSet<> found;
  std::error_code code;
  unsigned files = 0;
  for (llvm::sys::fs::directory_iterator it("test/tools/tileir-interp", code),
       end;
       it != end && !code; it.increment(code)) {
    if (!StringRef(it->path()).ends_with(".mlir"))
      continue;
    ++files;
    OwningOpRef<ModuleOp> module =
        parseSourceFile<ModuleOp>(it->path(), &context);
    ASSERT_TRUE(module) << it->path();
    module->walk(
        [&](Operation *op) { found.insert(op->getName().getStringRef()); });
  }
  EXPECT_GE(files, 6u);
  for (OperationName name : operationsOf(context))
    EXPECT_TRUE(found.contains(name.getStringRef()))
        << "no kernel in test/tools/tileir-interp has "
        << name.getStringRef().str();
}

} // namespace

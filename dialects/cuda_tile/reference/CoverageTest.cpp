// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle can execute every operation of the dialect, and every operation
// occurs in a kernel that a test of the oracle runs.

#include "dialects/cuda_tile/reference/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace mlir;

namespace {

/// Operations of the dialect's own tests, which no program has.
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
  // The build rule of this test names the files of the oracle's tests.
  const char *kernels = std::getenv("ORACLE_KERNELS");
  ASSERT_TRUE(kernels) << "run me by bazel test";
  SmallVector<StringRef> files;
  StringRef(kernels).split(files, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  EXPECT_GE(files.size(), 6u);
  llvm::StringSet<> found;
  for (StringRef file : files) {
    OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
    ASSERT_TRUE(module) << file.str();
    module->walk(
        [&](Operation *op) { found.insert(op->getName().getStringRef()); });
  }
  for (OperationName name : operationsOf(context))
    EXPECT_TRUE(found.contains(name.getStringRef()))
        << "no kernel of the oracle's tests has " << name.getStringRef().str();
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/frame/Instrumentation.h"
#include "passes/frame/Passes.h"

#include "passes/frame/Scopes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

/// Records the events of the scopes.
struct Recorder final : tileir::ScopeHandler {
  explicit Recorder(std::string &log) : log(log) {}

  void enter(StringRef name, Operation *) override {
    log += "+" + name.str() + " ";
  }
  void exit(StringRef name, bool completed) override {
    log += (completed ? "-" : "!") + name.str() + " ";
  }

  std::string &log;
};

struct FailingPass final : PassWrapper<FailingPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FailingPass)
  void runOnOperation() override { signalPassFailure(); }
};

std::unique_ptr<Pass> marker(StringRef phase) {
  tileir::TileIRScopeOptions options;
  options.name = "CompileNVVM";
  options.phase = phase.str();
  return tileir::createTileIRScope(options);
}

class Instrumentation : public ::testing::Test {
protected:
  Instrumentation() : module(ModuleOp::create(UnknownLoc::get(&context))) {
    DialectRegistry registry;
    tileir::registerScopes(registry);
    context.appendDialectRegistry(registry);
    tileir::getScopes(context).addHandler(std::make_unique<Recorder>(log));
  }

  bool run(PassManager &manager) { return succeeded(manager.run(*module)); }

  // Declared first to outlive the context, which closes open scopes.
  std::string log;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace

/// S-091: the manager's own scope replaces those of the markers.
TEST_F(Instrumentation, StandsForTheMarkers) {
  PassManager manager(&context);
  manager.addPass(marker("begin"));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(marker("end"));
  EXPECT_TRUE(run(manager));
  EXPECT_EQ(log, "+CompileNVVM -CompileNVVM ");

  log.clear();
  tileir::addTileIRInstrumentation(manager);
  EXPECT_TRUE(run(manager));
  EXPECT_EQ(log, "+PassManager +CompileNVVM -CompileNVVM -PassManager ");
  // A second run: no scope is left open.
  log.clear();
  EXPECT_TRUE(run(manager));
  EXPECT_EQ(log, "+PassManager +CompileNVVM -CompileNVVM -PassManager ");
}

TEST_F(Instrumentation, NeedsNoMarker) {
  PassManager manager(&context);
  manager.nest<ModuleOp>().addPass(createCSEPass());
  manager.addPass(createCanonicalizerPass());
  manager.addNestedPass<ModuleOp>(createCSEPass());
  tileir::addTileIRInstrumentation(manager);
  OpBuilder::atBlockBegin(module->getBody())
      .insert(ModuleOp::create(UnknownLoc::get(&context)).getOperation());
  EXPECT_TRUE(run(manager));
  EXPECT_EQ(log, "+PassManager +CompileNVVM -CompileNVVM -PassManager ");
}

TEST_F(Instrumentation, TellsOfAFailureAtOnce) {
  PassManager manager(&context);
  tileir::addTileIRInstrumentation(manager);
  manager.addPass(marker("begin"));
  manager.addPass(std::make_unique<FailingPass>());
  manager.addPass(marker("end"));
  EXPECT_FALSE(run(manager));
  EXPECT_EQ(log, "+PassManager +CompileNVVM !CompileNVVM !PassManager ");
}

/// Without instrumentation the next start reports the failure.
TEST_F(Instrumentation, MarkersTellOfAFailureLater) {
  PassManager manager(&context);
  manager.addPass(marker("begin"));
  manager.addPass(std::make_unique<FailingPass>());
  EXPECT_FALSE(run(manager));
  EXPECT_EQ(log, "+CompileNVVM ");
  EXPECT_FALSE(run(manager));
  EXPECT_EQ(log, "+CompileNVVM !CompileNVVM +CompileNVVM ");
}

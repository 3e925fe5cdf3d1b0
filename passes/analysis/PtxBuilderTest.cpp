// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/PtxBuilder.h"

#include "mlir/IR/BuiltinOps.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tileir;

namespace {

struct PtxBuilderTest : testing::Test {
  PtxBuilderTest() : builder(&context), loc(builder.getUnknownLoc()) {
    context.loadDialect<LLVM::LLVMDialect>();
    module = ModuleOp::create(builder, loc);
    builder.setInsertionPointToEnd(module->getBody());
  }
  Value make(Type type) { return LLVM::PoisonOp::create(builder, loc, type); }
  LLVM::InlineAsmOp last() {
    LLVM::InlineAsmOp found;
    module->walk([&](LLVM::InlineAsmOp op) { found = op; });
    return found;
  }

  MLIRContext context;
  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> module;
};

TEST_F(PtxBuilderTest, NumbersOperandsAndPicksRegisters) {
  PtxBuilder ptx(builder, loc);
  std::string a = ptx.out(builder.getI16Type()),
              b = ptx.out(builder.getF64Type(), /*early=*/true);
  std::string c = ptx.in(make(LLVM::LLVMPointerType::get(&context, 1))),
              d = ptx.in(make(builder.getI64Type())),
              e = ptx.in(make(builder.getF32Type())),
              f = ptx.in(make(builder.getBF16Type())),
              g = ptx.in(make(builder.getI32Type()));
  SmallVector<Value> results = ptx.emit(a + b + c + d + e + f + g + ";");
  EXPECT_EQ(last().getAsmString(), "$0$1$2$3$4$5$6;");
  EXPECT_EQ(last().getConstraints(), "=h,=&d,l,l,f,h,r");
  EXPECT_TRUE(last().getHasSideEffects());
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].getType(), builder.getI16Type());
  EXPECT_EQ(results[1].getType(), builder.getF64Type());
}

TEST_F(PtxBuilderTest, TiesResultsAndCountsTheNamesAfterThem) {
  PtxBuilder ptx(builder, loc, PtxEffects::None);
  std::string word = ptx.out(builder.getF32Type());
  ptx.tie(make(builder.getF32Type()), 0);
  std::string other = ptx.in(make(builder.getF32Type()));
  SmallVector<Value> results = ptx.emit("add.f32 " + word + ", " + other + ";");
  EXPECT_EQ(last().getAsmString(), "add.f32 $0, $2;");
  EXPECT_EQ(last().getConstraints(), "=&f,0,f");
  EXPECT_FALSE(last().getHasSideEffects());
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0], last().getRes());
}

TEST_F(PtxBuilderTest, GuardsByPredicate) {
  PtxBuilder ptx(builder, loc, PtxEffects::Memory);
  std::string address = ptx.in(make(builder.getI32Type()));
  std::string guard = ptx.guard(make(builder.getI1Type()));
  EXPECT_EQ(ptx.guard(Value()), "");
  EXPECT_TRUE(ptx.emit(guard + "arrive [" + address + "];").empty());
  EXPECT_EQ(last().getAsmString(), "@$1 arrive [$0];");
  EXPECT_EQ(last().getConstraints(), "r,b,~{memory}");
}

TEST_F(PtxBuilderTest, StandsWithoutOperands) {
  EXPECT_TRUE(
      PtxBuilder(builder, loc, PtxEffects::Memory).emit("fence;").empty());
  EXPECT_EQ(last().getConstraints(), "~{memory}");
  EXPECT_TRUE(last().getHasSideEffects());
}

TEST_F(PtxBuilderTest, ListsNames) {
  EXPECT_EQ(PtxBuilder::list({"$0"}), "$0");
  EXPECT_EQ(PtxBuilder::list({"$0", "$1"}), "{$0, $1}");
  EXPECT_EQ(PtxBuilder::list({"$0", "$1"}, ","), "{$0,$1}");
}

} // namespace

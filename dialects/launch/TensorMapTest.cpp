// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/launch/TensorMap.h"
#include "dialects/launch/Serializable.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tileir;

namespace {

class TensorMapRecipes : public ::testing::Test {
protected:
  TensorMapRecipes() {
    DialectRegistry registry;
    registry.insert<gpu::GPUDialect, LLVM::LLVMDialect, NVVM::NVVMDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// A kernel with the recipe on its last argument.
  FunctionOpInterface kernel(StringRef recipe, StringRef facts = "") {
    std::string text =
        ("gpu.module @m [#nvvm.target<chip = \"sm_90a\">] attributes "
         "{tileir.launch_abi = \"tile\"} {\n"
         "llvm.func @k(%p: !llvm.ptr<1> {llvm.align = 16 : i64}, %n: i32, "
         "%s: i64 {" +
         facts +
         "}, %f: f32, %t: !llvm.ptr {tileir.hidden = \"tensormap\", "
         "llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, "
         "nvvm.grid_constant, tileir.tensormap = {" +
         recipe + "}}) attributes {nvvm.kernel} { llvm.return }\n}")
            .str();
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    gpu::GPUModuleOp gpuModule = *module->getOps<gpu::GPUModuleOp>().begin();
    return cast<FunctionOpInterface>(*gpuModule.lookupSymbol("k"));
  }

  std::string firstError(llvm::function_ref<LogicalResult()> body) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (message.empty())
        message = diagnostic.str();
    });
    EXPECT_EQ(failed(body()), !message.empty());
    return message;
  }

  std::string parseError(StringRef recipe) {
    FunctionOpInterface k = kernel(recipe);
    return firstError(
        [&]() -> LogicalResult { return parseTensorMapRecipe(k, 4); });
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

constexpr char good[] =
    R"r(element = "bf16", base = "add(arg0, 32)", extents = ["64", "arg1"], strides = ["mul(arg2, 16)"], box = array<i64: 64, 8>, swizzle = "128B")r";

} // namespace

TEST_F(TensorMapRecipes, ReadsWhatItWrites) {
  FailureOr<TensorMapRecipe> recipe = parseTensorMapRecipe(kernel(good), 4);
  ASSERT_TRUE(succeeded(recipe));
  EXPECT_EQ(recipe->shape.rank(), 2u);
  EXPECT_EQ(recipe->shape.innerBoxBytes(), 128u);
  DictionaryAttr attr = tensorMapAttr(&context, *recipe);
  FunctionOpInterface k = kernel(good);
  k.setArgAttr(4, launch::tensorMapName, attr);
  FailureOr<TensorMapRecipe> again = parseTensorMapRecipe(k, 4);
  ASSERT_TRUE(succeeded(again));
  EXPECT_EQ(tensorMapAttr(&context, *again), attr);
  EXPECT_EQ(again->shape.modeWord(), recipe->shape.modeWord());
}

// LA-42: the defaults; kind 2, rank, format, 128B swizzle, 128B promotion.
TEST_F(TensorMapRecipes, ModeWord) {
  FailureOr<TensorMapRecipe> recipe = parseTensorMapRecipe(kernel(good), 4);
  EXPECT_EQ(recipe->shape.modeWord(),
            2u | 1u << 4 | 10u << 7 | 3u << 13 | 2u << 17);
  EXPECT_EQ(recipe->shape.boxWords(), uint64_t(63) << 24 | uint64_t(7) << 32);
  recipe = parseTensorMapRecipe(
      kernel(
          R"r(element = "tf32", base = "arg0", extents = ["1", "1", "1"], strides = ["16", "32"], box = array<i64: 8, 2, 3>, element_strides = array<i64: 1, 2, 8>, swizzle = "128B_ATOM_32B", l2_promotion = "256B", oob_fill = "nan")r"),
      4);
  ASSERT_TRUE(succeeded(recipe));
  EXPECT_EQ(recipe->shape.modeWord(), 2u | 2u << 4 | 7u << 7 | 3u << 13 |
                                          1u << 15 | 1u << 16 | 3u << 17 |
                                          1u << 19);
  EXPECT_EQ(recipe->shape.boxWords(),
            uint64_t(1) << 3 | uint64_t(7) << 6 | uint64_t(7) << 24 |
                uint64_t(1) << 32 | uint64_t(2) << 40);
}

// The table of element formats, launch-abi.md 6.2.
TEST_F(TensorMapRecipes, ElementsOfProgramTypes) {
  auto name = [&](Type type) {
    const MapElement *element = mapElementOf(type);
    return element ? element->name.str() : std::string();
  };
  Builder b(&context);
  EXPECT_EQ(name(b.getI8Type()), "u8");
  EXPECT_EQ(name(b.getIntegerType(16, /*isSigned=*/true)), "u16");
  EXPECT_EQ(name(b.getI32Type()), "u32");
  EXPECT_EQ(name(b.getI64Type()), "u64");
  EXPECT_EQ(name(b.getF16Type()), "f16");
  EXPECT_EQ(name(b.getBF16Type()), "bf16");
  EXPECT_EQ(name(b.getF32Type()), "f32");
  EXPECT_EQ(name(b.getF64Type()), "f64");
  EXPECT_EQ(name(FloatTF32Type::get(&context)), "tf32");
  EXPECT_EQ(name(Float8E4M3FNType::get(&context)), "u8");
  EXPECT_EQ(name(Float8E5M2Type::get(&context)), "u8");
  EXPECT_EQ(name(b.getI1Type()), "");
  // Codes of the map differ from the driver's numbers.
  EXPECT_EQ(findMapElement("f32.ftz")->code, 8u);
  EXPECT_EQ(findMapElement("f64")->code, 9u);
  EXPECT_EQ(findMapElement("bf16")->code, 10u);
  EXPECT_EQ(mapElements().size(), 16u);
}

// LA-44 and the limits of hardware.
TEST_F(TensorMapRecipes, RefusesShapes) {
  auto shape = [](StringRef fields) {
    return (R"r(base = "arg0", extents = ["1", "1"], strides = ["16"], )r" +
            fields)
        .str();
  };
  std::string at = "hidden tensor map 4: 'tileir.tensormap': ";
  EXPECT_EQ(parseError(shape(R"r(element = "f16", box = array<i64: 257, 1>)r")),
            at + "'box' holds 257; expected 1 to 256");
  EXPECT_EQ(parseError(shape(R"r(element = "f16", box = array<i64: 4, 1>)r")),
            at + "the innermost box takes 8 bytes; expected a multiple of 16");
  EXPECT_EQ(
      parseError(shape(
          R"r(element = "f16", box = array<i64: 128, 1>, swizzle = "128B")r")),
      at + "the innermost box takes 256 bytes, swizzle '128B' spans 128; use a "
           "smaller box or a wider swizzle");
  EXPECT_EQ(
      parseError(shape(
          R"r(element = "f16", box = array<i64: 64, 1>, swizzle = "x")r")),
      at + "'swizzle' expects one of 'none', '32B', '64B', '128B', "
           "'96B', '128B_ATOM_32B', '128B_ATOM_32B_FLIP_8B', "
           "'128B_ATOM_64B', got \"x\"");
  EXPECT_EQ(
      parseError(shape(
          R"r(element = "u8", box = array<i64: 64, 1>, oob_fill = "nan")r")),
      at + "'oob_fill' is 'nan', but 'u8' is no float format");
  EXPECT_EQ(
      parseError(shape(R"r(element = "b4x16_p64", box = array<i64: 64, 1>)r")),
      at + "element 'b4x16_p64' needs a box of 128 elements and a swizzle of "
           "128 bytes or none");
  EXPECT_EQ(
      parseError(shape(
          R"r(element = "u8", box = array<i64: 64, 1>, interleave = "16B")r")),
      at + "interleave '16B' needs rank 3 or more");
  EXPECT_EQ(parseError(shape(R"r(element = "q8", box = array<i64: 64, 1>)r"))
                .substr(0, at.size() + 30),
            at + "'element' expects one of 'u8',");
  EXPECT_EQ(
      parseError(shape(
          R"r(element = "u8", box = array<i64: 64, 1>, rank = 2 : i32)r")),
      at + "unknown field 'rank'");
}

TEST_F(TensorMapRecipes, RefusesExpressions) {
  std::string at = "hidden tensor map 4: 'tileir.tensormap': ";
  auto with = [](StringRef fields) {
    return (R"r(element = "u8", box = array<i64: 64, 1>, )r" + fields).str();
  };
  EXPECT_EQ(parseError(with(
                R"r(base = "arg1", extents = ["1", "1"], strides = ["16"])r")),
            at + "'base' is i32; expected i64");
  EXPECT_EQ(parseError(with(
                R"r(base = "arg3", extents = ["1", "1"], strides = ["16"])r")),
            at + "'base': parameter 3 is neither an integer nor a pointer");
  EXPECT_EQ(
      parseError(with(R"r(base = "arg0", extents = ["1"], strides = ["16"])r")),
      at + "rank 2 needs 2 extents and 1 strides, got 1 and 1");
  EXPECT_EQ(parseError(with(
                R"r(base = "arg0", extents = ["1", "%0"], strides = ["16"])r")),
            at + "'extents[1]': '%' expects the number of an earlier value; "
                 "there are 0");
  EXPECT_EQ(parseError(with(
                R"r(base = "arg0", extents = ["1", "1"], strides = ["24"])r")),
            at + "stride 24 is no multiple of 16 below 2^40");
  EXPECT_EQ(
      parseError(with(
          R"r(values = ["%0"], base = "arg0", extents = ["1", "1"], strides = ["16"])r")),
      at + "'values[0]': '%' expects the number of an earlier value; "
           "there are 0");
  FunctionOpInterface k = kernel(with(R"r(base = "arg9")r"));
  EXPECT_EQ(firstError([&] { return verifySerializable(k->getParentOp()); }),
            at + "'base': 'arg9' is no visible parameter; there are 4");
}

// LA-43: a map is used only where the program's assumptions prove its
// alignment.
TEST_F(TensorMapRecipes, ProvesDivisibility) {
  auto prove = [&](StringRef base, StringRef stride, StringRef facts) {
    FunctionOpInterface k = kernel(
        (R"r(element = "u8", box = array<i64: 64, 1>, base = ")r" + base +
         R"r(", extents = ["arg1", "arg1"], strides = [")r" + stride + "\"]")
            .str(),
        facts);
    FailureOr<TensorMapRecipe> recipe = parseTensorMapRecipe(k, 4);
    EXPECT_TRUE(succeeded(recipe));
    return firstError([&] {
      return proveTensorMap(
          k, *recipe, [&]() -> InFlightDiagnostic { return k.emitError(); });
    });
  };
  EXPECT_EQ(prove("arg0", "mul(arg2, 16)", ""), "");
  EXPECT_EQ(prove("arg0", "arg2", "tileir.divisible_by = 16 : i64"), "");
  EXPECT_EQ(prove("arg0", "arg2", "tileir.divisible_by = 8 : i64"),
            "stride 1 'arg2' is not known to be divisible by 16; add "
            "'tileir.divisible_by' to a parameter or load without a tensor "
            "map");
  EXPECT_EQ(prove("add(arg0, 8)", "16", ""),
            "base 'add(arg0, 8)' is not known to be divisible by 16; add "
            "'tileir.divisible_by' to a parameter or load without a tensor "
            "map");
}

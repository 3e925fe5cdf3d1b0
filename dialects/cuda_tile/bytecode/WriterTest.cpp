// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/TestSupport.h"
#include "dialects/cuda_tile/bytecode/TextLocations.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::bytecode_test;

namespace {

std::string write(cuda_tile::ModuleOp module, BytecodeVersion version) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  return succeeded(writeBytecode(module, version, stream)) ? bytes : "";
}

TEST(Writer, MakesTheReferenceBytes) {
  Reading reading;
  for (const std::string &bytes : {example(), unhex(kEmptyModule)}) {
    OwningOpRef<cuda_tile::ModuleOp> module = reading.read(bytes);
    ASSERT_TRUE(module) << reading.allErrors();
    EXPECT_EQ(llvm::toHex(write(*module, kVersion13_3)), llvm::toHex(bytes));
  }
}

class RoundTrip : public testing::TestWithParam<std::string> {};

// Other producers order and number some items differently, so the first output
// differs from the file; later outputs are equal.
TEST_P(RoundTrip, IsStable) {
  Reading reading;
  std::string bytes = bytecodeOf(GetParam());
  BytecodeVersion version = {uint8_t(bytes[8]), uint8_t(bytes[9]), 0};
  OwningOpRef<cuda_tile::ModuleOp> module = reading.read(bytes);
  ASSERT_TRUE(module) << reading.allErrors();
  std::string once = write(*module, version);
  ASSERT_FALSE(once.empty()) << reading.allErrors();
  OwningOpRef<cuda_tile::ModuleOp> again = reading.read(once);
  ASSERT_TRUE(again) << reading.allErrors();
  EXPECT_EQ(print(*module, true, true), print(*again, true, true));
  EXPECT_EQ(once, write(*again, version));
  // The newest version can hold every file of an older one.
  BytecodeVersion newest = supportedBytecodeVersions().back().version;
  OwningOpRef<cuda_tile::ModuleOp> newer = reading.read(write(*module, newest));
  ASSERT_TRUE(newer) << reading.allErrors();
  EXPECT_EQ(print(*module, true, true), print(*newer, true, true));
}

// Text loses the width of integers in hints only.
TEST_P(RoundTrip, ThroughText) {
  Reading reading;
  std::string bytes = bytecodeOf(GetParam());
  BytecodeVersion version = {uint8_t(bytes[8]), uint8_t(bytes[9]), 0};
  OwningOpRef<cuda_tile::ModuleOp> module = reading.read(bytes);
  ASSERT_TRUE(module) << reading.allErrors();
  auto again = [&](cuda_tile::ModuleOp from, bool generic) {
    OwningOpRef<cuda_tile::ModuleOp> parsed =
        reading.parse(print(from, /*debugInfo=*/true, generic));
    EXPECT_TRUE(parsed) << reading.allErrors();
    if (parsed)
      locateImplicitTerminators(*parsed, "golden");
    return parsed;
  };
  normalizeHints(*module);
  std::string expected = write(*module, version);
  ASSERT_FALSE(expected.empty()) << reading.allErrors();
  for (bool generic : {false, true}) {
    OwningOpRef<cuda_tile::ModuleOp> parsed = again(*module, generic);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(llvm::toHex(expected), llvm::toHex(write(*parsed, version)));
    OwningOpRef<cuda_tile::ModuleOp> twice = again(*parsed, generic);
    ASSERT_TRUE(twice);
    EXPECT_EQ(llvm::toHex(expected), llvm::toHex(write(*twice, version)));
  }
}

TEST_P(RoundTrip, HasAMinimumVersion) {
  Reading reading;
  std::string bytes = bytecodeOf(GetParam());
  BytecodeVersion version = {uint8_t(bytes[8]), uint8_t(bytes[9]), 0};
  OwningOpRef<cuda_tile::ModuleOp> module = reading.read(bytes);
  ASSERT_TRUE(module) << reading.allErrors();
  FailureOr<BytecodeVersion> minimum = minimumBytecodeVersion(*module);
  ASSERT_TRUE(succeeded(minimum)) << reading.allErrors();
  EXPECT_FALSE(version < *minimum);
  EXPECT_FALSE(write(*module, *minimum).empty());
  // Every older version is rejected with a reason.
  for (const BytecodeVersionInfo &info : supportedBytecodeVersions())
    if (info.version < *minimum) {
      reading.errors.clear();
      EXPECT_TRUE(write(*module, info.version).empty());
      EXPECT_FALSE(reading.errors.empty());
    }
}

INSTANTIATE_TEST_SUITE_P(, RoundTrip, testing::ValuesIn(supportedFiles()),
                         [](const auto &info) { return testName(info.param); });

void expectRefused(llvm::StringRef text, BytecodeVersion version,
                   llvm::StringRef message) {
  Reading reading;
  OwningOpRef<cuda_tile::ModuleOp> module =
      reading.parse(("cuda_tile.module @kernels {\n" + text + "\n}\n").str());
  ASSERT_TRUE(module) << reading.allErrors();
  EXPECT_EQ(write(*module, version), "");
  ASSERT_FALSE(reading.errors.empty());
  EXPECT_EQ(reading.errors.front(), message) << reading.allErrors();
}

TEST(Refused, YoungerThings) {
  expectRefused("global private @g <f32: [1.0, 2.0]> : tile<2xf32>",
                kVersion13_2,
                "global `g` uses non-public symbol visibility, which cannot be "
                "encoded in bytecode version 13.2 (requires bytecode 13.3+)");
  expectRefused("global constant @g <f32: [1.0, 2.0]> : tile<2xf32>",
                kVersion13_1,
                "constant global `g` cannot be encoded in bytecode version "
                "13.1 (the `constant` attribute requires bytecode 13.3+)");
  expectRefused("global @g <f8E8M0FNU: [1.0, 2.0]> : tile<2xf8E8M0FNU>",
                kVersion13_1,
                "type 'Float8E8M0FNU' requires bytecode version 13.2+, "
                "targeting 13.1");
  expectRefused(R"(entry @k(%x: tile<f32>) {
                     %0 = atan2 %x, %x : tile<f32>
                     return
                   })",
                kVersion13_1,
                "operation 'cuda_tile.atan2' is not available in bytecode "
                "version 13.1");
  expectRefused(R"(entry @k(%x: tile<i32>) {
                     %0 = negi %x overflow<no_signed_wrap> : tile<i32>
                     return
                   })",
                kVersion13_1,
                "attribute 'overflow' requires bytecode version 13.2+, but "
                "targeting 13.1");
  expectRefused(R"(entry @k(%x: tile<i32>) {
                     for unsigned %i in (%x to %x, step %x) : tile<i32> {
                     }
                     return
                   })",
                kVersion13_1,
                "optional attribute 'unsignedCmp' is provided but requires "
                "bytecode version 13.2, targeting 13.1");
  Reading reading;
  OwningOpRef<cuda_tile::ModuleOp> module = reading.read(unhex(kEmptyModule));
  EXPECT_EQ(write(*module, {13, 9, 0}), "");
  EXPECT_EQ(reading.errors.front(), "unsupported version requested 13.9, must "
                                    "be in range [13.1, 13.5]");
}

TEST(Refused, Locations) {
  Reading reading;
  OwningOpRef<cuda_tile::ModuleOp> module = reading.parse(R"(
    cuda_tile.module @kernels {
      entry @k() {
        return loc("name")
      }
    })");
  ASSERT_TRUE(module) << reading.allErrors();
  EXPECT_EQ(write(*module, kVersion13_3), "");
  EXPECT_EQ(reading.errors.front(), "unsupported location, got NameLoc, "
                                    "expected DILocAttr or CallSiteLoc");
}

/// Rejects nesting that the reader would reject.
TEST(Refused, Nesting) {
  auto errorOf = [](const std::string &text) {
    Reading reading;
    OwningOpRef<cuda_tile::ModuleOp> module = reading.parse(text);
    EXPECT_TRUE(module) << reading.allErrors();
    std::string bytes = write(*module, kVersion13_3);
    EXPECT_EQ(bytes.empty(), !reading.errors.empty());
    if (!bytes.empty())
      EXPECT_TRUE(reading.read(bytes)) << reading.allErrors();
    return reading.errors.empty() ? "" : reading.errors.front();
  };
  auto loops = [](unsigned count) {
    std::string text = "cuda_tile.module @kernels { entry @k() {";
    for (unsigned i = 0; i != count; ++i)
      text += "loop {";
    for (unsigned i = 0; i != count; ++i)
      text += "break }";
    return text + "return } }";
  };
  EXPECT_EQ(errorOf(loops(2000)), "");
  EXPECT_EQ(errorOf(loops(2001)), "regions nest too deep to be read back, the "
                                  "limit is 2000 levels; nest them less");
  auto sites = [](unsigned count, bool isDag) {
    std::string text =
        "#f = #cuda_tile.di_file<\"a\" in \"b\">\n"
        "#u = #cuda_tile.di_compile_unit<file = #f>\n"
        "#s = #cuda_tile.di_subprogram<file = #f, line = 1, name = \"k\", "
        "linkageName = \"k\", compileUnit = #u>\n"
        "#l0 = #cuda_tile.di_loc<loc(\"a\":1:1) in #s>\n";
    for (unsigned i = 0; i != count; ++i) {
      std::string last = "#l" + std::to_string(i);
      text += "#l" + std::to_string(i + 1) + " = loc(callsite(" + last +
              " at " + (isDag ? last : "#l0") + "))\n";
    }
    return text + "cuda_tile.module @kernels { entry @k() { return loc(#l" +
           std::to_string(count) + ") } loc(#l0) }";
  };
  std::string tooDeep =
      "location nests too deep to be read back, the limit is 256 levels and "
      "65534 attributes; leave out inner call sites or scopes";
  EXPECT_EQ(errorOf(sites(252, /*isDag=*/false)), "");
  EXPECT_EQ(errorOf(sites(253, /*isDag=*/false)), tooDeep);
  EXPECT_EQ(errorOf(sites(30, /*isDag=*/true)), tooDeep);
}

/// Code that only the newest release accepts: files may have it, text of the
/// published dialect may not.
TEST(NewestRelease, IsWhatFilesFollow) {
  for (
      llvm::StringRef text : {
          R"(loop {
                if %c {
                  return
                }
              })",
          R"(%x = constant <i32: [8, 2]> : tile<2xi32>
              %r = reduce %x dim=0 identities=[1 : i32] : tile<2xi32> -> tile<i32>
              (%a: tile<i32>, %b: tile<i32>) {
                %d = divi %a, %b signed : tile<i32>
                yield %d : tile<i32>
              })",
          R"(%v = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
              %w = make_partition_view %v : partition_view<tile=(4), padding_value = zero, tensor_view<4xf32, strides=[1]>>
              %i = constant <i32: 0> : tile<i32>
              %x = constant <f32: 1.0> : tile<4xf32>
              %t = atomic_red_view_tko relaxed device %w[%i], addf, %x : tile<4xf32>, partition_view<tile=(4), padding_value = zero, tensor_view<4xf32, strides=[1]>>, tile<i32> -> token)",
      }) {
    std::string whole = ("cuda_tile.module @kernels {\nentry @k(%c: tile<i1>, "
                         "%p: tile<ptr<f32>>) {\n" +
                         text + "\nreturn\n}\n}\n")
                            .str();
    Reading published;
    EXPECT_FALSE(published.parse(whole));

    Reading newest;
    newest.context.getLoadedDialect<cuda_tile::CudaTileDialect>()
        ->setFollowsNewestRelease(true);
    OwningOpRef<cuda_tile::ModuleOp> module = newest.parse(whole);
    ASSERT_TRUE(module) << newest.allErrors();
    std::string bytes = write(*module, kVersion13_3);
    ASSERT_NE(bytes, "") << newest.allErrors();

    Reading reader;
    OwningOpRef<cuda_tile::ModuleOp> again = reader.read(bytes);
    ASSERT_TRUE(again) << reader.allErrors();
    {
      // The printer has no custom format for invalid operations.
      cuda_tile::NewestReleaseScope scope(&reader.context);
      EXPECT_EQ(print(*again, false, false), print(*module, false, false));
    }
    // Text in the context of a file keeps its previous rules.
    EXPECT_FALSE(reader.parse(whole));
    ASSERT_TRUE(newest.read(bytes)) << newest.allErrors();
    EXPECT_TRUE(newest.parse(whole)) << newest.allErrors();
  }
}

/// The lists of types in diagnostics include the newest float.
TEST(NewestRelease, HasItsWords) {
  const char *text = R"("cuda_tile.module"() <{sym_name = "kernels"}> ({
    %0 = "test.op"() : () -> !cuda_tile.tile<4xi32>
    %1 = "cuda_tile.ftof"(%0) <{rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xf32>
  }) : () -> ())";
  for (bool isNewest : {false, true}) {
    Reading reading;
    reading.context.allowUnregisteredDialects();
    reading.context.getLoadedDialect<cuda_tile::CudaTileDialect>()
        ->setFollowsNewestRelease(isNewest);
    EXPECT_FALSE(reading.parse(text));
    std::string list = "f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or "
                       "f8E5M2 or f8E8M0FNU or f4E2M1FN";
    EXPECT_EQ(reading.errors.front(),
              "'cuda_tile.ftof' op operand #0 must be tile of " + list +
                  (isNewest ? " or fnv8E5M3FNU" : "") +
                  " values, but got '!cuda_tile.tile<4xi32>'");
    EXPECT_FALSE(
        reading.parse(R"("test.op"() : () -> !cuda_tile.ptr<ptr<f32>>)"));
    EXPECT_EQ(reading.errors.front(),
              std::string("failed to verify 'pointeeType': f16 or bf16 or f32 "
                          "or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU "
                          "or f4E2M1FN") +
                  (isNewest ? " or fnv8E5M3FNU" : "") +
                  " or i1 or i8 or i16 or i32 or i64");
  }
}

} // namespace

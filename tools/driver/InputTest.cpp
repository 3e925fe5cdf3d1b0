// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Input.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <random>

using namespace tileir::driver;

static InputKind kind(std::string bytes, const char *name = "input") {
  return detectInput(bytes, name);
}

/// S-025: the contents decide, not the file name, except for LLVM text.
TEST(Input, Kinds) {
  std::string bytecode("\x7fTileIR\0\x0d\x01", 10);
  for (const char *name : {"a.tileir", "a.ctir", "a.ctb", "a.bytecode",
                           "a.tile", "a.bc", "a.ll", "a", "-"})
    EXPECT_EQ(kind(bytecode, name), InputKind::TileIRBytecode) << name;
  EXPECT_EQ(kind("ML\xefR"
                 "x"),
            InputKind::MLIRBytecode);
  EXPECT_EQ(kind("BC\xc0\xde"), InputKind::LLVMBitcode);
  EXPECT_EQ(kind("\xde\xc0\x17\x0b"), InputKind::LLVMBitcode);
  EXPECT_EQ(kind("\x7f"
                 "ELF"),
            InputKind::Object);
  EXPECT_EQ(kind(std::string("\x7f"
                             "ELF\2\1\1\x41\7\0\0\0\0\0\0\0\2\0\xbe\0",
                             20)),
            InputKind::Cubin);
  EXPECT_EQ(kind("// a\n /* b\n */ \n.version 8.0"), InputKind::PTX);
  EXPECT_EQ(kind("// a .version"), InputKind::MLIRText);
  EXPECT_EQ(kind("; x", "a.ll"), InputKind::LLVMText);
  EXPECT_EQ(kind("target triple", "a.ll"), InputKind::LLVMText);
  EXPECT_EQ(kind("define", "a.mlir"), InputKind::MLIRText);
  EXPECT_EQ(kind(""), InputKind::MLIRText);
  EXPECT_EQ(kind("module {}"), InputKind::MLIRText);
}

/// S-281
TEST(Input, TakesAnyBytes) {
  unsigned runs = 20000;
  if (const char *text = ::getenv("TILEIR_FUZZ_RUNS"))
    runs = unsigned(::strtoul(text, nullptr, 10));
  constexpr unsigned seed = 20261121;
  std::mt19937 random(seed);
  const std::string start[] = {"// a\n/* b */ .version 8.0\n", "/*", "//",
                               "/* // */ //\n", "\x7fTileIR"};
  for (unsigned i = 0; i < runs; ++i) {
    std::string text = start[i % std::size(start)];
    for (unsigned k = random() % 8; k--;)
      text.insert(random() % (text.size() + 1), 1, char(random()));
    text.resize(random() % (text.size() + 1));
    detectInput(text, i & 1 ? "a.ll" : "a");
  }
}

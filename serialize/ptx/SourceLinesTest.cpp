// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/SourceLines.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace tileir;

namespace {

/// Locations: plain; of another tile line; inlined once; inlined twice.
const char *kModule = R"(
define void @k() !dbg !3 {
  store i32 0, ptr null, !dbg !10
  store i32 1, ptr null, !dbg !11
  store i32 2, ptr null, !dbg !12
  store i32 3, ptr null, !dbg !13
  store i32 4, ptr null, !dbg !10
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!5}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: DebugDirectivesOnly)
!1 = !DIFile(filename: "k.py", directory: "/src")
!2 = !DIFile(filename: "/lib/h.py", directory: "/src")
!3 = distinct !DISubprogram(name: "k", linkageName: "k_f32", scope: !1, file: !1, line: 4, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{})
!5 = !{i32 2, !"Debug Info Version", i32 3}
!6 = distinct !DISubprogram(name: "outer", linkageName: "o@1", scope: !2, file: !2, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!7 = distinct !DISubprogram(name: "inner", scope: !2, file: !2, line: 9, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILexicalBlockFile(scope: !3, file: !1, discriminator: 3)
!9 = !DILexicalBlockFile(scope: !7, file: !2, discriminator: 4)
!10 = !DILocation(line: 5, column: 7, scope: !3)
!11 = !DILocation(line: 5, column: 7, scope: !8)
!12 = !DILocation(line: 2, column: 1, scope: !6, inlinedAt: !14)
!13 = !DILocation(line: 10, column: 3, scope: !9, inlinedAt: !15)
!14 = distinct !DILocation(line: 6, column: 9, scope: !3)
!15 = distinct !DILocation(line: 2, column: 4, scope: !6, inlinedAt: !14)
)";

class SourceLinesTest : public testing::Test {
protected:
  void SetUp() override {
    SMDiagnostic problem;
    module = parseAssemblyString(kModule, problem, context);
    ASSERT_TRUE(module) << problem.getMessage().str();
    lines.encode(*module);
    for (const Instruction &inst : module->getFunction("k")->front())
      if (const DILocation *loc = inst.getDebugLoc())
        numbers.push_back(loc->getColumn());
  }

  /// Returns the output for a `.loc` with the number of instruction `i`.
  std::string mended(unsigned i, unsigned line, unsigned file,
                     bool inlinedAt = true) {
    std::string ptx = ".visible .entry k_f32(\n)\n{\n\t.loc\t" +
                      std::to_string(file) + " " + std::to_string(line) + " " +
                      std::to_string(numbers[i]) +
                      "\n\tret;\n}\n\t.file\t1 \"/src/k.py\"\n";
    std::string problem;
    EXPECT_TRUE(lines.decode(ptx, inlinedAt, tile, problem)) << problem;
    return ptx;
  }

  LLVMContext context;
  std::unique_ptr<Module> module;
  SourceLines lines;
  const TileText *tile = nullptr;
  std::vector<unsigned> numbers;
};

} // namespace

TEST_F(SourceLinesTest, numbersTellLocationsApart) {
  ASSERT_EQ(numbers.size(), 5u);
  EXPECT_EQ(numbers[0], numbers[4]);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_NE(numbers[i], 0u);
    for (unsigned j = 0; j < i; ++j)
      EXPECT_NE(numbers[i], numbers[j]);
  }
}

TEST_F(SourceLinesTest, columnsComeBack) {
  EXPECT_EQ(mended(0, 5, 1), ".visible .entry k_f32(\n)\n{\n\t.loc\t1 5 7\n"
                             "\tret;\n}\n\t.file\t1 \"/src/k.py\"\n");
  // Code without a line has the column of the code before.
  EXPECT_NE(mended(2, 0, 1).find("\t.loc\t1 0 1\n\tret"), std::string::npos);
}

TEST_F(SourceLinesTest, callSites) {
  std::string once = mended(2, 2, 2);
  EXPECT_NE(once.find("{\n\t.loc\t1 6 9\n\t.loc\t2 2 1, function_name "
                      "$L__info_string0, inlined_at 1 6 9\n\tret;"),
            std::string::npos)
      << once;
  EXPECT_NE(once.find("\t.section\t.debug_str\n\t{\n$L__info_string0:\n"
                      ".b8 111\n.b8 117\n.b8 116\n.b8 101\n.b8 114\n.b8 0\n"),
            std::string::npos)
      << once;
  // The outer call comes first; a file without a number gets one.
  std::string twice = mended(3, 10, 2);
  EXPECT_NE(
      twice.find("{\n\t.loc\t1 6 9\n"
                 "\t.loc\t2 2 4, function_name $L__info_string0, inlined_at 1 "
                 "6 9\n"
                 "\t.loc\t2 10 3, function_name $L__info_string1, inlined_at 2 "
                 "2 4\n\tret;"),
      std::string::npos)
      << twice;
  EXPECT_NE(twice.find("\t.file\t2 \"/lib/h.py\"\n"), std::string::npos);
  EXPECT_EQ(mended(3, 10, 2, /*inlinedAt=*/false).find("inlined_at"),
            std::string::npos);
}

TEST_F(SourceLinesTest, aCallSiteIsNamedOncePerFunction) {
  std::string number = std::to_string(numbers[2]);
  std::string loc = "\t.loc\t2 2 " + number + "\n";
  std::string ptx = "{\n" + loc + loc + "}\n{\n" + loc + "}\n";
  std::string problem;
  ASSERT_TRUE(lines.decode(ptx, true, nullptr, problem)) << problem;
  size_t count = 0;
  for (size_t at = 0; (at = ptx.find(" 6 9\n\t.loc", at)) != ptx.npos; ++at)
    ++count;
  EXPECT_EQ(count, 3u) << ptx;
  EXPECT_EQ(StringRef(ptx).count("\t.loc\t1 6 9\n"), 2u) << ptx;
}

TEST_F(SourceLinesTest, tileText) {
  TileText text;
  text.text = "entry @k_f32() {\n  for {\n    store\n  }\n}\n";
  text.kernels["k_f32"] = 1;
  text.indent = 2;
  tile = &text;
  std::string ptx = mended(1, 5, 1);
  EXPECT_NE(ptx.find("\t.loc\t1 5 7\n\t.loc_intermediate\t2 3 6\n"),
            std::string::npos)
      << ptx;
  EXPECT_NE(ptx.find(".sourceFileName: 2\n    .source_begin\n" + text.text +
                     ".source_end\n"),
            std::string::npos);
  // Without a line of its own: the kernel's header.
  EXPECT_NE(mended(0, 5, 1).find("\t.loc_intermediate\t2 1 2\n"),
            std::string::npos);
  // Text that cannot be quoted is left out, as is a text without locations.
  text.text += ".source_end\n";
  EXPECT_EQ(mended(1, 5, 1).find("intermediate"), std::string::npos);
  text.text = "entry\n";
  std::string none = "{\n}\n", problem;
  EXPECT_TRUE(lines.decode(none, true, &text, problem));
  EXPECT_EQ(none, "{\n}\n");
}

TEST_F(SourceLinesTest, brokenText) {
  std::string ptx = "\t.loc\t1 5 60000\n", before = ptx, problem;
  EXPECT_FALSE(lines.decode(ptx, true, nullptr, problem));
  EXPECT_EQ(problem,
            "a .loc directive has an unknown number: \t.loc\t1 5 60000");
  EXPECT_EQ(ptx, before);
  ptx = "\t.loc\tx\n";
  EXPECT_FALSE(lines.decode(ptx, true, nullptr, problem));
  EXPECT_EQ(problem, "a .loc directive does not parse: \t.loc\tx");
}

/// For ptxas a string ends at the next quotation mark, after any character, so
/// no name may contain one.
TEST_F(SourceLinesTest, namesDoNotLeaveTheirString) {
  auto written = [&](const std::string &file) {
    std::string ptx =
        ".visible .entry k_f32(\n)\n{\n\tret;\n}\n\t.file\t1 " + file + "\n";
    std::string problem;
    if (!lines.decode(ptx, true, tile, problem))
      return problem;
    return ptx.substr(ptx.find("\t.file"));
  };
  EXPECT_EQ(written(R"("/src/k.py")"), "\t.file\t1 \"/src/k.py\"\n");
  EXPECT_EQ(written(R"("a\" .visible .entry evil() { ret; } //")"),
            "\t.file\t1 \"a' .visible .entry evil() { ret; } //\"\n");
  EXPECT_EQ(written(R"("C:\\src\\k.py")"), "\t.file\t1 \"C:/src/k.py\"\n");
  EXPECT_EQ(written(R"("a\\")"), "\t.file\t1 \"a/\"\n");
  EXPECT_EQ(written(R"("a\nb\r\t\001")"), "\t.file\t1 \"a_b___\"\n");
  EXPECT_EQ(written(R"("\303\251.py")"), "\t.file\t1 \"\\303\\251.py\"\n");
  for (const char *wrong : {R"("a" b)", R"("a"b")", R"("a\")", "a", "\""})
    EXPECT_TRUE(StringRef(written(wrong)).starts_with("a .file directive"))
        << wrong;
}

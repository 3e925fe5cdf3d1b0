// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptxas/Command.h"

#include "gtest/gtest.h"

using namespace tileir;

using Argv = std::vector<std::string>;

TEST(PtxasRelease, ReadsVersionText) {
  PtxasRelease r = parsePtxasRelease(
      "ptxas: NVIDIA (R) Ptx optimizing assembler\n"
      "Cuda compilation tools, release 13.5, V13.5.37\nBuild x");
  EXPECT_EQ(r.major, 13u);
  EXPECT_EQ(r.minor, 5u);
  EXPECT_TRUE(r.hasLanguage());
  EXPECT_TRUE(r.hasPerCTAMemory());
  r = parsePtxasRelease("VERY V13.2.51");
  EXPECT_TRUE(r.hasLanguage());
  EXPECT_FALSE(r.hasPerCTAMemory());
  EXPECT_FALSE(parsePtxasRelease("V13.1.80").hasLanguage());
  EXPECT_TRUE(parsePtxasRelease("V14.0.1").hasLanguage());
  r = parsePtxasRelease("release 12.8, V12.8.93");
  EXPECT_TRUE(r.named && r.tooOld());
  EXPECT_FALSE(parsePtxasRelease("V13.0.88").tooOld());
  EXPECT_FALSE(parsePtxasRelease("").tooOld());
  EXPECT_FALSE(parsePtxasRelease("").named);
  // LA-7: a program without a release counts as 13.0.
  for (const char *text : {"", "V", "V13", "V13.", "13.5.1"}) {
    EXPECT_EQ(parsePtxasRelease(text).minor, 0u) << text;
    EXPECT_EQ(parsePtxasRelease(text).major, 13u) << text;
  }
}

TEST(PtxasArgv, DriverForm) {
  PtxasCommand c;
  c.program = "/opt/bin/ptxas";
  c.arch = "sm_100a";
  c.ptxFile = "/t/m.ptx";
  c.outputFile = "/t/m.bin";
  c.optLevel = 2;
  c.knobsFile = "";
  c.extendedSharedMemory = true;
  c.nvHost = "/t/h.o";
  c.sanitizeMemcheck = true;
  EXPECT_EQ(
      buildPtxasArgv(c),
      (Argv{"/opt/bin/ptxas", "-arch", "sm_100a", "/t/m.ptx", "-o", "/t/m.bin",
            "--opt-level", "2", "--knobs-file=", "--enable-extended-smem=true",
            "--nv-host=/t/h.o", "-sanitize=memcheck", "-g-tmem-access-check"}));
}

TEST(PtxasArgv, SeedForm) {
  PtxasCommand c;
  c.form = ArgvForm::Seed;
  c.program = "/opt/bin/ptxas";
  c.arch = "sm_100";
  c.inlinePTX = ".version 8.6, \"quoted\"";
  EXPECT_EQ(buildPtxasArgv(c),
            (Argv{"ptxas", "-arch", "sm_100", "--opt-level", "3",
                  "--input-as-string", ".version 8.6, \"quoted\""}));
  EXPECT_EQ(quoteArgv(c), "ptxas -arch sm_100 --opt-level 3 --input-as-string "
                          "<PTX:22 bytes>");
  c.inlinePTX.reset();
  c.ptxFile = "/t/m.ptx";
  c.relocatable = true;
  EXPECT_EQ(buildPtxasArgv(c), (Argv{"ptxas", "-arch", "sm_100", "--opt-level",
                                     "3", "/t/m.ptx", "-c"}));
}

TEST(PtxasArgv, ExtendedMemoryIsNotRepeated) {
  PtxasCommand c;
  c.form = ArgvForm::Seed;
  c.ptxFile = "m.ptx";
  c.extendedSharedMemory = true;
  c.leadingOptions = {"-enable-extended-smem=false"};
  for (const std::string &token : buildPtxasArgv(c))
    EXPECT_NE(token, "--enable-extended-smem=true");
}

/// S-050: a path with a blank, a quote and a backslash stays one token.
TEST(PtxasArgv, HostPathIsQuoted) {
  PtxasCommand c;
  c.form = ArgvForm::Seed;
  c.ptxFile = "m.ptx";
  c.nvHost = "/a b/\"c\\d'e.o";
  EXPECT_EQ(buildPtxasArgv(c).back(), "--nv-host=/a b/\"c\\d'e.o");
}

TEST(PtxasArgv, TokenizesLikeAShell) {
  EXPECT_EQ(tokenizeOptions(""), Argv{});
  EXPECT_EQ(tokenizeOptions("  "), Argv{});
  EXPECT_EQ(tokenizeOptions("a 'b c' \"d \\\" e\" f\\ g $H *"),
            (Argv{"a", "b c", "d \" e", "f g", "$H", "*"}));
}

TEST(PtxasArgv, ManagedOptions) {
  for (const char *token :
       {"-o", "--output-file=x", "-ias", "--input-as-string", "-optf",
        "--options-file", "--nv-host=x", "-h", "--help", "-V", "--version",
        "-version-ls", "--list-version"})
    EXPECT_EQ(findManagedOption(Argv{"-v", token}, false), token);
  EXPECT_FALSE(findManagedOption(Argv{"-v", "--opt-level", "o", "-c"}, false));
  EXPECT_EQ(findManagedOption(Argv{"-c"}, true), "-c");
}

TEST(PtxasArgv, QuotesForShells) {
  EXPECT_EQ(quoteForShell("a-b/c.d=e"), "a-b/c.d=e");
  EXPECT_EQ(quoteForShell(""), "''");
  EXPECT_EQ(quoteForShell("it's"), "'it'\\''s'");
}

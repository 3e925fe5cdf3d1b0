// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// S-281, S-282: parsers accept any bytes. TILEIR_FUZZ_RUNS sets the number of
// inputs for each parser.
#include "serialize/elf/Cubin.h"
#include "serialize/elf/LinkableObject.h"
#include "serialize/host/HostObject.h"
#include "serialize/ptx/EntryHeader.h"
#include "serialize/ptxas/Command.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <random>

using namespace tileir;

namespace {
struct Fuzz : testing::Test {
  static constexpr unsigned seed = 20261121;
  std::mt19937 random{seed};
  unsigned runs = 20000;

  void SetUp() override {
    if (const char *text = ::getenv("TILEIR_FUZZ_RUNS"))
      runs = unsigned(::strtoul(text, nullptr, 10));
    RecordProperty("seed", int(seed));
  }

  unsigned below(unsigned n) { return n ? random() % n : 0; }

  /// `whole` with bytes changed, cut, doubled or moved.
  std::string mutate(std::string text) {
    for (unsigned n = 1 + below(4); n-- && !text.empty();) {
      size_t at = below(unsigned(text.size()));
      switch (below(5)) {
      case 0:
        text[at] = char(random());
        break;
      case 1:
        text.resize(at);
        break;
      case 2:
        text.erase(at, below(16));
        break;
      case 3:
        text.insert(at, text.substr(below(unsigned(text.size())), below(64)));
        break;
      case 4:
        text[at] = "\"'\\ \n\t=-({,;.\0"[below(14)];
        break;
      }
    }
    return text;
  }
};
} // namespace

TEST_F(Fuzz, Tokenizer) {
  const std::string words =
      R"(-v --a "b c" 'd "e' f\ g -o=x --maxrregcount=32)";
  for (unsigned i = 0; i < runs; ++i) {
    std::vector<std::string> tokens = tokenizeOptions(mutate(words));
    findManagedOption(tokens, i & 1);
    // Text that is quoted for a shell parses back to the same text, except
    // where the two grammars differ: quotes and backslashes inside of single
    // quotes, empty words.
    std::string line;
    bool same = true;
    for (const std::string &token : tokens) {
      line += quoteForShell(token) + " ";
      same &= !token.empty() && token.find_first_of("'\\") == token.npos;
    }
    if (same)
      EXPECT_EQ(tokenizeOptions(line), tokens) << line;
  }
}

TEST_F(Fuzz, PtxText) {
  const std::string text =
      "// c\n.version 9.0\n.target sm_90a, debug\n.address_size 64\n"
      ".visible .global .align 8 .b8 m[64];\n.visible .entry k(\n"
      "\t.param .u64 .ptr .global .align 1 k_param_0,\n"
      "\t.param .align 64 .b8 k_param_1[128]\n)\n.reqntid 128, 1, 1\n"
      ".minnctapersm 1\n{\n\t.loc 1 2 3\n\tret;\n}\n/* x */ .entry l()\n{ }\n";
  for (unsigned i = 0; i < runs; ++i) {
    std::string changed = mutate(text), error;
    parseModuleHeader(changed);
    findForeignByte(changed);
    std::optional<std::vector<EntryHeader>> headers =
        parseEntryHeaders(changed, error);
    if (headers)
      for (const EntryHeader &header : *headers)
        EXPECT_LE(header.bodyBegin, changed.size());
    EntryEdits edits;
    edits.hidden["k"] = 1;
    edits.language = 7;
    edits.minimumVersion = 92;
    editEntryHeaders(changed, edits, error);
  }
}

TEST_F(Fuzz, Elf) {
  Fatbin fatbin = makeFatbin({"\x7f"
                              "ELF cubin",
                              "sm_90a"});
  LinkableRequest request;
  request.moduleId = "k";
  request.fatbin = &fatbin;
  request.cubinSize = 10;
  std::string whole = makeLinkableObject(request);
  Reporter silent([](llvm::StringRef, llvm::StringRef) {});
  for (unsigned i = 0; i < runs; ++i) {
    std::string changed = mutate(whole), error;
    checkHostObject(changed);
    readCubin(changed, error);
    acceptCubin(changed, "sm_90a", i & 1, silent);
  }
}

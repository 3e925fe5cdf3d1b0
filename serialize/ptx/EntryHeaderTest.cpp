// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/EntryHeader.h"

#include "gtest/gtest.h"

using namespace tileir;

static const char module[] = R"(//
.version 9.0
.target sm_90a
.address_size 64
/* .entry comment( { */
.visible .entry k(
	.param .u64 .ptr .global .align 1 k_param_0,
	.param .align 64 .b8 k_param_1[128],
	.param .align 64 .b8 k_param_2[128]
)
.reqntid 128, 1, 1
.minnctapersm 1
{
	// } .entry inside(
	.file 1 "a\"}.entry x"
	{ ret; }
}
.visible .entry empty()
{
	ret;
}
.visible .entry bare
.reqntid 32
{
	ret;
}
.entry declared(.param .u32 p);
)";

static EntryEdits edits() {
  EntryEdits e;
  e.hidden["k"] = 2;
  e.language = 7;
  e.minimumVersion = 92;
  return e;
}

TEST(EntryHeader, Parses) {
  std::string error;
  auto headers = parseEntryHeaders(module, error);
  ASSERT_TRUE(headers) << error;
  ASSERT_EQ(headers->size(), 3u);
  const EntryHeader &k = (*headers)[0];
  EXPECT_EQ(k.name, "k");
  ASSERT_EQ(k.parameters.size(), 3u);
  EXPECT_EQ(k.parameters[1], ".param .align 64 .b8 k_param_1[128]");
  EXPECT_EQ(k.hiddenCount(), 0u);
  EXPECT_EQ(k.directive("reqntid"), "128, 1, 1");
  EXPECT_EQ(k.directive("minnctapersm"), "1");
  EXPECT_FALSE(k.directive("maxntid"));
  EXPECT_EQ((*headers)[1].name, "empty");
  EXPECT_TRUE((*headers)[1].parameters.empty());
  EXPECT_EQ((*headers)[2].name, "bare");
  EXPECT_EQ((*headers)[2].directive("reqntid"), "32");
}

// LA-52: edits change headers alone, and the result parses again.
TEST(EntryHeader, EditsHeadersOnly) {
  std::string text = module, error;
  ASSERT_TRUE(editEntryHeaders(text, edits(), error)) << error;
  auto headers = parseEntryHeaders(text, error);
  ASSERT_TRUE(headers) << error;
  EXPECT_EQ((*headers)[0].hiddenCount(), 2u);
  EXPECT_EQ((*headers)[0].parameters[0],
            ".param .u64 .ptr .global .align 1 k_param_0");
  EXPECT_EQ((*headers)[0].parameters[1],
            ".hidden .param .align 64 .b8 k_param_1[128]");
  for (const EntryHeader &header : *headers)
    EXPECT_EQ(header.directive("language"), "7");
  EXPECT_EQ(parseModuleHeader(text)->version, 92u);

  // Without the insertions the text is the original.
  auto drop = [&](const std::string &what, const std::string &with) {
    for (size_t at; (at = text.find(what)) != std::string::npos;)
      text.replace(at, what.size(), with);
  };
  drop(".hidden ", "");
  drop(".language 7\n", "");
  drop(".version 9.2", ".version 9.0");
  EXPECT_EQ(text, module);
}

TEST(EntryHeader, PerCtaMemoryOfOneEntry) {
  std::string text = module, error;
  EntryEdits edits;
  edits.perCTAMemory["k"] = 384;
  edits.minimumVersion = 94;
  ASSERT_TRUE(editEntryHeaders(text, edits, error)) << error;
  auto headers = parseEntryHeaders(text, error);
  ASSERT_TRUE(headers) << error;
  EXPECT_EQ((*headers)[0].directive("minperctamemory"), "384");
  EXPECT_FALSE((*headers)[1].directive("minperctamemory"));
  EXPECT_EQ(parseModuleHeader(text)->version, 94u);
}

TEST(EntryHeader, NeverLowersTheVersion) {
  std::string text = module, error;
  EntryEdits e = edits();
  e.minimumVersion = 80;
  ASSERT_TRUE(editEntryHeaders(text, e, error)) << error;
  EXPECT_EQ(parseModuleHeader(text)->version, 90u);
}

TEST(EntryHeader, RefusesWhatItCannotDo) {
  std::string text = module, error;
  EntryEdits e = edits();
  e.hidden["k"] = 4;
  EXPECT_FALSE(editEntryHeaders(text, e, error));
  EXPECT_EQ(error, "entry 'k' has fewer parameters than hidden ones");
  EXPECT_EQ(text, module);

  text = ".version 9.0\n.target sm_90\n.entry k(.param .u32 a";
  EXPECT_FALSE(editEntryHeaders(text, edits(), error));
  EXPECT_EQ(error, "line 3: the parameters of entry 'k' do not end");
  text = ".version 9.0\n.target sm_90\n.entry k()";
  EXPECT_FALSE(editEntryHeaders(text, edits(), error));
  EXPECT_EQ(error, "line 3: entry 'k' has no body");
  text = ".entry k() {}";
  EXPECT_FALSE(editEntryHeaders(text, EntryEdits(), error));
}

/// S-281: the parser returns for any prefix and any single changed byte, and
/// does not crash.
TEST(EntryHeader, TakesAnyText) {
  std::string whole = module, error;
  for (size_t n = 0; n <= whole.size(); ++n)
    parseEntryHeaders(llvm::StringRef(whole).take_front(n), error);
  for (size_t i = 0; i < whole.size(); ++i)
    for (char c : {'{', '}', '(', ')', '"', '\\', '/', '\0', '.'}) {
      std::string changed = whole;
      changed[i] = c;
      editEntryHeaders(changed, edits(), error);
      parseModuleHeader(changed);
    }
}

TEST(ModuleHeader, Parses) {
  auto header = parseModuleHeader("// x\n.version 8.7\n.target sm_120a, "
                                  "texmode_independent, debug\n");
  ASSERT_TRUE(header);
  EXPECT_EQ(header->version, 87u);
  EXPECT_EQ(header->target, "sm_120a");
  EXPECT_TRUE(header->debug);
  EXPECT_FALSE(parseModuleHeader(".target sm_90"));
  EXPECT_FALSE(parseModuleHeader(".version x.target sm_90"));
  EXPECT_FALSE(parseModuleHeader(""));
}

TEST(ForeignByte, FindsTheFirst) {
  EXPECT_FALSE(findForeignByte("a\tb\r\n~ "));
  EXPECT_EQ(findForeignByte(llvm::StringRef("ab\0c", 4)), 2u);
  EXPECT_EQ(findForeignByte("\x7f"), 0u);
  EXPECT_EQ(findForeignByte("a\xc3"), 1u);
}

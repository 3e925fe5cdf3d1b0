// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/support/Nesting.h"

#include "gtest/gtest.h"

using namespace tileir;

namespace {

std::string repeat(const std::string &text, unsigned count) {
  std::string result;
  for (unsigned i = 0; i != count; ++i)
    result += text;
  return result;
}

/// `line:column` of the deep position, or nothing.
std::string deepAt(const std::string &text, unsigned limit) {
  std::optional<TextPosition> place = findDeepNesting(text, limit);
  return place
             ? std::to_string(place->line) + ":" + std::to_string(place->column)
             : "";
}

TEST(Nesting, CountsEveryBracket) {
  for (const char *pair : {"()", "[]", "{}", "<>"}) {
    std::string text = repeat(std::string(1, pair[0]), 10) +
                       repeat(std::string(1, pair[1]), 10);
    EXPECT_EQ(deepAt(text, 10), "") << pair;
    EXPECT_EQ(deepAt(text, 9), "1:10") << pair;
    EXPECT_EQ(deepAt(repeat(text + "\n", 100), 10), "") << pair;
  }
  EXPECT_EQ(deepAt("a {\n  b ([<x>])\n}\n", 3), "2:7");
}

TEST(Nesting, LooksPastTextThatIsNoBracket) {
  EXPECT_EQ(deepAt("\"((((\" // {{{{\n(x) -> (y) : \"\\\"((((\"", 1), "");
  EXPECT_EQ(deepAt(repeat("affine_set<(d0) : (d0 - 1 >= 0)>\n", 50), 2), "");
  EXPECT_EQ(deepAt(repeat("f() -> (i32) { a <= b }\n", 50), 1), "");
}

TEST(Nesting, DoesNotAddUpWhatIsNotBalanced) {
  EXPECT_EQ(deepAt(repeat("{ a < b }\n", 50), 2), "");
  EXPECT_EQ(deepAt(repeat("} ) ] >\n", 50), 0), "");
  EXPECT_EQ(deepAt(repeat("#a = [ (\n", 50), 2), "");
}

TEST(Nesting, CountsWhatAnAliasStandsFor) {
  std::string chain = "#l0 = loc(unknown)\n";
  for (unsigned i = 0; i != 9; ++i)
    chain += "#l" + std::to_string(i + 1) + " = loc(callsite(#l" +
             std::to_string(i) + " at #l0))\n";
  EXPECT_EQ(deepAt(chain, 19), "");
  EXPECT_EQ(deepAt(chain, 18), "10:20");
  EXPECT_EQ(deepAt(chain + "f() {\n  x loc(#l9)\n}\n", 20), "12:9");
  EXPECT_EQ(deepAt(chain + "f() {\n  x loc(#l9)\n}\n", 21), "");
  EXPECT_EQ(deepAt("!a = tuple<i1>\nf(!a, !b<c>, #d.e<f>)\n", 2), "");
}

TEST(Nesting, EndsWithTheText) {
  for (const char *text : {"", "\"", "\"\\", "//", "#", "!a", "#a =", "<", ">"})
    EXPECT_EQ(deepAt(text, 1), "") << text;
}

TEST(Nesting, SaysTheLimit) {
  EXPECT_EQ(deepNestingMessage(),
            "nested more than 1024 levels deep; nest regions, types, "
            "attributes and aliases less");
}

} // namespace

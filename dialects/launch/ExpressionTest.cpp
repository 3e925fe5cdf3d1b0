// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/launch/Expression.h"

#include "gtest/gtest.h"

#include <random>

using namespace tileir;
using Id = ExpressionGraph::Id;

namespace {

const unsigned widths[] = {64, 32, 32, 16, 0, 1};

/// Parses over six parameters and evaluates for `arguments`.
uint64_t value(const char *text, std::vector<uint64_t> arguments = {}) {
  ExpressionGraph graph;
  std::string error;
  std::optional<Id> id = graph.parse(text, widths, {}, error);
  EXPECT_TRUE(id) << text << ": " << error;
  arguments.resize(6);
  return id ? graph.evaluate(arguments)[*id] : 0;
}

std::string problem(const char *text) {
  ExpressionGraph graph;
  std::string error;
  EXPECT_FALSE(graph.parse(text, widths, {}, error)) << text;
  return error;
}

} // namespace

TEST(Expression, Arithmetic) {
  EXPECT_EQ(value("add(arg0, mul(sext(arg1, i64), 4))", {100, 0xffffffff}),
            96u);
  EXPECT_EQ(value("zext(sub(arg1, arg2), i64)", {0, 1, 2}), 0xffffffffu);
  EXPECT_EQ(value("mul(arg1, arg2)", {0, 0x10000, 0x10000}), 0u);
  EXPECT_EQ(value("-1"), ~uint64_t(0));
  EXPECT_EQ(value("0x10:i16"), 16u);
  EXPECT_EQ(value("trunc(arg0, i8)", {0x1234}), 0x34u);
  EXPECT_EQ(value("select(slt(arg1, 0:i32), 1, 2)", {0, 0x80000000}), 1u);
  EXPECT_EQ(value("smin(arg1, arg2)", {0, 0xffffffff, 1}), 0xffffffffu);
  EXPECT_EQ(value("umin(arg1, arg2)", {0, 0xffffffff, 1}), 1u);
  EXPECT_EQ(value("sdiv(arg1, 2:i32)", {0, uint64_t(-7) & 0xffffffff}),
            uint64_t(-3) & 0xffffffff);
}

TEST(Expression, EveryOperationIsTotal) {
  EXPECT_EQ(value("udiv(arg0, sub(arg0, arg0))", {7}), 0u);
  EXPECT_EQ(value("srem(arg0, sub(arg0, arg0))", {7}), 0u);
  EXPECT_EQ(value("sdiv(arg1, -1:i32)", {0, 0x80000000}), 0x80000000u);
  EXPECT_EQ(value("srem(arg1, -1:i32)", {0, 0x80000000}), 0u);
  EXPECT_EQ(value("shl(arg1, arg2)", {0, 1, 32}), 0u);
  EXPECT_EQ(value("lshr(arg1, arg2)", {0, 1, 99}), 0u);
  EXPECT_EQ(value("ashr(arg1, arg2)", {0, 0x80000000, 99}), 0xffffffffu);
}

TEST(Expression, SharedPartsAreOneNode) {
  ExpressionGraph graph;
  std::string error;
  Id a = *graph.parse("mul(arg1, arg2)", widths, {}, error);
  unsigned before = graph.size();
  EXPECT_EQ(*graph.parse("mul(arg1, arg2)", widths, {}, error), a);
  EXPECT_EQ(graph.size(), before);
  Id b = *graph.parse("add(%0, mul(arg1, arg2))", widths, {a}, error);
  EXPECT_EQ(graph[b].operands[0], a);
  EXPECT_EQ(graph[b].operands[1], a);
}

// A graph of n nodes may expand to 2^n words of text.
TEST(Expression, SharedTextStaysSmall) {
  ExpressionGraph graph;
  std::string error;
  std::vector<Id> values = {*graph.parse("arg0", widths, {}, error)};
  for (int i = 0; i < 100; ++i) {
    std::string text =
        "mul(%" + std::to_string(i) + ", %" + std::to_string(i) + ")";
    values.push_back(*graph.parse(text, widths, values, error));
  }
  EXPECT_EQ(graph.size(), 101u);
  EXPECT_LT(graph.summary(values.back()).size(), 200u);
  EXPECT_EQ(graph.sharedParts(values.back()).size(), 99u);
  EXPECT_EQ(graph.evaluate({3, 0, 0, 0, 0, 0}).size(), 101u);
  EXPECT_EQ(graph.trailingZeros(values.back(), [](unsigned) { return 1u; }),
            63u);
}

TEST(Expression, RefusesWhatIsNone) {
  EXPECT_EQ(problem(""), "expected an expression");
  EXPECT_EQ(problem("add(arg0)"), "'add' expects 2 operands");
  EXPECT_EQ(problem("add(arg0, arg1)"),
            "operands of 'add' are i64 and i32; cast one of them");
  EXPECT_EQ(problem("arg6"), "'arg6' is no visible parameter; there are 6");
  EXPECT_EQ(problem("arg4"), "parameter 4 is neither an integer nor a pointer");
  EXPECT_EQ(problem("%0"),
            "'%' expects the number of an earlier value; there are 0");
  EXPECT_EQ(problem("load(arg0)"), "unknown operation 'load'");
  EXPECT_EQ(problem("constant(arg0, arg0)"), "unknown operation 'constant'");
  EXPECT_EQ(problem("sext(arg0, i32)"),
            "'sext' from i64 to i32 goes the wrong way");
  EXPECT_EQ(problem("3:i7"), "expected a type, one of i1, i8, i16, i32, i64");
  EXPECT_EQ(problem("select(arg0, 1, 2)"), "'select' expects an i1 first");
  EXPECT_EQ(problem("arg0 arg0"), "unexpected 'arg0'");
  EXPECT_EQ(problem("add(arg0, 1"), "expected ')' after the operands of 'add'");
  EXPECT_EQ(problem("99999999999999999999"), "expected an integer below 2^64");
  std::string deep;
  for (int i = 0; i < 100000; ++i)
    deep += "add(";
  EXPECT_EQ(problem(deep.c_str()),
            "nested too deeply; name parts of it in 'values'");
}

TEST(Expression, TrailingZeros) {
  ExpressionGraph graph;
  std::string error;
  auto known = [](unsigned index) { return index == 0 ? 4u : 0u; };
  auto zeros = [&](const char *text) {
    return graph.trailingZeros(*graph.parse(text, widths, {}, error), known);
  };
  EXPECT_EQ(zeros("arg0"), 4u);
  EXPECT_EQ(zeros("add(arg0, mul(zext(arg1, i64), 8))"), 3u);
  EXPECT_EQ(zeros("shl(zext(arg1, i64), 5)"), 5u);
  EXPECT_EQ(zeros("and(zext(arg1, i64), -16)"), 4u);
  EXPECT_EQ(zeros("udiv(arg0, 2)"), 0u);
  EXPECT_EQ(zeros("0"), 63u);
  EXPECT_EQ(zeros("select(eq(arg1, arg2), arg0, 48)"), 4u);
}

/// Random expressions: the text parses to the same value, and the result of
/// trailingZeros holds.
TEST(Expression, PrintAndParseAgreeOnRandomExpressions) {
  unsigned seed = 20240613;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 300; ++round) {
    ExpressionGraph graph;
    std::vector<Id> ids = {graph.argument(64, 0),
                           graph.argument(32, 1),
                           graph.argument(32, 2),
                           graph.argument(16, 3),
                           graph.argument(1, 5),
                           graph.constant(64, random() >> (random() % 64)),
                           graph.constant(32, random() % 40)};
    for (int step = 0; step < 12; ++step) {
      Id a = ids[random() % ids.size()], b = ids[random() % ids.size()];
      auto op = ExprOp(unsigned(ExprOp::Add) +
                       random() %
                           (unsigned(ExprOp::SGe) - unsigned(ExprOp::Add) + 1));
      unsigned width = graph[a].width;
      if (graph[b].width > width)
        b = graph.cast(ExprOp::Trunc, b, width);
      else if (graph[b].width < width)
        b = graph.cast(random() % 2 ? ExprOp::SExt : ExprOp::ZExt, b, width);
      ids.push_back(graph.make(op, {a, b}));
    }
    std::vector<uint64_t> arguments;
    for (int i = 0; i < 6; ++i)
      arguments.push_back(random() >> (random() % 64));
    auto none = [](unsigned) { return 0u; };
    std::vector<uint64_t> values = graph.evaluate(arguments);
    Id id = ids.back();
    EXPECT_EQ(values[id] & ((uint64_t(1) << graph.trailingZeros(id, none)) - 1),
              0u);
    ExpressionGraph again;
    std::string error, text = graph.print(id);
    std::optional<Id> back = again.parse(text, widths, {}, error);
    ASSERT_TRUE(back) << text << ": " << error;
    EXPECT_EQ(again.evaluate(arguments)[*back], values[id]) << text;
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/launch/Expression.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tileir {

using llvm::ArrayRef;
using llvm::StringRef;

/// Names in the order of the enumeration.
static constexpr StringRef opNames[] = {
    "constant", "argument", "add",   "sub",  "mul",  "udiv", "sdiv",
    "urem",     "srem",     "and",   "or",   "xor",  "shl",  "lshr",
    "ashr",     "umin",     "umax",  "smin", "smax", "eq",   "ne",
    "ult",      "ule",      "ugt",   "uge",  "slt",  "sle",  "sgt",
    "sge",      "select",   "trunc", "zext", "sext"};

/// Programs compute no expression that nests deeper.
static constexpr unsigned maxDepth = 200;

StringRef exprOpName(ExprOp op) { return opNames[unsigned(op)]; }

static bool isCompare(ExprOp op) {
  return op >= ExprOp::Eq && op <= ExprOp::SGe;
}
static bool isCast(ExprOp op) { return op >= ExprOp::Trunc; }

static uint64_t mask(unsigned width) {
  return width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
}
static int64_t sext(uint64_t value, unsigned width) {
  return width >= 64 ? int64_t(value) : llvm::SignExtend64(value, width);
}

/// Computes one operation on values whose bits above `width` are zero.
static uint64_t compute(ExprOp op, unsigned width, uint64_t a, uint64_t b) {
  int64_t sa = sext(a, width), sb = sext(b, width);
  bool overflows = b == mask(width) && a == uint64_t(1) << (width - 1);
  switch (op) {
  case ExprOp::Add:
    return (a + b) & mask(width);
  case ExprOp::Sub:
    return (a - b) & mask(width);
  case ExprOp::Mul:
    return (a * b) & mask(width);
  case ExprOp::UDiv:
    return b ? a / b : 0;
  case ExprOp::SDiv:
    return !b ? 0 : overflows ? a : uint64_t(sa / sb) & mask(width);
  case ExprOp::URem:
    return b ? a % b : 0;
  case ExprOp::SRem:
    return !b || overflows ? 0 : uint64_t(sa % sb) & mask(width);
  case ExprOp::And:
    return a & b;
  case ExprOp::Or:
    return a | b;
  case ExprOp::Xor:
    return a ^ b;
  case ExprOp::Shl:
    return b >= width ? 0 : (a << b) & mask(width);
  case ExprOp::LShr:
    return b >= width ? 0 : a >> b;
  case ExprOp::AShr:
    return uint64_t(sa >> std::min<uint64_t>(b, width - 1)) & mask(width);
  case ExprOp::UMin:
    return std::min(a, b);
  case ExprOp::UMax:
    return std::max(a, b);
  case ExprOp::SMin:
    return sa < sb ? a : b;
  case ExprOp::SMax:
    return sa > sb ? a : b;
  case ExprOp::Eq:
    return a == b;
  case ExprOp::Ne:
    return a != b;
  case ExprOp::ULt:
    return a < b;
  case ExprOp::ULe:
    return a <= b;
  case ExprOp::UGt:
    return a > b;
  case ExprOp::UGe:
    return a >= b;
  case ExprOp::SLt:
    return sa < sb;
  case ExprOp::SLe:
    return sa <= sb;
  case ExprOp::SGt:
    return sa > sb;
  case ExprOp::SGe:
    return sa >= sb;
  default:
    llvm_unreachable("not an operation of two values");
  }
}

static uint64_t computeCast(ExprOp op, unsigned from, unsigned to,
                            uint64_t value) {
  if (op == ExprOp::SExt)
    value = uint64_t(sext(value, from));
  return value & mask(to);
}

ExpressionGraph::Id ExpressionGraph::add(const Node &node) {
  uint64_t hash = llvm::hash_combine(
      unsigned(node.op), node.width, node.value,
      llvm::hash_combine_range(node.inputs().begin(), node.inputs().end()));
  // The map reserves two values of the key type.
  std::vector<Id> &bucket = byHash[hash >> 1];
  for (Id id : bucket) {
    const Node &other = nodes[id];
    if (other.op == node.op && other.width == node.width &&
        other.value == node.value && other.inputs() == node.inputs())
      return id;
  }
  bucket.push_back(size());
  nodes.push_back(node);
  return size() - 1;
}

ExpressionGraph::Id ExpressionGraph::constant(unsigned width, uint64_t value) {
  Node node;
  node.width = width;
  node.value = value & mask(width);
  return add(node);
}

ExpressionGraph::Id ExpressionGraph::argument(unsigned width, unsigned index) {
  Node node;
  node.op = ExprOp::Argument;
  node.width = width;
  node.value = index;
  return add(node);
}

ExpressionGraph::Id ExpressionGraph::make(ExprOp op, ArrayRef<Id> operands) {
  Node node;
  node.op = op;
  llvm::copy(operands, node.operands.begin());
  node.numOperands = unsigned(operands.size());
  if (op == ExprOp::Select) {
    const Node &condition = nodes[operands[0]];
    assert(operands.size() == 3 && condition.width == 1);
    if (condition.op == ExprOp::Constant)
      return operands[condition.value ? 1 : 2];
    if (operands[1] == operands[2])
      return operands[1];
    node.width = nodes[operands[1]].width;
    return add(node);
  }
  assert(operands.size() == 2 && !isCast(op));
  const Node a = nodes[operands[0]], b = nodes[operands[1]];
  assert(a.width == b.width && "operands of one width");
  node.width = isCompare(op) ? 1 : a.width;
  if (a.op == ExprOp::Constant && b.op == ExprOp::Constant)
    return constant(node.width, compute(op, a.width, a.value, b.value));
  auto is = [](const Node &n, uint64_t value) {
    return n.op == ExprOp::Constant && n.value == value;
  };
  if ((op == ExprOp::Add || op == ExprOp::Sub) && is(b, 0))
    return operands[0];
  if (op == ExprOp::Add && is(a, 0))
    return operands[1];
  if (op == ExprOp::Mul && is(b, 1))
    return operands[0];
  if (op == ExprOp::Mul && is(a, 1))
    return operands[1];
  return add(node);
}

ExpressionGraph::Id ExpressionGraph::cast(ExprOp op, Id operand,
                                          unsigned width) {
  const Node x = nodes[operand];
  if (x.width == width)
    return operand;
  if (x.op == ExprOp::Constant)
    return constant(width, computeCast(op, x.width, width, x.value));
  Node node;
  node.op = op;
  node.width = width;
  node.operands[0] = operand;
  node.numOperands = 1;
  return add(node);
}

std::vector<uint64_t>
ExpressionGraph::evaluate(ArrayRef<uint64_t> arguments) const {
  std::vector<uint64_t> values(nodes.size());
  for (Id id = 0; id < size(); ++id) {
    const Node &n = nodes[id];
    switch (n.op) {
    case ExprOp::Constant:
      values[id] = n.value;
      break;
    case ExprOp::Argument:
      values[id] = arguments[n.value] & mask(n.width);
      break;
    case ExprOp::Select:
      values[id] = values[n.operands[values[n.operands[0]] ? 1 : 2]];
      break;
    case ExprOp::Trunc:
    case ExprOp::ZExt:
    case ExprOp::SExt:
      values[id] = computeCast(n.op, nodes[n.operands[0]].width, n.width,
                               values[n.operands[0]]);
      break;
    default:
      values[id] = compute(n.op, nodes[n.operands[0]].width,
                           values[n.operands[0]], values[n.operands[1]]);
    }
  }
  return values;
}

unsigned ExpressionGraph::trailingZeros(
    Id id, llvm::function_ref<unsigned(unsigned)> argument) const {
  // The operands of `id` come before it.
  llvm::SmallVector<unsigned> zeros(id + 1, 0);
  for (Id i = 0; i <= id; ++i) {
    const Node &n = nodes[i];
    unsigned a = n.numOperands > 0 ? zeros[n.operands[0]] : 0;
    unsigned b = n.numOperands > 1 ? zeros[n.operands[1]] : 0;
    unsigned known = 0;
    switch (n.op) {
    case ExprOp::Constant:
      known = n.value ? unsigned(llvm::countr_zero(n.value)) : 63;
      break;
    case ExprOp::Argument:
      known = argument(unsigned(n.value));
      break;
    case ExprOp::Mul:
      known = a + b;
      break;
    case ExprOp::And:
      known = std::max(a, b);
      break;
    case ExprOp::Shl:
      if (nodes[n.operands[1]].op == ExprOp::Constant)
        known =
            a + unsigned(std::min<uint64_t>(nodes[n.operands[1]].value, 63));
      else
        known = a;
      break;
    case ExprOp::Add:
    case ExprOp::Sub:
    case ExprOp::Or:
    case ExprOp::Xor:
    case ExprOp::UMin:
    case ExprOp::UMax:
    case ExprOp::SMin:
    case ExprOp::SMax:
      known = std::min(a, b);
      break;
    case ExprOp::Select:
      known = std::min(b, zeros[n.operands[2]]);
      break;
    case ExprOp::Trunc:
    case ExprOp::ZExt:
    case ExprOp::SExt:
      known = a;
      break;
    default:
      break;
    }
    zeros[i] = std::min(known, 63u);
  }
  return zeros[id];
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::vector<ExpressionGraph::Id>
ExpressionGraph::sharedParts(ArrayRef<Id> roots) const {
  std::vector<unsigned> uses(nodes.size(), 0);
  for (Id root : roots)
    ++uses[root];
  // Users come after their operands.
  for (Id id = size(); id-- > 0;)
    if (uses[id])
      for (Id operand : nodes[id].inputs())
        ++uses[operand];
  std::vector<Id> shared;
  for (Id id = 0; id < size(); ++id)
    if (uses[id] > 1 && nodes[id].numOperands)
      shared.push_back(id);
  return shared;
}

std::string
ExpressionGraph::print(Id id, const llvm::DenseMap<Id, unsigned> &names) const {
  if (auto it = names.find(id); it != names.end())
    return "%" + llvm::utostr(it->second);
  const Node &n = nodes[id];
  std::string suffix = n.width == 64 ? "" : ":i" + llvm::utostr(n.width);
  if (n.op == ExprOp::Constant)
    return llvm::itostr(sext(n.value, n.width)) + suffix;
  if (n.op == ExprOp::Argument)
    return "arg" + llvm::utostr(n.value);
  std::string text = exprOpName(n.op).str() + "(";
  for (auto [i, operand] : llvm::enumerate(n.inputs()))
    text += (i ? ", " : "") + print(operand, names);
  if (isCast(n.op))
    text += ", i" + llvm::utostr(n.width);
  return text + ")";
}

std::string ExpressionGraph::summary(Id id, unsigned depth) const {
  const Node &n = nodes[id];
  if (!n.numOperands)
    return print(id);
  std::string text = exprOpName(n.op).str() + "(";
  if (depth == 0)
    return text + "...)";
  for (auto [i, operand] : llvm::enumerate(n.inputs()))
    text += (i ? ", " : "") + summary(operand, depth - 1);
  if (isCast(n.op))
    text += ", i" + llvm::utostr(n.width);
  return text + ")";
}

namespace {

using Id = ExpressionGraph::Id;

/// Recursive-descent parser of the text form.
class Parser {
public:
  Parser(ExpressionGraph &graph, StringRef text, ArrayRef<unsigned> widths,
         ArrayRef<Id> values, std::string &error)
      : graph(graph), rest(text), widths(widths), values(values), error(error) {
  }

  std::optional<Id> parse() {
    std::optional<Id> id = expression(0);
    if (id && !(rest = rest.ltrim()).empty())
      return fail("unexpected '" + rest.take_front(16) + "'");
    return id;
  }

private:
  std::nullopt_t fail(const llvm::Twine &text) {
    error = text.str();
    return std::nullopt;
  }
  bool consume(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  /// Parses `i1` to `i64`.
  std::optional<unsigned> type() {
    unsigned width;
    if (!consume("i") || rest.consumeInteger(10, width) ||
        !llvm::is_contained({1u, 8u, 16u, 32u, 64u}, width))
      return fail("expected a type, one of i1, i8, i16, i32, i64");
    return width;
  }

  std::optional<Id> number() {
    bool negative = rest.consume_front("-");
    uint64_t value;
    if (rest.consumeInteger(0, value))
      return fail("expected an integer below 2^64");
    unsigned width = 64;
    if (consume(":")) {
      std::optional<unsigned> given = type();
      if (!given)
        return std::nullopt;
      width = *given;
    }
    return graph.constant(width, negative ? -value : value);
  }

  std::optional<Id> named() {
    unsigned index;
    if (rest.consumeInteger(10, index) || index >= values.size())
      return fail("'%' expects the number of an earlier value; there are " +
                  llvm::Twine(values.size()));
    return values[index];
  }

  std::optional<Id> parameter() {
    unsigned index;
    if (rest.consumeInteger(10, index))
      return fail("'arg' expects a number");
    if (index >= widths.size())
      return fail("'arg" + llvm::Twine(index) +
                  "' is no visible parameter; there are " +
                  llvm::Twine(widths.size()));
    if (!widths[index])
      return fail("parameter " + llvm::Twine(index) +
                  " is neither an integer nor a pointer");
    return graph.argument(widths[index], index);
  }

  std::optional<Id> cast(ExprOp op, unsigned depth) {
    std::optional<Id> x = expression(depth + 1);
    if (!x)
      return std::nullopt;
    if (!consume(","))
      return fail("'" + exprOpName(op) + "' expects a value and a type");
    std::optional<unsigned> width = type();
    if (!width)
      return std::nullopt;
    unsigned from = graph[*x].width;
    if (op == ExprOp::Trunc ? *width > from : *width < from)
      return fail("'" + exprOpName(op) + "' from i" + llvm::Twine(from) +
                  " to i" + llvm::Twine(*width) + " goes the wrong way");
    return graph.cast(op, *x, *width);
  }

  std::optional<Id> operation(ExprOp op, unsigned depth) {
    llvm::SmallVector<Id, 3> operands;
    unsigned count = op == ExprOp::Select ? 3 : 2;
    for (unsigned i = 0; i < count; ++i) {
      if (i && !consume(","))
        return fail("'" + exprOpName(op) + "' expects " + llvm::Twine(count) +
                    " operands");
      std::optional<Id> x = expression(depth + 1);
      if (!x)
        return std::nullopt;
      operands.push_back(*x);
    }
    if (op == ExprOp::Select && graph[operands[0]].width != 1)
      return fail("'select' expects an i1 first");
    unsigned a = graph[operands[count - 2]].width;
    unsigned b = graph[operands[count - 1]].width;
    if (a != b)
      return fail("operands of '" + exprOpName(op) + "' are i" +
                  llvm::Twine(a) + " and i" + llvm::Twine(b) +
                  "; cast one of them");
    return graph.make(op, operands);
  }

  std::optional<Id> expression(unsigned depth) {
    if (depth > maxDepth)
      return fail("nested too deeply; name parts of it in 'values'");
    rest = rest.ltrim();
    if (rest.consume_front("%"))
      return named();
    if (!rest.empty() && (llvm::isDigit(rest[0]) || rest[0] == '-'))
      return number();
    StringRef word = rest.take_while([](char c) { return llvm::isAlpha(c); });
    if (word.empty())
      return fail("expected an expression" +
                  (rest.empty() ? "" : " at '" + rest.take_front(16) + "'"));
    rest = rest.drop_front(word.size());
    if (word == "arg")
      return parameter();
    const auto *found = llvm::find(opNames, word);
    unsigned index = unsigned(found - std::begin(opNames));
    if (found == std::end(opNames) || index < unsigned(ExprOp::Add))
      return fail("unknown operation '" + word + "'");
    auto op = ExprOp(index);
    if (!consume("("))
      return fail("expected '(' after '" + word + "'");
    std::optional<Id> id = isCast(op) ? cast(op, depth) : operation(op, depth);
    if (id && !consume(")"))
      return fail("expected ')' after the operands of '" + word + "'");
    return id;
  }

  ExpressionGraph &graph;
  StringRef rest;
  ArrayRef<unsigned> widths;
  ArrayRef<Id> values;
  std::string &error;
};

} // namespace

std::optional<ExpressionGraph::Id>
ExpressionGraph::parse(StringRef text, ArrayRef<unsigned> widths,
                       ArrayRef<Id> values, std::string &error) {
  return Parser(*this, text, widths, values, error).parse();
}

} // namespace tileir

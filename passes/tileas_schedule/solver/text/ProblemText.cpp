// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/text/ProblemText.h"
#include "passes/tileas_schedule/solver/Machine.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace tileir::schedule {

namespace {

struct Token {
  std::string_view text;
  size_t column = 0;
};

/// Parses the text line by line.
class Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  ParsedProblem run();

private:
  using Handler = bool (Parser::*)();

  bool parseLine();
  bool parseProblem() { return takeName(problem.name); }
  bool parseTarget() { return takeName(problem.target); }
  bool parseAgent();
  bool parseNode();
  bool parseUses(Node &node);
  bool parseEdge();
  bool parseMaxDistance();
  bool parseSameDepth();
  bool parsePool();
  bool parsePools();
  bool parseValue();
  bool parseReader(Value &value);
  bool parseCapacity();
  bool parseFixed();
  bool parseMaxII();
  bool parseSurcharge();

  bool fail(const std::string &what) {
    if (error.empty())
      error =
          std::to_string(line) + ":" + std::to_string(column()) + ": " + what;
    return false;
  }
  size_t column() const {
    return at < tokens.size() ? tokens[at].column : endColumn;
  }
  bool atEnd() const { return at == tokens.size(); }
  bool accept(std::string_view word) {
    if (atEnd() || tokens[at].text != word)
      return false;
    ++at;
    return true;
  }
  bool expect(std::string_view word) {
    return accept(word) || fail("expected '" + std::string(word) + "'");
  }
  bool takeName(std::string &name) {
    if (atEnd())
      return fail("expected a name");
    name = std::string(tokens[at++].text);
    return true;
  }
  bool takeNumber(int64_t &number);
  bool parseNumber(std::string_view digits, int64_t &number);
  bool takeNode(int &node);
  bool findNode(std::string_view name, int &node);
  /// A `key=number` pair; the pairs end at the end of the line or at ':'.
  struct Key {
    const char *name;
    int64_t *number;
    int64_t least = 0;
  };
  bool parseKeys(std::initializer_list<Key> keys);
  /// Splits `key=word`; the word is empty if there is none.
  bool splitKey(std::string_view &key, std::string_view &word);

  std::string_view text;
  Problem problem;
  std::string error;
  size_t line = 0, endColumn = 1;
  std::vector<Token> tokens;
  size_t at = 0;
  std::map<std::string, int, std::less<>> nodes, agents;
  /// Slot limits of values, applied when all readers are known.
  std::vector<std::pair<int, int>> pipelines;
};

} // namespace

bool Parser::parseNumber(std::string_view digits, int64_t &number) {
  const char *end = digits.data() + digits.size();
  auto [rest, fault] = std::from_chars(digits.data(), end, number);
  // Longer than any loop; sums of such values cannot overflow.
  constexpr int64_t kMax = int64_t(1) << 40;
  if (fault != std::errc() || rest != end)
    return fail("'" + std::string(digits) + "' is no number");
  if (number > kMax || number < -kMax)
    return fail("'" + std::string(digits) + "' is too large");
  return true;
}

bool Parser::takeNumber(int64_t &number) {
  if (atEnd())
    return fail("expected a number");
  if (!parseNumber(tokens[at].text, number))
    return false;
  ++at;
  return true;
}

bool Parser::findNode(std::string_view name, int &node) {
  auto found = nodes.find(name);
  if (found == nodes.end())
    return fail("unknown node '" + std::string(name) + "'");
  node = found->second;
  return true;
}

bool Parser::takeNode(int &node) {
  if (atEnd())
    return fail("expected a node");
  if (!findNode(tokens[at].text, node))
    return false;
  ++at;
  return true;
}

bool Parser::splitKey(std::string_view &key, std::string_view &word) {
  std::string_view token = tokens[at].text;
  size_t equals = token.find('=');
  if (equals == std::string_view::npos || equals + 1 == token.size())
    return fail("expected '<key>=<value>', found '" + std::string(token) + "'");
  key = token.substr(0, equals);
  word = token.substr(equals + 1);
  return true;
}

bool Parser::parseKeys(std::initializer_list<Key> keys) {
  while (!atEnd() && tokens[at].text != ":") {
    std::string_view key, word;
    if (!splitKey(key, word))
      return false;
    auto known = std::find_if(keys.begin(), keys.end(),
                              [&](const Key &k) { return key == k.name; });
    if (known == keys.end())
      return fail("unknown key '" + std::string(key) + "'");
    if (!parseNumber(word, *known->number))
      return false;
    if (*known->number < known->least)
      return fail("'" + std::string(key) + "' is " + std::string(word) +
                  ", expected " + std::to_string(known->least) + " or more");
    ++at;
  }
  return true;
}

bool Parser::parseAgent() {
  Agent agent;
  int64_t warps = 4, registers = 0;
  if (!takeName(agent.name) ||
      !parseKeys({{"warps", &warps, 1}, {"registers", &registers}}))
    return false;
  if (problem.agents.size() == kMaxAgents)
    return fail("more than " + std::to_string(kMaxAgents) + " agents");
  if (!agents.emplace(agent.name, int(problem.agents.size())).second)
    return fail("a second agent '" + agent.name + "'");
  agent.warps = int(std::min<int64_t>(warps, 64));
  agent.registerBudget = int(std::min<int64_t>(registers, 1 << 20));
  problem.agents.push_back(agent);
  return true;
}

bool Parser::parseUses(Node &node) {
  while (!atEnd()) {
    std::string_view key, word;
    if (!splitKey(key, word))
      return false;
    std::optional<Row> row = rowOfName(key);
    if (!row || !isReservable(*row))
      return fail("'" + std::string(key) + "' is no slot that can be reserved");
    SlotUse use;
    use.row = *row;
    size_t offset = word.find('@');
    if (!parseNumber(word.substr(0, offset), use.duration) ||
        (offset != std::string_view::npos &&
         !parseNumber(word.substr(offset + 1), use.offset)))
      return false;
    if (use.duration < 1 || use.offset < 0)
      return fail("a slot is reserved for 1 cycle or more, from 0 on");
    node.uses.push_back(use);
    ++at;
  }
  return true;
}

bool Parser::parseNode() {
  Node node;
  if (!takeName(node.name))
    return false;
  int64_t depth = kNoDepthLimit;
  while (!atEnd() && tokens[at].text != ":") {
    std::string_view key, word;
    if (!splitKey(key, word))
      return false;
    if (key == "class") {
      std::optional<OpClass> cls = opClassOfName(word);
      if (!cls)
        return fail("unknown class '" + std::string(word) + "'");
      node.cls = *cls;
    } else if (key == "agent") {
      auto agent = agents.find(word);
      if (agent == agents.end())
        return fail("unknown agent '" + std::string(word) + "'");
      node.agent = agent->second;
    } else if (key == "op" || key == "atom" || key == "at") {
      std::string &to = key == "op"     ? node.op
                        : key == "atom" ? node.atom
                                        : node.location;
      to = std::string(word);
    } else if (key == "latency" || key == "issue" || key == "max_depth") {
      int64_t &to = key == "latency" ? node.latency
                    : key == "issue" ? node.issueCost
                                     : depth;
      if (!parseNumber(word, to))
        return false;
      if (to < 0 || to > INT32_MAX)
        return fail("'" + std::string(key) + "' is " + std::string(word) +
                    ", expected 0 or more");
    } else {
      return fail("unknown key '" + std::string(key) + "'");
    }
    ++at;
  }
  node.maxDepth = int(depth);
  if (accept(":") && !parseUses(node))
    return false;
  if (!nodes.emplace(node.name, int(problem.nodes.size())).second)
    return fail("a second node '" + node.name + "'");
  problem.addNode(std::move(node));
  return true;
}

bool Parser::parseEdge() {
  Edge edge;
  if (!takeNode(edge.from) || !expect("->") || !takeNode(edge.to))
    return false;
  while (!atEnd()) {
    std::string_view key, word;
    if (!splitKey(key, word))
      return false;
    int64_t distance = edge.distance;
    if (key == "kind") {
      std::optional<EdgeKind> kind = edgeKindOfName(word);
      if (!kind)
        return fail("unknown kind '" + std::string(word) + "'");
      edge.kind = *kind;
    } else if (key == "delay") {
      if (!parseNumber(word, edge.delay))
        return false;
    } else if (key == "distance") {
      if (!parseNumber(word, distance))
        return false;
      if (distance < 0 || distance > INT32_MAX)
        return fail("'distance' is " + std::string(word) +
                    ", expected 0 or more");
      edge.distance = int(distance);
    } else {
      return fail("unknown key '" + std::string(key) + "'");
    }
    ++at;
  }
  problem.edges.push_back(edge);
  return true;
}

bool Parser::parseMaxDistance() {
  int a = 0, b = 0;
  int64_t most = 0;
  if (!takeNode(a) || !takeNode(b) || !takeNumber(most))
    return false;
  problem.addMaxDistance(a, b, most);
  return true;
}

bool Parser::parseSameDepth() {
  int first = 0;
  if (!takeNode(first))
    return false;
  do {
    int other = 0;
    if (!takeNode(other))
      return false;
    problem.sameDepth.push_back({first, other});
  } while (!atEnd());
  return true;
}

bool Parser::parsePool() {
  Pool pool;
  if (!takeName(pool.name) || !parseKeys({{"capacity", &pool.capacity, 1}}) ||
      !expect(":"))
    return false;
  while (!atEnd()) {
    std::string_view key, word;
    if (!splitKey(key, word))
      return false;
    std::optional<Row> row = rowOfName(key);
    int64_t weight = 0;
    if (!row)
      return fail("unknown slot '" + std::string(key) + "'");
    if (!parseNumber(word, weight))
      return false;
    pool.weights.push_back({*row, weight});
    ++at;
  }
  problem.pools.push_back(std::move(pool));
  return true;
}

bool Parser::parsePools() {
  std::string name;
  size_t place = at;
  if (!takeName(name))
    return false;
  std::optional<Target> target = Target::parse(name);
  if (!target) {
    at = place;
    return fail("unknown target '" + name + "'; use one of " +
                Target::tileLoweringNames());
  }
  for (Pool &pool : Machine(*target).pools())
    problem.pools.push_back(std::move(pool));
  return true;
}

bool Parser::parseReader(Value &value) {
  // `NAME`, `NAME+arriveLatency`, `NAME+arriveLatency@distance`,
  // `NAME@distance`.
  std::string_view token = tokens[at].text;
  Reader reader;
  int64_t distance = 0;
  size_t marked = token.find('@');
  if (marked != std::string_view::npos) {
    if (!parseNumber(token.substr(marked + 1), distance))
      return false;
    token = token.substr(0, marked);
  }
  size_t plus = token.find('+');
  if (plus != std::string_view::npos &&
      !parseNumber(token.substr(plus + 1), reader.arriveLatency))
    return false;
  if (distance < 0 || distance > INT32_MAX || reader.arriveLatency < 0)
    return fail("a reader's arrival latency and distance are 0 or more");
  reader.distance = int(distance);
  if (!findNode(token.substr(0, plus), reader.node))
    return false;
  ++at;
  value.readers.push_back(reader);
  return true;
}

bool Parser::parseValue() {
  Value value;
  if (!takeName(value.name))
    return false;
  for (Storage storage : {Storage::Shared, Storage::Tensor, Storage::Registers})
    if (accept(nameOf(storage)))
      value.storage = storage;
  int64_t buffers = 0, recomputations = 0;
  if (!parseKeys({{"bytes", &value.bytes},
                  {"columns", &value.columns},
                  {"max_buffers", &buffers},
                  {"barrier_bytes", &value.barrierBytes},
                  {"recompute", &recomputations}}) ||
      !expect(":"))
    return false;
  while (!atEnd() && tokens[at].text != "->") {
    int producer = 0;
    if (!takeNode(producer))
      return false;
    value.producers.push_back(producer);
  }
  if (value.producers.empty())
    return fail("expected a producer");
  if (!expect("->"))
    return false;
  while (!atEnd())
    if (!parseReader(value))
      return false;
  value.maxRecomputations = int(std::min<int64_t>(recomputations, 1 << 20));
  if (buffers)
    pipelines.push_back(
        {int(problem.values.size()), int(std::min<int64_t>(buffers, 1 << 20))});
  problem.values.push_back(std::move(value));
  return true;
}

bool Parser::parseCapacity() {
  Capacities &has = problem.capacities;
  return parseKeys({{"shared", &has.sharedBytes},
                    {"tensor", &has.tensorColumns},
                    {"barriers", &has.namedBarriers}});
}

bool Parser::parseFixed() {
  FixedUse &fixed = problem.fixed;
  return parseKeys({{"shared", &fixed.sharedBytes},
                    {"tensor", &fixed.tensorColumns},
                    {"barriers", &fixed.namedBarriers},
                    {"registers", &fixed.registers}});
}

bool Parser::parseMaxII() {
  if (!takeNumber(problem.maxII))
    return false;
  return problem.maxII > 0 || fail("the limit of the interval is not positive");
}

bool Parser::parseSurcharge() {
  int64_t amount = 0;
  if (!takeNumber(amount))
    return false;
  if (amount < 0 || amount > 255)
    return fail("a surcharge is from 0 to 255");
  problem.surcharge = int(amount);
  return true;
}

bool Parser::parseLine() {
  static const std::map<std::string_view, Handler> kHandlers = {
      {"problem", &Parser::parseProblem},
      {"target", &Parser::parseTarget},
      {"agent", &Parser::parseAgent},
      {"node", &Parser::parseNode},
      {"edge", &Parser::parseEdge},
      {"max_distance", &Parser::parseMaxDistance},
      {"same_depth", &Parser::parseSameDepth},
      {"pool", &Parser::parsePool},
      {"pools", &Parser::parsePools},
      {"value", &Parser::parseValue},
      {"capacity", &Parser::parseCapacity},
      {"fixed", &Parser::parseFixed},
      {"max_ii", &Parser::parseMaxII},
      {"surcharge", &Parser::parseSurcharge},
  };
  if (accept("serial")) {
    problem.forceSerial = true;
  } else if (accept("linear")) {
    problem.isLinear = true;
  } else {
    auto handler = kHandlers.find(tokens[0].text);
    if (handler == kHandlers.end())
      return fail("unknown statement '" + std::string(tokens[0].text) + "'");
    ++at;
    if (!(this->*handler->second)())
      return false;
  }
  return atEnd() || fail("unexpected '" + std::string(tokens[at].text) + "'");
}

ParsedProblem Parser::run() {
  std::string_view rest = text;
  while (!rest.empty() && error.empty()) {
    size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view current = rest.substr(0, end);
    rest.remove_prefix(std::min(rest.size(), end + 1));
    ++line;
    current = current.substr(0, current.find('#'));
    tokens.clear();
    at = 0;
    endColumn = current.size() + 1;
    constexpr std::string_view kBlank = " \t\r";
    for (size_t i = current.find_first_not_of(kBlank);
         i != std::string_view::npos;) {
      size_t stop = std::min(current.find_first_of(kBlank, i), current.size());
      tokens.push_back({current.substr(i, stop - i), i + 1});
      i = current.find_first_not_of(kBlank, stop);
    }
    if (!tokens.empty())
      parseLine();
  }
  for (auto [value, depth] : pipelines)
    problem.setMaxBuffers(value, depth);
  return {std::move(problem), std::move(error)};
}

ParsedProblem parseProblem(std::string_view text) { return Parser(text).run(); }

} // namespace tileir::schedule

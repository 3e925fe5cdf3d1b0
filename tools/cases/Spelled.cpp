// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cases/Spelled.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <tuple>

namespace tileir::cases {

const char kSpelledHelp[] =
    "  --entry NAME          the kernel of a module with several\n"
    "  --grid X,Y,Z          tile blocks per axis\n"
    "  --arg NAME:DTYPE=VALUE\n"
    "                        the next argument, a scalar\n"
    "  --arg NAME:DTYPE[D0,D1,...]=INIT[:SEED][,output][,expect=FILE]\n"
    "                        the next argument, a buffer\n"
    "  --arg NAME=&BUFFER[+BYTES]\n"
    "                        the next argument, the address of another's "
    "buffer\n"
    "  --set NAME=VALUE      another value for a scalar of the case\n";

/// `text` up to the first `mark` and what follows it; all and nothing where
/// there is none.
static std::pair<std::string, std::string> split(const std::string &text,
                                                 char mark) {
  size_t at = text.find(mark);
  return at == std::string::npos
             ? std::pair(text, std::string())
             : std::pair(text.substr(0, at), text.substr(at + 1));
}

/// The JSON that `text` is; null where it is none.
static JsonTree parsed(const std::string &text) {
  JsonTree json =
      JsonTree::parse(text, /*cb=*/nullptr, /*allow_exceptions=*/false);
  return json.is_discarded() ? JsonTree() : json;
}

/// A literal of a case file: numbers stay, everything else is quoted.
static JsonTree literal(const std::string &value) {
  JsonTree json = parsed(value);
  return json.is_number() || json.is_boolean() ? json : JsonTree(value);
}

/// Adds the contents of a buffer to an entry of a case file; false if they have
/// no such form.
static bool addContents(const std::string &value, JsonTree &entry) {
  auto [init, rest] = split(value, ',');
  // `integers:LO:HI` has two colons of its own; a file has none that count.
  auto own = init.rfind("integers:", 0) == 0 ? 2 : 0;
  if (init[0] != '@' && std::count(init.begin(), init.end(), ':') > own) {
    size_t colon = init.rfind(':');
    entry["seed"] = literal(init.substr(colon + 1));
    init.resize(colon);
  }
  entry["init"] = init;
  while (!rest.empty()) {
    std::string part;
    std::tie(part, rest) = split(rest, ',');
    if (part == "output")
      entry["output"] = true;
    else if (part.rfind("expect=", 0) == 0)
      entry["expect"] = part.substr(7);
    else
      return false;
  }
  return true;
}

/// One `--arg` as an entry of a case file; null if it has no such form.
static JsonTree argToJson(const std::string &text) {
  auto [head, value] = split(text, '=');
  if (head.find(':') == std::string::npos && value[0] == '&') {
    auto [buffer, addend] = split(value.substr(1), '+');
    JsonTree entry = {{"name", head}, {"buffer", buffer}};
    if (!addend.empty())
      entry["addend"] = literal(addend);
    return entry;
  }
  auto [name, type] = split(head, ':');
  if (name.empty() || type.empty() || head.size() == text.size())
    return nullptr;
  size_t bracket = type.find('[');
  if (bracket == std::string::npos)
    return {{"name", name}, {"dtype", type}, {"value", literal(value)}};
  JsonTree entry = {{"name", name},
                    {"dtype", type.substr(0, bracket)},
                    {"shape", parsed(type.substr(bracket))}};
  return entry["shape"].is_array() && addContents(value, entry) ? entry
                                                                : JsonTree();
}

static bool spellCase(const std::string &kernel, const Spelled &spelled,
                      Case &out, std::string &error) {
  JsonTree spelt = {{"kernel", kernel}};
  if (!spelled.entry.empty())
    spelt["entry"] = spelled.entry;
  if (!spelled.grid.empty()) {
    JsonTree &grid = spelt["grid"] = parsed("[" + spelled.grid + "]");
    if (grid.is_null()) {
      error = "--grid '" + spelled.grid + "' is not X,Y,Z";
      return false;
    }
  }
  JsonTree &args = spelt["args"] = JsonTree::array();
  for (const std::string &text : spelled.args) {
    args.push_back(argToJson(text));
    if (args.back().is_null()) {
      error = "--arg '" + text +
              "' is neither NAME:DTYPE=VALUE nor "
              "NAME:DTYPE[D0,D1,...]=INIT[:SEED][,output][,expect=FILE] nor "
              "NAME=&BUFFER[+BYTES]";
      return false;
    }
  }
  return parseCase(printJson(spelt), "./command line", out, error);
}

static bool applySets(const Spelled &spelled, Case &out, std::string &error) {
  for (const std::string &text : spelled.sets) {
    auto [name, value] = split(text, '=');
    auto arg = std::find_if(
        out.args.begin(), out.args.end(), [&, &name = name](const Arg &a) {
          return a.kind == Arg::Kind::Scalar && a.name == name;
        });
    if (arg == out.args.end()) {
      error = "--set: the case has no scalar '" + name + "'";
      return false;
    }
    Json json;
    if (!parseJson(printJson(literal(value)), json, error) ||
        !parseScalar(json, arg->dtype, arg->bits, error)) {
      error = "--set '" + text + "': " + error;
      return false;
    }
  }
  return true;
}

bool loadInput(const std::string &input, const Spelled &spelled, Case &out,
               std::string &error) {
  std::string text;
  if (!readText(input, text, error))
    return false;
  size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '{')
    return spellCase(input, spelled, out, error) &&
           applySets(spelled, out, error);
  if (!spelled.args.empty() || !spelled.grid.empty()) {
    error = std::string(spelled.args.empty() ? "--grid" : "--arg") +
            " is for a kernel, not for a case" +
            (spelled.args.empty() ? "" : "; use --set");
    return false;
  }
  if (!parseCase(text, input, out, error))
    return false;
  if (!spelled.entry.empty())
    out.entry = spelled.entry;
  return applySets(spelled, out, error);
}

} // namespace tileir::cases

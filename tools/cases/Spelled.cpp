// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cases/Spelled.h"

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

std::string *Spelled::place(const std::string &name) {
  if (name == "entry")
    return &entry;
  if (name == "grid")
    return &grid;
  if (name == "arg")
    return &args.emplace_back();
  return name == "set" ? &sets.emplace_back() : nullptr;
}

/// `text` up to the first `mark` and what follows it; all and nothing where
/// there is none.
static std::pair<std::string, std::string> split(const std::string &text,
                                                 char mark) {
  size_t at = text.find(mark);
  return at == std::string::npos
             ? std::pair(text, std::string())
             : std::pair(text.substr(0, at), text.substr(at + 1));
}

/// A literal of a case file: numbers stay, everything else is quoted.
static std::string literal(const std::string &value) {
  bool isPlain =
      value == "true" || value == "false" ||
      (!value.empty() &&
       value.find_first_not_of("0123456789+-.eE") == std::string::npos);
  return isPlain ? value : quoteJson(value);
}

/// The contents of a buffer as fields of a case file; empty if they have no
/// such form.
static std::string contentsToJson(const std::string &value) {
  auto [init, rest] = split(value, ',');
  std::string json;
  // `integers:LO:HI` has two colons of its own; a file has none that count.
  auto own = init.rfind("integers:", 0) == 0 ? 2 : 0;
  if (init[0] != '@' && std::count(init.begin(), init.end(), ':') > own) {
    size_t colon = init.rfind(':');
    json += ", \"seed\": " + init.substr(colon + 1);
    init.resize(colon);
  }
  json += ", \"init\": " + quoteJson(init);
  while (!rest.empty()) {
    std::string part;
    std::tie(part, rest) = split(rest, ',');
    if (part == "output")
      json += ", \"output\": true";
    else if (part.rfind("expect=", 0) == 0)
      json += ", \"expect\": " + quoteJson(part.substr(7));
    else
      return "";
  }
  return json;
}

/// One `--arg` as an entry of a case file; empty if it has no such form.
static std::string argToJson(const std::string &text) {
  auto [head, value] = split(text, '=');
  if (head.find(':') == std::string::npos && value[0] == '&') {
    auto [buffer, addend] = split(value.substr(1), '+');
    return "{\"name\": " + quoteJson(head) +
           ", \"buffer\": " + quoteJson(buffer) +
           (addend.empty() ? "" : ", \"addend\": " + literal(addend)) + "}";
  }
  auto [name, type] = split(head, ':');
  if (name.empty() || type.empty() || head.size() == text.size())
    return "";
  std::string json = "{\"name\": " + quoteJson(name);
  size_t bracket = type.find('[');
  if (bracket == std::string::npos)
    return json + ", \"dtype\": " + quoteJson(type) +
           ", \"value\": " + literal(value) + "}";
  std::string contents = contentsToJson(value);
  if (type.back() != ']' || contents.empty())
    return "";
  return json + ", \"dtype\": " + quoteJson(type.substr(0, bracket)) +
         ", \"shape\": " + type.substr(bracket) + contents + "}";
}

static bool spellCase(const std::string &kernel, const Spelled &spelled,
                      Case &out, std::string &error) {
  std::string text = "{\"kernel\": " + quoteJson(kernel);
  if (!spelled.entry.empty())
    text += ", \"entry\": " + quoteJson(spelled.entry);
  if (!spelled.grid.empty())
    text += ", \"grid\": [" + spelled.grid + "]";
  text += ", \"args\": [";
  for (size_t i = 0; i < spelled.args.size(); ++i) {
    std::string json = argToJson(spelled.args[i]);
    if (json.empty()) {
      error = "--arg '" + spelled.args[i] +
              "' is neither NAME:DTYPE=VALUE nor "
              "NAME:DTYPE[D0,D1,...]=INIT[:SEED][,output][,expect=FILE] nor "
              "NAME=&BUFFER[+BYTES]";
      return false;
    }
    text += (i ? ", " : "") + json;
  }
  return parseCase(text + "]}", "./command line", out, error);
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
    if (!parseJson(literal(value), json, error) ||
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

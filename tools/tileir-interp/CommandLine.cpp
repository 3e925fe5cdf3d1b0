// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tileir-interp/CaseRun.h"

#include "tools/driver/OwnVersion.h"

#include "llvm/ADT/StringExtras.h"

#include <cstdio>

namespace tileir {

using llvm::StringRef;

static const char kHelp[] =
    "usage: tileir-interp CASE.json [options]\n"
    "       tileir-interp KERNEL --entry E --grid X,Y,Z --arg ... [options]\n"
    "\n"
    "Runs the kernel of a case at tile level, as the reference of what it "
    "means.\n"
    "Every option takes its value after '=' or as the next argument.\n"
    "\n"
    "  --set NAME=VALUE      another value for a scalar of the case\n"
    "  --entry NAME          the kernel of a module with several\n"
    "  --grid X,Y,Z          tile blocks per axis\n"
    "  --arg NAME:DTYPE=VALUE\n"
    "                        the next argument, a scalar\n"
    "  --arg NAME:DTYPE[D0,D1,...]=INIT[:SEED][,output][,expect=FILE]\n"
    "                        the next argument, a buffer\n"
    "  --arg NAME=&BUFFER[+BYTES]\n"
    "                        the next argument, the address of another's "
    "buffer\n"
    "  --out DIR             write outputs as DIR/NAME.npy\n"
    "  --report FILE         write what was found as JSON\n"
    "  --check LIST          bounds, init, race, protocol, deadlock (all)\n"
    "                        inbounds: broken promises are faults, not notes\n"
    "  --block-order ORDER   random[:SEED] or ascending (random:0)\n"
    "  --weak-memory SEED    perform accesses late that no token orders\n"
    "  --max-ops N           stop after N operations (0: never)\n"
    "  --trace               print every operation with its results\n"
    "  --version\n"
    "  --help\n"
    "\n"
    "Exit status: 0 all outputs agree and nothing was found, 1 something "
    "differs\n"
    "or was found, 2 the case or kernel cannot be run.\n";

static int fail(const llvm::Twine &message) {
  fprintf(stderr, "error: %s\n", message.str().c_str());
  return 2;
}

/// A literal of a case file: numbers stay, everything else is quoted.
static std::string toJson(StringRef value) {
  bool isPlain = !value.empty() &&
                 value.find_first_not_of("0123456789+-.eE") == StringRef::npos;
  if (value == "true" || value == "false")
    isPlain = true;
  return isPlain ? value.str() : cases::quoteJson(value.str());
}

/// One `--arg` as an entry of a case file; empty if it has no such form.
static std::string argToJson(StringRef text) {
  auto [alias, target] = text.split('=');
  if (!alias.contains(':') && target.consume_front("&")) {
    auto [buffer, addend] = target.split('+');
    return "{\"name\": " + cases::quoteJson(alias.str()) +
           ", \"buffer\": " + cases::quoteJson(buffer.str()) +
           (addend.empty() ? "" : ", \"addend\": " + toJson(addend)) + "}";
  }
  auto [name, rest] = text.split(':');
  size_t equal = rest.find('=');
  if (name.empty() || equal == StringRef::npos)
    return "";
  StringRef type = rest.take_front(equal), value = rest.drop_front(equal + 1);
  std::string json = "{\"name\": " + cases::quoteJson(name.str());
  size_t bracket = type.find('[');
  if (bracket == StringRef::npos)
    return json + ", \"dtype\": " + cases::quoteJson(type.str()) +
           ", \"value\": " + toJson(value) + "}";
  StringRef shape = type.drop_front(bracket);
  if (!shape.ends_with("]"))
    return "";
  json += ", \"dtype\": " + cases::quoteJson(type.take_front(bracket).str()) +
          ", \"shape\": " + shape.str();
  llvm::SmallVector<StringRef> parts;
  value.split(parts, ',');
  // `integers:LO:HI` has two colons of its own; a file has none that count.
  StringRef init = parts.front();
  size_t own = init.starts_with("integers:") ? 2 : 0;
  if (!init.starts_with("@") && init.count(':') > own) {
    auto [before, seed] = init.rsplit(':');
    init = before;
    json += ", \"seed\": " + seed.str();
  }
  json += ", \"init\": " + cases::quoteJson(init.str());
  for (StringRef part : llvm::ArrayRef(parts).drop_front()) {
    if (part == "output")
      json += ", \"output\": true";
    else if (part.consume_front("expect="))
      json += ", \"expect\": " + cases::quoteJson(part.str());
    else
      return "";
  }
  return json + "}";
}

namespace {

/// Options as they stand on the command line.
struct RawOptions {
  std::string input, entry, grid, blockOrder = "random:0", check;
  std::vector<std::string> args, sets;
};

} // namespace

/// `LIST` of checks: the kinds that belong to no check of it are silent. That
/// of `inbounds` is off unless it is named.
static bool parseChecks(StringRef list, std::vector<std::string> &silent,
                        bool &checksInbounds) {
  static const std::pair<const char *, std::vector<const char *>> groups[] = {
      {"race", {"race"}}, {"init", {"init"}},  {"bounds", {"bounds"}},
      {"align", {}},      {"convergence", {}}, {"lifetime", {}},
      {"deadlock", {}},   {"protocol", {"ub"}}};
  for (const auto &group : groups)
    for (const char *kind : group.second)
      silent.push_back(kind);
  llvm::SmallVector<StringRef> names;
  list.split(names, ',');
  for (StringRef name : names) {
    bool isKnown = name == "inbounds";
    checksInbounds |= isKnown;
    for (const auto &group : groups) {
      if (name != group.first)
        continue;
      isKnown = true;
      for (const char *kind : group.second)
        llvm::erase(silent, kind);
    }
    if (!isKnown)
      return false;
  }
  return true;
}

static bool parseBlockOrder(StringRef order, reference::RunOptions &run) {
  if (order == "ascending") {
    run.inOrder = true;
    return true;
  }
  if (!order.consume_front("random"))
    return false;
  return order.empty() ||
         (order.consume_front(":") && !order.getAsInteger(0, run.seed));
}

/// The case of a command line that spells it out.
static bool spellCase(const RawOptions &raw, cases::Case &out,
                      std::string &error) {
  std::string text = "{\"kernel\": " + cases::quoteJson(raw.input);
  if (!raw.entry.empty())
    text += ", \"entry\": " + cases::quoteJson(raw.entry);
  if (!raw.grid.empty())
    text += ", \"grid\": [" + raw.grid + "]";
  text += ", \"args\": [";
  for (const auto &[index, arg] : llvm::enumerate(raw.args)) {
    std::string json = argToJson(arg);
    if (json.empty()) {
      error = "--arg '" + arg +
              "' is neither NAME:DTYPE=VALUE nor "
              "NAME:DTYPE[D0,D1,...]=INIT[:SEED][,output][,expect=FILE] nor "
              "NAME=&BUFFER[+BYTES]";
      return false;
    }
    text += (index ? ", " : "") + json;
  }
  text += "]}";
  return cases::parseCase(text, "./command line", out, error);
}

static bool applySets(const RawOptions &raw, cases::Case &theCase,
                      std::string &error) {
  for (const std::string &text : raw.sets) {
    StringRef name = StringRef(text).split('=').first;
    StringRef value = StringRef(text).split('=').second;
    auto arg = llvm::find_if(theCase.args, [&](const cases::Arg &candidate) {
      return candidate.kind == cases::Arg::Kind::Scalar &&
             candidate.name == name;
    });
    if (arg == theCase.args.end()) {
      error = ("--set: the case has no scalar '" + name + "'").str();
      return false;
    }
    cases::Json json;
    if (!cases::parseJson(toJson(value), json, error) ||
        !cases::parseScalar(json, arg->dtype, arg->bits, error)) {
      error = "--set '" + text + "': " + error;
      return false;
    }
  }
  return true;
}

std::optional<int> parseCommandLine(int argc, char **argv,
                                    InterpOptions &options) {
  RawOptions raw;
  std::string maxOps, weakMemory;
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    if (!argument.starts_with("-")) {
      if (!raw.input.empty())
        return fail("more than one input: '" + raw.input + "' and '" +
                    argument + "'");
      raw.input = argument.str();
      continue;
    }
    argument.consume_front("-");
    argument.consume_front("-");
    auto [name, inlineValue] = argument.split('=');
    if (name == "help") {
      fputs(kHelp, stdout);
      return 0;
    }
    if (name == "version") {
      printf("tileir-interp: tileir %s\n", getOwnVersion());
      return 0;
    }
    if (name == "trace") {
      options.run.trace = &llvm::outs();
      continue;
    }
    bool isKnown =
        llvm::is_contained({"set", "entry", "grid", "arg", "out", "report",
                            "check", "block-order", "weak-memory", "max-ops"},
                           name);
    if (!isKnown)
      return fail("unknown option '" + StringRef(argv[i]) +
                  "', see tileir-interp --help");
    std::string value = inlineValue.str();
    if (!argument.contains('=')) {
      if (++i == argc)
        return fail("option '" + StringRef(argv[i - 1]) + "' needs a value");
      value = argv[i];
    }
    if (name == "set")
      raw.sets.push_back(value);
    else if (name == "arg")
      raw.args.push_back(value);
    else if (name == "entry")
      raw.entry = value;
    else if (name == "grid")
      raw.grid = value;
    else if (name == "out")
      options.outDirectory = value;
    else if (name == "report")
      options.reportFile = value;
    else if (name == "check")
      raw.check = value;
    else if (name == "block-order")
      raw.blockOrder = value;
    else if (name == "weak-memory")
      weakMemory = value;
    else
      maxOps = value;
  }
  if (raw.input.empty())
    return fail("no case or kernel given, see tileir-interp --help");
  if (!parseBlockOrder(raw.blockOrder, options.run))
    return fail("--block-order is '" + raw.blockOrder +
                "', expected random[:SEED] or ascending");
  uint64_t number = 0;
  if (!weakMemory.empty()) {
    if (StringRef(weakMemory).getAsInteger(0, number))
      return fail("--weak-memory is '" + weakMemory + "', expected a number");
    options.run.weakMemory = number;
  }
  if (!maxOps.empty() && StringRef(maxOps).getAsInteger(0, options.run.maxOps))
    return fail("--max-ops is '" + maxOps + "', expected a number");
  if (!raw.check.empty() &&
      !parseChecks(raw.check, options.silent, options.run.checksInbounds))
    return fail("--check is '" + raw.check +
                "', expected a list of race, init, bounds, align, deadlock, "
                "convergence, lifetime, protocol, inbounds");

  std::string error;
  if (StringRef(raw.input).ends_with(".json")) {
    if (!raw.args.empty())
      return fail("--arg is for a kernel, not for a case; use --set");
    if (!cases::loadCase(raw.input, options.theCase, error))
      return fail(error);
    if (!raw.entry.empty())
      options.theCase.entry = raw.entry;
  } else if (!spellCase(raw, options.theCase, error)) {
    return fail(error);
  }
  if (!applySets(raw, options.theCase, error))
    return fail(error);
  options.run.grid = options.theCase.grid;
  return std::nullopt;
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-run/emulator/Ptx.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

namespace tileir::emu {

namespace {
struct TypeRow {
  const char *name;
  Type type;
  int bits;
};
} // namespace

static const TypeRow kTypes[] = {
    {"pred", Type::Pred, 1},      {"b1", Type::B1, 1},
    {"b8", Type::B8, 8},          {"b16", Type::B16, 16},
    {"b32", Type::B32, 32},       {"b64", Type::B64, 64},
    {"b128", Type::B128, 128},    {"u4", Type::U4, 4},
    {"s4", Type::S4, 4},          {"u8", Type::U8, 8},
    {"s8", Type::S8, 8},          {"u16", Type::U16, 16},
    {"s16", Type::S16, 16},       {"u32", Type::U32, 32},
    {"s32", Type::S32, 32},       {"u64", Type::U64, 64},
    {"s64", Type::S64, 64},       {"u16x2", Type::U16x2, 32},
    {"s16x2", Type::S16x2, 32},   {"f16", Type::F16, 16},
    {"f16x2", Type::F16x2, 32},   {"bf16", Type::BF16, 16},
    {"bf16x2", Type::BF16x2, 32}, {"tf32", Type::TF32, 32},
    {"f32", Type::F32, 32},       {"f32x2", Type::F32x2, 64},
    {"f64", Type::F64, 64},       {"e4m3", Type::E4M3, 8},
    {"e5m2", Type::E5M2, 8},      {"e2m3", Type::E2M3, 8},
    {"e3m2", Type::E3M2, 8},      {"e2m1", Type::E2M1, 4},
    {"ue8m0", Type::UE8M0, 8},    {"ue4m3", Type::UE4M3, 8},
    {"e4m3x2", Type::E4M3x2, 16}, {"e5m2x2", Type::E5M2x2, 16},
    {"e2m3x2", Type::E2M3x2, 16}, {"e3m2x2", Type::E3M2x2, 16},
    {"e2m1x2", Type::E2M1x2, 8},  {"ue8m0x2", Type::UE8M0x2, 16},
    {"e4m3x4", Type::E4M3x4, 32}, {"e5m2x4", Type::E5M2x4, 32},
    {"e2m3x4", Type::E2M3x4, 32}, {"e3m2x4", Type::E3M2x4, 32},
    {"e2m1x4", Type::E2M1x4, 16},
};

Type parseType(std::string_view name) {
  for (const TypeRow &row : kTypes)
    if (name == row.name)
      return row.type;
  return Type::None;
}

int typeBits(Type type) {
  for (const TypeRow &row : kTypes)
    if (type == row.type)
      return row.bits;
  return 0;
}

bool isSpecialRegister(std::string_view name) {
  static const char *const plain[] = {"%laneid",
                                      "%warpid",
                                      "%nwarpid",
                                      "%smid",
                                      "%nsmid",
                                      "%gridid",
                                      "%lanemask_eq",
                                      "%lanemask_lt",
                                      "%lanemask_le",
                                      "%lanemask_gt",
                                      "%lanemask_ge",
                                      "%clock",
                                      "%clock_hi",
                                      "%clock64",
                                      "%globaltimer",
                                      "%globaltimer_lo",
                                      "%globaltimer_hi",
                                      "%dynamic_smem_size",
                                      "%total_smem_size",
                                      "%aggr_smem_size",
                                      "%cluster_ctarank",
                                      "%cluster_nctarank",
                                      "%is_explicit_cluster",
                                      "%perctamemoryoffset",
                                      "%perctamemorysize",
                                      "%reserved_smem_offset_begin",
                                      "%reserved_smem_offset_end",
                                      "%reserved_smem_offset_cap",
                                      "%current_graph_exec"};
  static const char *const vectors[] = {
      "%tid",       "%ntid",       "%ctaid",         "%nctaid",
      "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid"};
  for (const char *one : plain)
    if (name == one)
      return true;
  for (const char *one : vectors) {
    size_t n = std::strlen(one);
    if (name.substr(0, n) == one && name.size() == n + 2 && name[n] == '.' &&
        name[n + 1] >= 'x' && name[n + 1] <= 'z')
      return true;
  }
  return false;
}

const Label *Function::findLabel(const std::string &name, int scope) const {
  for (; scope >= 0; scope = scopeParent[scope]) {
    auto it = labels[scope].find(name);
    if (it != labels[scope].end())
      return &it->second;
  }
  return nullptr;
}

Function *Module::findFunction(const std::string &name) const {
  Function *declared = nullptr;
  for (const auto &f : functions)
    if (f->name == name) {
      if (!f->isDeclared)
        return f.get();
      declared = f.get();
    }
  auto it = aliases.find(name);
  if (it != aliases.end() && it->second != name)
    if (Function *f = findFunction(it->second))
      return f;
  return declared;
}

int Module::findVariable(const std::string &name) const {
  for (size_t i = 0; i < variables.size(); ++i)
    if (variables[i].name == name)
      return int(i);
  return -1;
}

namespace {

bool isWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '%';
}
bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Registers and variables of one `{ }`.
struct Names {
  std::unordered_map<std::string, int> registers;
  std::unordered_map<std::string, std::pair<int, int>> ranges; // First, count.
  std::unordered_map<std::string, int> variables;
  int labelScope;
};

class Parser {
public:
  Parser(std::string_view text, Module &module, std::string &error)
      : text(text), module(module), error(error) {}

  bool run() {
    while (true) {
      space();
      if (pos >= text.size())
        return true;
      if (text[pos] == ';') {
        ++pos;
        continue;
      }
      if (text[pos] != '.')
        return fail("expected a directive");
      std::string word = directive();
      if (!topLevel(word))
        return false;
    }
  }

private:
  bool fail(const std::string &message) {
    if (error.empty())
      error = "line " + std::to_string(line) + ": " + message;
    return false;
  }

  //===--- characters -----------------------------------------------------===//

  void space() {
    while (pos < text.size()) {
      char c = text[pos];
      if (c == '\n') {
        ++line;
        ++pos;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == 0) {
        ++pos;
      } else if (c == '/' && pos + 1 < text.size() && text[pos + 1] == '/') {
        while (pos < text.size() && text[pos] != '\n')
          ++pos;
      } else if (c == '/' && pos + 1 < text.size() && text[pos + 1] == '*') {
        pos += 2;
        while (pos + 1 < text.size() &&
               !(text[pos] == '*' && text[pos + 1] == '/')) {
          line += text[pos] == '\n';
          ++pos;
        }
        pos = pos + 2 < text.size() ? pos + 2 : text.size();
      } else {
        return;
      }
    }
  }

  char peek() {
    space();
    return pos < text.size() ? text[pos] : 0;
  }

  bool accept(char c) {
    if (peek() != c)
      return false;
    ++pos;
    return true;
  }

  bool expect(char c) {
    return accept(c) || fail(std::string("expected '") + c + "'");
  }

  /// `.word`, with `::` parts.
  std::string directive() {
    size_t start = ++pos;
    while (pos < text.size() &&
           (isWord(text[pos]) || (text[pos] == ':' && pos + 1 < text.size() &&
                                  text[pos + 1] == ':' && (pos += 1))))
      ++pos;
    return std::string(text.substr(start, pos - start));
  }

  std::string word() {
    space();
    size_t start = pos;
    while (pos < text.size() && isWord(text[pos]))
      ++pos;
    return std::string(text.substr(start, pos - start));
  }

  bool quoted(std::string &out) {
    if (!expect('"'))
      return false;
    while (pos < text.size() && text[pos] != '"') {
      if (text[pos] == '\\' && pos + 1 < text.size())
        ++pos;
      line += text[pos] == '\n';
      out += text[pos++];
    }
    if (pos >= text.size())
      return fail("string without end");
    ++pos;
    return true;
  }

  void skipTo(char end) {
    while (peek() && text[pos] != end) {
      if (text[pos] == '"') {
        std::string ignored;
        quoted(ignored);
      } else {
        ++pos;
      }
    }
    if (pos < text.size())
      ++pos;
  }

  void skipBraces() {
    int depth = 0;
    while (peek()) {
      if (text[pos] == '"') {
        std::string ignored;
        quoted(ignored);
        continue;
      }
      char c = text[pos++];
      depth += c == '{';
      depth -= c == '}';
      if (depth == 0 && c == '}')
        return;
    }
  }

  /// A number: decimal, 0x, 0b, octal, 0f…, 0d…, or a decimal float.
  bool number(Operand &out) {
    space();
    bool negative = false;
    while (pos < text.size() &&
           (text[pos] == '-' || text[pos] == '+' || text[pos] == '~')) {
      if (text[pos] == '~')
        return fail("operator '~' is not supported in constants");
      negative ^= text[pos] == '-';
      ++pos;
      space();
    }
    if (pos >= text.size() || !isDigit(text[pos]))
      return fail("expected a number");
    out.kind = Operand::Kind::Imm;
    std::string digits;
    size_t start = pos;
    char second = pos + 1 < text.size() ? text[pos + 1] : 0;
    if (text[pos] == '0' &&
        (second == 'f' || second == 'F' || second == 'd' || second == 'D')) {
      pos += 2;
      size_t from = pos;
      while (pos < text.size() && std::isxdigit((unsigned char)text[pos]))
        ++pos;
      out.isFloat = true;
      out.floatBits = second == 'f' || second == 'F' ? 32 : 64;
      out.bits = std::strtoull(
          std::string(text.substr(from, pos - from)).c_str(), nullptr, 16);
      if (negative)
        out.bits ^= uint64_t(1) << (out.floatBits - 1);
      return true;
    }
    while (pos < text.size() &&
           (isWord(text[pos]) || text[pos] == '.' ||
            ((text[pos] == '+' || text[pos] == '-') &&
             (text[pos - 1] == 'e' || text[pos - 1] == 'E') && second != 'x' &&
             second != 'X')))
      ++pos;
    digits = std::string(text.substr(start, pos - start));
    bool hex = second == 'x' || second == 'X';
    if (!hex && digits.find_first_of(".eE") != std::string::npos) {
      char *end;
      double value = std::strtod(digits.c_str(), &end);
      if (*end)
        return fail("malformed number '" + digits + "'");
      if (negative)
        value = -value;
      out.isFloat = true;
      out.floatBits = 64;
      std::memcpy(&out.bits, &value, 8);
      return true;
    }
    if (digits.back() == 'U' || digits.back() == 'u')
      digits.pop_back();
    char *end;
    if (second == 'b' || second == 'B')
      out.bits = std::strtoull(digits.c_str() + 2, &end, 2);
    else
      out.bits = std::strtoull(digits.c_str(), &end, 0);
    if (*end)
      return fail("malformed number '" + digits + "'");
    if (negative)
      out.bits = 0 - out.bits;
    return true;
  }

  bool unsignedNumber(uint64_t &out) {
    Operand n;
    if (!number(n))
      return false;
    out = n.bits;
    return true;
  }

  /// A constant expression: numbers with + - * and parentheses.
  bool constant(uint64_t &out) {
    auto primary = [&](auto &&self, uint64_t &value) -> bool {
      if (accept('('))
        return self(self, value) && expect(')');
      return unsignedNumber(value);
    };
    if (!primary(primary, out))
      return false;
    while (true) {
      uint64_t right;
      if (accept('*')) {
        if (!primary(primary, right))
          return false;
        out *= right;
      } else if (peek() == '+') {
        ++pos;
        if (!primary(primary, right))
          return false;
        out += right;
      } else {
        return true;
      }
    }
  }

  //===--- module level ---------------------------------------------------===//

  bool topLevel(const std::string &first) {
    std::string w = first;
    if (w == "version") {
      std::string v = versionText();
      module.version = std::atoi(v.c_str()) * 10;
      size_t dot = v.find('.');
      if (dot != std::string::npos)
        module.version += std::atoi(v.c_str() + dot + 1);
      return true;
    }
    if (w == "target") {
      module.target = word();
      while (accept(','))
        word();
      return true;
    }
    if (w == "address_size") {
      uint64_t size;
      if (!unsignedNumber(size))
        return false;
      return size == 64 || fail("only .address_size 64 is supported");
    }
    if (w == "file") {
      uint64_t id;
      std::string name;
      if (!unsignedNumber(id) || !quoted(name))
        return false;
      module.files[int(id)] = name;
      uint64_t ignored;
      while (accept(','))
        if (!unsignedNumber(ignored))
          return false;
      return true;
    }
    if (w == "section") {
      skipTo('{');
      --pos;
      skipBraces();
      return true;
    }
    if (w == "nv_intermediate_source_section")
      return quotedSource();
    if (w == "pragma" || w == "loc") {
      if (w == "loc")
        return locDirective();
      skipTo(';');
      return true;
    }
    if (w == "alias") {
      std::string a = word();
      if (!expect(','))
        return false;
      module.aliases[a] = word();
      return expect(';');
    }
    bool isExtern = false;
    while (w == "visible" || w == "weak" || w == "extern" || w == "common" ||
           w == "internal") {
      isExtern |= w == "extern";
      if (peek() != '.')
        return fail("expected a directive after '." + w + "'");
      w = directive();
    }
    if (w == "entry" || w == "func")
      return functionDefinition(w == "entry", isExtern);
    Space s;
    if (!variableSpace(w, s))
      return fail("unknown directive '." + w + "'");
    std::vector<Variable> list;
    if (!variables(s, isExtern, list))
      return false;
    for (Variable &v : list) {
      int known = module.findVariable(v.name);
      if (known < 0)
        module.variables.push_back(std::move(v));
      else if (module.variables[known].isExtern)
        module.variables[known] = std::move(v);
    }
    return true;
  }

  std::string versionText() {
    space();
    size_t start = pos;
    while (pos < text.size() && (isDigit(text[pos]) || text[pos] == '.'))
      ++pos;
    return std::string(text.substr(start, pos - start));
  }

  static bool variableSpace(const std::string &w, Space &out) {
    if (w == "global")
      out = Space::Global;
    else if (w == "const")
      out = Space::Const;
    else if (w == "shared" || w == "shared::cta")
      out = Space::Shared;
    else if (w == "local")
      out = Space::Local;
    else if (w == "param")
      out = Space::Param;
    else
      return false;
    return true;
  }

  /// What follows a space: alignment, attributes, type, names, initialisers.
  bool variables(Space s, bool isExtern, std::vector<Variable> &out) {
    uint64_t align = 0;
    Type type = Type::None;
    int vector = 1;
    if (!declarationType(align, type, vector))
      return false;
    do {
      Variable v;
      v.space = s;
      v.isExtern = isExtern;
      v.line = line;
      if (!declarator(v, align, type, vector))
        return false;
      if (accept('=')) {
        v.hasInit = true;
        std::vector<uint8_t> bytes;
        int unit = typeBits(type) / 8;
        if (!initializer(bytes, v.relocs, unit ? unit : 1, type))
          return false;
        if (v.size == 0)
          v.size = bytes.size();
        if (bytes.size() > v.size)
          return fail("initialiser of '" + v.name + "' is too long");
        bytes.resize(v.size);
        v.init = std::move(bytes);
      }
      out.push_back(std::move(v));
    } while (accept(','));
    return expect(';');
  }

  bool declarationType(uint64_t &align, Type &type, int &vector) {
    while (peek() == '.') {
      std::string w = directive();
      if (w == "align") {
        if (!unsignedNumber(align))
          return false;
      } else if (w == "attribute") {
        skipTo(')');
      } else if (w == "ptr") {
        // A promise about the pointee, with its own space and alignment.
        while (peek() == '.') {
          size_t save = pos;
          std::string p = directive();
          uint64_t ignored;
          if (p == "align") {
            if (!unsignedNumber(ignored))
              return false;
          } else if (p != "global" && p != "const" && p != "shared" &&
                     p != "local") {
            pos = save;
            break;
          }
        }
      } else if (w == "v2" || w == "v4" || w == "v8") {
        vector = w[1] - '0';
      } else if (w == "texref" || w == "samplerref" || w == "surfref") {
        return fail("'." + w +
                    "' is not supported: a case cannot describe textures; "
                    "read a buffer instead");
      } else {
        type = parseType(w);
        if (type == Type::None)
          return fail("unknown type '." + w + "'");
      }
    }
    if (type == Type::None)
      return fail("expected a type");
    return true;
  }

  bool declarator(Variable &v, uint64_t align, Type type, int vector) {
    v.name = word();
    if (v.name.empty())
      return fail("expected a name");
    uint64_t unit = uint64_t(typeBits(type) / 8) * vector;
    v.size = unit;
    v.align = align ? align : unit;
    while (accept('[')) {
      uint64_t n = 0;
      if (peek() != ']' && !constant(n))
        return false;
      if (!expect(']'))
        return false;
      v.size *= n;
    }
    return true;
  }

  bool initializer(std::vector<uint8_t> &bytes, std::vector<InitReloc> &relocs,
                   int unit, Type type) {
    if (accept('{')) {
      if (accept('}'))
        return true;
      do {
        if (!initializer(bytes, relocs, unit, type))
          return false;
      } while (accept(','));
      return expect('}');
    }
    char c = peek();
    uint64_t value = 0;
    if (isDigit(c) || c == '-' || c == '+') {
      Operand n;
      if (!number(n))
        return false;
      value = n.bits;
      // A byte of an address: 0xff00(name).
      if (accept('(')) {
        InitReloc r{bytes.size(), "", 0, value, unit, false};
        if (!symbolReference(r) || !expect(')'))
          return false;
        relocs.push_back(r);
        bytes.resize(bytes.size() + unit);
        return true;
      }
      if (n.isFloat && n.floatBits == 64 && type == Type::F32) {
        double d;
        std::memcpy(&d, &value, 8);
        float f = float(d);
        uint32_t b;
        std::memcpy(&b, &f, 4);
        value = b;
      }
    } else {
      InitReloc r{bytes.size(), "", 0, ~uint64_t(0), unit, false};
      if (!symbolReference(r))
        return false;
      relocs.push_back(r);
    }
    for (int i = 0; i < unit; ++i)
      bytes.push_back(uint8_t(value >> (8 * i)));
    return true;
  }

  bool symbolReference(InitReloc &r) {
    std::string name = word();
    if (name.empty())
      return fail("expected an initial value");
    if (name == "generic") {
      r.generic = true;
      if (!expect('('))
        return false;
      name = word();
      if (peek() == '+' || peek() == '-') {
        uint64_t k;
        if (!unsignedNumber(k))
          return false;
        r.addend += int64_t(k);
      }
      if (!expect(')'))
        return false;
    }
    r.symbol = name;
    if (peek() == '+' || peek() == '-') {
      uint64_t k;
      if (!unsignedNumber(k))
        return false;
      r.addend += int64_t(k);
    }
    return true;
  }

  //===--- functions ------------------------------------------------------===//

  bool functionDefinition(bool isEntry, bool isExtern) {
    auto owned = std::make_unique<Function>();
    function = owned.get();
    function->isEntry = isEntry;
    function->line = line;
    scopes.clear();
    openScope();
    if (peek() == '.') { // .noreturn and the like before the name.
      while (peek() == '.')
        directive();
    }
    if (!isEntry && peek() == '(' && !parameters(function->results))
      return false;
    while (peek() == '.')
      directive();
    function->name = word();
    if (function->name.empty())
      return fail("expected a function name");
    if (peek() == '(' && !parameters(function->params))
      return false;
    if (!functionDirectives())
      return false;
    if (accept(';')) {
      function->isDeclared = true;
    } else {
      if (!expect('{'))
        return false;
      current = SourceLoc();
      if (!statements())
        return false;
    }
    scopes.clear();
    (void)isExtern;
    module.functions.push_back(std::move(owned));
    function = nullptr;
    return true;
  }

  bool parameters(std::vector<int> &out) {
    if (!expect('('))
      return false;
    if (accept(')'))
      return true;
    do {
      bool hidden = false;
      if (peek() != '.')
        return fail("expected a parameter");
      std::string w = directive();
      if (w == "hidden") {
        hidden = true;
        if (peek() != '.')
          return fail("expected '.param' after '.hidden'");
        w = directive();
      }
      if (w == "reg") {
        uint64_t align = 0;
        Type type = Type::None;
        int vector = 1;
        if (!declarationType(align, type, vector))
          return false;
        out.push_back(~addRegister(word(), type));
        continue;
      }
      if (w != "param")
        return fail("expected '.param' or '.reg', got '." + w + "'");
      Variable v;
      v.space = Space::Param;
      v.hidden = hidden;
      v.line = line;
      uint64_t align = 0;
      Type type = Type::None;
      int vector = 1;
      if (!declarationType(align, type, vector) ||
          !declarator(v, align, type, vector))
        return false;
      out.push_back(addVariable(std::move(v)));
    } while (accept(','));
    return expect(')');
  }

  bool functionDirectives() {
    auto three = [&](std::array<uint32_t, 3> &out) {
      out = {1, 1, 1};
      for (int i = 0; i < 3; ++i) {
        uint64_t n;
        if (!unsignedNumber(n))
          return false;
        out[i] = uint32_t(n);
        if (!accept(','))
          break;
      }
      return true;
    };
    while (peek() == '.') {
      std::string w = directive();
      uint64_t n = 0;
      bool ok = true;
      if (w == "reqntid") {
        ok = three(function->reqntid);
        function->reqntidGiven = true;
      } else if (w == "maxntid") {
        ok = three(function->maxntid);
      } else if (w == "reqnctapercluster") {
        ok = three(function->cluster);
      } else if (w == "explicitcluster") {
        function->explicitCluster = true;
      } else if (w == "blocksareclusters") {
        function->blocksAreClusters = true;
      } else if (w == "maxnreg") {
        ok = unsignedNumber(n);
        function->maxnreg = uint32_t(n);
      } else if (w == "minperctamemory") {
        ok = unsignedNumber(n);
        function->minPerCtaMemory = uint32_t(n);
      } else if (w == "language") {
        ok = unsignedNumber(n);
        function->language = int(n);
      } else if (w == "minnctapersm") {
        ok = unsignedNumber(n);
        function->minBlocksPerSM = uint32_t(n);
      } else if (w == "maxnctapersm" || w == "maxclusterrank") {
        ok = unsignedNumber(n);
      } else if (w == "noreturn") {
      } else if (w == "pragma") {
        skipTo(';');
      } else {
        module.warnings.push_back("line " + std::to_string(line) +
                                  ": unknown directive '." + w + "' ignored");
        while (peek() && text[pos] != '.' && text[pos] != '{' &&
               text[pos] != ';')
          ++pos;
      }
      if (!ok)
        return false;
    }
    return true;
  }

  void openScope() {
    Names names;
    names.labelScope = int(function->labels.size());
    function->scopeParent.push_back(scopes.empty() ? -1
                                                   : scopes.back().labelScope);
    function->labels.emplace_back();
    scopes.push_back(std::move(names));
  }

  int addRegister(const std::string &name, Type type) {
    Register r;
    r.name = name;
    r.bits = type == Type::Pred ? 1 : typeBits(type);
    function->registers.push_back(r);
    int index = int(function->registers.size()) - 1;
    scopes.back().registers[name] = index;
    return index;
  }

  int addVariable(Variable v) {
    int index = int(function->variables.size());
    scopes.back().variables[v.name] = index;
    function->variables.push_back(std::move(v));
    return index;
  }

  bool registers() {
    uint64_t align = 0;
    Type type = Type::None;
    int vector = 1;
    if (!declarationType(align, type, vector))
      return false;
    if (vector != 1)
      return fail("vector registers are not supported; use scalar registers");
    do {
      std::string name = word();
      if (name.empty())
        return fail("expected a register name");
      if (accept('<')) {
        uint64_t count;
        if (!unsignedNumber(count) || !expect('>'))
          return false;
        if (count > 1000000)
          return fail("too many registers");
        int first = int(function->registers.size());
        int bits = type == Type::Pred ? 1 : typeBits(type);
        for (uint64_t i = 0; i < count; ++i)
          function->registers.push_back({name + std::to_string(i), bits});
        scopes.back().ranges[name] = {first, int(count)};
      } else {
        addRegister(name, type);
      }
    } while (accept(','));
    return expect(';');
  }

  int findRegister(const std::string &name) {
    size_t digits = name.size();
    while (digits > 0 && isDigit(name[digits - 1]))
      --digits;
    for (size_t s = scopes.size(); s-- > 0;) {
      auto it = scopes[s].registers.find(name);
      if (it != scopes[s].registers.end())
        return it->second;
      if (scopes[s].ranges.empty())
        continue;
      for (size_t d = digits; d < name.size(); ++d) {
        if (name[d] == '0' && d + 1 < name.size())
          continue;
        auto range = scopes[s].ranges.find(name.substr(0, d));
        if (range == scopes[s].ranges.end())
          continue;
        long n = std::atol(name.c_str() + d);
        if (n < range->second.second)
          return range->second.first + int(n);
      }
    }
    return -1;
  }

  /// A text in another language, between `.source_begin` and `.source_end`.
  bool quotedSource() {
    size_t end = text.find("\n.source_end", pos);
    if (end == std::string::npos)
      return fail("'.nv_intermediate_source_section' has no '.source_end'");
    line += int(
        std::count(text.begin() + long(pos), text.begin() + long(end), '\n'));
    pos = end;
    return peek() == '.' && directive() == "source_end" && expect('}') &&
           expect('}');
  }

  bool locDirective() {
    uint64_t file, l, c;
    if (!unsignedNumber(file) || !unsignedNumber(l) || !unsignedNumber(c))
      return false;
    current = {int(file), int(l), int(c)};
    // , function_name LABEL[+off], inlined_at f l c
    while (accept(',')) {
      std::string w = word();
      if (w == "function_name") {
        word();
        if (accept('+')) {
          uint64_t ignored;
          if (!unsignedNumber(ignored))
            return false;
        }
      } else if (w == "inlined_at") {
        uint64_t ignored;
        for (int i = 0; i < 3; ++i)
          if (!unsignedNumber(ignored))
            return false;
      } else {
        return fail("unknown part '" + w + "' of .loc");
      }
    }
    return true;
  }

  /// Statements up to the closing brace.
  bool statements() {
    int depth = int(scopes.size());
    while (true) {
      char c = peek();
      if (!c)
        return fail("function '" + function->name + "' has no end");
      if (c == ';') {
        ++pos;
        continue;
      }
      if (c == '{') {
        ++pos;
        openScope();
        continue;
      }
      if (c == '}') {
        ++pos;
        if (int(scopes.size()) == depth)
          return true;
        scopes.pop_back();
        continue;
      }
      if (c == '.') {
        size_t save = pos;
        int saveLine = line;
        std::string w = directive();
        if (!bodyDirective(w, save, saveLine))
          return false;
        continue;
      }
      if (!instructionOrLabel())
        return false;
    }
  }

  bool bodyDirective(const std::string &w, size_t, int) {
    if (w == "reg")
      return registers();
    if (w == "loc")
      return locDirective();
    if (w == "loc_intermediate") {
      // The line of the same code in the quoted source.
      uint64_t ignored;
      return unsignedNumber(ignored) && unsignedNumber(ignored) &&
             unsignedNumber(ignored);
    }
    if (w == "pragma") {
      skipTo(';');
      return true;
    }
    if (w == "file")
      return topLevel(w);
    if (w == "section") {
      skipTo('{');
      --pos;
      skipBraces();
      return true;
    }
    if (w == "callprototype" || w == "calltargets" || w == "branchtargets")
      return fail("'." + w + "' needs a label");
    bool isExtern = false;
    std::string name = w;
    while (name == "visible" || name == "weak" || name == "extern" ||
           name == "common") {
      isExtern |= name == "extern";
      if (peek() != '.')
        return fail("expected a directive");
      name = directive();
    }
    Space s;
    if (!variableSpace(name, s))
      return fail("unknown directive '." + name + "'");
    std::vector<Variable> list;
    if (!variables(s, isExtern, list))
      return false;
    for (Variable &v : list)
      addVariable(std::move(v));
    return true;
  }

  bool instructionOrLabel() {
    Statement s;
    s.line = line;
    if (accept('@')) {
      s.guardNegated = accept('!');
      std::string name = word();
      s.guard = findRegister(name);
      if (s.guard < 0)
        return fail("unknown predicate '" + name + "'");
      if (function->registers[s.guard].bits != 1)
        return fail("'" + name + "' is no predicate");
      space();
    }
    s.line = line;
    size_t start = pos;
    while (pos < text.size() && (isWord(text[pos]) || text[pos] == '.'))
      ++pos;
    // A label, unless the colon begins '::'.
    if (s.guard < 0) {
      size_t save = pos;
      int saveLine = line;
      if (peek() == ':' && !(pos + 1 < text.size() && text[pos + 1] == ':')) {
        std::string name(text.substr(start, save - start));
        ++pos;
        return label(name);
      }
      pos = save;
      line = saveLine;
    }
    while (pos < text.size() &&
           (isWord(text[pos]) || text[pos] == '.' || text[pos] == ':'))
      ++pos;
    s.opcode = std::string(text.substr(start, pos - start));
    while (peek() == '.') { // Modifiers after white space.
      size_t from = pos;
      while (pos < text.size() &&
             (isWord(text[pos]) || text[pos] == '.' || text[pos] == ':'))
        ++pos;
      s.opcode += std::string(text.substr(from, pos - from));
    }
    if (s.opcode.empty())
      return fail("expected an instruction");
    for (size_t at = 0; at <= s.opcode.size();) {
      size_t dot = s.opcode.find('.', at);
      if (dot == std::string::npos)
        dot = s.opcode.size();
      s.words.push_back(s.opcode.substr(at, dot - at));
      at = dot + 1;
    }
    s.scope = scopes.back().labelScope;
    s.loc = current;
    if (peek() != ';') {
      do {
        Operand o;
        if (!operand(o, s.words[0]))
          return false;
        s.operands.push_back(std::move(o));
      } while (accept(','));
    }
    if (!expect(';'))
      return false;
    function->body.push_back(std::move(s));
    return true;
  }

  bool label(const std::string &name) {
    Label l;
    l.statement = int(function->body.size());
    if (peek() == '.') {
      size_t save = pos;
      int saveLine = line;
      std::string w = directive();
      if (w == "branchtargets" || w == "calltargets") {
        l.isTable = true;
        do {
          l.targets.push_back(word());
        } while (accept(','));
        if (!expect(';'))
          return false;
      } else if (w == "callprototype") {
        l.isTable = true;
        skipTo(';');
      } else {
        pos = save;
        line = saveLine;
      }
    }
    auto &map = function->labels[scopes.back().labelScope];
    if (!map.emplace(name, l).second)
      return fail("duplicate label '" + name + "'");
    return true;
  }

  bool operand(Operand &out, const std::string &mnemonic) {
    if (!operandPart(out, mnemonic))
      return false;
    if (peek() == '|') {
      ++pos;
      Operand second;
      if (!operandPart(second, mnemonic))
        return false;
      Operand pair;
      pair.kind = Operand::Kind::Pair;
      pair.items.push_back(std::move(out));
      pair.items.push_back(std::move(second));
      out = std::move(pair);
    }
    return true;
  }

  bool operandPart(Operand &out, const std::string &mnemonic) {
    char c = peek();
    if (c == '!') {
      ++pos;
      if (!operandPart(out, mnemonic))
        return false;
      out.negated = !out.negated;
      return true;
    }
    if (c == '{' || c == '(') {
      ++pos;
      out.kind = Operand::Kind::Vector;
      char end = c == '{' ? '}' : ')';
      if (accept(end))
        return true;
      do {
        out.items.emplace_back();
        if (!operandPart(out.items.back(), mnemonic))
          return false;
      } while (accept(','));
      return expect(end);
    }
    if (c == '[') {
      ++pos;
      out.kind = Operand::Kind::Address;
      out.items.emplace_back();
      if (!addressBase(out))
        return false;
      while (accept(',')) { // Tensor coordinates.
        out.items.emplace_back();
        if (!operandPart(out.items.back(), mnemonic))
          return false;
      }
      return expect(']');
    }
    if (isDigit(c) || c == '-' || c == '+')
      return number(out);
    if (!name(out, mnemonic))
      return false;
    return out.kind != Operand::Kind::Variable || offsets(out);
  }

  /// `+ number` and `+- number`, added to the offset of an operand.
  bool offsets(Operand &out) {
    while (peek() == '+' || peek() == '-') {
      bool negative = text[pos] == '-';
      ++pos;
      Operand n;
      if (!number(n))
        return false;
      out.bits += negative ? 0 - n.bits : n.bits;
    }
    return true;
  }

  bool addressBase(Operand &out) {
    Operand &base = out.items[0];
    char c = peek();
    if (isDigit(c) || c == '-') {
      if (!number(base))
        return false;
    } else if (!name(base, "")) {
      return false;
    }
    return offsets(out);
  }

  bool name(Operand &out, const std::string &mnemonic) {
    std::string w = word();
    if (w.empty())
      return fail(std::string("unexpected '") +
                  (pos < text.size() ? text[pos] : ' ') + "'");
    if (w == "_") {
      out.kind = Operand::Kind::Sink;
      return true;
    }
    int reg = findRegister(w);
    if (reg >= 0) {
      out.kind = Operand::Kind::Reg;
      out.index = reg;
      // vop selectors and vector components: %r1.b0.
      if (pos < text.size() && text[pos] == '.')
        out.name = directive();
      return true;
    }
    if (w[0] == '%') {
      if (pos < text.size() && text[pos] == '.')
        w += "." + directive();
      if (!isSpecialRegister(w))
        return fail("unknown register '" + w + "'");
      out.kind = Operand::Kind::Special;
      out.name = w;
      return true;
    }
    for (size_t s = scopes.size(); s-- > 0;) {
      auto it = scopes[s].variables.find(w);
      if (it != scopes[s].variables.end()) {
        out.kind = Operand::Kind::Variable;
        out.index = it->second;
        out.name = w;
        return true;
      }
    }
    int global = module.findVariable(w);
    if (global >= 0) {
      out.kind = Operand::Kind::Variable;
      out.index = ~global;
      out.name = w;
      return true;
    }
    // A label or a function; told apart when the instruction is decoded.
    out.kind = Operand::Kind::Label;
    out.name = w;
    return true;
  }

  std::string_view text;
  Module &module;
  std::string &error;
  size_t pos = 0;
  int line = 1;
  Function *function = nullptr;
  std::vector<Names> scopes;
  SourceLoc current;
};

} // namespace

bool parsePtx(std::string_view text, Module &module, std::string &error) {
  error.clear();
  return Parser(text, module, error).run();
}

} // namespace tileir::emu

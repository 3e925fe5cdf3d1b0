// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/emulator/Decode.h"

#include <algorithm>
#include <cstring>

namespace tileir::emu {

std::unordered_map<std::string, DecodeFn> &decodeTable() {
  static std::unordered_map<std::string, DecodeFn> table;
  return table;
}

RegisterDecoders::RegisterDecoders(
    std::initializer_list<std::pair<const char *, DecodeFn>> list) {
  for (const auto &[name, fn] : list)
    decodeTable()[name] = fn;
}

Decoder::Decoder(Machine &m, FunctionCode &fc, int functionIndex)
    : m(m), fc(fc), fn(*fc.function), functionNumber(functionIndex) {
  finishRegisters();
}

/// Gives every register its rows and every parameter its place in the frame.
void Decoder::finishRegisters() {
  sink = fc.rows;
  fc.rows += 4;
  for (const Register &r : fn.registers) {
    if (r.bits == 1) {
      registerRows.push_back(fc.predicates++);
      continue;
    }
    registerRows.push_back(fc.rows);
    fc.rows += rowsOf(r.bits);
  }
  frameOffsets.assign(fn.variables.size(), -1);
  auto place = [&](int index) {
    const Variable &v = fn.variables[index];
    uint64_t align = v.align ? v.align : 1;
    fc.paramBytes = int((fc.paramBytes + align - 1) / align * align);
    frameOffsets[index] = fc.paramBytes;
    fc.paramBytes += int(v.size);
  };
  for (size_t i = 0; i < fn.variables.size(); ++i) {
    bool formal = false;
    for (int p : fn.params)
      formal |= p == int(i);
    if (fn.variables[i].space == Space::Param && !(formal && fn.isEntry))
      place(int(i));
  }
  for (size_t i = 0; i < fn.variables.size(); ++i)
    if (fn.variables[i].space == Space::Local)
      fc.localBytes =
          std::max(fc.localBytes, int(m.image.variableAddress(&fn, int(i)) +
                                      fn.variables[i].size));
  auto slots = [&](const std::vector<int> &list, std::vector<ParamSlot> &out) {
    for (int p : list) {
      ParamSlot slot;
      if (p < 0) {
        slot.inRegister = true;
        slot.row = registerRows[~p];
        slot.bytes = (fn.registers[~p].bits + 7) / 8;
      } else {
        slot.bytes = int(fn.variables[p].size);
        slot.offset = frameOffsets[p];
      }
      out.push_back(slot);
    }
  };
  if (!fn.isEntry) {
    slots(fn.params, fc.params);
    slots(fn.results, fc.results);
  }
}

bool Decoder::fail(const std::string &message) {
  if (error.empty())
    error = "line " + std::to_string(s ? s->line : fn.line) + ": '" +
            (s ? s->opcode : fn.name) + "': " + message;
  return false;
}

bool Decoder::has(std::string_view word) {
  for (size_t i = 1; i < s->words.size(); ++i)
    if (!taken[i] && s->words[i] == word)
      return taken[i] = true;
  return false;
}

std::string Decoder::peek() const {
  for (size_t i = 1; i < s->words.size(); ++i)
    if (!taken[i])
      return s->words[i];
  return "";
}

bool Decoder::next(std::string_view word) {
  return peek() == word && has(word);
}

Type Decoder::type() {
  for (size_t i = 1; i < s->words.size(); ++i) {
    if (taken[i])
      continue;
    Type t = parseType(s->words[i]);
    if (t != Type::None) {
      taken[i] = true;
      return t;
    }
  }
  return Type::None;
}

bool Decoder::prefixed(std::string_view prefix, std::string &rest) {
  for (size_t i = 1; i < s->words.size(); ++i)
    if (!taken[i] && s->words[i].compare(0, prefix.size(), prefix) == 0) {
      taken[i] = true;
      rest = s->words[i].substr(prefix.size());
      return true;
    }
  return false;
}

void Decoder::hints() {
  std::string rest;
  for (const char *w : {"ca", "cg", "cs", "lu", "cv", "wb", "wt"})
    has(w);
  while (prefixed("L1::", rest) || prefixed("L2::", rest)) {
  }
  prefixed("level::", rest);
}

bool Decoder::operands(size_t least, size_t most) {
  if (count() >= least && count() <= most)
    return true;
  return fail("expected " + std::to_string(least) +
              (most > least ? " to " + std::to_string(most) : "") +
              " operands, got " + std::to_string(count()));
}

int Decoder::constantRow(uint64_t bits, int bytes) {
  auto [it, isNew] = constants.try_emplace({bits, bytes}, fc.rows);
  if (isNew) {
    fc.constants.push_back({fc.rows, bytes, bits});
    fc.rows += bytes <= 4 ? 1 : bytes / 4;
  }
  return it->second;
}

int Decoder::specialRow(const std::string &name) {
  auto [it, isNew] = specials.try_emplace(name, fc.rows);
  if (isNew) {
    fc.specials.push_back(parseSpecial(name));
    fc.specials.back().row = fc.rows;
    fc.rows += 2;
  }
  return it->second;
}

static bool isFloatType(Type t) {
  return t == Type::F16 || t == Type::BF16 || t == Type::F32 ||
         t == Type::F64 || t == Type::TF32;
}

uint64_t Decoder::immediateBits(const Operand &o, Type type) const {
  int bits = typeBits(type);
  if (o.isFloat) {
    if (o.floatBits == bits)
      return o.bits;
    double value;
    if (o.floatBits == 32) {
      float f;
      uint32_t b = uint32_t(o.bits);
      std::memcpy(&f, &b, 4);
      value = f;
    } else {
      std::memcpy(&value, &o.bits, 8);
    }
    const cases::FloatFormat &format = type == Type::F16    ? cases::kF16
                                       : type == Type::BF16 ? cases::kBF16
                                       : bits == 64         ? cases::kF64
                                                            : cases::kF32;
    return cases::encodeFloat(format, value, cases::Rounding::NearestEven);
  }
  // A plain integer where a float is expected is a number.
  if (isFloatType(type) && (type == Type::F32 || type == Type::F64)) {
    double value = double(int64_t(o.bits));
    return cases::encodeFloat(type == Type::F32 ? cases::kF32 : cases::kF64,
                              value, cases::Rounding::NearestEven);
  }
  return bits >= 64 ? o.bits : o.bits & ((uint64_t(1) << bits) - 1);
}

bool Decoder::source(const Operand &o, Type type, int32_t &row) {
  int bits;
  if (!anySource(o, type, row, bits))
    return false;
  int wanted = typeBits(type) < 16 ? 16 : typeBits(type);
  if (bits != wanted &&
      !(o.isReg() && bits >= typeBits(type) && typeBits(type) <= 8))
    return fail("operand has " + std::to_string(bits) + " bits, expected " +
                std::to_string(typeBits(type)));
  return true;
}

bool Decoder::anySource(const Operand &o, Type type, int32_t &row, int &bits) {
  int wanted = typeBits(type) < 16 ? 16 : typeBits(type);
  if (o.negated || o.minus)
    return fail(std::string("'") + (o.minus ? "-" : "!") +
                "' is not allowed here");
  switch (o.kind) {
  case Operand::Kind::Reg:
    bits = fn.registers[o.index].bits;
    if (bits == 1)
      return fail("'" + fn.registers[o.index].name +
                  "' is a predicate, expected a register");
    row = registerRows[o.index];
    return true;
  case Operand::Kind::Imm:
    bits = wanted;
    row = constantRow(immediateBits(o, type), bits <= 32 ? 4 : bits / 8);
    return true;
  case Operand::Kind::Special:
    bits = isWideSpecial(o.name) ? 64 : 32;
    if (bits == 32 && wanted == 64) {
      row = specialRow(o.name + "#64");
      bits = 64;
      return true;
    }
    row = specialRow(o.name);
    return true;
  case Operand::Kind::Variable: {
    const Variable &v = o.index < 0 ? m.image.module.variables[~o.index]
                                    : fn.variables[o.index];
    if (v.space == Space::Local)
      return fail("address of a local variable is not supported here; take it "
                  "by 'mov' first");
    if (o.index >= 0 && v.space == Space::Param && frameOffsets[o.index] >= 0)
      return fail("address of a parameter of a device function is not "
                  "supported here; take it by 'mov' first");
    bits = wanted;
    uint64_t at = o.index < 0 ? m.image.moduleAddresses[~o.index]
                              : m.image.variableAddress(&fn, o.index);
    at += o.bits;
    row = constantRow(bits == 32 ? uint32_t(at) : at, bits <= 32 ? 4 : 8);
    return true;
  }
  case Operand::Kind::Label: {
    int index = m.image.functionIndex(o.name);
    if (index < 0)
      return fail("unknown name '" + o.name + "'");
    bits = wanted;
    row = constantRow(kCodeBase + uint64_t(index) * 16, bits <= 32 ? 4 : 8);
    return true;
  }
  case Operand::Kind::Sink:
    bits = wanted;
    row = constantRow(0, bits <= 32 ? 4 : bits / 8);
    return true;
  default:
    return fail("expected a register or a constant");
  }
}

bool Decoder::anyDestination(const Operand &o, Type type, int32_t &row,
                             int &bits) {
  if (o.kind == Operand::Kind::Sink) {
    row = sink;
    bits = typeBits(type) < 16 ? 16 : typeBits(type);
    return true;
  }
  if (!o.isReg() || o.negated || o.minus)
    return fail("expected a register as destination");
  bits = fn.registers[o.index].bits;
  if (bits == 1)
    return fail("'" + fn.registers[o.index].name +
                "' is a predicate, expected a register");
  row = registerRows[o.index];
  return true;
}

bool Decoder::destination(const Operand &o, Type type, int32_t &row) {
  int bits;
  if (!anyDestination(o, type, row, bits))
    return false;
  int wanted = typeBits(type) < 16 ? 16 : typeBits(type);
  if (bits != wanted && !(bits == 8 && wanted == 16) &&
      !(typeBits(type) <= 8 && bits >= typeBits(type)))
    return fail("destination has " + std::to_string(bits) + " bits, expected " +
                std::to_string(typeBits(type)));
  return true;
}

bool Decoder::predicateSource(const Operand &o, int32_t &code) {
  if (o.isImm()) { // True is predicate 0.
    code = (o.bits != 0) == !o.negated ? 0 : 1;
    return true;
  }
  if (!o.isReg() || fn.registers[o.index].bits != 1 || o.minus)
    return fail("expected a predicate");
  code = registerRows[o.index] * 2 + (o.negated ? 1 : 0);
  return true;
}

bool Decoder::predicateDestination(const Operand &o, int32_t &code) {
  if (o.kind == Operand::Kind::Sink) {
    // Predicate 1 takes unused results.
    code = o.name == "set" ? 4 : o.name == "set high" ? 6 : 2;
    return true;
  }
  if (!o.isReg() || fn.registers[o.index].bits != 1 || o.negated || o.minus)
    return fail("expected a predicate as destination");
  code = registerRows[o.index] * 2;
  return true;
}

bool Decoder::immediate(const Operand &o, int64_t &value) {
  if (!o.isImm() || o.isFloat)
    return fail("expected an integer constant");
  value = int64_t(o.bits);
  return true;
}

std::vector<Operand> Decoder::elements(const Operand &o) {
  if (o.kind == Operand::Kind::Vector)
    return o.items;
  return {o};
}

bool Decoder::sources(const Operand &o, Type type, std::vector<int32_t> &rows) {
  for (const Operand &e : elements(o)) {
    rows.emplace_back();
    if (!source(e, type, rows.back()))
      return false;
  }
  return true;
}

bool Decoder::destinations(const Operand &o, Type type,
                           std::vector<int32_t> &rows) {
  for (const Operand &e : elements(o)) {
    rows.emplace_back();
    if (!destination(e, type, rows.back()))
      return false;
  }
  return true;
}

bool Decoder::address(const Operand &o, Space space, Address &out) {
  if (o.kind != Operand::Kind::Address)
    return fail("expected an address in brackets");
  const Operand &base = o.items[0];
  out.offset = int64_t(o.bits);
  switch (base.kind) {
  case Operand::Kind::Reg: {
    int bits = fn.registers[base.index].bits;
    if (bits != 32 && bits != 64)
      return fail("address register has " + std::to_string(bits) +
                  " bits, expected 32 or 64");
    out.row = registerRows[base.index];
    out.wide = bits == 64;
    return true;
  }
  case Operand::Kind::Imm:
    out.offset += int64_t(base.bits);
    return true;
  case Operand::Kind::Variable: {
    const Variable &v = base.index < 0 ? m.image.module.variables[~base.index]
                                       : fn.variables[base.index];
    out.variable = &v;
    if (base.index >= 0 && v.space == Space::Param &&
        frameOffsets[base.index] >= 0) {
      out.frameParam = true;
      out.offset += frameOffsets[base.index];
      return true;
    }
    uint64_t at = base.index < 0 ? m.image.moduleAddresses[~base.index]
                                 : m.image.variableAddress(&fn, base.index);
    if (v.space == Space::Local) {
      out.row = specialRow("%localbase");
      out.offset += int64_t(at);
      if (space == Space::Generic)
        out.offset += int64_t(kLocalWindow);
      return true;
    }
    if (v.space == Space::Shared && space == Space::Generic)
      at += kSharedWindow;
    if (v.space == Space::Shared) {
      // The rank in the cluster is known when the block starts.
      out.row = specialRow("%sharedbase");
    }
    out.offset += int64_t(at);
    return true;
  }
  default:
    return fail("expected a register, a variable or a number as address");
  }
}

bool Decoder::memoryOperand(const Operand &o, Space space,
                            AddressOperand &out) {
  Address a;
  if (!address(o, space, a))
    return false;
  out = a;
  out.space = space;
  return true;
}

void Decoder::emit(Handler handler, Class cls) {
  inst.fn = handler;
  inst.cls = cls;
  m.image.code.push_back(inst);
}

bool Decoder::statement(const Statement &statement) {
  s = &statement;
  inst = Inst();
  taken.assign(s->words.size(), false);
  inst.line = s->line;
  inst.loc = s->loc;
  inst.function = functionNumber;
  if (s->guard >= 0)
    inst.guard = uint32_t(registerRows[s->guard] * 2 + s->guardNegated);
  inst.isPromised = s->isPromised;
  auto it = decodeTable().find(s->words[0]);
  if (it == decodeTable().end())
    return fail("unknown instruction");
  size_t before = m.image.code.size();
  if (!it->second(*this))
    return fail("malformed instruction");
  if (m.image.code.size() == before)
    return fail("internal error: nothing decoded");
  Effect effect = effectOf(*s);
  for (size_t k = before; k < m.image.code.size(); ++k)
    m.image.code[k].effect = effect;
  for (size_t i = 1; i < s->words.size(); ++i)
    if (!taken[i])
      return fail("unknown modifier '." + s->words[i] + "'");
  return true;
}

static void registerAll() {
  static bool registered = false;
  if (registered)
    return;
  registered = true;
  for (auto *family :
       {registerAddresses,     registerBarriers,    registerBits,
        registerCalls,         registerInteger,     registerMove,
        registerFloat,         registerComparisons, registerApproximations,
        registerConvert,       registerFences,      registerFlow,
        registerWarpOps,       registerWmma,        registerMultimem,
        registerStack,         registerMemory,      registerAtomics,
        registerMatrix,        registerMma,         registerAsync,
        registerMbarrier,      registerBulk,        registerTensorMaps,
        registerLaunchControl, registerRegisters,   registerWgmma,
        registerTensor,        registerVideo})
    family();
}

namespace {

/// Statements that became instructions, with the place of the first one.
using Places = std::vector<std::pair<size_t, const Statement *>>;

/// Branch targets: names become places. `pcs` has that of each statement.
bool placeTargets(Image &image, const Function &fn, const Places &places,
                  const std::vector<int> &pcs, std::string &error) {
  for (const auto &[index, s] : places) {
    Inst &inst = image.code[index];
    if (!inst.branches)
      continue;
    auto &in = inst.as<Branch>();
    int line = s->line, scope = s->scope;
    auto find = [&](const std::string &name, bool table) -> const Label * {
      const Label *label = fn.findLabel(name, scope);
      if (label && (table || !label->isTable))
        return label;
      error = "line " + std::to_string(line) + ": unknown label '" + name + "'";
      return nullptr;
    };
    const Label *label = find(in.label, true);
    if (!label)
      return false;
    if (!label->isTable) {
      inst.target = pcs[label->statement];
      continue;
    }
    for (const std::string &name : label->targets) {
      const Label *one = find(name, false);
      if (!one)
        return false;
      in.targets.push_back(pcs[one->statement]);
    }
  }
  return true;
}

/// Decodes one function. What it cannot decode is an error only when it runs.
bool decodeFunction(Machine &m, int number, std::string &error) {
  Image &image = m.image;
  FunctionCode &fc = image.functions[size_t(number)];
  Decoder decoder(m, fc, number);
  if (fc.function->isDeclared) {
    fc.driver = driverFunction(fc.function->name);
    return true;
  }
  fc.first = int(image.code.size());
  std::vector<int> pcs;
  Places places;
  for (const Statement &s : fc.function->body) {
    pcs.push_back(int(image.code.size()));
    size_t before = image.code.size();
    if (!decoder.statement(s)) {
      fc.error = decoder.error;
      image.code.resize(size_t(fc.first));
      image.statements.resize(image.code.size());
      return true;
    }
    places.push_back({before, &s});
  }
  for (const auto &[index, s] : places) {
    image.statements.resize(image.code.size());
    image.statements[index] = s;
  }
  pcs.push_back(int(image.code.size()));
  // Falling off the end returns.
  Statement end;
  end.opcode = "ret";
  end.words = {"ret"};
  end.line = fc.function->body.empty() ? fc.function->line
                                       : fc.function->body.back().line;
  if (!decoder.statement(end)) {
    error = decoder.error;
    return false;
  }
  decoder.findWatches(places);
  image.statements.resize(image.code.size());
  fc.registerRows = decoder.allRegisterRows();
  return placeTargets(image, *fc.function, places, pcs, error);
}

} // namespace

bool decodeModule(Machine &m, std::string &error) {
  registerAll();
  for (const auto &f : m.image.module.functions) {
    m.image.functions.emplace_back();
    m.image.functions.back().function = f.get();
  }
  for (size_t n = 0; n < m.image.functions.size(); ++n)
    if (!decodeFunction(m, int(n), error))
      return false;
  return true;
}

} // namespace tileir::emu

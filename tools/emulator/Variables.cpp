// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module is loaded: where its variables lie, what they hold, its entries.
#include "tools/emulator/Machine.h"

#include <algorithm>

namespace tileir::emu {

/// Shared variables of the module that only one function names are its own, so
/// that kernels of one module do not add up.
static const Function *soleUser(const Module &module, int variable) {
  const Function *user = nullptr;
  for (const auto &f : module.functions) {
    auto names = [&](auto &&self, const Operand &o) -> bool {
      if (o.kind == Operand::Kind::Variable && o.index == ~variable)
        return true;
      for (const Operand &item : o.items)
        if (self(self, item))
          return true;
      return false;
    };
    bool used = false;
    for (const Statement &s : f->body)
      for (const Operand &o : s.operands)
        used |= names(names, o);
    if (!used)
      continue;
    if (user || !f->isEntry)
      return nullptr;
    user = f.get();
  }
  return user;
}

class Image::Placer {
public:
  Placer(Image &image, std::string &error)
      : image(image), module(image.module), machine(image.machine),
        error(error), base(image.sharedBase), common{base, base}, top(base) {}

  bool run() {
    image.moduleAddresses.assign(module.variables.size(), 0);
    for (size_t i = 0; i < module.variables.size(); ++i)
      if (!placeOfModule(int(i)))
        return false;
    for (const auto &f : module.functions)
      if (!placeSharedOfCalled(*f))
        return false;
    for (auto &[i, f] : later) {
      const Variable &v = module.variables[i];
      image.moduleAddresses[i] = placeShared(endOf(*f), v, f);
    }
    top = common.spaced;
    for (const auto &f : module.functions)
      if (!placeOfFunction(*f))
        return false;
    placeDynamic();
    return true;
  }

private:
  bool refuse(const Variable &v, const std::string &why) {
    error = "line " + std::to_string(v.line) + ": '" + v.name + "': " + why;
    return false;
  }

  static bool isGlobal(const Variable &v) {
    return v.space == Space::Global || v.space == Space::Const;
  }

  /// Counts `v`; refuses it where memory does not hold it.
  bool checkGlobal(const Variable &v) {
    if (!isGlobal(v) || (!__builtin_add_overflow(global, v.size, &global) &&
                         machine.memory.fits(global)))
      return true;
    return refuse(v, "the module's variables need more memory than this "
                     "machine has");
  }

  /// Addresses of shared memory have 24 bits below the rank of the block.
  bool checkShared(const SharedEnd &end, const Variable &v) {
    if (v.space != Space::Shared ||
        (v.size < (1u << 24) && end.spaced < (1u << 24)))
      return true;
    return refuse(v, "shared variables need more than the " +
                         std::to_string(machine.target.sharedMemoryPerBlock()) +
                         " bytes that a block has");
  }

  SharedEnd &endOf(const Function &f) {
    return image.sharedEnd.try_emplace(&f, common).first->second;
  }

  /// Variables lie apart, so that what runs over one does not meet the next.
  uint64_t placeShared(SharedEnd &end, const Variable &v,
                       const Function *owner) {
    constexpr uint64_t kGap = 32;
    uint64_t at = end.spaced + (end.spaced > base ? kGap : 0);
    at = alignTo(at, v.align);
    end.spaced = at + v.size;
    end.tight = alignTo(end.tight, v.align) + v.size;
    image.sharedPieces.push_back({owner, at, v.size});
    return at;
  }

  bool placeOfModule(int i) {
    const Variable &v = module.variables[i];
    if (!checkGlobal(v) || !checkShared(common, v))
      return false;
    uint64_t &at = image.moduleAddresses[i];
    switch (v.space) {
    case Space::Global:
      at = machine.memory.allocate(v.name, v.size, v.align).base;
      return true;
    case Space::Const:
      constAt = alignTo(constAt + 64, std::max<uint64_t>(v.align, 16));
      machine.memory.addRegion(v.name, Space::Const, constAt, v.size).readOnly =
          true;
      at = constAt;
      constAt += v.size;
      return true;
    case Space::Shared:
      if (v.size == 0)
        return true;
      if (const Function *f = soleUser(module, i))
        later.push_back({i, f});
      else
        at = placeShared(common, v, nullptr);
      return true;
    default:
      error = "line " + std::to_string(v.line) + ": variable '" + v.name +
              "' is in a state space that a module cannot have";
      return false;
    }
  }

  /// Any kernel may call a function that has some.
  bool placeSharedOfCalled(const Function &f) {
    std::vector<uint64_t> &at = image.functionVariables[&f];
    at.assign(f.variables.size(), 0);
    for (size_t i = 0; i < f.variables.size() && !f.isEntry; ++i) {
      const Variable &v = f.variables[i];
      if (v.space != Space::Shared || !v.size)
        continue;
      if (!checkShared(common, v))
        return false;
      at[i] = placeShared(common, v, nullptr);
    }
    return true;
  }

  bool placeOfFunction(const Function &f) {
    std::vector<uint64_t> &at = image.functionVariables[&f];
    SharedEnd &shared = endOf(f);
    uint64_t local = 0;
    for (size_t i = 0; i < f.variables.size(); ++i) {
      const Variable &v = f.variables[i];
      if (!checkShared(shared, v))
        return false;
      if (v.space == Space::Local &&
          v.size > kLocalLimit - std::min(local, kLocalLimit))
        return refuse(v, "local variables of a function have more than " +
                             std::to_string(kLocalLimit) + " bytes");
      if (!checkGlobal(v))
        return false;
      if (v.space == Space::Shared && v.size && f.isEntry) {
        at[i] = placeShared(shared, v, &f);
      } else if (v.space == Space::Local) {
        local = alignTo(local, v.align);
        at[i] = local;
        local += v.size;
      } else if (isGlobal(v)) {
        at[i] = machine.memory.allocate(v.name, v.size, v.align).base;
      }
    }
    uint64_t size;
    std::vector<uint64_t> offsets = image.parameterOffsets(f, size);
    if (f.isEntry)
      for (size_t p = 0; p < f.params.size(); ++p)
        if (f.params[p] >= 0)
          at[f.params[p]] =
              kParamBase + machine.target.parameterBankOffset() + offsets[p];
    top = std::max(top, shared.spaced);
    return true;
  }

  /// Dynamic shared memory starts where the static one of any kernel ends.
  void placeDynamic() {
    auto forEach = [&](auto &&act) {
      for (size_t i = 0; i < module.variables.size(); ++i)
        if (isDynamic(module.variables[i]))
          act(module.variables[i], image.moduleAddresses[i]);
      for (const auto &f : module.functions)
        for (size_t i = 0; i < f->variables.size(); ++i)
          if (isDynamic(f->variables[i]))
            act(f->variables[i], image.functionVariables[f.get()][i]);
    };
    forEach([&](const Variable &v, uint64_t &) {
      image.dynamicAlign = std::max<uint64_t>(image.dynamicAlign, v.align);
    });
    uint64_t dynamic = alignTo(top + (top > base ? 32 : 0), image.dynamicAlign);
    forEach([&](const Variable &, uint64_t &at) { at = dynamic; });
    image.staticShared = dynamic;
  }

  static bool isDynamic(const Variable &v) {
    return v.space == Space::Shared && v.size == 0;
  }

  Image &image;
  const Module &module;
  Machine &machine;
  std::string &error;
  uint64_t global = 0, constAt = kConstBase;
  const uint64_t base;
  /// Shared memory of the module and of called functions.
  SharedEnd common;
  /// Variables of the module that are one kernel's own.
  std::vector<std::pair<int, const Function *>> later;
  uint64_t top;
};

bool Image::placeVariables(std::string &error) {
  sharedBase = uint32_t(machine.target.sharedMemoryReserved());
  return Placer(*this, error).run();
}

bool Image::initialize(std::string &error) {
  auto write = [&](const Variable &v, uint64_t address) {
    Region *r = machine.memory.regionAt(address);
    if (!r || v.init.empty())
      return true;
    std::copy(v.init.begin(), v.init.end(), r->data.begin());
    for (const InitReloc &reloc : v.relocs) {
      uint64_t value;
      int index = module.findVariable(reloc.symbol);
      int function = functionIndex(reloc.symbol);
      if (index >= 0) {
        value = moduleAddresses[index];
        if (module.variables[index].space == Space::Shared && reloc.generic)
          value += kSharedWindow;
      } else if (function >= 0) {
        value = kCodeBase + uint64_t(function) * 16;
      } else {
        error = "line " + std::to_string(v.line) + ": unknown name '" +
                reloc.symbol + "' in an initial value";
        return false;
      }
      value += uint64_t(reloc.addend);
      if (reloc.mask != ~uint64_t(0))
        value =
            (value & reloc.mask) >> __builtin_ctzll(reloc.mask | 1ull << 63);
      for (int b = 0; b < reloc.bytes; ++b)
        r->data[reloc.offset + b] = uint8_t(value >> (8 * b));
    }
    return true;
  };
  for (size_t i = 0; i < module.variables.size(); ++i)
    if (moduleAddresses[i] >= kGlobalBase &&
        !write(module.variables[i], moduleAddresses[i]))
      return false;
  for (const auto &f : module.functions)
    for (size_t i = 0; i < f->variables.size(); ++i)
      if ((f->variables[i].space == Space::Global ||
           f->variables[i].space == Space::Const) &&
          !write(f->variables[i], functionVariables[f.get()][i]))
        return false;
  return true;
}

bool Machine::load(std::string &error) {
  if (!image.placeVariables(error) || !image.initialize(error) ||
      !decodeModule(*this, error))
    return false;
  // An instruction that is not known matters where it can be reached.
  for (const FunctionCode &fc : image.functions)
    if (fc.function->isEntry && fc.error.empty() && fc.first >= 0)
      return true;
  for (const FunctionCode &fc : image.functions)
    if (!fc.error.empty()) {
      error = fc.error;
      return false;
    }
  return true;
}

int Image::functionIndex(const std::string &name) const {
  const Function *f = module.findFunction(name);
  for (size_t i = 0; i < module.functions.size(); ++i)
    if (module.functions[i].get() == f)
      return int(i);
  return -1;
}

uint64_t Image::variableAddress(const Function *function, int index) const {
  return functionVariables.at(function)[index];
}

void Image::sharedSizes(const Function &entry, uint64_t dynamic, uint64_t &size,
                        uint64_t &used) const {
  const SharedEnd &end = sharedEnd.at(&entry);
  size = dynamic ? staticShared + dynamic : end.spaced;
  used = dynamic ? alignTo(end.tight, dynamicAlign) + dynamic : end.tight;
}

std::vector<uint8_t> Image::sharedGaps(const Function &entry,
                                       uint64_t size) const {
  std::vector<uint8_t> gaps(size, 1);
  for (const SharedPiece &p : sharedPieces)
    if (!p.owner || p.owner == &entry)
      for (uint64_t k = p.at; k < std::min(p.at + p.size, size); ++k)
        gaps[k] = 0;
  for (uint64_t k = staticShared; k < size; ++k)
    gaps[k] = 0;
  return gaps;
}

std::vector<uint64_t> Image::parameterOffsets(const Function &entry,
                                              uint64_t &size) const {
  std::vector<uint64_t> out;
  int64_t end = 0;
  for (int p : entry.params) {
    if (p < 0) {
      out.push_back(0);
      continue;
    }
    const Variable &v = entry.variables[p];
    int64_t at = parameterOffset(machine.target, end, int64_t(v.align));
    out.push_back(uint64_t(at));
    end = at + int64_t(v.size);
  }
  size = uint64_t(end);
  return out;
}

const Function *Image::findEntry(const std::string &name,
                                 std::string &error) const {
  const Function *found = nullptr;
  std::string names;
  for (const auto &f : module.functions) {
    if (!f->isEntry || f->isDeclared)
      continue;
    names += (names.empty() ? "'" : ", '") + f->name + "'";
    if (name.empty()) {
      if (found) {
        error = "the module has several entries; name one of " + names +
                " as 'entry'";
        return nullptr;
      }
      found = f.get();
    } else if (f->name == name) {
      return f.get();
    }
  }
  if (!name.empty())
    error = "no entry '" + name + "'; the module has " +
            (names.empty() ? "none" : names);
  else if (!found)
    error = "the module has no entry";
  return name.empty() ? found : nullptr;
}

} // namespace tileir::emu

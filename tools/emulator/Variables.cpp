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

bool Image::placeVariables(std::string &error) {
  auto refuse = [&](const Variable &v, const std::string &why) {
    error = "line " + std::to_string(v.line) + ": '" + v.name + "': " + why;
    return false;
  };
  uint64_t global = 0;
  auto fitsGlobal = [&](const Variable &v) {
    return !__builtin_add_overflow(global, v.size, &global) &&
           machine.memory.fits(global);
  };
  const std::string tooMuch = "the module's variables need more memory than "
                              "this machine has";
  sharedBase = uint32_t(machine.target.sharedMemoryReserved());
  uint64_t constAt = kConstBase;
  SharedEnd common{sharedBase, sharedBase};
  moduleAddresses.assign(module.variables.size(), 0);
  std::map<const Function *, SharedEnd> &own = sharedEnd;
  std::vector<std::pair<int, const Function *>> later;
  // Variables lie apart, so that what runs over one does not meet the next.
  auto placeShared = [&](SharedEnd &end, const Variable &v,
                         const Function *owner) {
    constexpr uint64_t kGap = 32;
    uint64_t at = end.spaced + (end.spaced > sharedBase ? kGap : 0);
    at = alignTo(at, v.align);
    end.spaced = at + v.size;
    end.tight = alignTo(end.tight, v.align) + v.size;
    sharedPieces.push_back({owner, at, v.size});
    return at;
  };
  // Addresses of shared memory have 24 bits below the rank of the block.
  auto fitsShared = [&](const SharedEnd &end, const Variable &v) {
    return v.size < (1u << 24) && end.spaced < (1u << 24);
  };
  const std::string tooShared =
      "shared variables need more than the " +
      std::to_string(machine.target.sharedMemoryPerBlock()) +
      " bytes that a block has";
  for (size_t i = 0; i < module.variables.size(); ++i) {
    const Variable &v = module.variables[i];
    if ((v.space == Space::Global || v.space == Space::Const) && !fitsGlobal(v))
      return refuse(v, tooMuch);
    if (v.space == Space::Shared && !fitsShared(common, v))
      return refuse(v, tooShared);
    switch (v.space) {
    case Space::Global: {
      Region &r = machine.memory.allocate(v.name, v.size, v.align);
      moduleAddresses[i] = r.base;
      break;
    }
    case Space::Const: {
      constAt = alignTo(constAt + 64, std::max<uint64_t>(v.align, 16));
      machine.memory.addRegion(v.name, Space::Const, constAt, v.size).readOnly =
          true;
      moduleAddresses[i] = constAt;
      constAt += v.size;
      break;
    }
    case Space::Shared:
      if (v.size == 0)
        break;
      if (const Function *f = soleUser(module, int(i))) {
        later.push_back({int(i), f});
        break;
      }
      moduleAddresses[i] = placeShared(common, v, nullptr);
      break;
    default:
      error = "line " + std::to_string(v.line) + ": variable '" + v.name +
              "' is in a state space that a module cannot have";
      return false;
    }
  }
  // Any kernel may call a function that has some.
  for (const auto &f : module.functions) {
    std::vector<uint64_t> &at = functionVariables[f.get()];
    at.assign(f->variables.size(), 0);
    for (size_t i = 0; i < f->variables.size() && !f->isEntry; ++i)
      if (const Variable &v = f->variables[i];
          v.space == Space::Shared && v.size) {
        if (!fitsShared(common, v))
          return refuse(v, tooShared);
        at[i] = placeShared(common, v, nullptr);
      }
  }
  for (auto &[i, f] : later) {
    const Variable &v = module.variables[i];
    moduleAddresses[i] =
        placeShared(own.try_emplace(f, common).first->second, v, f);
  }
  uint64_t top = common.spaced;
  for (const auto &f : module.functions) {
    std::vector<uint64_t> &at = functionVariables[f.get()];
    uint64_t local = 0;
    SharedEnd &shared = own.try_emplace(f.get(), common).first->second;
    uint64_t paramSize;
    std::vector<uint64_t> offsets = parameterOffsets(*f, paramSize);
    for (size_t i = 0; i < f->variables.size(); ++i) {
      const Variable &v = f->variables[i];
      if (v.space == Space::Shared && !fitsShared(shared, v))
        return refuse(v, tooShared);
      if (v.space == Space::Local &&
          v.size > kLocalLimit - std::min(local, kLocalLimit))
        return refuse(v, "local variables of a function have more than " +
                             std::to_string(kLocalLimit) + " bytes");
      if ((v.space == Space::Global || v.space == Space::Const) &&
          !fitsGlobal(v))
        return refuse(v, tooMuch);
      if (v.space == Space::Shared && v.size && f->isEntry) {
        at[i] = placeShared(shared, v, f.get());
      } else if (v.space == Space::Local) {
        local = alignTo(local, v.align);
        at[i] = local;
        local += v.size;
      } else if (v.space == Space::Global || v.space == Space::Const) {
        at[i] = machine.memory.allocate(v.name, v.size, v.align).base;
      }
    }
    if (f->isEntry)
      for (size_t p = 0; p < f->params.size(); ++p)
        if (f->params[p] >= 0)
          at[f->params[p]] =
              kParamBase + machine.target.parameterBankOffset() + offsets[p];
    top = std::max(top, shared.spaced);
  }
  // Dynamic shared memory starts where the static one of any kernel ends.
  uint64_t dynamic = top + (top > sharedBase ? 32 : 0);
  for (const Variable &v : module.variables)
    if (v.space == Space::Shared && v.size == 0)
      dynamicAlign = std::max<uint64_t>(dynamicAlign, v.align);
  for (const auto &f : module.functions)
    for (const Variable &v : f->variables)
      if (v.space == Space::Shared && v.size == 0)
        dynamicAlign = std::max<uint64_t>(dynamicAlign, v.align);
  dynamic = alignTo(dynamic, dynamicAlign);
  for (size_t i = 0; i < module.variables.size(); ++i)
    if (module.variables[i].space == Space::Shared &&
        module.variables[i].size == 0)
      moduleAddresses[i] = dynamic;
  for (const auto &f : module.functions)
    for (size_t i = 0; i < f->variables.size(); ++i)
      if (f->variables[i].space == Space::Shared && f->variables[i].size == 0)
        functionVariables[f.get()][i] = dynamic;
  staticShared = dynamic;
  return true;
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

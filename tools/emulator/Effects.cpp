// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which rule of undefined and of unwritten values an instruction follows.
#include "tools/emulator/Decode.h"

namespace tileir::emu {

namespace {

bool isInteger(Type t) {
  return t == Type::U8 || t == Type::S8 || t == Type::U16 || t == Type::S16 ||
         t == Type::U32 || t == Type::S32 || t == Type::U64 || t == Type::S64;
}

std::string word(const Statement &s, size_t k) {
  return s.words.size() > k ? s.words[k] : std::string();
}

bool isImmediate(const Statement &s, size_t k) {
  return s.operands.size() > k && s.operands[k].isImm();
}

/// Of opcodes whose constants matter.
Effect byConstants(const Statement &s, Effect effect) {
  bool holds = true;
  switch (effect) {
  case Effect::ShiftLeft:
  case Effect::ShiftRight:
    holds = isImmediate(s, 2) && s.operands[2].bits % 8 == 0 &&
            s.operands[2].bits < 64 && word(s, 1)[0] != 's';
    break;
  case Effect::Permute:
    holds = word(s, 1) == "b32" && isImmediate(s, 3);
    break;
  case Effect::BitField:
    holds = isImmediate(s, 2) && isImmediate(s, 3);
    break;
  case Effect::Convert:
    holds = s.words.size() == 3 && isInteger(parseType(word(s, 1))) &&
            isInteger(parseType(word(s, 2)));
    break;
  case Effect::Store:
    if (word(s, 1) == "async" || word(s, 1) == "bulk")
      return Effect::StoreAsync;
    break;
  default:
    break;
  }
  return holds ? effect : Effect::Compute;
}

} // namespace

Effect effectOf(const Statement &s) {
  static const std::unordered_map<std::string, Effect> effects = {
      {"mov", Effect::Move},          {"selp", Effect::Select},
      {"and", Effect::And},           {"or", Effect::Or},
      {"setp", Effect::SetPredicate}, {"xor", Effect::Bitwise},
      {"not", Effect::Bitwise},       {"lop3", Effect::Bitwise},
      {"shl", Effect::ShiftLeft},     {"shr", Effect::ShiftRight},
      {"prmt", Effect::Permute},      {"bfe", Effect::BitField},
      {"cvt", Effect::Convert},       {"shfl", Effect::Exchange},
      {"vote", Effect::Exchange},     {"match", Effect::Exchange},
      {"redux", Effect::Exchange},    {"ld", Effect::Load},
      {"st", Effect::Store},          {"atom", Effect::Atomic},
      {"red", Effect::Reduce},        {"call", Effect::Call},
      {"bar", Effect::Barrier},       {"barrier", Effect::Barrier},
      {"brx", Effect::IndexedBranch}};
  auto it = effects.find(s.words[0]);
  return it == effects.end() ? Effect::Compute : byConstants(s, it->second);
}

} // namespace tileir::emu

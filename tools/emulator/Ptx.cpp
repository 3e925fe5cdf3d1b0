// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types and special registers of PTX; look-up in a module.
#include "tools/emulator/Parser.h"

#include <cstring>

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

bool parsePtx(std::string_view text, Module &module, std::string &error) {
  error.clear();
  return Parser(text, module, error).run();
}

} // namespace tileir::emu

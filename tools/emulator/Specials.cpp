// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of special registers.
#include "tools/emulator/Program.h"

#include <unordered_map>

namespace tileir::emu {

bool isWideSpecial(const std::string &name) {
  return name == "%clock64" || name == "%globaltimer" || name == "%gridid" ||
         name == "%perctamemoryoffset" || name == "%perctamemorysize" ||
         name == "%current_graph_exec";
}

SpecialRow parseSpecial(const std::string &text) {
  static const std::unordered_map<std::string, Special> names = {
      {"%tid", Special::Tid},
      {"%ntid", Special::Ntid},
      {"%ctaid", Special::Ctaid},
      {"%nctaid", Special::Nctaid},
      {"%clusterid", Special::ClusterId},
      {"%nclusterid", Special::Nclusterid},
      {"%cluster_ctaid", Special::ClusterCtaid},
      {"%cluster_nctaid", Special::ClusterNctaid},
      {"%cluster_ctarank", Special::ClusterCtarank},
      {"%cluster_nctarank", Special::ClusterNctarank},
      {"%is_explicit_cluster", Special::IsExplicitCluster},
      {"%laneid", Special::Laneid},
      {"%warpid", Special::Warpid},
      {"%nwarpid", Special::Nwarpid},
      {"%smid", Special::Smid},
      {"%nsmid", Special::Nsmid},
      {"%lanemask_eq", Special::LanemaskEq},
      {"%lanemask_lt", Special::LanemaskLt},
      {"%lanemask_le", Special::LanemaskLe},
      {"%lanemask_gt", Special::LanemaskGt},
      {"%lanemask_ge", Special::LanemaskGe},
      {"%perctamemoryoffset", Special::PerCtaMemoryOffset},
      {"%perctamemorysize", Special::PerCtaMemorySize},
      {"%dynamic_smem_size", Special::DynamicSharedSize},
      {"%total_smem_size", Special::TotalSharedSize},
      {"%aggr_smem_size", Special::TotalSharedSize},
      {"%reserved_smem_offset_end", Special::ReservedSharedEnd},
      {"%reserved_smem_offset_cap", Special::ReservedSharedEnd},
      {"%gridid", Special::Gridid},
      {"%localbase", Special::LocalBase},
      {"%sharedbase", Special::SharedBase}};
  SpecialRow out;
  std::string name = text;
  if (name.size() > 3 && name.compare(name.size() - 3, 3, "#64") == 0) {
    out.wide = true;
    name.resize(name.size() - 3);
  }
  out.wide |=
      isWideSpecial(name) || name == "%localbase" || name == "%sharedbase";
  if (size_t dot = name.find('.'); dot != std::string::npos) {
    out.axis = name.back() - 'x';
    name.resize(dot);
  }
  auto it = names.find(name);
  if (it != names.end() && out.axis >= 0 && out.axis < 3)
    out.what = it->second;
  return out;
}

} // namespace tileir::emu

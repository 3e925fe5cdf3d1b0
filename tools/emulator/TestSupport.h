// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_TESTSUPPORT_H
#define TOOLS_EMULATOR_TESTSUPPORT_H

#include "tools/emulator/Machine.h"

#include <cstring>
#include <functional>

#include "gtest/gtest.h"

namespace tileir::emu::testing {

/// A module, its machine and one launch of it.
struct Runner {
  Module module;
  std::unique_ptr<Machine> machine;
  std::vector<Region *> buffers;
  std::string error;

  /// Parses and decodes; false with `error` set when that fails.
  bool load(const std::string &ptx, Options options = Options()) {
    if (!parsePtx(ptx, module, error))
      return false;
    std::optional<Target> target = Target::parse(module.target);
    if (!target) {
      error = "unknown target";
      return false;
    }
    machine = std::make_unique<Machine>(module, *target, options);
    return machine->load(error);
  }

  Region &buffer(const void *data, size_t bytes, bool written = true) {
    Region &r = machine->memory.allocate("b" + std::to_string(buffers.size()),
                                         bytes, 256);
    if (data)
      std::memcpy(r.data.data(), data, bytes);
    if (!written)
      r.written.assign(bytes, 0);
    buffers.push_back(&r);
    return r;
  }

  /// Launches with the addresses of all buffers as parameters.
  bool launch(std::array<uint32_t, 3> grid, std::array<uint32_t, 3> block,
              std::array<uint32_t, 3> cluster = {1, 1, 1},
              uint64_t sharedBytes = 0) {
    Launch l;
    l.grid = grid;
    l.block = block;
    l.cluster = cluster;
    l.explicitCluster = cluster != std::array<uint32_t, 3>{1, 1, 1};
    l.sharedBytes = sharedBytes;
    for (Region *r : buffers)
      for (int b = 0; b < 8; ++b)
        l.params.push_back(uint8_t(r->base >> (8 * b)));
    return machine->launch(l, error);
  }

  /// "kind@line" of every finding, in order.
  std::vector<std::string> kinds() const {
    std::vector<std::string> out;
    for (const Finding &f : machine->findings)
      out.push_back(std::string(nameOf(f.kind)) + "@" +
                    std::to_string(f.place.line));
    return out;
  }
};

/// Runs `code` on one warp. Input k is in %a<k> (64 bits), %w<k> (32) and %h<k>
/// (16). `outputs` has a letter each: d for %q<k>, w for %z<k>, h for %g<k>, p
/// for predicate %p<k>.
inline std::vector<std::vector<uint64_t>>
runLanes(const std::string &code,
         const std::vector<std::vector<uint64_t>> &inputs,
         const std::string &outputs, const std::string &target = "sm_100a") {
  std::string ptx = ".version 8.8\n.target " + target +
                    "\n.address_size 64\n.visible .entry t(.param .u64 in, "
                    ".param .u64 out) {\n";
  ptx += ".reg .pred %p<16>; .reg .b16 %h<16>, %g<16>; .reg .b32 %w<64>, "
         "%z<64>, %lane; .reg .b64 %a<64>, %q<64>, %in, %out, %off; .reg .b128 "
         "%x<4>; .reg .b8 %c<8>;\n";
  ptx +=
      "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %lane, "
      "%laneid; mul.wide.u32 %off, %lane, 8; add.u64 %in, %in, %off; add.u64 "
      "%out, %out, %off;\n";
  for (size_t k = 0; k < inputs.size(); ++k) {
    std::string n = std::to_string(k);
    ptx += "ld.global.b64 %a" + n + ", [%in+" + std::to_string(k * 256) +
           "]; cvt.u32.u64 %w" + n + ", %a" + n + ";";
    if (k < 16)
      ptx += " cvt.u16.u64 %h" + n + ", %a" + n + ";";
    ptx += "\n";
  }
  ptx += code + "\n";
  for (size_t k = 0; k < outputs.size(); ++k) {
    std::string n = std::to_string(k);
    if (outputs[k] == 'w')
      ptx += "cvt.u64.u32 %q" + n + ", %z" + n + ";";
    if (outputs[k] == 'h')
      ptx += "cvt.u64.u16 %q" + n + ", %g" + n + ";";
    if (outputs[k] == 'p')
      ptx += "selp.b64 %q" + n + ", 1, 0, %p" + n + ";";
    ptx +=
        " st.global.b64 [%out+" + std::to_string(k * 256) + "], %q" + n + ";\n";
  }
  ptx += "ret;\n}\n";
  Runner r;
  EXPECT_TRUE(r.load(ptx)) << r.error << "\n" << code;
  std::vector<std::vector<uint64_t>> out(outputs.size(),
                                         std::vector<uint64_t>(32, 0));
  if (!r.error.empty())
    return out;
  std::vector<uint64_t> flat;
  for (const auto &v : inputs)
    flat.insert(flat.end(), v.begin(), v.end());
  flat.resize(std::max<size_t>(flat.size(), 1));
  r.buffer(flat.data(), flat.size() * 8);
  Region &result = r.buffer(nullptr, std::max<size_t>(outputs.size(), 1) * 256);
  EXPECT_TRUE(r.launch({1, 1, 1}, {32, 1, 1})) << r.error;
  EXPECT_EQ(r.kinds(), std::vector<std::string>())
      << code << "\n"
      << (r.machine->findings.empty() ? "" : r.machine->findings[0].message);
  for (size_t k = 0; k < outputs.size(); ++k)
    std::memcpy(out[k].data(), result.data.data() + k * 256, 256);
  return out;
}

/// 32 values: edge cases of `bits` width mixed with random ones.
inline std::vector<uint64_t> mixedValues(int bits, uint64_t seed) {
  cases::SplitMix64 random(seed);
  uint64_t ones = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  uint64_t top = uint64_t(1) << (bits - 1);
  std::vector<uint64_t> edges = {0, 1, ones, top, top - 1, 2, 31, 32};
  std::vector<uint64_t> out;
  for (int l = 0; l < 32; ++l) {
    uint64_t r = random.next();
    out.push_back((r >> 60 < 5 ? edges[r % edges.size()] : random.next()) &
                  ones);
  }
  return out;
}

} // namespace tileir::emu::testing

#endif // TOOLS_EMULATOR_TESTSUPPORT_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/emulator/TensorMap.h"
#include "tools/cases/Json.h"

#include <cstring>
#include <fstream>
#include <sstream>

#include "gtest/gtest.h"

using namespace tileir;
using namespace tileir::emu;

namespace {
TensorMap example() {
  TensorMap m;
  m.address = 0x7f014636f000;
  m.rank = 2;
  m.format = 10;
  m.dims[0] = 1296;
  m.dims[1] = 64;
  m.strides[1] = 2592;
  m.box[0] = 32;
  m.box[1] = 8;
  m.swizzle = 2;
  return m;
}

/// Returns what an entry of DriverMaps.json asks the driver for.
cases::TensorMapSpec specOf(const cases::Json &map) {
  auto numbers = [&](const char *name) {
    std::vector<int64_t> out;
    for (const cases::Json &item : map.find(name)->items)
      out.push_back(std::stoll(item.text));
    return out;
  };
  cases::TensorMapSpec spec;
  spec.dtype = map.find("dtype")->text;
  spec.dims = numbers("dims");
  spec.strides = numbers("strides");
  spec.box = numbers("box");
  spec.elementStrides = numbers("element_strides");
  spec.interleave = "none";
  spec.swizzle = map.find("swizzle")->text;
  spec.l2Promotion = map.find("l2_promotion")->text;
  spec.oobFill = map.find("oob_fill")->text;
  return spec;
}
} // namespace

// Maps that cuTensorMapEncodeTiled of a driver of CUDA 13 made on an H200: they
// decode to what it was asked for, and the half that hardware reads differs
// from ours in the kind and in the bit of large tensors alone, which the driver
// leaves zero.
TEST(TensorMap, DecodesMapsOfTheDriver) {
  std::ifstream file("tools/emulator/DriverMaps.json");
  std::stringstream text;
  text << file.rdbuf();
  cases::Json maps;
  std::string error;
  ASSERT_TRUE(cases::parseJson(text.str(), maps, error)) << error;
  ASSERT_EQ(maps.items.size(), 60u);
  for (const cases::Json &map : maps.items) {
    const std::string &hex = map.find("hex")->text;
    SCOPED_TRACE(hex);
    ASSERT_EQ(hex.size(), 256u);
    uint8_t driver[128], own[128], again[128];
    for (size_t k = 0; k < 128; ++k)
      driver[k] = uint8_t(std::stoul(hex.substr(2 * k, 2), nullptr, 16));
    uint64_t address = std::stoull(map.find("address")->text);
    TensorMap asked, decoded;
    ASSERT_TRUE(makeTensorMap(specOf(map), address, asked, error)) << error;
    ASSERT_TRUE(decodeTensorMap(driver, decoded, error)) << error;
    encodeTensorMap(asked, own);
    encodeTensorMap(decoded, again);
    EXPECT_EQ(std::memcmp(own, again, 128), 0);
    own[8] &= 0xF0;
    own[10] &= 0xDF;
    EXPECT_EQ(std::memcmp(own, driver, kTensorMapBytes), 0);
  }
}

// Rank 1, bf16, extent 1296, box 32, 128B promotion: bytes that a host function
// of the closed compiler wrote.
TEST(TensorMap, MatchesAnObservedMap) {
  TensorMap m;
  m.address = 0x7f014636f000;
  m.format = 10;
  m.dims[0] = 1296;
  m.box[0] = 32;
  uint8_t bytes[128], expected[128] = {0x00, 0xf0, 0x36, 0x46, 0x01, 0x7f,
                                       0x00, 0x00, 0x02, 0x05, 0x04};
  expected[0x20] = 0x0f;
  expected[0x21] = 0x05;
  expected[0x37] = 0x1f;
  encodeTensorMap(m, bytes);
  EXPECT_EQ(std::memcmp(bytes, expected, 128), 0);
}

TEST(TensorMap, RoundTrip) {
  TensorMap m = example(), back;
  uint8_t bytes[128];
  encodeTensorMap(m, bytes);
  std::string error;
  ASSERT_TRUE(decodeTensorMap(bytes, back, error)) << error;
  uint8_t again[128];
  encodeTensorMap(back, again);
  EXPECT_EQ(std::memcmp(bytes, again, 128), 0);
  EXPECT_EQ(back.strides[1], 2592u);
  EXPECT_EQ(back.boxBytes(), 512u);
}

TEST(TensorMap, RefusesBadBits) {
  TensorMap back;
  std::string error;
  auto changed = [&](int byte, uint8_t bits) {
    uint8_t bytes[128];
    encodeTensorMap(example(), bytes);
    bytes[byte] ^= bits;
    return !decodeTensorMap(bytes, back, error);
  };
  EXPECT_TRUE(changed(8, 1)) << "kind";
  EXPECT_TRUE(changed(10, 0x20)) << "size bit";
  EXPECT_EQ(error, "the bit for tensors of 128 KiB and more is wrong");
  EXPECT_TRUE(changed(11, 0x80)) << "reserved";
  EXPECT_TRUE(changed(0x3c, 1)) << "the last word that means something";
  EXPECT_FALSE(changed(0x40, 1)) << "nobody reads the upper half";
  EXPECT_FALSE(changed(0x7f, 0x80)) << "nor its end";
  EXPECT_TRUE(changed(0x28, 1)) << "dimension beyond the rank";
  EXPECT_FALSE(changed(0x20, 1)) << "an extent may be anything";
}

TEST(TensorMap, SwizzlesArePermutationsOfTheirPattern) {
  for (int mode = 1; mode <= 3; ++mode)
    for (int atom = 0; atom < (mode == 3 ? 4 : 1); ++atom) {
      std::vector<int> seen(1024, 0);
      for (uint64_t a = 0; a < 1024; ++a)
        ++seen[swizzleAddress(a, mode, atom)];
      for (int n : seen)
        EXPECT_EQ(n, 1);
    }
  // 128B: row y, chunk c lies at chunk c ^ (y & 7).
  EXPECT_EQ(swizzleAddress(5 * 128 + 2 * 16, 3, 0), 5u * 128 + (2 ^ 5) * 16);
}

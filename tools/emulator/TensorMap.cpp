// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/emulator/TensorMap.h"

#include <cstring>

namespace tileir::emu {

int TensorMap::globalBytes() const {
  static const int bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 8, 8, 12};
  return format < 14 ? bytes[format] : 0;
}

int TensorMap::sharedBytes() const {
  return format == 12 || format == 13 ? 16 : globalBytes();
}

uint32_t TensorMap::boxUnits(int d) const {
  uint32_t n = (box[d] + step(d) - 1) / step(d);
  return d == 0 ? (n + uint32_t(unit()) - 1) / uint32_t(unit()) : n;
}

uint64_t TensorMap::boxBytes() const {
  uint64_t n = uint64_t(sharedBytes());
  if (im2col)
    return n * boxUnits(0) * columnPixels();
  for (int d = 0; d < rank; ++d)
    n *= boxUnits(d);
  return n;
}

uint64_t TensorMap::span() const {
  uint64_t n = dims[0] * uint64_t(globalBytes()) / uint64_t(unit());
  for (int d = 1; d < rank; ++d)
    n += (dims[d] - 1) * strides[d];
  return n;
}

/// Kinds in bits 0 to 3 of word 1. The second is ours: see encodeTensorMap.
/// The third stands in maps that kernels make of zeros by tensormap.replace,
/// which reaches neither these bits nor that of large tensors, and in those of
/// drivers of CUDA 13, which leave both zero.
constexpr uint32_t kTiled = 2, kIm2col = 15, kReplaced = 0;
/// Where our form of an im2col map has what a tiled one lacks: corners instead
/// of boxes, then the pixels of a column and the mode. All in the half that the
/// hardware is known to read.
constexpr int kCorners = 0x38, kPixels = 0x3c, kWide = 0x3e;
/// Bits of a number of a corner: 32 hold all of them.
static int cornerBits(const TensorMap &m) {
  return m.rank == 3 || m.wide ? 16 : m.rank == 4 ? 8 : 5;
}
static int cornerCount(const TensorMap &m) { return m.wide ? 1 : m.rank - 2; }

static void put32(uint8_t *bytes, int at, uint32_t value) {
  std::memcpy(bytes + at, &value, 4);
}
static uint32_t get32(const uint8_t *bytes, int at) {
  uint32_t value;
  std::memcpy(&value, bytes + at, 4);
  return value;
}

void encodeTensorMap(const TensorMap &m, uint8_t *bytes) {
  std::memset(bytes, 0, 128);
  uint64_t address = (m.address >> 4 & ((uint64_t(1) << 53) - 1)) << 4;
  std::memcpy(bytes, &address, 8);
  uint32_t w = m.im2col ? kIm2col : kTiled;
  w |= uint32_t(m.rank - 1) << 4;
  w |= uint32_t(m.format) << 7;
  w |= uint32_t(m.interleave) << 11;
  w |= uint32_t(m.swizzle == 4 ? 0 : m.swizzle) << 13;
  w |= uint32_t(m.fillNaN) << 15;
  w |= uint32_t(m.roundToTf32) << 16;
  w |= uint32_t(m.l2Promotion) << 17;
  w |= uint32_t(m.atomicity) << 19;
  w |= uint32_t(m.span() >= 131072) << 21;
  w |= uint32_t(m.swizzle == 4) << 22;
  put32(bytes, 8, w);
  uint32_t high = 0, elementStrides = 0;
  for (int d = 1; d < m.rank; ++d) {
    uint64_t stride = m.strides[d] >> 4;
    put32(bytes, 8 + 4 * d, uint32_t(stride));
    high |= uint32_t(stride >> 32 & 15) << (4 * (d - 1));
  }
  put32(bytes, 0x1c, high);
  for (int d = 0; d < m.rank; ++d) {
    put32(bytes, 0x20 + 4 * d, uint32_t(m.dims[d] - 1));
    elementStrides |= (m.elementStrides[d] - 1) << (3 * d);
  }
  put32(bytes, 0x34, elementStrides | (m.box[0] - 1) << 24);
  uint32_t boxes = 0;
  if (!m.im2col) {
    for (int d = 1; d < m.rank; ++d)
      boxes |= (m.box[d] - 1) << (8 * (d - 1));
    put32(bytes, 0x38, boxes);
    return;
  }
  int bits = cornerBits(m), count = cornerCount(m);
  uint32_t corners = 0, ones = (1u << bits) - 1;
  for (int d = 0; d < count; ++d) {
    corners |= (uint32_t(m.lower[d]) & ones) << (bits * d);
    corners |= (uint32_t(m.upper[d]) & ones) << (bits * (count + d));
  }
  put32(bytes, kCorners, corners);
  bytes[kPixels] = uint8_t(m.pixels);
  bytes[kPixels + 1] = uint8_t(m.pixels >> 8);
  bytes[kWide] = uint8_t(m.wide);
}

/// Dimensions, strides and box; what is wrong, or nothing.
static std::string decodeExtents(const uint8_t *bytes, TensorMap &m) {
  uint32_t high = get32(bytes, 0x1c);
  if (high >> 16)
    return "reserved bits of the strides are set";
  uint32_t steps = get32(bytes, 0x34), boxes = get32(bytes, 0x38);
  if (steps >> 15 & 0x1FF)
    return "reserved bits beside the element strides are set";
  for (int d = 0; d < 5; ++d) {
    uint32_t extent = get32(bytes, 0x20 + 4 * d);
    uint64_t stride = 0;
    if (d)
      stride =
          (get32(bytes, 8 + 4 * d) | uint64_t(high >> (4 * (d - 1)) & 15) << 32)
          << 4;
    uint32_t box = !d         ? steps >> 24
                   : m.im2col ? 0
                              : boxes >> (8 * (d - 1)) & 255;
    uint32_t step = steps >> (3 * d) & 7;
    if (d >= m.rank) {
      if (extent || stride || box || step)
        return ("fields of dimension " + std::to_string(d) +
                " are set in a map of rank " + std::to_string(m.rank));
      continue;
    }
    m.dims[d] = uint64_t(extent) + 1;
    m.strides[d] = stride;
    m.box[d] = box + 1;
    m.elementStrides[d] = step + 1;
  }
  return "";
}

/// Decodes what im2col maps have beside; returns what is wrong, or nothing.
static std::string decodePixels(const uint8_t *bytes, TensorMap &m) {
  if (!m.im2col)
    return "";
  m.pixels = uint32_t(bytes[kPixels] | bytes[kPixels + 1] << 8);
  m.wide = bytes[kWide];
  if (m.wide > 2 || !m.columnPixels() || m.rank < 3)
    return ("im2col mode " + std::to_string(m.wide) + " of rank " +
            std::to_string(m.rank) + " and " + std::to_string(m.pixels) +
            " pixels");
  int bits = cornerBits(m), count = cornerCount(m);
  auto number = [&](int k) {
    return int32_t(get32(bytes, kCorners) << (32 - bits - bits * k)) >>
           (32 - bits);
  };
  for (int d = 0; d < count; ++d) {
    m.lower[d] = number(d);
    m.upper[d] = number(count + d);
  }
  return "";
}

bool decodeTensorMap(const uint8_t *bytes, TensorMap &m, std::string &error) {
  auto fail = [&](const std::string &why) {
    error = why;
    return false;
  };
  m = TensorMap();
  std::memcpy(&m.address, bytes, 8);
  if (m.address & 15 || m.address >> 57)
    return fail("address bits outside 4 to 56 are set");
  uint32_t w = get32(bytes, 8);
  if ((w & 15) != kTiled && (w & 15) != kIm2col && (w & 15) != kReplaced)
    return fail("kind " + std::to_string(w & 15) + " is no tiled map");
  m.im2col = (w & 15) == kIm2col;
  m.rank = int(w >> 4 & 7) + 1;
  if (m.rank > 5)
    return fail("rank " + std::to_string(m.rank));
  m.format = int(w >> 7 & 15);
  if (m.format > 13)
    return fail("element format " + std::to_string(m.format) + " is undefined");
  m.interleave = int(w >> 11 & 3);
  if (m.interleave == 3)
    return fail("interleave 3 is undefined");
  m.swizzle = int(w >> 13 & 3);
  m.fillNaN = w >> 15 & 1;
  m.roundToTf32 = w >> 16 & 1;
  if (m.roundToTf32 && m.format != 7 && m.format != 8)
    return fail("tf32 rounding of a format that is not f32");
  m.l2Promotion = int(w >> 17 & 3);
  m.atomicity = int(w >> 19 & 3);
  if (w >> 22 & 1) {
    if (m.swizzle)
      return fail("the 96 byte swizzle excludes the others");
    m.swizzle = 4;
  }
  if (w >> 23)
    return fail("reserved bits of word 1 are set");
  if (!(error = decodeExtents(bytes, m)).empty() ||
      !(error = decodePixels(bytes, m)).empty())
    return false;
  for (int at = 0x3c; at < kTensorMapBytes; ++at)
    if (bytes[at] && !(m.im2col && at >= kCorners && at <= kWide))
      return fail("byte " + std::to_string(at) + " must be zero");
  // A stride of zero extents is legal; the bit follows the exact span.
  if ((w & 15) != kReplaced && (w >> 21 & 1) != uint32_t(m.span() >= 131072))
    return fail("the bit for tensors of 128 KiB and more is wrong");
  if (m.swizzle && m.interleave == 0) {
    uint64_t inner = uint64_t(m.boxUnits(0)) * m.sharedBytes();
    static const uint64_t spans[] = {0, 32, 64, 128, 96};
    if (inner > spans[m.swizzle])
      return fail("the inner box has " + std::to_string(inner) +
                  " bytes, the swizzle spans " +
                  std::to_string(spans[m.swizzle]));
  }
  // A step may leave less of it: the driver makes such maps, too.
  if (m.sharedBytes() * uint64_t(m.box[0]) / uint64_t(m.unit()) % 16)
    return fail("the inner box is no multiple of 16 bytes");
  return true;
}

/// The place of `value` in a list, or -1.
static int pick(const std::string &value,
                std::initializer_list<const char *> names) {
  int k = 0;
  for (const char *n : names) {
    if (value == n)
      return k;
    ++k;
  }
  return -1;
}

/// The format of a name, with 32 when values are rounded to tf32; or -1.
static int formatCode(const std::string &dtype) {
  static const std::pair<const char *, int> formats[] = {
      {"UINT8", 0},
      {"UINT16", 1},
      {"UINT32", 2},
      {"INT32", 3},
      {"UINT64", 4},
      {"INT64", 5},
      {"FLOAT16", 6},
      {"FLOAT32", 7},
      {"FLOAT32_FTZ", 8},
      {"FLOAT64", 9},
      {"BFLOAT16", 10},
      {"TFLOAT32", 7 + 32},
      {"TFLOAT32_FTZ", 8 + 32},
      {"16U4_ALIGN8B", 11},
      {"16U4_ALIGN16B", 12},
      {"16U6_ALIGN16B", 13}};
  for (auto &[name, code] : formats)
    if (dtype == name)
      return code;
  return -1;
}

/// Interleave, swizzle, promotion and fill.
static bool takeModes(const cases::TensorMapSpec &s, TensorMap &m,
                      std::string &error) {
  auto fail = [&](const std::string &field, const std::string &why) {
    error = "'" + field + "': " + why;
    return false;
  };
  m.interleave = pick(s.interleave, {"none", "16B", "32B"});
  int swizzle =
      pick(s.swizzle, {"none", "32B", "64B", "128B", "96B", "128B_ATOM_32B",
                       "128B_ATOM_32B_FLIP_8B", "128B_ATOM_64B"});
  m.l2Promotion = pick(s.l2Promotion, {"none", "64B", "128B", "256B"});
  int fill = pick(s.oobFill, {"zeros", "nan"});
  if (m.interleave < 0)
    return fail("interleave", "unknown value '" + s.interleave + "'");
  if (swizzle < 0)
    return fail("swizzle", "unknown value '" + s.swizzle + "'");
  if (m.l2Promotion < 0)
    return fail("l2_promotion", "unknown value '" + s.l2Promotion + "'");
  if (fill < 0)
    return fail("oob_fill", "unknown value '" + s.oobFill + "'");
  if (s.wide && (swizzle == 0 || swizzle == 6))
    return fail("swizzle", "'" + s.swizzle +
                               "' does not go with im2col::w; use another one");
  if (s.wide && m.interleave)
    return fail("interleave", "im2col::w knows none");
  m.swizzle = swizzle > 4 ? 3 : swizzle;
  m.atomicity = swizzle > 4 ? swizzle - 4 : 0;
  m.fillNaN = fill;
  return true;
}

bool makeTensorMap(const cases::TensorMapSpec &s, uint64_t address,
                   TensorMap &m, std::string &error) {
  auto fail = [&](const std::string &field, const std::string &why) {
    error = "'" + field + "': " + why;
    return false;
  };
  m = TensorMap();
  m.address = address;
  int format = formatCode(s.dtype);
  if (format < 0)
    return fail("dtype", "unknown tensor-map type '" + s.dtype + "'");
  m.format = format & 31;
  m.roundToTf32 = format & 32;
  m.rank = int(s.dims.size());
  for (int d = 0; d < m.rank; ++d) {
    if (s.dims[d] < 1 || s.dims[d] > (int64_t(1) << 32))
      return fail("dims", "expected 1 to 2^32");
    int64_t box = !s.im2col ? s.box[d] : d == 0 ? s.channelsPerPixel : 1;
    if (box < 1 || box > 256)
      return fail(s.im2col ? "channels_per_pixel" : "box", "expected 1 to 256");
    if (s.elementStrides[d] < 1 || s.elementStrides[d] > 8)
      return fail("element_strides", "expected 1 to 8");
    m.dims[d] = uint64_t(s.dims[d]);
    m.box[d] = uint32_t(box);
    m.elementStrides[d] = uint32_t(s.elementStrides[d]);
    if (d) {
      m.strides[d] = uint64_t(s.strides[d - 1]);
      if (m.strides[d] % 16 || m.strides[d] >> 40)
        return fail("strides", "expected multiples of 16 below 2^40");
    }
  }
  m.im2col = s.im2col;
  if (s.im2col) {
    m.wide = s.wide;
    if (s.wide != 2 && (s.pixelsPerColumn < 1 || s.pixelsPerColumn > 1024))
      return fail("pixels_per_column", "expected 1 to 1024");
    m.pixels = uint32_t(s.pixelsPerColumn);
    // 32 bits hold the corners: 16, 8 or 5 to a number.
    int64_t limit = m.rank == 3 || s.wide ? 32768 : m.rank == 4 ? 128 : 16;
    for (int d = 0; d < int(s.lowerCorner.size()); ++d) {
      for (int64_t v : {s.lowerCorner[d], s.upperCorner[d]})
        if (v < -limit || v >= limit)
          return fail("lower_corner", "expected numbers from " +
                                          std::to_string(-limit) + " to " +
                                          std::to_string(limit - 1));
      m.lower[d] = int(s.lowerCorner[d]);
      m.upper[d] = int(s.upperCorner[d]);
    }
  }
  if (address % 16)
    return fail("base", "address must be a multiple of 16");
  return takeModes(s, m, error);
}

uint64_t swizzleAddress(uint64_t a, int swizzle, int atomicity) {
  switch (swizzle) {
  case 1:
  case 4:
    return a ^ (a >> 7 & 1) << 4;
  case 2:
    return a ^ (a >> 7 & 3) << 4;
  case 3:
    switch (atomicity) {
    case 0:
      return a ^ (a >> 7 & 7) << 4;
    case 1:
      return a ^ (a >> 7 & 3) << 5;
    case 2:
      return (a ^ (a >> 7 & 3) << 5) ^ (a >> 7 & 1) << 3;
    case 3:
      return a ^ (a >> 7 & 1) << 6;
    }
    return a;
  default:
    return a;
  }
}

} // namespace tileir::emu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_CASES_CASE_H
#define TOOLS_CASES_CASE_H

#include "tools/cases/Dtype.h"
#include "tools/cases/Json.h"
#include "tools/cases/Npy.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tileir::cases {

/// SplitMix64: state += 0x9E3779B97F4A7C15, then two xor-shift-multiply steps.
/// One stream per buffer, started with its `seed`, elements in row-major order.
class SplitMix64 {
public:
  explicit SplitMix64(uint64_t seed) : state(seed) {}
  uint64_t next();
  /// Returns a number in [0, 1): the top 53 bits of one output times 2^-53.
  double uniform();
  /// Returns a number of mean 0 and deviation 1: the sum of the 12 halves of 6
  /// outputs, each half an integer below 2^32, times 2^-32, minus 6. Exact in
  /// any language.
  double normal();

private:
  uint64_t state;
};

/// An address written into a buffer or a struct at byte `offset`: that of
/// `buffer` plus `addend` bytes.
struct Relocation {
  uint64_t offset = 0;
  std::string buffer;
  int64_t addend = 0;
};

struct BufferSpec {
  std::string name;
  std::string where; ///< Position in the case file, for messages.
  Dtype dtype = Dtype::F32;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides; ///< In elements; always filled.
  int64_t offset = 0;           ///< Elements by which the base is shifted.
  int64_t pad = 64;             ///< Guard elements on both sides.
  uint64_t align = 16;
  std::string init = "zeros", initMask;
  uint64_t seed = 0;
  bool output = false;
  std::string expect, expectMask;
  double rtol = 0, atol = 0;
  std::vector<Relocation> relocations;

  size_t count() const;
  /// Returns the elements from the first to the last one, including strides.
  size_t span() const;
  /// Returns the place of logical element `index` (row-major) in the span.
  size_t place(size_t index) const;
  /// Calls `f(index, place(index))` for each element in order.
  template <typename F> void forPlaces(F f) const {
    size_t row = shape.empty() ? 1 : size_t(shape.back()), all = count();
    size_t step = shape.empty() ? 0 : size_t(strides.back());
    for (size_t first = 0; first < all; first += row) {
      size_t at = place(first);
      for (size_t k = 0; k < row; ++k)
        f(first + k, at + k * step);
    }
  }
  /// Returns whether the elements have distinct places without gaps.
  bool isDense() const { return span() == count(); }
  /// Returns the maximum bytes of the pages that the elements occupy.
  uint64_t pageBytes() const;
};

/// A tensor map in the terms of the driver's encoder; dimensions innermost
/// first.
struct TensorMapSpec {
  std::string buffer;
  int64_t offset = 0;
  bool im2col = false;
  int wide = 0; ///< 1 im2col_w, 2 im2col_w128.
  std::string dtype;
  std::vector<int64_t> dims, strides, box, elementStrides;
  std::vector<int64_t> lowerCorner, upperCorner;
  int64_t channelsPerPixel = 0, pixelsPerColumn = 0;
  std::string interleave = "none", swizzle = "none", l2Promotion = "none",
              oobFill = "zeros";
};

struct StructField {
  uint64_t offset = 0;
  Dtype dtype = Dtype::U64;
  std::vector<uint64_t> values; ///< Raw bits; empty for an address.
  std::string buffer;
  int64_t addend = 0;
};

/// An argument of a kernel. The address of a buffer that has its own argument
/// or is one of `buffers` (`buffer`, `addend`) is represented as a struct with
/// that field.
struct Arg {
  enum class Kind { Scalar, Buffer, Struct, TensorMap } kind = Kind::Scalar;
  std::string name;
  std::string where;
  Dtype dtype = Dtype::I32; ///< Of a scalar.
  uint64_t bits = 0;        ///< Of a scalar.
  BufferSpec buffer;
  uint64_t bytes = 0, align = 1; ///< Of a struct.
  std::vector<StructField> fields;
  TensorMapSpec map;

  /// Returns the field of an argument that is only an address, or null.
  const StructField *address() const {
    bool isAddress = kind == Kind::Struct && bytes == 8 && fields.size() == 1 &&
                     !fields[0].buffer.empty();
    return isAddress ? &fields[0] : nullptr;
  }
};

struct Case {
  std::string path, directory;
  std::string kernel, entry, arch;
  std::array<uint32_t, 3> grid{1, 1, 1};
  bool gridInClusters = false;
  std::optional<std::array<uint32_t, 3>> block, cluster;
  uint64_t sharedBytes = 0, stackBytes = 0;
  uint32_t smCount = 0; ///< 0: the target's usual number.
  bool coResident = false;
  uint64_t maxCycles = 0;
  std::vector<Arg> args;
  std::vector<BufferSpec> buffers;
  std::vector<BufferSpec> globals; ///< `name` is the symbol.
  std::string stdoutFile;
  bool stdoutAnyOrder = false;

  /// Returns `name` relative to the case file's folder, unless it is absolute.
  std::string resolve(const std::string &name) const;
};

bool loadCase(const std::string &path, Case &out, std::string &error);
/// Parses `text` as the contents of a case file at `path`.
bool parseCase(std::string_view text, const std::string &path, Case &out,
               std::string &error);

/// Parses a scalar of `dtype`: a number, true, false, or a string with a
/// number, 0x…, nan, inf or -inf.
bool parseScalar(const Json &value, Dtype dtype, uint64_t &bits,
                 std::string &error);

/// Contents of a buffer before the launch: `fill` everywhere, overlaid with the
/// listed elements. Buffers of zeros or poison list none, so they cost nothing
/// at any size.
struct BufferImage {
  uint64_t bytes = 0; ///< Bytes of the span.
  uint8_t fill = 0;
  bool isFillWritten = false; ///< The fill is contents, not padding.
  /// Raw bits in row-major order, or nothing.
  std::vector<uint64_t> elements;
  /// Zero where an element keeps the fill and counts as never written; empty
  /// where all are contents.
  std::vector<uint64_t> mask;

  bool isWritten(size_t element) const { return mask.empty() || mask[element]; }
};

/// From this size on, memory that must be contiguous is zero between the
/// elements instead of filled.
constexpr uint64_t kMaxFilledBytes = uint64_t(1) << 26;

/// Produces the contents of a buffer. Adds to `used` the bytes of memory that
/// they and their comparison take. `directory` resolves `@file.npy`. Returns
/// false with `error` set, also if the machine lacks the memory.
bool materialize(const BufferSpec &spec, const std::string &directory,
                 uint64_t &used, BufferImage &out, std::string &error);

/// Returns whether `bytes` are at most half of the machine's memory.
bool fitsMemory(uint64_t bytes);

/// Makes memory exhaustion end the process with an error and exit status 2
/// instead of a signal.
void exitWhenOutOfMemory();

/// Writes the listed elements of `image` to the span at `data`, and a one for
/// each of their bytes to `written`, unless it is null.
void storeElements(const BufferSpec &spec, const BufferImage &image,
                   uint8_t *data, uint8_t *written);

/// Returns the elements of a span as raw bits in row-major order; `byteAt`
/// reads the span.
template <typename ByteAt>
std::vector<uint64_t> gather(const BufferSpec &spec, ByteAt byteAt) {
  std::vector<uint64_t> out(spec.count());
  int width = storageBits(spec.dtype);
  spec.forPlaces([&](size_t i, size_t at) {
    uint8_t bytes[8] = {};
    if (width == 4)
      bytes[0] = byteAt(at / 2);
    for (int b = 0; b < width / 8; ++b)
      bytes[b] = byteAt(at * size_t(width / 8) + size_t(b));
    out[i] = loadBits(spec.dtype, bytes, width == 4 ? at % 2 : 0);
  });
  return out;
}

/// Writes `DIR/name.npy` in the case's shape and storage type.
bool writeOutput(const BufferSpec &spec, const std::vector<uint64_t> &bits,
                 const std::string &directory, std::string &error);

struct Mismatch {
  std::string name;
  std::vector<int64_t> index;
  std::string got, expected;
  size_t count = 0;
};

/// The entries of a report.
JsonTree mismatchesJson(const std::vector<Mismatch> &mismatches);

/// Returns whether an element agrees under the tolerances of `spec`.
bool sameValue(const BufferSpec &spec, uint64_t got, uint64_t expected);

/// Reads the `expect` file of `spec` and its mask, if it has one.
bool readExpected(const BufferSpec &spec, const std::string &directory,
                  std::vector<uint64_t> &expected, std::vector<uint64_t> &mask,
                  std::string &error);

/// Compares elements within the tolerances of `spec`; returns false and the
/// first mismatch if there is one. An empty `mask` compares all.
bool compareBits(const BufferSpec &spec, const std::vector<uint64_t> &got,
                 const std::vector<uint64_t> &expected,
                 const std::vector<uint64_t> &mask, Mismatch &mismatch);

/// Compares with the `expect` file of `spec`, if it has one. Returns false with
/// `error` set if the file cannot be used; sets `differs` on a mismatch.
bool compareExpected(const BufferSpec &spec, const std::string &directory,
                     const std::vector<uint64_t> &got, bool &differs,
                     Mismatch &mismatch, std::string &error);

bool readText(const std::string &path, std::string &out, std::string &error);

} // namespace tileir::cases

#endif // TOOLS_CASES_CASE_H

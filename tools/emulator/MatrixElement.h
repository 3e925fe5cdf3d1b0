// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_MATRIXELEMENT_H
#define TOOLS_EMULATOR_MATRIXELEMENT_H

#include "tools/emulator/Descriptor.h"
#include "tools/emulator/Machine.h"

namespace tileir::emu {

class Decoder;

/// The number that the low bits of `bits` stand for.
double decodeElement(Type t, uint64_t bits);
/// The same of `count` elements that lie side by side.
void decodeElements(Type t, const uint8_t *bytes, int count, double *to);
/// Bits of an element of an operand where elements lie side by side.
int elementBits(Type t);

/// Columns of B whose sums are computed together.
constexpr int kColumnsTogether = 8;
/// Rewrites B, whose N columns of K elements lie one after another, for
/// `multiplyRows`: by groups of columns, side by side for each k.
void packColumns(const double *B, int N, int K, std::vector<double> &packed);
/// D = A·B of M by K and N packed columns: products are added in order of k,
/// each rounded to f64, from zero on. M is a multiple of four, N of
/// `kColumnsTogether`.
void multiplyRows(const double *A, const double *packed, double *D, int M,
                  int N, int K);

/// Places of elements (row, k), one row after the other.
struct InRows {
  int K;
  int before = 0; ///< Rows that lie before row 0.
  static constexpr int kStride = 1;
  size_t operator()(int row, int k) const {
    return size_t(before + row) * size_t(K) + size_t(k);
  }
};
/// The same of columns of B as `multiplyRows` takes them.
struct InColumns {
  int K;
  int before = 0;
  static constexpr int kStride = kColumnsTogether;
  size_t operator()(int column, int k) const {
    column += before;
    return size_t(column / kColumnsTogether) * size_t(K * kColumnsTogether) +
           size_t(k * kColumnsTogether + column % kColumnsTogether);
  }
};

/// Reads `rows` rows of K elements of a matrix in shared memory, from row
/// `first` on, to their places in `to`. `piece(offset, bytes)` gives bytes that
/// lie together, 16 at most; null ends it. Elements have at least 8 bits unless
/// they fill every byte.
template <typename Places, typename F>
void readMatrix(const MatrixDescriptor &d, Type t, bool rowMajor, int first,
                int rows, int K, F piece, Places place, double *to) {
  int bits = elementBits(t), per = 128 / bits;
  double values[128];
  if (!rowMajor) {
    for (int row = 0; row < rows; ++row)
      for (int k = 0; k < K; k += per) {
        int count = std::min(per, K - k);
        const uint8_t *p =
            piece(d.kMajor(uint64_t(first + row), uint64_t(k * bits / 8)),
                  uint32_t(count * bits / 8));
        if (!p)
          return;
        decodeElements(t, p, count, values);
        double *at = to + place(row, k);
        for (int j = 0; j < count; ++j)
          at[j * Places::kStride] = values[j];
      }
    return;
  }
  for (int row = 0, count = 0; row < rows; row += count) {
    count = std::min(per - (first + row) % per, rows - row);
    for (int k = 0; k < K; ++k) {
      const uint8_t *p = piece(
          d.rowMajor(uint64_t(first + row), uint64_t(k), uint64_t(bits / 8)),
          uint32_t(count * bits / 8));
      if (!p)
        return;
      decodeElements(t, p, count, values);
      for (int j = 0; j < count; ++j)
        to[place(row + j, k)] = values[j];
    }
  }
}

/// Pattern by which A of a sparse product was thinned out: of `chunk`
/// neighbours along K, half are kept. A nibble of metadata says which: two
/// indices of single elements (4), of pairs (8), or one of an element of two
/// halves (2).
struct Sparsity {
  int chunk = 0;        ///< 2, 4 or 8; 0 for a dense A.
  bool ordered = false; ///< The second index is the larger one.
  bool knows6 = false;  ///< tcgen05: 6 has a meaning all the same.

  bool isDefined(uint32_t nibble) const;
  /// Puts chunk / 2 kept elements to their places among `chunk` of `to`.
  void spread(uint32_t nibble, const double *kept, double *to) const;
};

/// Where 16 rows of A have their metadata in the registers of a warp. Words of
/// 16- and 32-bit types have four chunks each of rows g and g + 8, those of
/// narrower types eight chunks of one row.
struct MetadataPlace {
  int lane, shift;
};
MetadataPlace metadataPlace(Type a, int chunks, int selector, int row,
                            int chunk);
/// Returns the number of values that the selector may have with `chunks` chunks
/// in a row.
int selectorCount(Type a, int chunks);

/// Spreads `rows` rows of K/2 kept elements to rows of K. `nibble(row, chunk)`
/// gives metadata; nibbles that the ISA leaves undefined are reported once.
template <typename F>
std::vector<double>
spreadRows(Machine &m, Exec &x, const Inst &inst, int lane, const Sparsity &s,
           const std::vector<double> &kept, int rows, int K, F nibble) {
  std::vector<double> full(size_t(rows) * size_t(K), 0);
  bool reported = false;
  for (int row = 0; row < rows; ++row)
    for (int c = 0; c < K / s.chunk; ++c) {
      uint32_t n = nibble(row, c);
      if (!s.isDefined(n) && !reported) {
        reported = true;
        m.report(FindingKind::Undefined, x, inst, lane,
                 "sparsity metadata of row " + std::to_string(row) +
                     ", chunk " + std::to_string(c) + " is " +
                     std::to_string(n) + ", which has no meaning");
      }
      s.spread(n, &kept[size_t(row) * size_t(K / 2) + size_t(c * s.chunk / 2)],
               &full[size_t(row) * size_t(K) + size_t(c * s.chunk)]);
    }
  return full;
}

/// Takes the word `mMnNkK` of an instruction.
bool takeShape(Decoder &d, int &m, int &n, int &k);

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_MATRIXELEMENT_H

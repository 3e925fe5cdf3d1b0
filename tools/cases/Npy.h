// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_CASES_NPY_H
#define TOOLS_CASES_NPY_H

#include "tools/cases/Dtype.h"

#include <string>
#include <vector>

namespace tileir::cases {

/// A dense array of a `.npy` file, row-major in memory whatever the order in
/// the file.
struct NpyArray {
  char kind = 'f'; ///< b, i, u or f.
  int itemSize = 4;
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;

  size_t count() const;
  double asDouble(size_t index) const;
  uint64_t bits(size_t index) const;
};

bool readNpy(const std::string &path, NpyArray &out, std::string &error);
bool writeNpy(const std::string &path, const NpyArray &array,
              std::string &error);

/// Returns an array with the NumPy kind, item size and shape for elements of
/// `dtype`: types that NumPy lacks are u8 or u16, 4-bit types halve the last
/// dimension.
NpyArray npyFor(Dtype dtype, const std::vector<int64_t> &shape);

/// Fills `bits` with the elements of `array` as `dtype`. Accepts the storage
/// type of `npyFor`, and for float types also values in f32 or f64, rounded to
/// nearest. `what` names the file in errors.
bool npyToBits(const NpyArray &array, Dtype dtype,
               const std::vector<int64_t> &shape, const std::string &what,
               std::vector<uint64_t> &bits, std::string &error);

} // namespace tileir::cases

#endif // TOOLS_CASES_NPY_H

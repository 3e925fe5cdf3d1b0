// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/emulator/MatrixElement.h"

#include "tools/emulator/Decode.h"
#include "tools/emulator/FloatOps.h"

namespace tileir::emu {

double decodeElement(Type t, uint64_t bits) {
  using namespace cases;
  switch (t) {
  case Type::F16:
    return halfToFloat(uint16_t(bits));
  case Type::BF16:
    return bfloatToFloat(uint16_t(bits));
  case Type::TF32: // The lower 13 bits are not read.
    return asFloat(uint32_t(bits) & 0xFFFFE000);
  case Type::F32:
    return asFloat(uint32_t(bits));
  case Type::E4M3:
  case Type::UE4M3:
    return decodeFloat(kE4M3, bits & (t == Type::UE4M3 ? 127 : 255));
  case Type::E5M2:
    return decodeFloat(kE5M2, bits & 255);
  case Type::E2M3:
    return decodeFloat(kE2M3, bits & 63);
  case Type::E3M2:
    return decodeFloat(kE3M2, bits & 63);
  case Type::E2M1:
    return decodeFloat(kE2M1, bits & 15);
  case Type::UE8M0:
    return decodeFloat(kUE8M0, bits & 255);
  case Type::S8:
    return int8_t(bits);
  case Type::U8:
    return uint8_t(bits);
  case Type::S4:
    return int(bits & 7) - int(bits & 8);
  case Type::U4:
    return double(bits & 15);
  case Type::B1:
    return double(bits & 1);
  default:
    return 0;
  }
}

int elementBits(Type t) {
  switch (t) {
  case Type::F64:
    return 64;
  case Type::TF32:
    return 32;
  case Type::F16:
  case Type::BF16:
    return 16;
  case Type::E4M3:
  case Type::E5M2:
  case Type::S8:
  case Type::U8:
    return 8;
  case Type::E2M3:
  case Type::E3M2:
    return 6;
  case Type::S4:
  case Type::U4:
  case Type::E2M1:
    return 4;
  case Type::B1:
    return 1;
  default:
    return 0;
  }
}

bool Sparsity::isDefined(uint32_t nibble) const {
  if (chunk == 2)
    return nibble == 4 || nibble == 14;
  uint32_t first = nibble & 3, second = nibble >> 2;
  return ordered ? second > first || (knows6 && nibble == 6) : second != first;
}

void Sparsity::spread(uint32_t nibble, const double *kept, double *to) const {
  uint32_t first = nibble & 3, second = nibble >> 2 & 3;
  switch (chunk) {
  case 2: // Both halves of one element.
    to[first / 2] = kept[0];
    break;
  case 4:
    to[first] += kept[0];
    to[second] += kept[1];
    break;
  default:
    for (int k = 0; k < 2; ++k) {
      to[2 * first + uint32_t(k)] += kept[k];
      to[2 * second + uint32_t(k)] += kept[2 + k];
    }
    break;
  }
}

static bool twoRowsAWord(Type a) { return elementBits(a) >= 16; }

MetadataPlace metadataPlace(Type a, int chunks, int selector, int row,
                            int chunk) {
  int quad = 4 * (row % 8), high = row >= 8;
  if (twoRowsAWord(a)) {
    int t = chunks == 4 ? selector : 2 * selector + chunk / 4;
    return {quad + t % 4, 16 * high + 4 * (chunk % 4)};
  }
  int t = 2 * selector + high + 2 * (chunk / 8);
  return {quad + t % 4, 4 * (chunk % 8)};
}

int selectorCount(Type a, int chunks) {
  int words = chunks / (twoRowsAWord(a) ? 4 : 8);
  return twoRowsAWord(a) ? 4 / words : words == 1 ? 2 : 1;
}

bool takeShape(Decoder &d, int &m, int &n, int &k) {
  char tail;
  for (const std::string &w : d.s->words)
    if (std::sscanf(w.c_str(), "m%dn%dk%d%c", &m, &n, &k, &tail) == 3)
      return d.has(w);
  return d.fail("expected a shape");
}

} // namespace tileir::emu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/reference/Value.h"

#include <cmath>

namespace tileir::reference {

using namespace mlir;
using namespace mlir::cuda_tile;
using llvm::APFloat;

bool Tile::anyMarked() const {
  return llvm::any_of(marks, [](uint8_t mark) { return mark != 0; });
}

unsigned bitWidth(Type element) {
  return isa<cuda_tile::PointerType>(element) ? 64
                                              : element.getIntOrFloatBitWidth();
}

unsigned storageBits(Type element) {
  if (isa<FloatTF32Type>(element))
    return 32;
  if (element.isInteger(1))
    return 8;
  return bitWidth(element);
}

APFloat toAPFloat(Type element, uint64_t bits) {
  // A format without APFloat semantics; a double holds each of its numbers.
  if (isa<FloatNV8E5M3FNUType>(element))
    return APFloat(decodeFNV8E5M3FNU(bits));
  // APFloat would widen a NaN of one bit to an infinity.
  if (isa<Float8E8M0FNUType>(element))
    return bits == 0xFF ? APFloat::getNaN(APFloat::IEEEdouble())
                        : APFloat(std::ldexp(1.0, int(bits) - 127));
  const llvm::fltSemantics &semantics =
      cast<FloatType>(element).getFloatSemantics();
  return APFloat(semantics, APInt(APFloat::getSizeInBits(semantics), bits));
}

uint64_t fromAPFloat(const APFloat &value) {
  return value.bitcastToAPInt().getZExtValue();
}

double toDouble(Type element, uint64_t bits) {
  APFloat value = toAPFloat(element, bits);
  bool losesInfo = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

APFloat::roundingMode toLLVM(RoundingMode mode) {
  switch (mode) {
  case RoundingMode::ZERO:
  case RoundingMode::NEAREST_INT_TO_ZERO:
    return APFloat::rmTowardZero;
  case RoundingMode::NEGATIVE_INF:
    return APFloat::rmTowardNegative;
  case RoundingMode::POSITIVE_INF:
    return APFloat::rmTowardPositive;
  case RoundingMode::NEAREST_AWAY:
    return APFloat::rmNearestTiesToAway;
  default:
    return APFloat::rmNearestTiesToEven;
  }
}

/// f8E8M0FNU: powers of two from 2^-127 to 2^127, 0xFF is NaN.
static uint64_t roundToScale(const APFloat &value, RoundingMode mode) {
  if (value.isNaN())
    return 0xFF;
  if (value.isNegative() || value.isZero())
    return 0;
  if (value.isInfinity())
    return 254;
  int exponent = 0;
  APFloat fraction = llvm::frexp(value, exponent, APFloat::rmNearestTiesToEven);
  // frexp gives [0.5, 1): the value is in [2^(exponent - 1), 2^exponent).
  int floorLog = exponent - 1;
  bool isPower = fraction.compare(APFloat(fraction.getSemantics(), "0.5")) ==
                 APFloat::cmpEqual;
  if (mode == RoundingMode::POSITIVE_INF && !isPower)
    ++floorLog;
  return std::clamp(floorLog + 127, 0, 254);
}

uint64_t roundTo(Type element, APFloat value, RoundingMode mode) {
  if (isa<Float8E8M0FNUType>(element))
    return roundToScale(value, mode);
  if (isa<FloatNV8E5M3FNUType>(element)) {
    bool losesInfo = false;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return encodeFNV8E5M3FNU(value.convertToDouble());
  }
  const llvm::fltSemantics &semantics =
      cast<FloatType>(element).getFloatSemantics();
  bool saturates =
      isa<Float8E4M3FNType, Float8E5M2Type, Float4E2M1FNType>(element);
  bool isNaN = value.isNaN(), isNegative = value.isNegative();
  if (isNaN && isa<Float4E2M1FNType>(element))
    return fromAPFloat(APFloat::getLargest(semantics));
  bool isInfinity = value.isInfinity();
  bool losesInfo = false;
  if (saturates && isInfinity)
    return fromAPFloat(APFloat::getLargest(semantics, isNegative));
  if (saturates && !isNaN) {
    // Formats without infinities do not report overflow, so the comparison
    // comes first.
    APFloat largest = APFloat::getLargest(semantics, isNegative);
    APFloat wide = value, limit = largest;
    wide.convert(APFloat::IEEEquad(), APFloat::rmNearestTiesToEven, &losesInfo);
    limit.convert(APFloat::IEEEquad(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    APFloat::cmpResult order = wide.compare(limit);
    if (order == (isNegative ? APFloat::cmpLessThan : APFloat::cmpGreaterThan))
      return fromAPFloat(largest);
  }
  value.convert(semantics, toLLVM(mode), &losesInfo);
  return fromAPFloat(value);
}

uint64_t roundTo(Type element, double value, RoundingMode mode) {
  return roundTo(element, APFloat(value), mode);
}

uint64_t paddingBits(Type element, PaddingValue value) {
  auto floatType = dyn_cast<FloatType>(element);
  if (!floatType)
    return 0;
  // Neither signs nor infinities.
  if (isa<FloatNV8E5M3FNUType>(element))
    return value == PaddingValue::nan       ? 0xFF
           : value == PaddingValue::pos_inf ? 0xFE
                                            : 0;
  const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
  bool isNegative =
      value == PaddingValue::neg_zero || value == PaddingValue::neg_inf;
  bool hasInfinity = APFloat::semanticsHasInf(semantics);
  switch (value) {
  case PaddingValue::zero:
    return isa<Float8E8M0FNUType>(element)
               ? 0
               : fromAPFloat(APFloat::getZero(semantics));
  case PaddingValue::neg_zero:
    return APFloat::semanticsHasSignedRepr(semantics)
               ? fromAPFloat(APFloat::getZero(semantics, /*Negative=*/true))
               : 0;
  case PaddingValue::nan:
    return APFloat::semanticsHasNaN(semantics)
               ? fromAPFloat(APFloat::getNaN(semantics))
               : fromAPFloat(APFloat::getLargest(semantics));
  case PaddingValue::pos_inf:
  case PaddingValue::neg_inf:
    if (isNegative && !APFloat::semanticsHasSignedRepr(semantics))
      return 0;
    return fromAPFloat(hasInfinity
                           ? APFloat::getInf(semantics, isNegative)
                           : APFloat::getLargest(semantics, isNegative));
  }
  return 0;
}

uint64_t bitsOf(Attribute attr) {
  if (auto integer = dyn_cast<IntegerAttr>(attr))
    return integer.getValue().getZExtValue();
  if (auto number = dyn_cast<FloatAttr>(attr))
    return fromAPFloat(number.getValue());
  return 0;
}

Tile fromAttr(DenseElementsAttr attr) {
  Tile tile(cast<TileType>(Type(attr.getType())));
  auto toBits = [&](auto range) {
    size_t index = 0;
    for (auto value : range) {
      if constexpr (std::is_same_v<decltype(value), APFloat>)
        tile.bits[index++] = fromAPFloat(value);
      else
        tile.bits[index++] = value.getZExtValue();
    }
  };
  if (isa<FloatType>(tile.element()))
    toBits(attr.getValues<APFloat>());
  else
    toBits(attr.getValues<APInt>());
  return tile;
}

std::string formatElement(Type element, uint64_t bits) {
  if (isa<FloatType>(element)) {
    llvm::SmallString<32> text;
    toAPFloat(element, bits).toString(text);
    return text.str().str();
  }
  if (isa<cuda_tile::PointerType>(element))
    return "0x" + llvm::utohexstr(bits);
  return std::to_string(signExtend(bits, bitWidth(element)));
}

} // namespace tileir::reference

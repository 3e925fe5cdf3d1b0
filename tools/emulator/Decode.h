// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_DECODE_H
#define TOOLS_EMULATOR_DECODE_H

#include "tools/emulator/Machine.h"
#include "tools/emulator/Operands.h"

namespace tileir::emu {

/// Says that PTX has an instruction, but not for the types of its opcode.
inline constexpr char kNoSuchType[] =
    "PTX has no such type here; use one that the PTX ISA lists";

/// Turns one statement into instructions. A decode function takes the words of
/// the opcode that it knows; a word left over is an error that names it.
class Decoder {
public:
  Decoder(Machine &m, FunctionCode &fc, int functionIndex);

  bool statement(const Statement &s);
  std::string error;

  // For decode functions.

  Machine &m;
  FunctionCode &fc;
  const Function &fn;
  const Statement *s = nullptr;
  Inst inst;

  /// Takes `word` when it is there.
  bool has(std::string_view word);
  /// Takes the word at the front of those left when it is `word`.
  bool next(std::string_view word);
  /// The next word not taken yet, empty at the end.
  std::string peek() const;
  /// Takes the first word left that is a type; None when there is none.
  Type type();
  /// Takes the first word left that begins with `prefix`, without it.
  bool prefixed(std::string_view prefix, std::string &rest);
  /// Takes words that change no value: cache operators, hints, policies.
  void hints();
  bool fail(const std::string &message);
  bool operands(size_t least, size_t most);
  const Operand &operand(size_t i) const { return s->operands[i]; }
  size_t count() const { return s->operands.size(); }

  /// Rows of a source of `type`, an immediate included.
  bool source(const Operand &o, Type type, int32_t &row);
  bool destination(const Operand &o, Type type, int32_t &row);
  /// A register of any width, for conversions and memory accesses.
  bool anySource(const Operand &o, Type type, int32_t &row, int &bits);
  bool anyDestination(const Operand &o, Type type, int32_t &row, int &bits);
  bool predicateSource(const Operand &o, int32_t &code);
  bool predicateDestination(const Operand &o, int32_t &code);
  bool immediate(const Operand &o, int64_t &value);
  /// Elements of a vector operand, or the operand itself.
  static std::vector<Operand> elements(const Operand &o);
  bool sources(const Operand &o, Type type, std::vector<int32_t> &rows);
  bool destinations(const Operand &o, Type type, std::vector<int32_t> &rows);
  struct Address : AddressOperand {
    bool frameParam = false; ///< A parameter of a device function or call.
    const Variable *variable = nullptr;
  };
  bool address(const Operand &o, Space space, Address &out);
  /// The address of an operand that lies in memory.
  bool memoryOperand(const Operand &o, Space space, AddressOperand &out);
  /// The place in the frame's local memory of a parameter of this device
  /// function, which is copied there because its address is taken.
  bool addressedParam(int index, int64_t &offset);
  int constantRow(uint64_t bits, int bytes);
  int specialRow(const std::string &name);
  int sinkRow() { return sink; }
  const std::vector<int32_t> &allRegisterRows() const { return registerRows; }
  int registerRow(int index) const { return registerRows[index]; }
  int rowsOf(int bits) const { return bits <= 32 ? 1 : bits / 32; }
  uint64_t immediateBits(const Operand &o, Type type) const;
  /// Gives the instruction operands of its family.
  template <typename T> T &make() {
    if constexpr (kInlineOperands<T>)
      return *new (inst.operands) T();
    T *stored = m.image.operandStore.add<T>();
    new (inst.operands) T *(stored);
    return *stored;
  }
  void emit(Handler fn, Class cls);
  /// Marks instructions that share registers with asynchronous ones.
  void
  findWatches(const std::vector<std::pair<size_t, const Statement *>> &places);

private:
  void finishRegisters();
  bool checkWidth(const Operand &o, Type type, bool exact);

  std::vector<bool> taken;
  std::vector<int32_t> registerRows; ///< Row, or predicate index.
  std::map<std::pair<uint64_t, int>, int> constants;
  std::map<std::string, int> specials;
  int sink = 0;
  int functionNumber;
  std::vector<int> frameOffsets; ///< Of variables in the call frame.
};

/// Returns what the instructions of a statement do, by its opcode and its
/// constants.
Effect effectOf(const Statement &s);
/// The function of the driver that has this name.
DriverFunction driverFunction(const std::string &name);

using DecodeFn = bool (*)(Decoder &);

/// Decode functions by mnemonic.
std::unordered_map<std::string, DecodeFn> &decodeTable();
struct RegisterDecoders {
  RegisterDecoders(
      std::initializer_list<std::pair<const char *, DecodeFn>> list);
};
/// Each family adds its mnemonics.
void registerAddresses();
void registerBarriers();
void registerBits();
void registerCalls();
void registerInteger();
void registerMove();
void registerFloat();
void registerComparisons();
void registerApproximations();
void registerConvert();
void registerFences();
void registerFlow();
void registerWarpOps();
void registerWmma();
void registerMultimem();
void registerStack();
void registerMemory();
void registerAtomics();
void registerMatrix();
void registerMma();
void registerAsync();
void registerMbarrier();
void registerBulk();
void registerTensorMaps();
void registerLaunchControl();
void registerRegisters();
void registerWgmma();
void registerTensor();
void registerVideo();

/// Takes the words of a state space; Generic, and false, without one.
bool takeMemorySpace(Decoder &d, Space &s);
/// Returns what a lane gives as an address. 32-bit addresses wrap.
inline uint64_t laneAddress(Exec &x, const AddressOperand &a, int lane) {
  if (a.row < 0)
    return uint64_t(a.offset);
  if (a.wide)
    return x.row<uint64_t>(a.row)[lane] + uint64_t(a.offset);
  return uint32_t(x.row<uint32_t>(a.row)[lane] + uint32_t(a.offset));
}

/// The result of this wait for an mbarrier is not used.
void markUnusedWait(Inst &wait);

/// Calls `body(lane)` for the active lanes, as a plain loop when all are.
template <typename F> inline void lanes(Mask mask, F body) {
  if (mask == kAllLanes) {
    for (int lane = 0; lane < 32; ++lane)
      body(lane);
    return;
  }
  forLanes(mask, body);
}

/// Type in which a value of type `T` lies in a row: at least four bytes a lane.
template <typename T> struct RowOf {
  using Slot = std::conditional_t<(sizeof(T) < 4), uint32_t, T>;
  static T load(Slot slot) { return T(slot); }
  static Slot store(T value) {
    if constexpr (sizeof(T) < 4)
      return Slot(std::make_unsigned_t<T>(value));
    else
      return value;
  }
};

template <typename T> inline T *slots(Exec &x, int32_t row) {
  return x.row<T>(row);
}

template <typename R, typename T, R (*F)(T)>
void unary(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Rows>();
  auto *d = x.row<typename RowOf<R>::Slot>(in.d);
  auto *a = x.row<typename RowOf<T>::Slot>(in.a);
  lanes(m, [&](int l) { d[l] = RowOf<R>::store(F(RowOf<T>::load(a[l]))); });
}

template <typename T, T (*F)(T, T)>
void binary(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Rows>();
  using S = typename RowOf<T>::Slot;
  S *d = x.row<S>(in.d), *a = x.row<S>(in.a), *b = x.row<S>(in.b);
  lanes(m, [&](int l) {
    d[l] = RowOf<T>::store(F(RowOf<T>::load(a[l]), RowOf<T>::load(b[l])));
  });
}

template <typename T, T (*F)(T, T, T)>
void ternary(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Rows>();
  using S = typename RowOf<T>::Slot;
  S *d = x.row<S>(in.d), *a = x.row<S>(in.a), *b = x.row<S>(in.b),
    *c = x.row<S>(in.c);
  lanes(m, [&](int l) {
    d[l] = RowOf<T>::store(
        F(RowOf<T>::load(a[l]), RowOf<T>::load(b[l]), RowOf<T>::load(c[l])));
  });
}

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_DECODE_H

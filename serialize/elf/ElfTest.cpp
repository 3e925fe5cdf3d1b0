// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/elf/Cubin.h"
#include "serialize/elf/Fatbin.h"
#include "serialize/elf/LinkableObject.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tileir;

static std::string object(llvm::StringRef cubin, HostMachine machine) {
  Fatbin fatbin = makeFatbin({cubin, "sm_90a", false});
  LinkableRequest request;
  request.machine = machine;
  request.moduleId = "k";
  request.fatbin = &fatbin;
  request.cubinSize = cubin.size();
  return makeLinkableObject(request);
}

/// S-212: an image without `.nv.compat` has a header of 64 bytes.
TEST(Fatbin, Header) {
  Fatbin f = makeFatbin({"\x7f"
                         "ELF+",
                         "sm_100f", true});
  EXPECT_EQ(f.cubinOffset, 16u + 64u);
  EXPECT_EQ(f.bytes.size(), 16u + 64u + 8u);
  auto u32 = [&](size_t at) {
    uint32_t v = 0;
    for (int i = 3; i >= 0; --i)
      v = v << 8 | uint8_t(f.bytes[at + i]);
    return v;
  };
  EXPECT_EQ(u32(0), 0xBA55ED50u);
  EXPECT_EQ(u32(8), 72u);          // bytes after the header
  EXPECT_EQ(u32(16), 0x01010002u); // ELF image
  EXPECT_EQ(u32(20), 64u);
  EXPECT_EQ(u32(44), 100u);
  EXPECT_EQ(u32(56), 0x200013u); // 64-bit, Linux, debug, 'f'
}

TEST(LinkableObject, ReadsBack) {
  std::string error, bytes = object("\x7f"
                                    "ELF cubin",
                                    HostMachine::AArch64);
  auto elf = parseElf(bytes, error);
  ASSERT_TRUE(elf) << error;
  EXPECT_EQ(elf->type, 1u);
  EXPECT_EQ(elf->machine, 183u);
  ASSERT_TRUE(elf->find(".nv_fatbin"));
  EXPECT_TRUE(elf->find(".nv_fatbin")->data.contains("ELF cubin"));
  EXPECT_EQ(elf->find(".nvFatBinSegment")->size, 24u);
  bool found = false;
  for (const ElfSymbol &symbol : elf->symbols)
    if (symbol.name == "tileir_k_cubin") {
      found = true;
      EXPECT_EQ(symbol.size, 10u);
      EXPECT_EQ(elf->find(".nv_fatbin")->data.substr(symbol.value, 10),
                "\x7f"
                "ELF cubin");
    }
  EXPECT_TRUE(found);
  EXPECT_EQ(bytes, object("\x7f"
                          "ELF cubin",
                          HostMachine::AArch64));
}

/// The PTX entry of a container, after the cubin's.
TEST(Fatbin, Text) {
  FatbinRequest request{"\x7f"
                        "ELF+",
                        "sm_100a", false, "ptx text", 86};
  Fatbin with = makeFatbin(request);
  request.ptx = {};
  Fatbin without = makeFatbin(request);
  llvm::StringRef entry =
      llvm::StringRef(with.bytes).drop_front(without.bytes.size());
  ASSERT_EQ(entry.size(), 80u + 16u);
  EXPECT_EQ(entry[0], 1);
  EXPECT_EQ(entry[4], 80);
  EXPECT_EQ(entry[8], 16); // text and NUL, padded
  EXPECT_EQ(entry[24], 6);
  EXPECT_EQ(entry[26], 8);
  EXPECT_EQ(entry.drop_front(80),
            llvm::StringRef("ptx text\0\0\0\0\0\0\0\0", 16));
  EXPECT_EQ(with.cubinOffset, without.cubinOffset);
}

/// S-205: the object for the linkers of Windows.
TEST(CoffObject, Layout) {
  Fatbin fatbin = makeFatbin({"\x7f"
                              "ELF cubin",
                              "sm_90a"});
  LinkableRequest request;
  request.moduleId = "k";
  request.fatbin = &fatbin;
  request.cubinSize = 10;
  std::string x64 = makeCoffObject(request);
  EXPECT_EQ(x64.substr(0, 2), "\x64\x86");
  EXPECT_EQ(x64, makeCoffObject(request));
  request.machine = HostMachine::AArch64;
  EXPECT_EQ(makeCoffObject(request).substr(0, 2), "\x64\xaa");
  request.machine = HostMachine::Arm64EC;
  EXPECT_EQ(makeCoffObject(request).substr(0, 2), "\x41\xa6");
  EXPECT_TRUE(llvm::StringRef(x64).contains(fatbin.bytes));
  EXPECT_TRUE(llvm::StringRef(x64).contains("tileir_k_fatbin_wrapper"));
}

TEST(LinkableObject, Stems) {
  EXPECT_EQ(symbolStem("a-b.c"), "a_b_c");
  EXPECT_EQ(symbolStem("2x"), "_2x");
  EXPECT_EQ(symbolStem(""), "_");
}

/// S-281, S-282: the parser terminates on every prefix and on random changes.
TEST(ParseElf, TakesAnyBytes) {
  std::string whole = object("\x7f"
                             "ELF cubin",
                             HostMachine::X86_64),
              error;
  for (size_t n = 0; n < whole.size(); ++n)
    EXPECT_FALSE(parseElf(llvm::StringRef(whole).take_front(n), error)) << n;
  constexpr unsigned seed = 20240607;
  std::mt19937 random(seed);
  for (unsigned i = 0; i < 200000; ++i) {
    std::string changed = whole;
    for (unsigned k = 0; k < 1 + i % 4; ++k)
      changed[random() % (i % 2 ? changed.size() : 64)] = char(random());
    if (auto elf = parseElf(changed, error)) {
      readCubin(changed, error);
    }
  }
  SUCCEED() << "seed " << seed;
}

TEST(ParseElf, Overflows) {
  std::string whole = object("\x7f"
                             "ELF",
                             HostMachine::X86_64),
              error;
  // A section table at the end of the address space.
  for (int i = 0; i < 8; ++i)
    whole[40 + i] = char(0xff);
  EXPECT_FALSE(parseElf(whole, error));
  EXPECT_TRUE(llvm::StringRef(error).starts_with("truncated")) << error;
}

/// Shared memory of a kernel: its size is no size in the file.
TEST(ParseElf, SectionsWithoutBytes) {
  std::string whole = object("\x7f"
                             "ELF cubin",
                             HostMachine::X86_64),
              error;
  auto elf = parseElf(whole, error);
  ASSERT_TRUE(elf) << error;
  uint64_t headers = llvm::support::endian::read64le(whole.data() + 40);
  for (size_t i = 0; i < elf->sections.size(); ++i)
    if (elf->sections[i].name == ".nv_fatbin") {
      char *header = whole.data() + headers + i * 64;
      llvm::support::endian::write32le(header + 4, llvm::ELF::SHT_NOBITS);
      llvm::support::endian::write64le(header + 32, 1 << 20);
    }
  elf = parseElf(whole, error);
  ASSERT_TRUE(elf) << error;
  EXPECT_EQ(elf->find(".nv_fatbin")->size, 1u << 20);
  EXPECT_TRUE(elf->find(".nv_fatbin")->data.empty());
}

TEST(AcceptCubin, Strictness) {
  std::string text;
  Reporter reporter(
      [&](llvm::StringRef, llvm::StringRef bytes) { text += bytes; });
  std::string standIn = "\x7f"
                        "ELFx";
  EXPECT_EQ(acceptCubin(standIn, "sm_90", false, reporter), Status::Success);
  EXPECT_EQ(acceptCubin(standIn, "sm_90", true, reporter), Status::Compile);
  std::string garbage = "garbage";
  EXPECT_EQ(acceptCubin(garbage, "sm_90", false, reporter), Status::Compile);
  std::string real = object("\x7f"
                            "ELF",
                            HostMachine::X86_64);
  text.clear();
  std::string host = real;
  EXPECT_EQ(acceptCubin(host, "sm_90", false, reporter), Status::Compile);
  EXPECT_EQ(text, "error: the cubin from ptxas is for another machine (number "
                  "62, device code has 190)\n");
  std::string narrow = real;
  narrow[4] = 1;
  EXPECT_EQ(acceptCubin(narrow, "sm_90", false, reporter), Status::Compile);
  real[7] = 0x41;
  real[18] = char(190);
  real[49] = 90;
  text.clear();
  std::string other = real;
  EXPECT_EQ(acceptCubin(other, "sm_100a", false, reporter), Status::Compile);
  EXPECT_EQ(text, "error: the cubin from ptxas is for sm_90, asked for "
                  "sm_100\n");
  EXPECT_EQ(acceptCubin(real, "sm_90a", false, reporter), Status::Success);
  std::string longer = real + "tail";
  text.clear();
  EXPECT_EQ(acceptCubin(longer, "sm_90", false, reporter), Status::Success);
  EXPECT_EQ(longer.size(), real.size() + 4);
  EXPECT_EQ(acceptCubin(longer, "sm_90", true, reporter), Status::Success);
  EXPECT_EQ(longer, real);
  EXPECT_EQ(text, "warning: ignored 4 bytes after the cubin\n");
}

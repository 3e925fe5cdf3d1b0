// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/RuntimeGates.h"

#include "gtest/gtest.h"

#include <csignal>
#include <cstdlib>
#include <string>

using namespace tileir;

namespace {

/// Each test starts and ends without any of the variables.
class RuntimeGates : public ::testing::Test {
protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }

  static void clear() {
    for (const char *name : {"TILEIR_DELAY_TMA_STORE_WAIT",
                             "TILEIR_DEBUG_DUMP_BC",
                             "TILEIR_DEBUG_DUMP_LLVM",
                             "TILEIR_PREFER_TMA_FOR_LOAD_STORE",
                             "TILEIR_ALWAYS_SWIZZLE",
                             "TILE_AS_DEBUG_UNLIMITED_SMEM",
                             "TILE_AS_DEBUG_VERBOSE",
                             "MLIR_ENABLE_EVO",
                             "PTX_KNOBS_PATH",
                             "CUDA_ROOT",
                             "CUDA_HOME",
                             "CUDA_PATH",
                             "TMPDIR",
                             "TMP",
                             "TEMP",
                             "TEMPDIR",
                             "TILEIR_SEED_MODE",
                             "TILEIR_PTXAS_PATH",
                             "TILEIR_DEBUG",
                             "TILEIR_STATISTICS",
                             "TILEIR_VERIFY_CONVERGENCE"})
      unsetenv(name);
  }

  static void set(const char *name, const char *value) {
    setenv(name, value, /*overwrite=*/1);
  }
};

using BoolGate = bool (*)();

} // namespace

static const char *const values[] = {"", "0", "1", "true", "false", "foo"};

/// S-102
TEST_F(RuntimeGates, presenceGatesIgnoreTheValue) {
  struct {
    const char *name;
    BoolGate gate;
  } gates[] = {{"TILEIR_DEBUG_DUMP_BC", gates::debugDumpBC},
               {"TILEIR_DEBUG_DUMP_LLVM", gates::debugDumpLLVM},
               {"TILEIR_ALWAYS_SWIZZLE", gates::alwaysSwizzle},
               {"TILE_AS_DEBUG_UNLIMITED_SMEM", gates::unlimitedSharedMemory},
               {"MLIR_ENABLE_EVO", gates::enableEvo}};
  for (auto &[name, gate] : gates) {
    EXPECT_FALSE(gate()) << name;
    for (const char *value : values) {
      set(name, value);
      EXPECT_TRUE(gate()) << name << '=' << value;
    }
  }
}

/// S-101
TEST_F(RuntimeGates, preferTmaIsOnOffOrUnset) {
  constexpr const char *name = "TILEIR_PREFER_TMA_FOR_LOAD_STORE";
  EXPECT_EQ(gates::preferTmaForLoadStore(), std::nullopt);
  for (const char *value : {"true", "1"}) {
    set(name, value);
    EXPECT_EQ(gates::preferTmaForLoadStore(), true) << value;
  }
  for (const char *value : {"", "0", "false", "foo", "01", " 1", "TRUE"}) {
    set(name, value);
    EXPECT_EQ(gates::preferTmaForLoadStore(), false) << value;
  }
}

/// S-101, S-103
TEST_F(RuntimeGates, exactTextGates) {
  struct {
    const char *name, *on;
    BoolGate gate;
  } gates[] = {{"TILE_AS_DEBUG_VERBOSE", "1", gates::debugVerbose},
               {"TILEIR_SEED_MODE", "1", gates::seedMode},
               {"TILEIR_NEWEST_RULES", "1", gates::newestRules},
               {"TILEIR_WARN_HINTS", "1", gates::warnHints},
               {"TILEIR_ERR_HINTS", "1", gates::errorOnHints},
               {"TILEIR_STATISTICS", "1", gates::statistics},
               {"TILEIR_VERIFY_CONVERGENCE", "1", gates::verifyConvergence}};
  for (auto &[name, on, gate] : gates) {
    EXPECT_FALSE(gate()) << name;
    for (const char *value :
         {"", "0", "1", "true", "false", "foo", "01", " 1", "yes", "TRUE"}) {
      set(name, value);
      EXPECT_EQ(gate(), std::string(value) == on) << name << '=' << value;
    }
  }
}

TEST_F(RuntimeGates, delayTmaStoreWaitReadsLikeStoi) {
  constexpr const char *name = "TILEIR_DELAY_TMA_STORE_WAIT";
  EXPECT_EQ(gates::delayTmaStoreWait(), 0);
  struct {
    const char *text;
    int value;
  } cases[] = {{"0", 0},    {"1", 1},    {"  7", 7},
               {"+3", 3},   {"-2", -2},  {"12abc", 12},
               {"0x10", 0}, {"010", 10}, {"2147483647", 2147483647},
               {"\t4 ", 4}};
  for (auto &[text, value] : cases) {
    set(name, text);
    EXPECT_EQ(gates::delayTmaStoreWait(), value) << '\'' << text << '\'';
  }
}

/// S-104
TEST_F(RuntimeGates, delayTmaStoreWaitAbortsOnWhatStoiThrowsOn) {
  constexpr const char *name = "TILEIR_DELAY_TMA_STORE_WAIT";
  for (const char *text : {"", "true", "false", "foo", "-", "2147483648",
                           "-2147483649", "99999999999999999999"}) {
    set(name, text);
    EXPECT_EXIT(gates::delayTmaStoreWait(), ::testing::KilledBySignal(SIGABRT),
                "^TILEIR_DELAY_TMA_STORE_WAIT: stoi\n$")
        << '\'' << text << '\'';
  }
}

TEST_F(RuntimeGates, debugNamesPasses) {
  EXPECT_FALSE(gates::debugs("tileas-plan-cta"));
  struct {
    const char *value;
    bool isOn;
  } cases[] = {{"", false},
               {",", false},
               {"tileas-plan-cta", true},
               {"tileas-plan", false},
               {"tileas-plan-cta-2", false},
               {"a,tileas-plan-cta", true},
               {"tileas-plan-cta,,b", true},
               {"a,all", true},
               {"allies", false}};
  for (auto &[value, isOn] : cases) {
    set("TILEIR_DEBUG", value);
    EXPECT_EQ(gates::debugs("tileas-plan-cta"), isOn) << '\'' << value << '\'';
  }
}

TEST_F(RuntimeGates, pathsStandAsTheyAre) {
  EXPECT_EQ(gates::ptxKnobsPath(), std::nullopt);
  EXPECT_EQ(gates::ptxasPath(), std::nullopt);
  for (const char *value : {"", "a b", "./x", "~/k"}) {
    set("PTX_KNOBS_PATH", value);
    set("TILEIR_PTXAS_PATH", value);
    EXPECT_EQ(gates::ptxKnobsPath(), value);
    EXPECT_EQ(gates::ptxasPath(), value);
  }
}

TEST_F(RuntimeGates, cudaRootTakesTheFirstThatIsSetEvenIfEmpty) {
  EXPECT_EQ(gates::cudaRoot(), std::nullopt);
  set("CUDA_PATH", "/c");
  EXPECT_EQ(gates::cudaRoot(), "/c");
  set("CUDA_HOME", "/b");
  EXPECT_EQ(gates::cudaRoot(), "/b");
  set("CUDA_ROOT", "");
  EXPECT_EQ(gates::cudaRoot(), "");
}

TEST_F(RuntimeGates, temporaryDirectorySkipsEmptyOnes) {
  EXPECT_EQ(gates::temporaryDirectory(), "/tmp");
  set("TEMPDIR", "/d");
  EXPECT_EQ(gates::temporaryDirectory(), "/d");
  set("TEMP", "/c");
  EXPECT_EQ(gates::temporaryDirectory(), "/c");
  set("TMP", "/b");
  EXPECT_EQ(gates::temporaryDirectory(), "/b");
  set("TMPDIR", "");
  EXPECT_EQ(gates::temporaryDirectory(), "/b");
  set("TMPDIR", "/a");
  EXPECT_EQ(gates::temporaryDirectory(), "/a");
}

TEST_F(RuntimeGates, searchPathIsPath) {
  EXPECT_EQ(gates::searchPath().value_or(""), std::getenv("PATH"));
}

TEST_F(RuntimeGates, sharedMemoryCap) {
  Target target = *Target::parse("sm_86");
  EXPECT_EQ(gates::sharedMemoryCap(target), 101376);
  set("TILE_AS_DEBUG_UNLIMITED_SMEM", "0");
  EXPECT_EQ(gates::sharedMemoryCap(target), 2147483647);
}

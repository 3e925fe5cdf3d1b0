// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptxas/Session.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace tileir;

namespace {
struct Session : testing::Test {
  std::string root, text, streams;
  Reporter reporter{[this](llvm::StringRef stream, llvm::StringRef bytes) {
    streams += stream.str() + " ";
    text += bytes;
  }};

  void SetUp() override {
    const char *tmp = ::getenv("TEST_TMPDIR");
    root = std::string(tmp ? tmp : "/tmp") + "/session-XXXXXX";
    ASSERT_TRUE(::mkdtemp(root.data()));
    ::setenv("TMPDIR", root.c_str(), 1);
  }
  void TearDown() override { EXPECT_TRUE(removeFolder(root.c_str())); }

  std::string program(const std::string &script) {
    std::string path = root + "/ptxas";
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    ::chmod(path.c_str(), 0755);
    return path;
  }
};
} // namespace

/// S-079: a library user gets all text through one callback; the library writes
/// nothing to the process's own streams.
TEST_F(Session, TextGoesToTheCallback) {
  SessionOptions options;
  options.ptxasPath = program("echo 'ptxas fatal   : why' >&2; exit 3");
  std::string captured = root + "/stderr";
  int saved = ::dup(2);
  ASSERT_TRUE(::freopen(captured.c_str(), "w", stderr));
  {
    ToolSession session(reporter, options);
    AssembleRequest request;
    request.arch = "sm_90";
    request.ptx = ".version 8.6\n";
    AssembleResult result;
    EXPECT_EQ(session.assemble(request, result), Status::Compile);
    EXPECT_EQ(result.log, "ptxas fatal   : why\n");
  }
  ::fflush(stderr);
  ::dup2(saved, 2);
  ::close(saved);
  EXPECT_EQ(text, "ptxas fatal   : why\nerror: ptxas exited with status 3\n"
                  "note: ptxas is '" +
                      options.ptxasPath + "', release unknown\n");
  EXPECT_EQ(streams, "stderr stderr stderr ");
  struct stat st;
  ASSERT_EQ(::stat(captured.c_str(), &st), 0);
  EXPECT_EQ(st.st_size, 0);
}

/// S-090: one session runs several children, each in the same folder, and no
/// file of the first reaches the second.
TEST_F(Session, RunsFollowEachOther) {
  SessionOptions options;
  options.ptxasPath = program("printf '\\177ELF%s' \"$2\"");
  ToolSession session(reporter, options);
  for (const char *arch : {"sm_90", "sm_80"}) {
    AssembleRequest request;
    request.arch = arch;
    request.ptx = ".version 8.6\n";
    AssembleResult result;
    EXPECT_EQ(session.assemble(request, result), Status::Success);
    EXPECT_EQ(result.cubin, std::string("\177ELF") + arch);
  }
  EXPECT_EQ(text, "");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/support/Output.h"

#include "gtest/gtest.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tileir;

namespace {
struct Output : testing::Test {
  std::string root;
  void SetUp() override {
    const char *tmp = ::getenv("TEST_TMPDIR");
    root = std::string(tmp ? tmp : "/tmp") + "/output-XXXXXX";
    ASSERT_TRUE(::mkdtemp(root.data()));
  }
  static std::string read(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }
  int write(const std::string &name, std::string_view bytes,
            bool inPlace = false, bool followLinks = true) {
    OutputRequest request;
    request.path = root + "/" + name;
    request.bytes = bytes;
    request.inPlace = inPlace;
    request.followLinks = followLinks;
    return writeOutput(request);
  }
};
} // namespace

TEST_F(Output, ReplacesAtomically) {
  EXPECT_EQ(write("a", "one"), 0);
  EXPECT_EQ(read(root + "/a"), "one");
  EXPECT_EQ(::link((root + "/a").c_str(), (root + "/b").c_str()), 0);
  // By default the name gets a new inode; with CLI-33 it keeps its own.
  EXPECT_EQ(write("a", "two"), 0);
  EXPECT_EQ(read(root + "/b"), "one");
  ::unlink((root + "/b").c_str());
  EXPECT_EQ(::link((root + "/a").c_str(), (root + "/b").c_str()), 0);
  EXPECT_EQ(write("a", "three", true), 0);
  EXPECT_EQ(read(root + "/b"), "three");
}

/// CLI-33: an open descriptor sees the new bytes, of any length.
TEST_F(Output, KeepsTheInode) {
  EXPECT_EQ(write("a", "one"), 0);
  ::chmod((root + "/a").c_str(), 0640);
  std::ifstream open(root + "/a", std::ios::binary);
  struct stat before, after;
  ASSERT_EQ(::stat((root + "/a").c_str(), &before), 0);
  for (std::string content : {std::string("longer than that"), std::string("s"),
                              std::string(), std::string(1 << 20, 'x')}) {
    EXPECT_EQ(write("a", content, /*inPlace=*/true), 0);
    EXPECT_EQ(read(root + "/a"), content);
    open.clear();
    open.seekg(0);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(open), {}), content);
  }
  ASSERT_EQ(::stat((root + "/a").c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(after.st_mode & 0777, 0640u);
}

/// A limit that stops the write in the middle: the old content comes back.
TEST_F(Output, PutsTheOldContentBack) {
  std::string old(600, 'o');
  EXPECT_EQ(write("a", old), 0);
  struct rlimit unlimited, little;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &unlimited), 0);
  little = unlimited;
  little.rlim_cur = 1000;
  ::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  int error = write("a", std::string(5000, 'n'), /*inPlace=*/true);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &unlimited), 0);
  EXPECT_EQ(error, EFBIG);
  EXPECT_EQ(read(root + "/a"), old);
}

/// A name that other users can foresee may be their link.
TEST_F(Output, ReplacesLinks) {
  EXPECT_EQ(write("theirs", "precious"), 0);
  EXPECT_EQ(::symlink("theirs", (root + "/a").c_str()), 0);
  EXPECT_EQ(write("a", "dump", /*inPlace=*/false, /*followLinks=*/false), 0);
  EXPECT_EQ(read(root + "/theirs"), "precious");
  EXPECT_EQ(read(root + "/a"), "dump");
  EXPECT_EQ(::link((root + "/theirs").c_str(), (root + "/b").c_str()), 0);
  EXPECT_EQ(write("b", "dump", /*inPlace=*/false, /*followLinks=*/false), 0);
  EXPECT_EQ(read(root + "/theirs"), "precious");
}

TEST_F(Output, Errors) {
  EXPECT_EQ(write("none/a", "x"), ENOENT);
  EXPECT_EQ(write("", "x"), EISDIR);
  EXPECT_EQ(::symlink("loop", (root + "/loop").c_str()), 0);
  EXPECT_EQ(write("loop", "x"), ELOOP);
  OutputRequest request;
  EXPECT_EQ(writeOutput(request), ENOENT);
  request.path = std::string(300, 'x');
  EXPECT_EQ(writeOutput(request), ENAMETOOLONG);
}

/// Devices and links are written through, never replaced.
TEST_F(Output, WritesFilesOfTheirOwn) {
  EXPECT_EQ(writeFile(root + "/a", "text"), "");
  EXPECT_EQ(read(root + "/a"), "text");
  EXPECT_EQ(writeFile(root + "/none/a", "text"),
            "cannot write '" + root + "/none/a': No such file or directory");
  EXPECT_EQ(::symlink("a", (root + "/link").c_str()), 0);
  EXPECT_EQ(writeFile(root + "/link", "more"), "");
  EXPECT_EQ(read(root + "/a"), "more");
  EXPECT_EQ(writeFile("/dev/null", "text"), "");
  EXPECT_EQ(writeFile("/dev/full", "text"),
            "cannot write '/dev/full': No space left on device");
  struct stat st;
  for (const char *device : {"/dev/null", "/dev/full"}) {
    ASSERT_EQ(::stat(device, &st), 0);
    EXPECT_TRUE(S_ISCHR(st.st_mode)) << device;
  }
}

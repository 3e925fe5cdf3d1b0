// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relay between an editor and MLIR's language server. The server is a library
// without hooks for additions, but both sides speak JSON-RPC over the standard
// streams: the relay takes these, and the server gets pipes.

#ifndef TOOLS_TILEIR_LSP_SERVER_RELAY_H
#define TOOLS_TILEIR_LSP_SERVER_RELAY_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/thread.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace tileir {

/// Functions that the relay adds to the server's messages.
struct Additions {
  /// Markdown to append to the server's text about an operation.
  std::function<llvm::StringRef(llvm::StringRef operation)> documentation;
  /// Returns whether a completion is offered.
  std::function<bool(llvm::StringRef label)> isOffered;
  /// Diagnostics of a document in which the server finds no error.
  std::function<llvm::json::Array(llvm::StringRef text)> diagnostics;
};

class Relay {
public:
  /// Takes over the standard streams of the process.
  explicit Relay(Additions additions);

  /// Waits until all output of the server has reached the editor.
  void finish();

private:
  struct Document {
    std::string text;
    int64_t version = 0;
    /// Last diagnostics of the server, with their version.
    llvm::json::Object published;
    bool isDue = false; ///< Our own diagnostics are pending.
  };

  /// Forwards messages of the editor to the server until the editor ends.
  void readEditor();
  /// Forwards messages of the server to the editor until the server ends.
  void readServer();
  /// Produces pending diagnostics until the server ends.
  void diagnose();

  /// Records requests and documents of an editor's message.
  void note(const llvm::json::Object &message);
  /// Adds to a message of the server.
  void extend(llvm::json::Object &message);
  void extendAnswer(llvm::StringRef method, llvm::json::Value &result);
  /// Writes a message to the editor.
  void send(const llvm::json::Value &message);

  Additions additions;
  std::FILE *editorInput, *serverOutput;
  int editorOutput, serverInput;
  bool isPretty = false;

  std::mutex mutex, outputMutex;
  std::condition_variable changed;
  llvm::StringMap<std::string> methods; ///< Of requests in flight, by id.
  llvm::StringMap<Document> documents;
  bool hasEnded = false;
  std::optional<llvm::thread> fromServer, diagnoses;
};

} // namespace tileir

#endif // TOOLS_TILEIR_LSP_SERVER_RELAY_H

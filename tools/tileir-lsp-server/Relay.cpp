// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-lsp-server/Relay.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LSP/Protocol.h"
#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace tileir;
using namespace llvm;

/// Passes need more stack than an ordinary thread has. Only touched pages of it
/// take memory.
static constexpr std::optional<unsigned> kStackSize = 1u << 28;

/// Returns the first character without consuming it.
static int peek(std::FILE *file) {
  int character = std::getc(file);
  return std::ungetc(character, file);
}

static void writeAll(int descriptor, StringRef bytes) {
  raw_fd_ostream os(descriptor, /*shouldClose=*/false, /*unbuffered=*/true);
  os << bytes;
  os.clear_error();
}

Relay::Relay(Additions additions) : additions(std::move(additions)) {
  editorInput = fdopen(dup(STDIN_FILENO), "r");
  editorOutput = dup(STDOUT_FILENO);
  int toServer[2], fromServerPipe[2];
  if (!editorInput || editorOutput < 0 || pipe(toServer) ||
      pipe(fromServerPipe))
    report_fatal_error("no pipes", /*gen_crash_diag=*/false);
  dup2(toServer[0], STDIN_FILENO);
  dup2(fromServerPipe[1], STDOUT_FILENO);
  close(toServer[0]);
  close(fromServerPipe[1]);
  serverInput = toServer[1];
  serverOutput = fdopen(fromServerPipe[0], "r");

  llvm::thread([this] { readEditor(); }).detach();
  fromServer.emplace([this] { readServer(); });
  diagnoses.emplace(kStackSize, [this] { diagnose(); });
}

void Relay::finish() {
  if (!fromServer)
    return;
  outs().flush();
  close(STDOUT_FILENO);
  fromServer->join();
  {
    std::lock_guard<std::mutex> lock(mutex);
    hasEnded = true;
  }
  changed.notify_all();
  diagnoses->join();
  fromServer.reset();
}

void Relay::readEditor() {
  // The server's own tests separate messages by comments.
  auto style = peek(editorInput) == 'C' ? lsp::JSONStreamStyle::Standard
                                        : lsp::JSONStreamStyle::Delimited;
  lsp::JSONTransportInputOverFile input(editorInput, style);
  while (!input.isEndOfInput() && !input.hasError()) {
    std::string text;
    if (failed(input.readMessage(text)))
      continue;
    if (Expected<json::Value> message = json::parse(text)) {
      if (const json::Object *object = message->getAsObject())
        note(*object);
    } else {
      // The server reports the error.
      consumeError(message.takeError());
    }
    writeAll(
        serverInput,
        style == lsp::JSONStreamStyle::Standard
            ? formatv("Content-Length: {0}\r\n\r\n{1}", text.size(), text).str()
            : text + "\n// -----\n");
  }
  close(serverInput);
}

void Relay::note(const json::Object &message) {
  std::optional<StringRef> method = message.getString("method");
  if (!method)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (const json::Value *id = message.get("id"))
    methods[formatv("{0}", *id).str()] = method->str();
  const json::Object *params = message.getObject("params");
  const json::Object *item =
      params ? params->getObject("textDocument") : nullptr;
  std::optional<StringRef> uri = item ? item->getString("uri") : std::nullopt;
  if (!uri)
    return;
  int64_t version = item->getInteger("version").value_or(0);
  if (*method == "textDocument/didOpen") {
    Document &document = documents[*uri];
    document.text = item->getString("text").value_or("").str();
    document.version = version;
  } else if (*method == "textDocument/didChange") {
    Document &document = documents[*uri];
    std::vector<lsp::TextDocumentContentChangeEvent> changes;
    json::Path::Root root;
    if (const json::Value *list = params->get("contentChanges"))
      if (fromJSON(*list, changes, root) &&
          succeeded(lsp::TextDocumentContentChangeEvent::applyTo(
              changes, document.text)))
        document.version = version;
  } else if (*method == "textDocument/didClose") {
    documents.erase(*uri);
  }
}

void Relay::readServer() {
  // Texts like the output of --help are not messages.
  if (peek(serverOutput) != 'C') {
    for (int character; (character = std::getc(serverOutput)) != EOF;)
      writeAll(editorOutput,
               StringRef(reinterpret_cast<char *>(&character), 1));
    return;
  }
  lsp::JSONTransportInputOverFile input(serverOutput);
  std::string text;
  while (succeeded(input.readMessage(text))) {
    isPretty = StringRef(text).contains('\n');
    json::Value message = cantFail(json::parse(text));
    extend(*message.getAsObject());
    send(message);
  }
}

void Relay::extend(json::Object &message) {
  std::lock_guard<std::mutex> lock(mutex);
  if (message.getString("method") == "textDocument/publishDiagnostics") {
    const json::Object &params = *message.getObject("params");
    auto found = documents.find(params.getString("uri").value_or(""));
    if (found == documents.end())
      return;
    Document &document = found->second;
    document.published = params;
    const json::Array *list = params.getArray("diagnostics");
    document.isDue = params.getInteger("version") == document.version && list &&
                     none_of(*list, [](const json::Value &value) {
                       return value.getAsObject()->getInteger("severity") == 1;
                     });
    changed.notify_all();
    return;
  }
  json::Value *result = message.get("result");
  json::Value *id = message.get("id");
  if (!result || !id)
    return;
  auto found = methods.find(formatv("{0}", *id).str());
  if (found == methods.end())
    return;
  extendAnswer(found->second, *result);
  methods.erase(found);
}

void Relay::extendAnswer(StringRef method, json::Value &result) {
  json::Object *object = result.getAsObject();
  if (!object)
    return;
  if (method == "textDocument/hover") {
    json::Object *contents = object->getObject("contents");
    json::Value *value = contents ? contents->get("value") : nullptr;
    std::optional<StringRef> text = value ? value->getAsString() : std::nullopt;
    if (!text)
      return;
    // The text begins with the quoted name of the operation.
    StringRef rest = *text;
    rest.consume_front("Operation: ");
    if (!rest.consume_front("\""))
      return;
    StringRef words = additions.documentation(rest.split('"').first);
    if (!words.empty())
      *value = (*text + "\n\n---\n\n" + words).str();
  } else if (method == "textDocument/completion") {
    json::Array offered;
    if (const json::Array *items = object->getArray("items")) {
      for (const json::Value &item : *items)
        if (additions.isOffered(
                item.getAsObject()->getString("label").value_or("")))
          offered.push_back(item);
      (*object)["items"] = std::move(offered);
    }
  }
}

void Relay::diagnose() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    auto due = find_if(documents,
                       [](const auto &entry) { return entry.second.isDue; });
    if (due == documents.end()) {
      if (hasEnded)
        return;
      changed.wait(lock);
      continue;
    }
    due->second.isDue = false;
    std::string uri = due->first().str(), text = due->second.text;
    int64_t version = due->second.version;
    lock.unlock();
    json::Array more = additions.diagnostics(text);
    lock.lock();
    // Meanwhile the document may have changed or been closed.
    auto found = documents.find(uri);
    if (more.empty() || found == documents.end() ||
        found->second.version != version)
      continue;
    json::Object params = found->second.published;
    json::Array &list = *params.getArray("diagnostics");
    for (json::Value &value : more)
      list.push_back(std::move(value));
    send(json::Object{{"jsonrpc", "2.0"},
                      {"method", "textDocument/publishDiagnostics"},
                      {"params", std::move(params)}});
  }
}

void Relay::send(const json::Value &message) {
  std::string text =
      (isPretty ? formatv("{0:2}", message) : formatv("{0}", message)).str();
  std::lock_guard<std::mutex> lock(outputMutex);
  writeAll(editorOutput,
           formatv("Content-Length: {0}\r\n\r\n{1}", text.size(), text).str());
}

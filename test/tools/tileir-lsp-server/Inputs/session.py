# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""session.py SERVER [OPTION]...: talks to the server like an editor, with framed messages, and prints the answers."""
import json
import subprocess
import sys

KERNEL = """cuda_tile.module @kernels {
  entry @scale(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %twice = addi %n, %n : tile<i32>
    %bad = addf %n, %n : tile<i32>
    return
  }
}
"""
LOWERED = """gpu.module @kernels {
  nv_tileaa.func kernel @k(%n: i32) {
    %m = arith.addi %n, %n : i32
    nv_tileaa.return
  }
}
"""
HINTED = """cuda_tile.module @kernels {
  entry @copy(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>) {
    %view = make_tensor_view %from, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles = make_partition_view %view : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %zero = constant <i32: 0> : tile<i32>
    %tile, %token = load_view_tko weak %tiles[%zero, %zero] : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
    %out = make_tensor_view %to, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %places = make_partition_view %out : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %done = store_view_tko weak %tile, %places[%zero, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
"""
# More nested levels than the stack of an ordinary process holds.
DEEP = "cuda_tile.module @kernels { entry @k(%c: tile<i1>) {" + "if %c {" * 5000 + "}" * 5000 + "return } }"


def frame(message):
    body = json.dumps(dict(message, jsonrpc="2.0")).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def document(uri, text):
    item = {"uri": uri, "languageId": "mlir", "version": 1, "text": text}
    return {"method": "textDocument/didOpen", "params": {"textDocument": item}}


def at(identifier, method, uri, line, character):
    where = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
    return {"id": identifier, "method": "textDocument/" + method, "params": where}


messages = [
    {"id": 0, "method": "initialize", "params": {"processId": 1, "rootUri": None, "capabilities": {}}},
    document("file:///wrong.mlir", KERNEL),
    document("file:///kernel.mlir", KERNEL.replace("addf", "muli")),
    at(1, "hover", "file:///kernel.mlir", 2, 15),
    at(2, "definition", "file:///kernel.mlir", 2, 20),
    document("file:///lowered.mlir", LOWERED),
    at(3, "hover", "file:///lowered.mlir", 3, 8),
    document("file:///broken.mlir", KERNEL.replace("addi", "addy")),
    # It takes the server seconds, once.
    *([document("file:///deep.mlir", DEEP)] if len(sys.argv) == 2 else []),
    document("file:///hinted.mlir", HINTED),
    {"id": 4, "method": "shutdown"},
    {"method": "exit"},
]
server = subprocess.run(sys.argv[1:], input=b"".join(map(frame, messages)), stdout=subprocess.PIPE, timeout=100)
rest = server.stdout
hints = []
while rest:
    head, _, rest = rest.partition(b"\r\n\r\n")
    length = int(head.split(b":")[1])
    answer = json.loads(rest[:length])
    rest = rest[length:]
    if answer.get("method") == "textDocument/publishDiagnostics":
        parameters = answer["params"]
        # The compiler's diagnostics arrive between other answers.
        ours = [d for d in parameters["diagnostics"] if d.get("source", "").startswith("tileir ")]
        hints += ours
        if ours:
            continue
        print(parameters["uri"], len(parameters["diagnostics"]), "diagnostics")
        for diagnostic in parameters["diagnostics"]:
            start = diagnostic["range"]["start"]
            print(" ", diagnostic["severity"], start["line"], start["character"], diagnostic["message"])
    else:
        print("answer", answer.get("id"), json.dumps(answer.get("result", answer.get("error"))))
for hint in hints:
    start, end = hint["range"]["start"], hint["range"]["end"]
    print("hint", hint["severity"], start["line"], start["character"], end["character"], hint["source"], hint["message"])
print("exit", server.returncode)

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts BuildGrid, a server of the Remote Execution API, with all that it keeps in one folder.

    server.py FOLDER PORT

All outlives the process: files of the store, the queue of actions, and results by action. BuildGrid keeps these in memory,
Redis or S3; here a file beside the memory takes the place of the latter two.
TILEIR_BUILDGRID_PATH is where PyPI's packages are.
"""
import os
import sys

sys.path.insert(0, os.environ["TILEIR_BUILDGRID_PATH"])

import sqlalchemy  # noqa: E402
from buildgrid._protos.build.bazel.remote.execution.v2.remote_execution_pb2 import Digest  # noqa: E402
from buildgrid.server.actioncache.caches.lru_cache import LruActionCache  # noqa: E402
from buildgrid.server.app.cli import cli  # noqa: E402
from buildgrid.server.app.settings import parser  # noqa: E402
from buildgrid.server.sql import models  # noqa: E402

_CONFIG = """
server:
  - !channel
    address: "127.0.0.1:{port}"
    insecure-mode: true
connections:
  - !sql-connection &sql
    connection-string: sqlite:///{folder}/queue.db
    lock-timeout: 30
storages:
  - !disk-storage &store
    path: {folder}/store
caches:
  - !lru-action-cache &cache
    storage: *store
    max-cached-refs: 8192
    allow-updates: true
    cache-failed-actions: false
schedulers:
  - !sql-scheduler &scheduler
    sql: *sql
    action-cache: *cache
    storage: *store
    poll-interval: 0.1
    bot-session-keepalive-timeout: 60
    session-expiry-timer-interval: 1
    assigners:
      - !priority-age-assigner
        interval: 0.05
        jitter-factor: 0.0
        failure-backoff: 0.2
    # A worker that vanishes with the server is not the action's fault.
    max-job-attempts: 20
instances:
  - name: ''
    services:
      - !action-cache
        cache: *cache
      - !execution
        scheduler: *scheduler
      - !cas
        storage: *store
      - !bytestream
        storage: *store
thread-pool-size: 32
"""


class KeptActionCache(LruActionCache):
    """An in-memory cache that also writes a line to a file for each entry."""

    path = ""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        if os.path.exists(self.path):
            with open(self.path) as file:
                for line in file:
                    words = line.split()
                    # The last line may be cut short by a kill.
                    if len(words) == 5 and words[4] == ".":
                        self._digest_map[(words[0], int(words[1]))] = Digest(hash=words[2], size_bytes=int(words[3]))
        # One write call a line, so that lines of threads do not mix.
        self.file = open(self.path, "a", buffering=1)
        self.file.write("\n")

    def update_action_result(self, action_digest, action_result):
        super().update_action_result(action_digest, action_result)
        result = self._digest_map.get(self._get_key(action_digest))
        if result is not None:
            self.file.write("%s %d %s %d .\n" % (*self._get_key(action_digest), result.hash, result.size_bytes))


def main():
    folder, port = os.path.realpath(sys.argv[1]), sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    KeptActionCache.path = os.path.join(folder, "results")
    parser.LruActionCache = KeptActionCache
    models.Base.metadata.create_all(sqlalchemy.create_engine("sqlite:///%s/queue.db" % folder))
    config = os.path.join(folder, "server.yml")
    with open(config, "w") as file:
        file.write(_CONFIG.format(folder=folder, port=port))
    cli(["server", "start", config], standalone_mode=False)


if __name__ == "__main__":
    main()

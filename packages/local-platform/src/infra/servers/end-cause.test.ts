import { describe, expect, it } from "vitest";
import { endCause } from "./end-cause.ts";

const mongod = (s: string, msg: string, attr?: object) => JSON.stringify({ t: {}, s, c: "STORAGE", id: 1, msg, attr });
const nats = (level: string, text: string) => `[42] 2026/01/01 00:00:00.000000 [${level}] ${text}`;

describe("why a server ended, by its log", () => {
  it.each([
    ["nothing", [], undefined],
    ["nothing amiss", [mongod("I", "MongoDB starting"), nats("INF", "Server is ready"), ""], undefined],
    [
      "mongod's full disk",
      [
        mongod("I", "Build Info"),
        mongod("E", "WiredTiger error message", { error: 28, message: { msg: "write failed" } }),
        mongod("F", "***aborting after invariant() failure"),
      ],
      "the disk is full, free some space",
    ],
    [
      "mongod's full disk at its start",
      [
        mongod("F", "Caught exception during replication recovery", {
          error: { errmsg: "28: No space left on device" },
        }),
      ],
      "the disk is full, free some space",
    ],
    [
      "another's files",
      [mongod("E", "Error opening lock file", { error: "Permission denied" })],
      "it may not write to its folder",
    ],
    [
      "mongod's port that is taken",
      [mongod("E", "Error setting up listener", { error: { errmsg: "Address already in use" } })],
      "another program has taken its port",
    ],
    [
      "nats-server's port that is taken",
      [nats("FTL", 'Error listening on port: 127.0.0.1:4222, "bind: address already in use"')],
      "another program has taken its port",
    ],
    ["another fatal line of mongod", [mongod("F", "Wrong version", { error: "too old" })], 'Wrong version "too old"'],
    ["another fatal line of nats-server", [nats("INF", "a"), nats("FTL", "bad configuration")], "bad configuration"],
    ["a line that is no log", ["error while loading shared libraries"], "error while loading shared libraries"],
    ["no complaint, but a word of it", [mongod("I", "no space left on device is not said here")], undefined],
    ["half a line", ['{"s":"E","msg":"cut'], undefined],
  ])("is told from %s", (_, lines, cause) => {
    expect(endCause(lines)).toBe(cause);
  });
});

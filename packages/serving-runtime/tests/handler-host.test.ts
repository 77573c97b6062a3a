import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HandlerHost } from "../src/handler/handler-host.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "handler-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const write = (source: string) => writeFile(join(directory, "handler.mjs"), source);

function start(): Promise<HandlerHost> {
  const data = { directory, models: {}, datasets: [], network: false, proxy: undefined, hidden: [], maxAnswer: 1_000 };
  const infer = async () => [];
  return HandlerHost.start({ data, heapMb: 64, memoryMb: 4_096, loadTimeoutMs: 20_000, infer }, () => {});
}

/** Starts the handler, and has no time for it while it comes to its end. */
async function startUnheard(): Promise<HandlerHost> {
  const starting = start();
  const until = performance.now() + 1_500;
  while (performance.now() < until);
  return starting;
}

describe("a handler's last words", () => {
  it("are heard although its thread ends before the host listens", async () => {
    await write('setTimeout(() => process.exit(), 50); throw new Error("no weights for today");');
    await expect(startUnheard()).rejects.toThrow("no weights for today");
  });
});

describe("a handler that was given up", () => {
  it("gets no further call: callers meanwhile wait for its successor", async () => {
    await write('export default (input) => (input === "hang" ? new Promise(() => {}) : "here");');
    await using host = await start();
    const hang = async () => {
      const signal = AbortSignal.timeout(20);
      await host.call("hang", {}, signal).catch(() => {});
    };
    // One more than it may leave behind.
    await Promise.all(Array.from({ length: 33 }, hang));
    expect(await host.call("anything", {}, new AbortController().signal)).toBe('"here"');
  });
});

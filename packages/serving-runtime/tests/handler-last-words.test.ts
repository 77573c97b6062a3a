import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { HandlerHost } from "../src/handler/handler-host.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "handler-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Starts the handler, and has no time for it while it comes to its end. */
async function startUnheard(source: string): Promise<HandlerHost> {
  await writeFile(join(directory, "handler.mjs"), source);
  const data = { directory, models: {}, datasets: [], network: false, hidden: [], maxAnswer: 1_000 };
  const infer = async () => [];
  const starting = HandlerHost.start({ data, heapMb: 64, memoryMb: 4_096, loadTimeoutMs: 20_000, infer }, () => {});
  const until = performance.now() + 1_500;
  while (performance.now() < until);
  return starting;
}

describe("a handler's last words", () => {
  it("are heard although its thread ends before anybody listens", async () => {
    const source = 'setTimeout(() => process.exit(), 50); throw new Error("no weights for today");';
    await expect(startUnheard(source)).rejects.toThrow("no weights for today");
  });
});

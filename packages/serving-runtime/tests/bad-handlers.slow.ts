import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RuntimeProcess, startHandler } from "./runtime-process.ts";

const timeoutMs = 1_500;

/** Does as it is told, which is nothing good; otherwise says that it is still there. */
const handler = `
export default async (input, context) => {
  switch (input) {
    case "throw": throw new TypeError("no such column");
    case "throw nothing": throw undefined;
    case "throw much": throw new Error("x".repeat(100_000));
    case "answer nothing": return undefined;
    case "answer a circle": { const circle = {}; circle.circle = circle; return circle; }
    case "answer too much": return "x".repeat(3_000_000);
    case "loop": for (;;);
    case "hang": return new Promise(() => {});
    case "heed": return await new Promise((resolve) => context.signal.addEventListener("abort", () => resolve("late")));
    case "exit": process.exit(0);
    case "break": setTimeout(() => { throw new Error("stray"); }); return new Promise(() => {});
    case "reject": Promise.reject(new Error("stray")); return new Promise(() => {});
    case "eat heap": { const eaten = []; for (;;) eaten.push(new Array(100_000).fill(Math.random())); }
    case "eat buffers": {
      const eaten = [];
      for (;;) { eaten.push(Buffer.alloc(10_000_000, 1)); await new Promise((resolve) => setTimeout(resolve)); }
    }
    case "write at once": for (;;) process.stdout.write("flood ".repeat(2_000));
    case "write": for (;;) { console.log("flood ".repeat(2_000)); await new Promise((resolve) => setImmediate(resolve)); }
    case "recurse": { const deeper = () => deeper() + 1; return deeper(); }
    default: return { still: "there" };
  }
};`;

describe("a handler that", () => {
  let runtime: RuntimeProcess;

  beforeAll(async () => {
    runtime = await startHandler(handler, {
      manifest: { timeout_ms: timeoutMs, memory_mb: 256, concurrency: 4 },
      env: { MAX_BODY_BYTES: "2000000" },
    });
  });

  afterAll(async () => {
    await runtime[Symbol.asyncDispose]();
  });

  it.each([
    ["throws", "throw", 500, /^The handler failed: TypeError: no such column$/],
    ["throws nothing", "throw nothing", 500, /^The handler failed: threw undefined$/],
    ["throws a long message", "throw much", 500, /^The handler failed: Error: x{1900,2000}…?/],
    ["answers nothing", "answer nothing", 500, /answered nothing that JSON can say/],
    ["answers what JSON cannot say", "answer a circle", 500, /circular/],
    ["answers more than an answer may be", "answer too much", 500, /longer than 2000000 characters/],
    ["loops", "loop", 504, /longer than 1500 ms/],
    ["never ends", "hang", 504, /longer than 1500 ms/],
    ["heeds the signal too late", "heed", 504, /longer than 1500 ms/],
    ["exits", "exit", 503, /ended its thread/],
    ["lets an exception go", "break", 503, /broke: Error: stray/],
    ["lets a rejection go", "reject", 503, /broke: Error: stray/],
    ["eats the heap", "eat heap", 503, /out of memory/],
    ["eats memory outside of the heap", "eat buffers", 503, /out of memory/],
    ["recurses without end", "recurse", 500, /Maximum call stack/],
    ["writes without end", "write", 50, /out of memory|longer than 1500 ms/],
    ["writes without end and looks at nothing else", "write at once", 50, /out of memory|longer than 1500 ms/],
  ])("%s is told of, and answers the next request", async (_, input, status, said) => {
    const { status: answered, body, headers } = await runtime.infer({ input });
    // Which of its limits a flood meets first depends on the machine.
    expect(body["error"]).toMatch(said);
    if (status === 50) expect([503, 504]).toContain(answered);
    else expect(answered).toBe(status);
    expect(String(body["error"]).length).toBeLessThan(2_200);
    expect(headers.get("retry-after")).toBe(answered === 503 ? "1" : null);

    const next = await runtime.infer({ input: "anything" });
    expect(next).toMatchObject({ status: 200, body: { output: { still: "there" } } });
    expect(await runtime.state()).toMatchObject({ state: "ready", in_flight: 0 });
  });

  it("writes without end fills no log", () => {
    expect(runtime.said()).toMatch(/\[\d+ bytes of output left out\]/);
    expect(runtime.said().length).toBeLessThan(500_000);
  });

  it("leaves many calls behind is replaced before they are too many", async () => {
    for (let round = 0; round < 9; round++) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => runtime.infer({ input: "hang" })));
      expect(answers.map(({ status }) => status).filter((status) => status !== 504 && status !== 503)).toEqual([]);
    }
    expect((await runtime.infer({ input: "anything" })).status).toBe(200);
    expect(runtime.child.exitCode).toBeNull();
  });
});

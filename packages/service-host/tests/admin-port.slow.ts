import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { Readiness } from "../src/checks/readiness.ts";
import { startAdminServer } from "../src/serving/admin-server.ts";
import { until } from "./rig/until.ts";

const program = fileURLToPath(new URL("rig/busy-process.ts", import.meta.url));

/** A process whose event loop is as busy as it is told to be. */
async function startBusy(stuckAfterMs: number) {
  const child = spawn(process.execPath, [program, `${stuckAfterMs}`], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  const url = await next();
  return {
    get: async (path: string) => {
      const answer = await fetch(url + path);
      return { status: answer.status, text: await answer.text() };
    },
    /** Blocks the event loop for so long; resolves when it has begun. */
    block: async (ms: number) => {
      child.stdin.write(`${ms}\n`);
      expect(await next()).toBe("blocked");
    },
    unblocked: next,
    async [Symbol.asyncDispose]() {
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
  };
}

describe("the admin port of a process whose event loop is busy", () => {
  it("answers /livez, and /readyz as it was last, before the loop has time again", async () => {
    await using busy = await startBusy(60_000);
    expect((await busy.get("/readyz")).status).toBe(200);
    await busy.block(6_000);
    let isOver = false;
    const unblocked = busy.unblocked().then(() => {
      isOver = true;
    });
    const answers = [await busy.get("/livez"), await busy.get("/readyz")];
    expect(isOver).toBe(false);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await unblocked;
    expect((await busy.get("/metrics")).text).toBe("# metrics\n");
  });

  it("says on /readyz that it is not ready when it never was asked before", async () => {
    await using busy = await startBusy(60_000);
    await busy.block(3_000);
    expect((await busy.get("/readyz")).status).toBe(503);
  });

  it("says on /livez that the process is stuck after a long silence", async () => {
    await using busy = await startBusy(2_000);
    await busy.block(60_000);
    let answer = await busy.get("/livez");
    await until(async () => {
      answer = await busy.get("/livez");
      return answer.status !== 200;
    });
    expect(JSON.parse(answer.text)).toMatchObject({ status: "stuck" });
  });
});

describe("an admin port that is taken", () => {
  it("is told with the error of the system", async () => {
    const parts = { host: "127.0.0.1", readiness: () => new Readiness({}, 1_000), exposeMetrics: async () => "" };
    const first = await startAdminServer({ ...parts, port: 0 });
    await expect(startAdminServer({ ...parts, port: first.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    await first.close();
  });
});

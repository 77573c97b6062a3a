import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("rig/idle-process.ts", import.meta.url));

describe("a process that has nothing open", () => {
  it("runs until it is told to stop, and ends with 0 then", async () => {
    const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "ignore"] });
    const exit = once(child, "exit");
    // Node ends a process without work in the same turn, long before this line has crossed the pipe.
    await once(child.stdout, "data");
    const before = child.exitCode;
    child.kill("SIGTERM");
    expect([before, await exit]).toEqual([null, [0, null]]);
  });
});

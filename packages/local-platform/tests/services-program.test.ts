import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { runProgram } from "./run-program.ts";

const main = fileURLToPath(new URL("../src/services/main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "services-program-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stopping = `const stop = async () => { console.log("stopping " + name); };
  return { name, addresses: { http: "there" }, stop };`;
/** A program of a service, as its main file exports it. */
function program(name: string, text: string): { name: string; main: string; env: Record<string, string> } {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, `export async function start({ NAME: name }) { ${text} }`);
  return { name, main: path, env: { NAME: name } };
}

const run = (...programs: object[]) => runProgram([main], { PROGRAMS: JSON.stringify(programs) });

describe("services that share a process", () => {
  it("get their own settings, and stop after those that use them", async () => {
    const stopsAll = `process.kill(process.pid, "SIGTERM"); ${stopping}`;
    const { code, stdout } = await run(program("identity", stopping), program("gateway", stopsAll));
    const stopped = stdout.split("\n").filter((line) => line.startsWith("stopping"));
    expect([code, stopped]).toEqual([0, ["stopping gateway", "stopping identity"]]);
    expect(stdout).toContain('"addresses":{"identity http":"there","gateway http":"there"}');
  });

  it.each([
    ["exception", `setImmediate(() => { throw new Error("boom"); }); ${stopping}`],
    ["rejection", `setImmediate(async () => { throw new Error("boom"); }); ${stopping}`],
  ])("end with the one that fails, and the log names it (%s)", async (kind, text) => {
    const { code, stdout } = await run(program("identity", stopping), program("training", text));
    expect(code).toBe(1);
    const last = stdout.split("\n").find((line) => line.includes("stopping at once")) ?? "{}";
    expect(JSON.parse(last)).toMatchObject({ service: "training", kind, err: { message: "boom" } });
  });

  it("do not start when one cannot, and say which", async () => {
    const { code, stderr } = await run(
      program("identity", stopping),
      program("training", `throw new Error("no settings")`),
    );
    expect([code, stderr]).toEqual([1, "Cannot start: training: no settings\n"]);
  });
});

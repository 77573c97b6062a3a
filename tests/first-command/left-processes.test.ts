import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What the run would name after a test that has started this, in a session of its own. */
async function leftAfter(started: string): Promise<string[]> {
  const script = `
    import { spawn } from "node:child_process";
    import { leftProcesses } from ${JSON.stringify(join(root, "scripts/left-processes.ts"))};
    const child = ${started};
    console.log(JSON.stringify(await leftProcesses("this-run", 2_000)));
    child?.kill("SIGKILL");`;
  const run = spawn(process.execPath, ["--input-type=module", "-e", script], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TEST_RUN: "this-run" },
  });
  return JSON.parse(await text(run.stdout));
}

const wait = JSON.stringify("setInterval(() => {}, 1000)");

describe("a run of the tests", () => {
  it("names a service that a test has left running", async () => {
    const service = join(root, "services/training/src/main.ts");
    const left = await leftAfter(`spawn(process.execPath, ["-e", ${wait}, ${JSON.stringify(service)}])`);
    expect(left).toEqual([expect.stringContaining(service)]);
  });

  it("names one in a session of its own, as all that is guarded is: only its own session was looked at", async () => {
    const service = join(root, "services/training/src/main.ts");
    const args = `["-e", ${wait}, ${JSON.stringify(service)}]`;
    const left = await leftAfter(`spawn(process.execPath, ${args}, { detached: true })`);
    expect(left).toEqual([expect.stringContaining(service)]);
  });

  it.each(["its own session", "this one's session"])(
    "names none that another run has started in %s",
    async (session) => {
      const service = join(root, "services/training/src/main.ts");
      const detached = session === "its own session";
      const options = `{ detached: ${detached}, env: { ...process.env, TEST_RUN: "another" } }`;
      expect(
        await leftAfter(`spawn(process.execPath, ["-e", ${wait}, ${JSON.stringify(service)}], ${options})`),
      ).toEqual([]);
    },
  );

  it("names nothing where all have ended, and no program of others", async () => {
    expect(await leftAfter("undefined")).toEqual([]);
    expect(await leftAfter(`spawn("sleep", ["30"])`)).toEqual([]);
  });
});

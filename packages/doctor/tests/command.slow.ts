import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Examination } from "@aiplatform/doctor";
import { describe, expect, it } from "vitest";
import { complaints, disposeAfterAll, folder, goodSettings } from "./rig.ts";

disposeAfterAll();

const main = join(import.meta.dirname, "../src/main.ts");

interface Said {
  code: number | string | null | undefined;
  stdout: string;
  stderr: string;
}

/** The command as a process of its own, as are the services' diagnostics that it runs. */
function doctor(...args: string[]): Promise<Said> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, "--timeout", "50", ...args], (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });
}

describe("npm run doctor", () => {
  it("runs the diagnostics of each process of a platform, and shows once what they find alike", async () => {
    const directory = folder();
    const training = goodSettings("training");
    const settings = {
      training,
      "training-2": { ...training, GRPC_PORT: "many" },
      content: goodSettings("content"),
      "fake-llm": {},
    };
    writeFileSync(join(directory, "settings.json"), JSON.stringify(settings));
    writeFileSync(join(directory, "running.json"), JSON.stringify({ pid: process.pid }));
    const { code, stdout } = await doctor("--directory", directory, "--json");
    const { healthy, examinations }: { healthy: boolean; examinations: Examination[] } = JSON.parse(stdout);
    expect([code, healthy]).toEqual([1, false]);
    expect(complaints(examinations)).toEqual([
      expect.stringMatching(/^failed settings: GRPC_PORT must be a whole number/),
      expect.stringMatching(/^warning smtp: no mail server is set/),
    ]);
    expect(examinations.find(({ check }) => check === "node")?.of).toEqual(["training", "content"]);
  });

  it("says that nothing runs where nothing was started", async () => {
    const { code, stdout, stderr } = await doctor("--directory", "/nowhere");
    expect([code, stdout, stderr]).toEqual([
      1,
      "",
      expect.stringMatching(/^The platform of \/nowhere is not running: npm start/),
    ]);
  });

  it("says that nothing runs where a platform was killed, which was thirteen failures with firewall hints", async () => {
    const directory = folder();
    const killed = spawn(process.execPath, ["--eval", "setInterval(() => 0, 1000)"]);
    killed.kill("SIGKILL");
    await once(killed, "exit");
    writeFileSync(join(directory, "settings.json"), JSON.stringify({ training: goodSettings("training") }));
    writeFileSync(join(directory, "running.json"), JSON.stringify({ pid: killed.pid, gateway: "http://127.0.0.1:1" }));
    const { code, stdout, stderr } = await doctor("--directory", directory);
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("is not running")]);
  });

  it("says that a platform is still starting", async () => {
    const directory = folder();
    writeFileSync(join(directory, "running.json"), JSON.stringify({ pid: process.pid }));
    expect(await doctor("--directory", directory)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is still starting"),
    });
  });

  it.each([
    ["of a service that does not exist", ["--service", "../x"], /\.\.\/x is no service/],
    ["with a wrong option", ["--quick"], /Unknown option '--quick'/],
  ])("%s says so", async (_, args, reason) => {
    const { code, stderr } = await doctor(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(reason);
  });
});

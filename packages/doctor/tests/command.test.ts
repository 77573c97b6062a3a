import { execFile } from "node:child_process";
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
    const { code, stdout } = await doctor("--directory", directory, "--json");
    const { healthy, examinations }: { healthy: boolean; examinations: Examination[] } = JSON.parse(stdout);
    expect([code, healthy]).toEqual([1, false]);
    expect(complaints(examinations)).toEqual([
      expect.stringMatching(/^failed settings: GRPC_PORT must be a whole number/),
      expect.stringMatching(/^warning smtp: no mail server is set/),
    ]);
    expect(examinations.find(({ check }) => check === "node")?.of).toEqual(["training", "content"]);
  });

  it.each([
    ["without a platform that runs", ["--directory", "/nowhere"], /there is no \/nowhere\/settings.json/],
    ["of a service that does not exist", ["--service", "../x"], /\.\.\/x is no service/],
    ["with a wrong option", ["--quick"], /Unknown option '--quick'/],
  ])("%s says so", async (_, args, reason) => {
    const { code, stderr } = await doctor(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(reason);
  });
});

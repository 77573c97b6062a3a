import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { programEnvironment } from "@aiplatform/testkit";
import { expect, it } from "vitest";
import { TestPlatform } from "./test-platform.ts";

it("The example of the README trains a job to its end", async () => {
  const text = await readFile(join(import.meta.dirname, "../README.md"), "utf8");
  const code = /```ts\n(.*?)```/s.exec(text)?.[1] ?? "";
  await using platform = await new TestPlatform().start();
  const directory = await mkdtemp(join(tmpdir(), "readme-"));
  const { address: TRAINING, runId: RUN, jobName: JOB } = platform;
  const env = { ...programEnvironment(), TRAINING, RUN, JOB, KEY: "key", DATA_DIRECTORY: directory };
  const args = ["--input-type=module-typescript", "--eval", code];
  const child = spawn(process.execPath, args, { cwd: import.meta.dirname, env, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(output).toMatch(/\nended\n$/);
  expect(platform.states.at(-1)).toBe(JobState.COMPLETED);
  expect(platform.curve("accuracy", 0)).toHaveLength(500);
  await rm(directory, { recursive: true });
});

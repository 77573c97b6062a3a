import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { programEnvironment } from "@aiplatform/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { TestPlatform } from "./test-platform.ts";

const page = await readFile(join(import.meta.dirname, "../README.md"), "utf8");
const examples = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "readme-"));
});
afterEach(() => rm(directory, { recursive: true }));

/** Runs a program to its end; answers what it has printed. */
async function run(code: string, platform: TestPlatform): Promise<string> {
  const { address: TRAINING, runId: RUN, jobName: JOB } = platform;
  const env = { ...programEnvironment(), TRAINING, RUN, JOB, KEY: "key", DATA_DIRECTORY: directory };
  const args = ["--input-type=module-typescript", "--eval", code];
  const child = spawn(process.execPath, args, { cwd: import.meta.dirname, env, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  expect(await once(child, "exit")).toEqual([0, null]);
  return output;
}

it("The example of the README trains a job to its end", async () => {
  await using platform = await new TestPlatform().start();
  expect(await run(examples[0] ?? "", platform)).toMatch(/\nended\n$/);
  expect(platform.states.at(-1)).toBe(JobState.COMPLETED);
  expect(platform.curve("accuracy", 0)).toHaveLength(500);
});

it("The example of the README that reads data trains on the rows", async () => {
  await using platform = await new TestPlatform().start();
  const path = join(import.meta.dirname, "kinds.parquet");
  const content = await readFile(path);
  const contentSha256 = createHash("sha256").update(content).digest("hex");
  const version = { name: "houses", versionId: "v", rowCount: 2_500n, sizeBytes: BigInt(content.length) };
  platform.datasets = [{ ...version, contentSha256 }];
  const example = examples.find((code) => code.includes("datasets.named(")) ?? "";
  const program = `
import { createReadStream } from "node:fs";
import { runTrainer, StateWorkload } from "@aiplatform/trainer";
import { createGrpcTransport } from "@connectrpc/connect-node";
const { TRAINING, KEY: apiKey = "", RUN: runId = "", JOB: jobName = "", DATA_DIRECTORY: directory = "" } = process.env;
${example}
const transport = createGrpcTransport({ baseUrl: \`http://\${TRAINING}\` });
const download = async () => ({ isRest: false, pieces: createReadStream(${JSON.stringify(path)}) });
const files = { directory, datasetDirectory: \`\${directory}/datasets\`, download };
const options = { transport, apiKey, runId, jobName, ...files, stepsPerSecond: 0, log: console.log };
console.log(await (await runTrainer(options, reading)).done);
`;
  const output = await run(program, platform);
  expect(output).toContain('fetched "houses"');
  expect(output).toMatch(/\nended\n$/);
  // Each price is 1.25.
  const means = platform.curve("mean", 0);
  expect(means).toHaveLength(100);
  expect(means.at(-1)).toMatchObject([100, expect.closeTo(1.25 * (1 - 0.9 ** 100))]);
});

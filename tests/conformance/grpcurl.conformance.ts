import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type LocalPlatform, startPlatform } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { goProgram } from "../infra/go-program.ts";

/** The first run on a machine builds the program. */
const buildTimeoutMs = 900_000;
const run = promisify(execFile);

let directory: string;
let running: LocalPlatform;
let grpcurl: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "grpcurl-"));
  grpcurl = (await goProgram("grpcurl")).path;
  running = await startPlatform({ directory, trainer: false });
}, buildTimeoutMs);

afterAll(async () => {
  await running?.stop();
  await rm(directory, { recursive: true, force: true });
});

describe("grpcurl, which is told nothing but an address", () => {
  it("lists and describes what is served", async () => {
    const { grpc } = running.description;
    const { stdout } = await run(grpcurl, ["-plaintext", grpc.training, "list"]);
    expect(stdout.split("\n")).toEqual(
      expect.arrayContaining(["aiplatform.training.v1.RunService", "grpc.health.v1.Health"]),
    );
    const method = "aiplatform.training.v1.RunService.GetRun";
    const described = await run(grpcurl, ["-plaintext", grpc.training, "describe", method]);
    expect(described.stdout).toContain("rpc GetRun ( .aiplatform.training.v1.GetRunRequest )");
  });

  it("calls, and shows the details of an error", async () => {
    const { api_key, run_id, grpc } = running.description;
    const call = (id: string) => {
      const data = ["-H", `authorization: Bearer ${api_key}`, "-d", JSON.stringify({ run_id: id })];
      return run(grpcurl, ["-plaintext", ...data, grpc.training, "aiplatform.training.v1.RunService/GetRun"]);
    };
    expect(JSON.parse((await call(run_id)).stdout).run.id).toBe(run_id);
    await expect(call("x")).rejects.toMatchObject({
      stderr: expect.stringMatching(/InvalidArgument[\s\S]*buf\.validate\.Violations/),
    });
  });
});

// The conformance suite of Connect's makers, which also holds what gRPC and gRPC-Web specify, against a server that the
// host starts with all of its interceptors.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type BuiltProgram, conformanceProtos, goProgram } from "./go-program.ts";

/** The first run on a machine builds the suite. */
const buildTimeoutMs = 900_000;
const runTimeoutMs = 180_000;
const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** What the suite printed of each port; the two runs mostly wait, so they wait together. */
let http: string;
let grpc: string;
/** Cases that take what a busy machine takes for what the server does: on their own, and a second time if need be. */
const timed = "Timeouts/**";
const timeouts: string[] = [];

beforeAll(async () => {
  const runner = await goProgram("connectconformance");
  [http, grpc] = await Promise.all([
    suite(runner, "http.yaml", ["--skip", timed]),
    suite(runner, "grpc.yaml", ["--skip", timed, "--known-failing", `@${beside("known-failures-grpc.txt")}`]),
  ]);
  for (const config of ["http.yaml", "grpc.yaml"]) {
    const alone = () => suite(runner, config, ["--run", timed, "--parallel", "4"]);
    const output = await alone();
    timeouts.push(summary(output)?.["failed"] === "0" ? output : await alone());
  }
}, buildTimeoutMs);

/** Runs the suite against one port. Answers what it printed, which ends with how many cases passed. */
function suite(runner: BuiltProgram, config: string, more: readonly string[] = []): Promise<string> {
  const server = [process.execPath, beside("server-under-test.ts"), conformanceProtos(runner)];
  const args = ["--mode", "server", "--conf", beside(config), ...more, "--", ...server];
  return new Promise((resolve) => {
    execFile(runner.path, args, { timeout: runTimeoutMs, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      resolve(`${stdout}${stderr}${error?.killed ? "\nit did not end in time" : ""}`);
    });
  });
}

const summary = (output: string) => /(?<passed>\d+) passed, (?<failed>\d+) failed/.exec(output)?.groups;

describe("a server of the host's", () => {
  it("speaks Connect and gRPC-Web over HTTP/1.1 as the conformance suite asks, without an exception", () => {
    expect({ failed: failures(http), summary: summary(http) }).toEqual({
      failed: [],
      summary: { passed: expect.stringMatching(/^[89]\d\d$/), failed: "0" },
    });
  });

  it("ends calls at their deadlines as the conformance suite asks", () => {
    expect(timeouts.flatMap(failures)).toEqual([]);
    expect(timeouts.map((output) => Number(summary(output)?.["passed"]) > 0)).toEqual([true, true]);
  });

  it("speaks gRPC as the conformance suite asks, but for what is listed and explained", async () => {
    const known = (await readFile(beside("known-failures-grpc.txt"), "utf8")).match(/^[^#\n].*$/gm) ?? [];
    expect({ failed: failures(grpc), summary: summary(grpc) }).toEqual({
      failed: [],
      summary: { passed: expect.stringMatching(/^3\d\d$/), failed: "0" },
    });
    // Each line stands for one case and no more.
    expect(grpc).toContain(`(Another ${known.length} failed as expected`);
  });
});

function failures(output: string): string[] {
  const cases = output.split(/\n(?=FAILED: )/).filter((text) => text.startsWith("FAILED: "));
  return cases.length > 0 || summary(output) ? cases : [output];
}

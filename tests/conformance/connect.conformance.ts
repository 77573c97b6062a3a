// The conformance suite of Connect's makers, which also holds what gRPC and gRPC-Web specify: against a server that the host starts
// with all of its interceptors, against the gateway in front of it, and against what services call each other with.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type BuiltProgram, conformanceProtos, goProgram } from "../infra/go-program.ts";

/** The first run on a machine builds the suite. */
const buildTimeoutMs = 900_000;
const runTimeoutMs = 300_000;
const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Cases that take what a busy machine takes for what the server does: on their own, and a second time if need be. */
const timed = ["--run", "Timeouts/**", "--parallel", "4"];
const untimed = ["--skip", "Timeouts/**"];

let runner: BuiltProgram;
beforeAll(async () => {
  runner = await goProgram("connectconformance");
}, buildTimeoutMs);

interface Run {
  readonly mode: "server" | "client";
  readonly program: string;
  readonly config: string;
  /** Arguments of the program. */
  readonly args?: readonly string[];
  readonly more?: readonly string[];
}

/** Runs the suite against one program. Answers what it printed, which ends with how many cases passed. */
function suite({ mode, program, config, args: own = [], more = [] }: Run): Promise<string> {
  const command = [process.execPath, beside(program), conformanceProtos(runner), ...own];
  const args = ["--mode", mode, "--conf", beside(config), ...more, "--", ...command];
  return new Promise((resolve) => {
    execFile(runner.path, args, { timeout: runTimeoutMs, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      resolve(`${stdout}${stderr}${error?.killed ? "\nit did not end in time" : ""}`);
    });
  });
}

const summary = (output: string) => /(?<passed>\d+) passed, (?<failed>\d+) failed/.exec(output)?.groups;

function failures(output: string): string[] {
  const cases = output.split(/\n(?=FAILED: )/).filter((text) => text.startsWith("FAILED: "));
  return cases.length > 0 || summary(output) ? cases : [output];
}

/** As many cases as the suite has for what the configuration offers, and none of them failed. */
function expectAllPassed(output: string, passed: RegExp): void {
  expect({ failed: failures(output), summary: summary(output) }).toEqual({
    failed: [],
    summary: { passed: expect.stringMatching(passed), failed: "0" },
  });
}

/** Passes but for what a file lists and explains. */
async function expectPassedBut(list: string, run: Run, passed: RegExp): Promise<void> {
  const known = (await readFile(beside(list), "utf8")).match(/^[^#\n].*$/gm) ?? [];
  const output = await suite({ ...run, more: [...(run.more ?? []), "--known-failing", `@${beside(list)}`] });
  expectAllPassed(output, passed);
  // Each line stands for one case and no more; a case that may fail is counted beside them.
  const flaky = output.match(/^INFO: .*\/error-with-responses failed/gm) ?? [];
  expect(output).toContain(`(Another ${known.length + flaky.length} failed as expected`);
}

async function expectTimeoutsPassed(run: Run): Promise<void> {
  const first = await suite({ ...run, more: timed });
  const output = summary(first)?.["failed"] === "0" ? first : await suite({ ...run, more: timed });
  expectAllPassed(output, /^[1-9]\d+$/);
}

const http: Run = { mode: "server", program: "server-under-test.ts", config: "http.yaml" };
const grpc: Run = { ...http, config: "grpc.yaml" };
const gateway: Run = { mode: "server", program: "gateway-under-test.ts", config: "gateway.yaml" };
const mesh: Run = {
  ...{ mode: "client", program: "client-under-test.ts", config: "client.yaml" },
  more: [
    // When an error comes right behind answers, @grpc/grpc-js drops those that were not read yet.
    ...["--known-flaky", "**/error-with-responses"],
    // After a second answer to a unary call it tells the end at the call's deadline alone; the suite gives none here, and would wait.
    ...["--skip", "gRPC Unexpected Responses/**/unary/multiple-responses"],
  ],
};
const unary: Run = { mode: "client", program: "client-under-test.ts", config: "unary-client.yaml", args: ["http"] };
const limit = { timeout: 2 * runTimeoutMs };

describe("a server of the host's", limit, () => {
  it("speaks Connect and gRPC-Web over HTTP/1.1 as the conformance suite asks, without an exception", async () => {
    expectAllPassed(await suite({ ...http, more: untimed }), /^[89]\d\d$/);
  });

  it("speaks gRPC as the conformance suite asks, but for what is listed and explained", async () => {
    await expectPassedBut("known-failures-server.txt", { ...grpc, more: untimed }, /^3\d\d$/);
  });

  it.each([http, grpc])("ends calls at their deadlines as the conformance suite asks: $config", async (run) => {
    await expectTimeoutsPassed(run);
  });
});

describe("the gateway, in front of such a server", limit, () => {
  it("passes Connect, gRPC-Web and gRPC on over HTTP/1.1 and HTTP/2, with and without TLS, as the conformance suite asks, without an exception", async () => {
    expectAllPassed(await suite({ ...gateway, more: [...untimed, "--parallel", "16"] }), /^32\d\d$/);
  });

  it("ends calls at their deadlines as the conformance suite asks", async () => {
    await expectTimeoutsPassed(gateway);
  });
});

describe("what services call each other with", limit, () => {
  it("makes unary calls over HTTP/1.1 as the conformance suite asks, without an exception", async () => {
    expectAllPassed(await suite(unary), /^5\d$/);
  });

  it("calls over gRPC as the conformance suite asks, but for what is listed and explained", async () => {
    await expectPassedBut("known-failures-client.txt", mesh, /^2\d\d$/);
  });
});

// Clients of service teams in other languages, made from what a release has, as their page says.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pipeline } from "node:stream";
import { createServer } from "node:tls";
import { stripVTControlCharacters } from "node:util";
import {
  ControlCommandService,
  TrainingControlCommandStatus,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { LiveMetricsService } from "@aiplatform/contract/aiplatform/training/v1/live_metrics";
import { JobState, RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import {
  cacheDirectory,
  type LocalPlatform,
  runTool,
  startPlatform,
  until,
  writeShellVariables,
} from "@aiplatform/local-platform";
import { listenOnLoopback } from "@aiplatform/testkit";
import { CertificateAuthority } from "@aiplatform/testkit/certificate-authority";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { follow, patternOf, type Step, stepsOf } from "../documents/followed-page.ts";
import { missingPrograms } from "../infra/missing-programs.ts";

const root = join(import.meta.dirname, "../..");
const page = await readFile(join(root, "examples/service-clients/README.md"), "utf8");

/** The blocks of the page up to its first section, and of one section. */
const [introduction = "", ...sections] = page.split(/^## /m);
const stepsOfSection = (name: string) => stepsOf(sections.find((section) => section.startsWith(`${name}\n`)) ?? "");

/** A directory that looks like the repository beside a platform that runs. */
let home: string;
let platform: LocalPlatform;
let clients: string;
/** Where programs are that the page asks the reader to install. */
let tools: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "service-clients-"));
  for (const name of ["node_modules", "package.json", "packages", "scripts"])
    await symlink(join(root, name), join(home, name));
  clients = join(home, "examples", "service-clients");
  const made = /\/(gen|proto|target)$/;
  await cp(join(root, "examples/service-clients"), clients, { recursive: true, filter: (from) => !made.test(from) });
  tools = join(cacheDirectory(), "service-clients");
  await mkdir(tools, { recursive: true });
  const directory = join(home, ".local");
  // So low that each client is told to wait.
  const settings = { gateway: { REQUESTS_PER_SECOND: "3" } };
  platform = await startPlatform({ directory, trainer: false, separate: ["training"], settings });
  await writeShellVariables(directory, platform.description);
  await followed(stepsOf(introduction));
});

afterAll(async () => {
  await platform?.stop();
  await rm(home, { recursive: true, force: true });
});

/** Follows blocks of the page in one shell; answers what the last printed. */
async function followed(steps: Step[]): Promise<string> {
  const PATH = `${join(tools, "bin")}${delimiter}${process.env["PATH"]}`;
  const env = { ...process.env, PATH, CARGO_TARGET_DIR: join(tools, "target"), TMPDIR: home };
  const { code, errors, outputs } = await follow(steps, { cwd: home, seconds: 800, env });
  if (code !== 0) throw new Error(errors || `the shell ended with ${code}`);
  // Maven colours what it prints, even where that is no terminal.
  return stripVTControlCharacters(outputs.at(-1) ?? "");
}

/** Follows the introduction and a section, and compares what is printed with what is shown. */
async function follows(section: string): Promise<string> {
  const steps = stepsOfSection(section);
  const printed = await followed([...stepsOf(introduction), ...steps]);
  expect(printed.trim()).toMatch(patternOf(steps[0]?.shown?.trim() ?? "nothing is shown"));
  return printed;
}

/** What the platform knows of a run that a client trained. */
async function stateOf(runId: string) {
  // Not through the gateway, whose rate is the clients'.
  const transport = createGrpcTransport({ baseUrl: `http://${platform.description.grpc.training}` });
  const headers = { headers: { authorization: `Bearer ${platform.description.api_key}` } };
  const { run } = await createClient(RunService, transport).getRun({ runId }, headers);
  const place = { pipelineId: run?.pipelineId ?? "", runId };
  const { metrics } = await createClient(LiveMetricsService, transport).getLiveMetrics(place, headers);
  const job = { ...place, jobName: "decay" };
  const { commands } = await createClient(ControlCommandService, transport).listControlCommands(job, headers);
  return {
    state: run?.jobs[0]?.state,
    artifact: run?.jobs[0]?.artifact,
    series: metrics?.series ?? [],
    commands: commands.map(({ status }) => status),
  };
}

const runIdIn = (printed: string) => /^run (?<id>\S+)$/m.exec(printed)?.groups?.["id"] ?? "";

async function expectTrained(runId: string): Promise<void> {
  const { state, artifact, series, commands } = await stateOf(runId);
  const { APPLIED } = TrainingControlCommandStatus;
  expect({ state, commands, format: artifact?.format }).toEqual({
    state: JobState.COMPLETED,
    commands: [APPLIED, APPLIED],
    format: "json",
  });
  const steps = series.flatMap((metric) => metric.steps);
  expect(steps.length).toBeGreaterThan(0);
  expect(steps).toEqual(steps.map((_, index) => index + 1));
}

/** Starts a client that was made before. */
function start(directory: string, [command = "", ...args]: string[], more: NodeJS.ProcessEnv) {
  const { gateway: GATEWAY, api_key: KEY } = platform.description;
  const env = { ...process.env, GATEWAY, KEY, TMPDIR: home, ...more };
  const child = spawn(command, args, { cwd: join(clients, directory), env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text));
  const ended = once(child, "close").then(([code]: number[]) => ({ code, output }));
  const otherwise = () => new Error(`the client does not go on; it printed: ${output}`);
  /** Resolves when it has printed that, or has ended. */
  const told = (what: RegExp) =>
    until(async () => what.test(output) || child.exitCode !== null || undefined, { withinMs: 120_000, otherwise });
  return { ended, told };
}

/** A proxy that takes TLS off connections to the gateway, and what clients need to trust it. */
async function terminateTls() {
  const authority = await CertificateAuthority.create("of an Ingress");
  const bundle = join(home, "authority.pem");
  await writeFile(bundle, authority.pem);
  const protocols = new Set<string | false | null>();
  const gateway = new URL(platform.description.gateway);
  const server = createServer({ ...(await authority.issue()), ALPNProtocols: ["h2"] }, (client) => {
    protocols.add(client.alpnProtocol);
    const behind = connect(Number(gateway.port), gateway.hostname);
    pipeline(client, behind, client, () => {});
  });
  const GATEWAY = `https://localhost:${await listenOnLoopback(server)}`;
  return {
    protocols,
    env: { GATEWAY, SSL_CERT_FILE: bundle, GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: bundle },
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

const complete = [
  { language: "Go", directory: "go", program: ["go", "run", "."], env: {}, absent: missingPrograms("go") },
  {
    language: "Python",
    directory: "python",
    program: ["../../../.local/service-client/bin/python", "main.py"],
    env: { PYTHONPATH: "gen", PYTHONUNBUFFERED: "1" },
    absent: missingPrograms("python3"),
  },
];

describe.each(complete.map((client) => [client.language + client.absent, client] as const))(
  "the client in %s",
  (_, client) => {
    const { language, directory, program, env, absent } = client;
    let printed: string;
    beforeAll(async () => {
      if (!absent) printed = await follows(language);
    });

    it.skipIf(absent)("creates, trains, steers and finishes a run", () => expectTrained(runIdIn(printed)));

    it.skipIf(absent)("waits as it is told while the rate of its organisation is used up", async () => {
      const { code, output } = await start(directory, program, env).ended;
      expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/RATE_LIMITED.*finish is applied/s) });
    });

    it.skipIf(absent)("tells its story over TLS, as behind an Ingress", async () => {
      await using edge = await terminateTls();
      const { ended } = start(directory, program, { ...env, ...edge.env });
      const { code, output } = await ended;
      expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/finish is applied/) });
      expect(edge.protocols).toEqual(new Set(["h2"]));
    });

    it.skipIf(absent)("goes on when the service behind the gateway was away, before and during its run", async () => {
      await platform.kill("training");
      const { ended, told } = start(directory, program, env);
      await told(/again in/);
      await platform.restart("training");
      await told(/^run /m);
      await platform.kill("training");
      await platform.restart("training");
      const { code, output } = await ended;
      expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/finish is applied/) });
      await expectTrained(runIdIn(output));
    });
  },
);

describe("buf curl with the descriptor set of a release", () => {
  it("calls through the gateway", async () => {
    const { gateway, foreign } = platform.description;
    const { api_key, run_id } = foreign;
    const dist = join(root, "packages/contract/dist");
    const [descriptors = ""] = (await readdir(dist)).filter((name) => name.endsWith(".binpb"));
    const schema = ["--schema", join(dist, descriptors), "--protocol", "grpc", "--http2-prior-knowledge"];
    const header = ["--header", `authorization: Bearer ${api_key}`];
    const data = ["--data", JSON.stringify({ run_id })];
    const url = `${gateway}/aiplatform.training.v1.RunService/GetRun`;
    const { stdout } = await runTool(join(root, "node_modules/.bin/buf"), ["curl", ...schema, ...header, ...data, url]);
    expect(JSON.parse(stdout).run.id).toBe(run_id);
  });
});

describe(`the client in Java${missingPrograms("mvn", "javac")}`, () => {
  it.skipIf(missingPrograms("mvn", "javac"))("reads a run and an error, as its page shows", async () => {
    await javaTools();
    await follows("Java");
  });
});

describe(`the client in Rust${missingPrograms("cargo")}`, () => {
  it.skipIf(missingPrograms("cargo"))("reads a run and an error, as its page shows", async () => {
    const crates = ["protoc-gen-prost", "protoc-gen-tonic", "protoc-gen-prost-crate"].map((name) => `${name}@0.5.0`);
    await must("nice", ["cargo", "install", "--quiet", "--locked", "--root", tools, ...crates]);
    await follows("Rust");
  });
});

/** Programs that Maven Central has for each kind of machine, under the names that buf looks for. */
async function javaTools(): Promise<void> {
  const machine = `${process.platform === "darwin" ? "osx" : "linux"}-${process.arch === "arm64" ? "aarch_64" : "x86_64"}`;
  const pom = await readFile(join(clients, "java/pom.xml"), "utf8");
  const version = (name: string) => new RegExp(`<${name}.version>(.*)</`).exec(pom)?.[1] ?? "";
  const programs = {
    protoc: ["com.google.protobuf", version("protobuf")],
    "protoc-gen-grpc-java": ["io.grpc", version("grpc")],
  };
  await mkdir(join(tools, "bin"), { recursive: true });
  for (const [name, [group = "", number = ""]] of Object.entries(programs)) {
    await must("mvn", ["-q", "-B", "dependency:get", `-Dartifact=${group}:${name}:${number}:exe:${machine}`]);
    const folder = join(homedir(), ".m2/repository", ...group.split("."), name, number);
    const [file = ""] = (await readdir(folder)).filter((each) => each.endsWith(`${machine}.exe`));
    await cp(join(folder, file), join(tools, "bin", name));
    await chmod(join(tools, "bin", name), 0o755);
  }
}

async function must(command: string, args: string[]): Promise<void> {
  const { ok, complaint } = await runTool(command, args, 800_000);
  if (!ok) throw new Error(`${command} ${args.join(" ")} failed: ${complaint}`);
}

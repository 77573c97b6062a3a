import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { exitCodes } from "@aiplatform/cli";
import { operationsOfApi } from "@aiplatform/client/operations";
import type { Description } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { runPlatformctl, type Settings } from "./run-platformctl.ts";

let description: Description;
sharedPlatform(
  (started) => {
    description = started.description;
  },
  { trainer: true },
);

const reachable = () => ({ PLATFORM_URL: description.gateway, PLATFORM_API_KEY: description.api_key });

const ctl = (args: string[], settings: Partial<Settings> = {}) =>
  runPlatformctl(args, { env: reachable(), ...settings });

const answer = async (args: string[]) => {
  const { code, out, err } = await ctl(args);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
};
const ofDemo = () => {
  const { dataset_id, model_id, pipeline_id, run_id, job_name } = description;
  return { DATASET: dataset_id, MODEL: model_id, PIPELINE: pipeline_id, RUN: run_id, JOB: job_name };
};
const ofJob = () => [description.run_id, "--pipeline", description.pipeline_id, "--job", description.job_name];

describe("the commands", () => {
  it("are there for every operation of the API", async () => {
    const { code, out } = await ctl(["--help"]);
    const dashed = (id: string) => id.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
    const missing = operationsOfApi().filter(({ id }) => !out.includes(`  ${dashed(id)} `));
    expect([code, missing]).toEqual([0, []]);
  });

  it("take path parameters as arguments and the body as options", async () => {
    const slug = `r-${randomUUID()}`;
    const ids = ["--permission-ids", "metrics:read", "--permission-ids", "roles:manage"];
    const role = await answer(["create-role", "--name", "Stewards", "--slug", slug, ...ids]);
    expect(role).toMatchObject({ name: "Stewards", slug, permission_ids: ["metrics:read", "roles:manage"] });
    expect(await answer(["get-role", role.id])).toEqual(role);
  });

  it("take the body as JSON too, also an array", async () => {
    const { id } = await answer(["create-dataset", "--data", '{"name":"sales"}', "--description", "of all shops"]);
    const entries = '[{"name":"price","description":"EUR"}]';
    expect(await answer(["patch-data-dictionary", id, "--data", entries])).toEqual(JSON.parse(entries));
  });

  it("read every page when asked for all", async () => {
    for (const name of ["a", "b", "c"]) await answer(["create-automation", "--name", `${name} ${randomUUID()}`]);
    const one = await answer(["list-automations", "--limit", "2"]);
    const all = await answer(["list-automations", "--limit", "2", "--all"]);
    expect([one.length, all.length >= 3]).toEqual([2, true]);
  });
});

describe("the page about it", () => {
  it("shows commands that a shell can run one after the other", async () => {
    const directory = await mkdtemp(join(tmpdir(), "platformctl-"));
    const page = await readFile(join(import.meta.dirname, "../../packages/cli/README.md"), "utf8");
    const [, commands = ""] = /```sh\n([\s\S]*?)```/.exec(page) ?? [];
    const main = join(import.meta.dirname, "../../packages/cli/src/main.ts");
    const program = `platformctl() { node --disable-warning=ExperimentalWarning '${main}' "$@"; }`;
    const to = { GATEWAY: description.gateway, KEY: description.api_key, HOME: directory, XDG_CONFIG_HOME: "" };
    const env = { ...process.env, ...to, ...ofDemo() };
    try {
      const { stdout } = await promisify(execFile)("sh", ["-ec", `${program}\n${commands}`], { cwd: directory, env });
      expect(stdout).toMatch(/^id .*\n/m);
      expect(stdout).toContain('"context": "demo"');
      expect(stdout).toContain('"rollout_status": "Succeeded"');
      expect(stdout).toContain("in EUR, with VAT");
      expect(stdout).toContain('"status": "applied"');
      expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^curl -sS -X POST /);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});

describe("--curl", () => {
  it("prints a line that a shell can run to the same effect", async () => {
    const slug = `r-${randomUUID()}`;
    const args = ["--curl", "create-role", "--name", "It's one", "--slug", slug, "--data", '{"permission_ids":[]}'];
    const { out } = await ctl(args);
    expect(out).not.toContain(description.api_key);
    const env = { ...process.env, PLATFORM_API_KEY: description.api_key };
    const { stdout } = await promisify(execFile)("sh", ["-c", out], { env });
    expect(JSON.parse(stdout)).toMatchObject({ name: "It's one", slug });
  });
});

describe("--curl with a training command", () => {
  it("shows the command and gives none, and needs no credential for it", async () => {
    const list = ["list-control-commands", description.pipeline_id, description.run_id, description.job_name];
    const before = await answer(list);
    const shown = await ctl(["--curl", "abort", ...ofJob()], { env: { PLATFORM_URL: description.gateway } });
    expect([shown.code, shown.err]).toEqual([0, ""]);
    expect(shown.out).toMatch(/^curl -sS -X POST .*"action":"abort".*\/training\/mnist\/commands'\n$/);
    expect(await answer(list)).toEqual(before);
  });
});

describe("a training command", () => {
  it("is followed to its end with --wait", async () => {
    const paused = await answer(["pause", ...ofJob(), "--wait", "--timeout", "30"]);
    expect(paused).toMatchObject({ action: "pause", status: "applied" });
    expect(await answer(["resume", ...ofJob(), "--wait", "--timeout", "30"])).toMatchObject({ status: "applied" });
  });

  it("that is rejected is printed, explained, and told by the exit status", async () => {
    const { code, out, err } = await ctl(["rollback", ...ofJob(), "--checkpoint", randomUUID(), "--wait"]);
    expect(JSON.parse(out)).toMatchObject({ status: "rejected", detail: "unknown checkpoint" });
    expect([code, err]).toEqual([exitCodes.refused, "rejected: unknown checkpoint\n"]);
  });
});

describe("a deployment", () => {
  it("is followed with --wait until it runs, until it is stopped, and is deleted only when that is meant", async () => {
    const created = ["create-deployment", "--model-id", description.model_id, "--wait", "--timeout", "60"];
    const { id, status, rollout_status } = await answer(created);
    expect([status, rollout_status]).toEqual(["Running", "Succeeded"]);
    const unasked = await ctl(["delete-deployment", id]);
    expect([unasked.code, unasked.err]).toEqual([exitCodes.usage, expect.stringContaining("needs --yes")]);
    const doubted = await ctl(["stop-deployment", id], { typed: "n" });
    expect([doubted.code, doubted.err]).toEqual([
      exitCodes.usage,
      `Stop deployment: POST /platform/deployments/${id}/stop? [y/N] nothing was done\n`,
    ]);
    const stopped = await ctl(["stop-deployment", id, "--wait", "--timeout", "60"], { typed: "y" });
    expect([stopped.code, JSON.parse(stopped.out).status]).toEqual([0, "Stopped"]);
    expect(await answer(["start-deployment", id, "--wait", "--timeout", "60"])).toMatchObject({ status: "Running" });
    expect(await answer(["delete-deployment", id, "--yes"])).toMatchObject({ id });
  });
});

describe("an e-mail draft", () => {
  it("is followed with --wait until it is sent", async () => {
    const sent = await answer(["send-email-draft", description.draft_id, "--yes", "--wait"]);
    expect(sent).toMatchObject({ sent_count: 1, failed_count: 0 });
  });
});

describe("a run of an automation", () => {
  it("is followed with --wait to its end, which the exit status tells", async () => {
    const args = ["start-automation-run", description.automation_id, "--input", "{}", "--wait", "--timeout", "60"];
    const { code, out, err } = await ctl(args);
    const { status, error } = JSON.parse(out);
    expect([code, err]).toEqual(
      status === "succeeded" ? [0, ""] : [exitCodes.failed, `${status}: ${error ?? "without a reason"}\n`],
    );
    expect(["succeeded", "failed"]).toContain(status);
  });
});

describe("a context", () => {
  it("is logged in to from standard input, used, switched and forgotten, and never shows its credential", async () => {
    const HOME = await mkdtemp(join(tmpdir(), "platformctl-home-"));
    const env = { HOME };
    const { gateway, api_key, organisation_id } = description;
    const written: string[] = [];
    const told = async (args: string[], more: Partial<Settings> = {}) => {
      const { code, out, err } = await ctl(args, { env, ...more });
      written.push(out, err);
      return { code, out, err };
    };
    try {
      expect(await told(["login", "--url", gateway], { piped: "unknown\n" })).toEqual({
        code: 3,
        out: "",
        err: expect.stringContaining("malformed"),
      });
      expect(await told(["login", "demo", "--url", gateway], { piped: `${api_key}\n` })).toMatchObject({
        code: 0,
        out: "",
      });
      expect(await told(["login", "typed", "--url", gateway], { typed: api_key })).toMatchObject({ code: 0 });
      const { out } = await told(["whoami"]);
      expect(JSON.parse(out)).toMatchObject({ url: gateway, context: "typed", organisation_id, kind: "api_key" });
      expect(JSON.parse(out).permissions).toContain("roles:manage");
      await told(["config", "set-context", "away", "--url", "http://127.0.0.1:1", "--api-key-file", "-"], {
        piped: "secret-of-away",
      });
      expect((await told(["list-roles", "--context", "away"])).code).toBe(exitCodes.unavailable);
      expect((await told(["config", "use-context", "demo"])).code).toBe(0);
      expect((await told(["list-roles"])).code).toBe(0);
      expect((await told(["config", "delete-context", "away"])).code).toBe(exitCodes.usage);
      expect((await told(["config", "delete-context", "away", "-y"])).code).toBe(0);
      const listed = await told(["config", "get-contexts"]);
      expect(JSON.parse(listed.out)).toEqual([
        { current: true, name: "demo", url: gateway, credential: "kept" },
        { current: false, name: "typed", url: gateway, credential: "kept" },
      ]);
      expect(written.join("")).not.toMatch(new RegExp(`${api_key}|secret-of-away`));
    } finally {
      await rm(HOME, { recursive: true, force: true });
    }
  });
});

describe("api", () => {
  it("sends what has no command, its body from a file or from standard input, and writes the answer as it came", async () => {
    const slug = `r-${randomUUID()}`;
    const piped = JSON.stringify({ name: "Raw", slug, permission_ids: [] });
    const { out } = await ctl(["api", "post", "/organisations/roles/", "--data", "-"], { piped });
    expect(JSON.parse(out)).toMatchObject({ name: "Raw", slug });
    const listed = await ctl(["api", "GET", "/platform/roles?limit=1", "--header", "accept: application/json"]);
    expect(JSON.parse(listed.out)).toHaveLength(1);
    expect((await ctl(["api", "DELETE", `/platform/roles/${JSON.parse(out).id}`])).err).toContain("--yes");
    expect((await ctl(["api", "GET", "http://elsewhere.example/"])).code).toBe(exitCodes.usage);
  });
});

describe("an artifact", () => {
  it("is sent from a file, and written as it is", async () => {
    const folder = await mkdtemp(join(tmpdir(), "platformctl-"));
    try {
      const bytes = `an artifact ${randomUUID()}`;
      await writeFile(join(folder, "model.onnx"), bytes);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const stored = await answer(["put-artifact", sha256, "--data", `@${join(folder, "model.onnx")}`]);
      expect(stored).toEqual({ artifact_sha256: sha256, size_bytes: bytes.length });
      expect((await ctl(["download-artifact", sha256])).out).toBe(bytes);
      expect((await ctl(["put-artifact", sha256, "--data", "text"])).code).toBe(exitCodes.usage);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe("completion", () => {
  it("lets a real bash complete a command", async () => {
    const main = join(import.meta.dirname, "../../packages/cli/src/main.ts");
    const script = `platformctl() { node --disable-warning=ExperimentalWarning '${main}' "$@"; }
eval "$(platformctl completion bash)"
COMP_WORDS=(platformctl completion f); COMP_CWORD=2
_platformctl; printf '%s\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)("bash", ["-c", script]);
    expect(stdout).toBe("fish\n");
  });
});

describe("the exit status", () => {
  const bad = () => ({ PLATFORM_URL: description.gateway, PLATFORM_API_KEY: "unknown" });
  /** A platform that answers so, or not at all. */
  const strange = createServer((request, response) => {
    if (request.url === "/platform/roles") response.writeHead(500).end("<html>");
  });
  beforeAll(async () => {
    strange.listen(0, "127.0.0.1");
    await once(strange, "listening");
  });
  afterAll(() => {
    strange.closeAllConnections();
    strange.close();
  });
  const toStrange = () => {
    const address = strange.address();
    return { ...bad(), PLATFORM_URL: `http://127.0.0.1:${typeof address === "object" && address?.port}` };
  };

  it.each([
    ["usage", "an unknown command", ["no-such-command"], undefined],
    ["usage", "a missing argument", ["get-role"], undefined],
    ["usage", "what the platform finds wrong with a field", ["create-role", "--name", "x"], undefined],
    ["usage", "data that is not JSON", ["create-role", "--data", "{"], undefined],
    ["usage", "no credential", ["list-roles"], () => ({})],
    ["usage", "a time that is none", ["list-roles", "--timeout", "soon"], undefined],
    ["failed", "a platform with a defect", ["list-roles"], toStrange],
    ["timeout", "a platform that does not answer in time", ["list-members", "--timeout", "0.3"], toStrange],
    [
      "refused",
      "what is there already",
      ["create-role", "--name", "x", "--slug", "administrator", "--permission-ids", "metrics:read"],
      undefined,
    ],
    ["unauthorized", "a bad credential", ["list-roles"], bad],
    ["notFound", "what is not there", ["get-role", randomUUID()], undefined],
    [
      "unavailable",
      "a platform that is away",
      ["get-role", "x"],
      () => ({ ...bad(), PLATFORM_URL: "http://127.0.0.1:1" }),
    ],
  ] as const)("is that of %s for %s", async (name, _what, args, env) => {
    const { code, out, err } = await ctl([...args], env ? { env: env() } : {});
    expect([code, out]).toEqual([exitCodes[name], ""]);
    expect(err).not.toBe("");
  });
});

describe("what is written", () => {
  it("is a table for people and JSON for programs, unless it is said", async () => {
    const table = await ctl(["list-roles"], { isTerminal: true, env: { ...reachable(), NO_COLOR: "1" } });
    expect(table.out.split("\n")[0]).toMatch(/^id +/);
    expect(JSON.parse((await ctl(["list-roles"])).out)).toEqual(expect.any(Array));
    const lines = await ctl(["-o", "jsonl", "list-roles"]);
    expect(
      lines.out
        .trimEnd()
        .split("\n")
        .map((line) => typeof JSON.parse(line)),
    ).toContain("object");
  });

  it("is the same from the program itself", async () => {
    const main = join(import.meta.dirname, "../../packages/cli/src/main.ts");
    const env = { ...process.env, PLATFORM_URL: description.gateway, PLATFORM_API_KEY: description.api_key };
    const { stdout } = await promisify(execFile)("node", [main, "get-organisation"], { env });
    expect(JSON.parse(stdout)).toMatchObject({ id: description.organisation_id });
  });
});

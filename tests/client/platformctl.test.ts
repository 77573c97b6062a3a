import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { exitCodes, platformctl } from "@aiplatform/cli";
import { operationsOfApi } from "@aiplatform/client";
import type { Description } from "@aiplatform/local-platform";
import { describe, expect, it } from "@jest/globals";
import { ownPlatform } from "../rest-contract/own-platform.ts";

let description: Description;
ownPlatform(
  (started) => {
    description = started.description;
  },
  { trainer: true },
);

interface Settings {
  env?: Record<string, string>;
  isTerminal?: boolean;
  /** What standard input holds. */
  piped?: string;
  /** What somebody answers who sits at a terminal. */
  typed?: string;
}

/** Runs the program in this process. */
async function ctl(args: string[], settings: Settings = {}) {
  let [out, err] = ["", ""];
  const { piped = "", typed } = settings;
  const env = settings.env ?? { PLATFORM_URL: description.gateway, PLATFORM_API_KEY: description.api_key };
  const code = await platformctl({
    arguments: args,
    env,
    stdout: (text) => {
      out += text;
    },
    stderr: (text) => {
      err += text;
    },
    isTerminal: settings.isTerminal ?? false,
    stdin: {
      isTerminal: typed !== undefined,
      read: async () => piped,
      ask: async (question) => {
        err += question;
        return typed ?? "";
      },
    },
  });
  return { code, out, err };
}

const answer = async (args: string[]) => {
  const { code, out, err } = await ctl(args);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
};
const ofDemo = () => {
  const { dataset_id, pipeline_id, run_id, job_name } = description;
  return { DATASET: dataset_id, PIPELINE: pipeline_id, RUN: run_id, JOB: job_name };
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
    const env = { ...process.env, GATEWAY: description.gateway, KEY: description.api_key, ...ofDemo() };
    try {
      const { stdout } = await promisify(execFile)("sh", ["-ec", `${program}\n${commands}`], { cwd: directory, env });
      expect(stdout).toMatch(/^id .*\n/);
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

describe("the exit status", () => {
  const bad = () => ({ PLATFORM_URL: description.gateway, PLATFORM_API_KEY: "nobody" });
  it.each([
    ["usage", "an unknown command", ["no-such-command"], undefined],
    ["usage", "a missing argument", ["get-role"], undefined],
    ["usage", "what the platform finds wrong with a field", ["create-role", "--name", "x"], undefined],
    ["usage", "data that is not JSON", ["create-role", "--data", "{"], undefined],
    ["usage", "no credential", ["list-roles"], () => ({})],
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
    const table = await ctl(["list-roles"], { isTerminal: true });
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

import { describe, expect, it } from "vitest";
import { banner } from "./banner.ts";
import { containmentIn } from "./containment.ts";

const id = "0198f2a0-0000-7000-8000-000000000001";
const description = {
  gateway: "http://127.0.0.1:8080",
  mail: "http://127.0.0.1:8025",
  grpc: { identity: "a:1", training: "b:2", content: "c:3", deployments: "d:4", data: "e:5" },
  ...{ organisation_id: id, pipeline_id: id, run_id: id, job_name: "train", dataset_id: id, automation_id: id },
  ...{ draft_id: id, feature_key: "age", model_id: id, api_key: "aip_x", bearer: "b" },
  foreign: { api_key: "aip_y", bearer: "c", pipeline_id: id, run_id: id },
};

const signInLink = "http://127.0.0.1:8080/console/sign-in#code=aic_x";
const facts = {
  ...{ signInLink, metric: "accuracy", directory: ".local", variables: "v" },
  ...{ trustsCode: false, readsUncontained: false },
};
const enforcement = { memory: "cgroup", processor: "niceness and watched", threads: "prlimit" } as const;
const sandbox = { kind: "namespaces", python: "python3", abi: 7 } as const;

function read(status: string | undefined, trainer = true) {
  const text = banner(description, { ...facts, trainer, status, sandbox, enforcement });
  const actions = [...text.matchAll(/"action":"([a-z_]+)"/g)].map(([, action]) => action);
  const commands = text.match(/^ {2}curl .*$/gm) ?? [];
  return { headline: text.trim().split("\n")[0], actions, commands: commands.length, first: commands[0] };
}

const all = ["pause", "resume", "rollback", "warm_restart", "finish_from_checkpoint"];

describe("the banner, which said that a model is being trained whatever the run was doing", () => {
  it.each(["queued", "preparing", "running", undefined])("says so of a run that goes on: %s", (status) => {
    expect(read(status)).toMatchObject({ headline: expect.stringContaining("a model is being trained"), actions: all });
    expect(read(status, false).headline).toContain("without a trainer");
  });

  it("begins with resume where the run is paused", () => {
    const { headline, actions } = read("paused");
    expect(headline).toContain("the run is paused");
    expect(actions).toEqual(["resume", "pause", "rollback", "warm_restart", "finish_from_checkpoint"]);
  });

  it("begins with rollback where the run has failed", () => {
    const { headline, actions } = read("failed");
    expect(headline).toContain("the run has failed");
    expect(actions).toEqual(["rollback", "pause", "resume", "warm_restart", "finish_from_checkpoint"]);
  });

  it.each([
    ["completed", "is finished"],
    ["aborted", "was aborted"],
  ])("has no instructions to a run that is %s, and begins with what begins the next one", (status, how) => {
    const { headline, actions, commands, first } = read(status);
    expect(headline).toContain(`the run ${how}. The first command below begins the next one`);
    expect([actions, commands]).toEqual([[], 5]);
    expect(first).toMatch(
      /-d '\{"name":"another run","jobs":\[\{"name":"train",.*\}\]\}' '.*\/platform\/pipelines\/[^/]+\/runs'$/,
    );
  });
});

describe("the banner", () => {
  const factsOf = (link: string | undefined) =>
    banner(description, { ...facts, signInLink: link, trainer: true, status: "running", sandbox, enforcement })
      .split("\n\n")[1]
      ?.split("\n");

  it("begins with the address at which a person signs in to the console", () => {
    expect(factsOf(signInLink)?.[0]).toContain(`  console       ${signInLink}   (signs you in once, `);
  });

  it("does not say that an address without a code signs anyone in", () => {
    const page = "http://127.0.0.1:8080/console/";
    expect(factsOf(page)?.[0]).toBe(`  console       ${page}   (sign in with the API key)`);
  });

  it("begins with the REST API where there is no console", () => {
    expect(factsOf(undefined)?.[0]).toMatch(/^ {2}REST API /);
  });

  const none = { kind: "none", reason: "Darwin 25 arm64 lacks seccomp" } as const;

  it.each([
    ["in a sandbox", { sandbox }, "their code runs in a sandbox of namespaces, Landlock and seccomp"],
    [
      "in a sandbox, even if it is trusted",
      { sandbox, trustsCode: true },
      "their code runs in a sandbox of namespaces, Landlock and seccomp",
    ],
    [
      "nowhere",
      { sandbox: none },
      "deployments with a handler are refused: Darwin 25 arm64 lacks seccomp (docs/operations/serving.md)",
    ],
    [
      "without a sandbox",
      { sandbox: none, trustsCode: true },
      "their code runs without a sandbox, since TRUST_SERVING_CODE is true: Darwin 25 arm64 lacks seccomp (docs/operations/serving.md)",
    ],
  ])("says that the code of handlers runs %s", (_, containment, says) => {
    const text = banner(description, { ...facts, trainer: true, status: "running", enforcement, ...containment });
    expect(text.split("\n")).toContain(`  handlers      ${says}`);
  });

  it("says what the settings make of handlers, which TRUST_SERVING_CODE did not change", async () => {
    const shown = async (env: Readonly<Record<string, string>>) => {
      const containment = await containmentIn({ SERVING_SANDBOX: "none", ...env });
      const text = banner(description, { ...facts, trainer: true, status: "running", enforcement, ...containment });
      return text.split("\n").find((line) => line.startsWith("  handlers "));
    };
    expect(await shown({ TRUST_SERVING_CODE: "false" })).toContain("are refused: SERVING_SANDBOX is none");
    expect(await shown({ TRUST_SERVING_CODE: "true" })).toContain(
      "runs without a sandbox, since TRUST_SERVING_CODE is true",
    );
  });

  it("says that files of datasets are read without a sandbox, only where they are", () => {
    const shown = [true, false].map((readsUncontained) =>
      banner(description, { ...facts, trainer: true, status: "running", sandbox, enforcement, readsUncontained }),
    );
    expect(shown[0]).toContain(
      "  files         of datasets are read without a sandbox, since DATA_SANDBOX is none: use files that you trust",
    );
    expect(shown[1]).not.toContain("  files ");
  });

  it("says what holds instances to their limits, where that is known", () => {
    const shown = [enforcement, undefined].map((each) =>
      banner(description, { ...facts, trainer: true, status: "running", sandbox, enforcement: each }),
    );
    expect(shown[0]).toContain(
      "limits        of instances: memory: cgroup, processor: niceness and watched, threads: prlimit",
    );
    expect(shown[1]).not.toContain("limits  ");
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, readFile, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as streamText } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Examination } from "@aiplatform/doctor";
import type { Description } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { follow, patternOf, stepsOf } from "../documents/followed-page.ts";
import type { Launcher } from "./launcher.ts";
import { until } from "./rest.ts";
import { StartDirectory } from "./start-directory.ts";

let directory: StartDirectory;
let launcher: Launcher;
let first: Description;

beforeAll(async () => {
  directory = await StartDirectory.make();
  launcher = directory.start("--json");
  first = JSON.parse(await launcher.prints("\n"));
}, 200_000);

afterAll(() => directory[Symbol.asyncDispose]());

/** What `npm run doctor` says of the platform in the directory. */
async function doctor() {
  const main = fileURLToPath(new URL("../../packages/doctor/src/main.ts", import.meta.url));
  const args = [
    "--disable-warning=ExperimentalWarning",
    main,
    "--directory",
    directory.path,
    "--json",
    "--timeout",
    "60",
  ];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const [text, [code]] = await Promise.all([streamText(child.stdout), once(child, "close")]);
  const found: Examination[] = text ? JSON.parse(text).examinations : [];
  const wrong = found.flatMap(({ check, of, findings }) =>
    findings.flatMap(({ state, says }) => (state === "ok" ? [] : [`${check} of ${of.join(", ")}: ${says}`])),
  );
  return { code, wrong, checks: new Set(found.map(({ check }) => check)) };
}

describe("the platform of npm start", () => {
  it("is healthy, as the doctor says", async () => {
    const { code, wrong, checks } = await doctor();
    expect([code, wrong]).toEqual([0, []]);
    expect([...checks]).toEqual(
      expect.arrayContaining(["ports", "mongodb", "nats", "peers", "issuer", "smtp", "keys"]),
    );
  }, 100_000);

  it("has two versions of the digits, one without some of the other's rows, and vectors of both", async () => {
    const path = `/platform/datasets/${first.dataset_id}/versions`;
    const headers = { authorization: `Bearer ${first.api_key}` };
    const asked = async (of: string) => JSON.parse(await (await fetch(first.gateway + path + of, { headers })).text());
    const [all, fewer] = await asked("?order_by=number");
    expect([all, fewer]).toMatchObject([
      { number: 1, state: "ready", row_count: 300, predecessor: null },
      { number: 2, state: "ready", row_count: 289, predecessor: { version_id: all.id, matching_rows: "remove" } },
    ]);
    const embedded = await until(
      "the vectors of both versions",
      90,
      async () => [...(await asked(`/${all.id}/embeddings`)), ...(await asked(`/${fewer.id}/embeddings`))],
      (embeddings) => embeddings.every((embedding) => embedding.state === "ready"),
    );
    expect(embedded).toMatchObject([{ row_count: 300 }, { row_count: 289 }]);
  }, 150_000);

  it("finds the ten images nearest to one by a line of curl, as the page on embeddings shows", async () => {
    const steps = stepsOf(await readFile(new URL("../../docs/api/embeddings.md", import.meta.url), "utf8"));
    await using home = await mkdtempDisposable(join(tmpdir(), "reader-"));
    await symlink(directory.path, join(home.path, ".local"));
    // The demo does not wait for its vectors.
    const round = await until(
      "the digits to be embedded",
      90,
      () => follow(steps, { cwd: home.path, seconds: 30 }),
      ({ outputs }) => !outputs.some((output) => output.includes("embedding_not_ready")),
    );
    expect(round).toMatchObject({ code: 0, errors: "" });
    for (const [index, { shown = "" }] of steps.entries()) expect(round.outputs[index]).toMatch(patternOf(shown));
    expect(JSON.parse(round.outputs[0] ?? "")).toHaveLength(10);
  }, 150_000);

  it("is not there, as the doctor says, after Ctrl-C", async () => {
    expect(await launcher.end("SIGINT")).toBe(0);
    expect((await doctor()).code).toBe(1);
  }, 60_000);
});

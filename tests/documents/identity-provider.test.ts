import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = await readFile(join(root, "docs/identity-provider.md"), "utf8");

/** One block of commands, and what the page shows as their output. */
interface Step {
  commands: string;
  shown: string | undefined;
}

/** The blocks of the worked example, in order. */
function stepsOf(text: string): Step[] {
  const [, example = ""] = text.split("\n## A worked example\n");
  const [section = ""] = example.split("\n## ");
  const block = /```sh\n(?<commands>[\s\S]*?)```(?:\n\n```text\n(?<shown>[\s\S]*?)```)?/g;
  return [...section.matchAll(block)].map(({ groups = {} }) => ({
    commands: groups["commands"] ?? "",
    shown: groups["shown"],
  }));
}

const steps = stepsOf(page);

describe("the worked example of setting up an identity provider, followed to the letter", () => {
  let directory: string;
  let ended: { code: number | null; errors: string };
  const outputOf = (index: number) => readFile(join(directory, `${index}.out`), "utf8");

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "identity-provider-page-"));
    const script = steps.map(({ commands }, index) => `exec > '${directory}/${index}.out'\n${commands}`).join("\n");
    const { PATH, HOME } = process.env;
    // What a reader has: a shell in a clone of the repository, and nothing in its environment.
    const shell = spawn("bash", ["-euo", "pipefail", "-c", script], {
      cwd: root,
      env: { PATH, HOME },
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const said: Buffer[] = [];
    shell.stderr.on("data", (chunk: Buffer) => said.push(chunk));
    const hurry = AbortSignal.timeout(100_000);
    const stopAll = () => {
      if (shell.pid !== undefined) process.kill(-shell.pid, "SIGKILL");
    };
    hurry.addEventListener("abort", stopAll, { once: true });
    const [code] = await once(shell, "exit");
    hurry.removeEventListener("abort", stopAll);
    if (code !== 0) stopAll();
    ended = { code, errors: Buffer.concat(said).toString() };
  }, 120_000);
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it("has steps, and shows what some of them print", () => {
    expect(steps.length).toBeGreaterThan(8);
    expect(steps.filter(({ shown }) => shown !== undefined).length).toBeGreaterThan(3);
  });

  it("works to its end", () => {
    expect(ended).toMatchObject({ code: 0 });
  });

  it.each(steps.flatMap(({ shown }, index) => (shown === undefined ? [] : [{ index, shown }])))(
    "prints what the page shows: step $index",
    async ({ index, shown }) => {
      expect(await outputOf(index)).toBe(shown);
    },
  );

  it("leaves nothing behind", () => {
    expect(existsSync(join(root, ".local/identity-provider-example"))).toBe(false);
  });
});

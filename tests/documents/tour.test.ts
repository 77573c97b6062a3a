import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Followed, follow, patternOf, stepsOf } from "./followed-page.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const steps = stepsOf(await readFile(join(root, "examples/tour/README.md"), "utf8"));
const shown = steps.flatMap(({ shown: text }, index) => (text === undefined ? [] : [{ index, text }]));

describe("the tour, taken to the letter beside npm start", () => {
  let home: string;
  let launcher: ChildProcess;
  let rounds: Followed[];

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "tour-"));
    const { MONGODB_URI: _, NATS_URL: __, ...env } = process.env;
    const args = [join(root, "scripts/start.mjs"), "--json", "--directory", join(home, ".local")];
    launcher = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
    await Promise.race([once(launcher.stdout ?? launcher, "data"), once(launcher, "exit")]);
    const round = () => follow(steps, { cwd: home, seconds: 60 });
    rounds = [await round(), await round()];
  }, 240_000);
  afterAll(async () => {
    if (launcher.exitCode === null && launcher.kill("SIGINT")) await once(launcher, "exit");
    await rm(home, { recursive: true, force: true });
  }, 30_000);

  it("has steps, and shows what most of them print", () => {
    expect(shown.length).toBeGreaterThan(10);
  });

  it("works to its end, and again after cleaning up", () => {
    expect(rounds).toMatchObject([
      { code: 0, errors: "" },
      { code: 0, errors: "" },
    ]);
  });

  it.each(shown)("prints what the page shows: step $index", ({ index, text }) => {
    for (const { outputs } of rounds) expect(outputs[index]).toMatch(patternOf(text));
  });
});

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Description } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Launcher } from "./launcher.ts";
import { ask, commandApplied, type Json, until } from "./rest.ts";
import { allRefused, StartDirectory } from "./start-directory.ts";

let directory: StartDirectory;
let first: Description;
let firstVariables: NodeJS.Dict<string>;

afterAll(() => directory?.[Symbol.asyncDispose]());

/** A start that ends with a paused run, and whose demo's key is of a time when there were fewer permissions. */
async function startOnce(): Promise<void> {
  directory = await StartDirectory.make();
  const launcher = directory.start("--json");
  first = JSON.parse(await launcher.prints("\n"));
  firstVariables = await directory.variables();
  expect(await commandApplied(first, "pause")).toMatchObject({ status: "applied" });
  const body = { name: "of earlier", permission_ids: ["training:write", "training:command", "metrics:read"] };
  const made = await ask(first, { path: "/platform/api-keys", body });
  expect(await launcher.end("SIGINT")).toBe(0);
  const record = await directory.readRecord();
  record.demo.api_key = made.body.secret;
  await directory.writeRecord(record);
}

/** Differ from start to start. */
const passing = new Set(["GATEWAY", "PLATFORM_URL", "TRAINING", "MAIL", "TOKEN"]);
const lasting = (all: NodeJS.Dict<string>) => Object.entries(all).filter(([name]) => !passing.has(name));

describe("npm start on what an earlier start left", () => {
  let launcher: Launcher;
  let again: NodeJS.Dict<string>;
  const printedCommand = (says: string) => commandBelow(launcher.stdout, says);
  const pasteJson = async (says: string): Promise<Json> => JSON.parse(await paste(printedCommand(says)));

  beforeAll(async () => {
    await startOnce();
    launcher = directory.start();
    await launcher.prints("Ctrl-C stops everything");
    again = await directory.variables();
  });

  it("finds everything again, and gives the demo a key with every permission that there is by now", async () => {
    const { KEY: key = "", PLATFORM_API_KEY, ...found } = again;
    const { KEY: _, PLATFORM_API_KEY: __, ...left } = firstVariables;
    expect(lasting(found)).toEqual(lasting(left));
    expect(PLATFORM_API_KEY).toBe(key);
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${again["GATEWAY"]}/platform/audit`, { headers })).status).toBe(200);
    expect((await directory.readRecord()).demo).toMatchObject({ api_key: key, run_id: first.run_id });
  });

  it("says that the run is paused, and begins with the command that resumes it", async () => {
    const { stdout } = launcher;
    expect(stdout).toContain("the run is paused");
    expect(stdout).not.toContain("a model is being trained");
    expect(stdout.indexOf('"action":"resume"')).toBeLessThan(stdout.indexOf('"action":"pause"'));
    await pasteJson("resume where it was");
    const curve = () => pasteJson("watch it learn");
    await until("the run to go on", 60, curve, ({ status }) => status === "running");
  }, 90_000);

  it("prints a command that shows the curve of the accuracy so far", async () => {
    const curve = () => pasteJson("watch it learn");
    const seen = await until("a point", 60, curve, ({ series }) => series.test_accuracy?.values.length > 0);
    expect(seen.status).toBe("running");
  });

  it("prints a command that follows it as it happens", async () => {
    const lines = (await paste(printedCommand("as it happens"), 4)).trim().split("\n");
    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.parse(lines[0] ?? "").schema_version).toBe("training-metrics.v3");
  });

  it.each(["pause", "resume where it was", "go back", "restart from the best weights", "finish"])(
    "prints a command that steers it, which the trainer does: %s",
    async (says) => {
      const { id, status } = await pasteJson(says);
      expect(status).toBe("pending");
      const log = () => pasteJson("what became of these commands");
      const settled = await until(`${says} to settle`, 30, log, (commands) =>
        commands.some((one: Json) => one.id === id && one.status !== "pending"),
      );
      expect(settled.find((one: Json) => one.id === id)).toMatchObject({ status: "applied" });
    },
  );

  it("leaves no process behind when it is killed", async () => {
    await launcher.end("SIGKILL");
    await allRefused(again["GATEWAY"] ?? "", again["TRAINING"] ?? "");
  });
});

/** The printed command below the comment that contains `says`. */
function commandBelow(printed: string, says: string): string {
  const lines = printed.split("\n");
  const comment = lines.findIndex((line) => line.trimStart().startsWith("#") && line.includes(says));
  const command = lines[comment + 1]?.trim() ?? "";
  if (!command.startsWith("curl ")) throw new Error(`the banner prints no command for: ${says}`);
  return command;
}

/** What a shell prints for it, as a person would see it. */
async function paste(command: string, seconds = 20): Promise<string> {
  const { stdout } = await promisify(execFile)("bash", ["-c", `timeout ${seconds} ${command} || [ $? = 124 ]`]);
  return stdout;
}

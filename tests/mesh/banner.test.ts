import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, until } from "./rest.ts";

const program = fileURLToPath(new URL("../../scripts/start.mjs", import.meta.url));
let directory: string;
let launcher: ChildProcess;
let printed = "";

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "banner-"));
  const { MONGODB_URI: _, NATS_URL: __, ...env } = process.env;
  launcher = spawn(process.execPath, [program, "--directory", directory], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  launcher.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    printed += chunk;
  });
  await until(
    "the banner",
    150,
    async () => printed,
    (text) => text.includes("Ctrl-C stops everything"),
  );
}, 180_000);

afterAll(async () => {
  const ended = once(launcher, "close");
  launcher.kill("SIGINT");
  await ended;
  await rm(directory, { recursive: true, force: true });
});

/** The printed command below the comment that contains `says`. */
function printedCommand(says: string): string {
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

async function pasteJson(says: string): Promise<Json> {
  return JSON.parse(await paste(printedCommand(says)));
}

describe("the commands that npm start prints", () => {
  it("show the curve of the accuracy so far", async () => {
    const seen = await until(
      "a point",
      60,
      () => pasteJson("watch it learn"),
      ({ series }) => series.test_accuracy?.values.length > 0,
    );
    expect(seen.status).toBe("running");
  });

  it("follow it as it happens", async () => {
    const lines = (await paste(printedCommand("as it happens"), 4)).trim().split("\n");
    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.parse(lines[0] ?? "").schema_version).toBe("training-metrics.v3");
  });

  it.each(["pause", "resume where it was", "go back", "restart from the best weights", "finish"])(
    "steer it until the trainer has done so: %s",
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
});

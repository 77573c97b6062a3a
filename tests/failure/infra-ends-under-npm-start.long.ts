import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Description, until } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const program = join(import.meta.dirname, "../../scripts/start.mjs");
/** A deadline for what has to answer while a part is away. */
const answersWithinMs = 15_000;

let directory: string;
let description: Description;
let said = "";
const launcher = { stop: async () => {} };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "infra-ends-"));
  const { MONGODB_URI: _, NATS_URL: __, ...env } = process.env;
  const args = [program, "--json", "--any-ports", "--no-trainer", "--directory", directory];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  launcher.stop = async () => {
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  };
  child.stderr.setEncoding("utf8").on("data", (chunk) => {
    said += chunk;
  });
  const [printed] = await Promise.race([once(child.stdout, "data"), once(child, "exit").then(() => [said])]);
  description = JSON.parse(String(printed));
}, 180_000);

afterAll(async () => {
  await launcher.stop();
  await rm(directory, { recursive: true, force: true });
}, 60_000);

/** The process whose command line names this path. */
async function pidOf(path: string): Promise<number> {
  const ps = spawn("ps", ["-A", "-o", "pid=,args="], { stdio: ["ignore", "pipe", "ignore"] });
  const lines = (await text(ps.stdout)).split("\n").filter((line) => line.includes(path));
  if (lines.length !== 1) throw new Error(`${lines.length} processes name ${path}`);
  return Number.parseInt(lines[0] ?? "", 10);
}

/** Writes something: what reads alone could be answered from memory. */
async function createDataset(): Promise<{ status: number; code: string | undefined }> {
  const answer = await fetch(`${description.gateway}/platform/datasets`, {
    method: "POST",
    headers: { authorization: `Bearer ${description.api_key}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "after the outage" }),
    signal: AbortSignal.timeout(answersWithinMs),
  });
  return { status: answer.status, code: JSON.parse(await answer.text()).code };
}

const parts = [
  { name: "mongod", path: () => join(directory, "mongodb/data"), log: () => join(directory, "mongodb/mongod.log") },
  {
    name: "nats-server",
    path: () => join(directory, "nats/nats-server.conf"),
    log: () => join(directory, "nats/nats-server.log"),
  },
];

describe("npm start, when a server under the services ends", () => {
  it.each(parts)(
    "starts $name again on the same data, says so, and answers meanwhile",
    async ({ name, path, log }) => {
      const before = await pidOf(path());
      process.kill(before, "SIGKILL");
      const answers: { status: number; code: string | undefined }[] = [];
      await until(
        async () => {
          answers.push(await createDataset());
          return said.includes(`${name} is running again\n`) && answers.at(-1)?.status === 201 ? true : undefined;
        },
        { withinMs: 60_000, everyMs: 100, otherwise: () => new Error(`it did not come back: ${said}`) },
      );
      // The pause has a share of chance.
      const restart = /ended \(SIGKILL\); starting it again in 0\.\d\d s, its log is (.+)\n/.exec(
        said.slice(said.lastIndexOf(`${name} ended`)),
      );
      expect(restart?.[1]).toBe(log());
      const failed = answers.filter(({ status }) => status !== 201);
      expect(failed).toEqual(failed.map(() => ({ status: 503, code: "store_unavailable" })));
      expect(await pidOf(path())).not.toBe(before);
      expect(await readFile(log(), "utf8")).not.toBe("");
    },
    120_000,
  );
});

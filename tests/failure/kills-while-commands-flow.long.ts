import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalPlatform, startPlatform } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask, commandLog, commandsPath, until } from "../mesh/rest.ts";
import { killed } from "./killed.ts";
import { startRecordingTrainer } from "./recording-trainer.ts";

let directory: string;
let running: LocalPlatform;
let platform: LocalPlatform["description"];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "kills-"));
  running = await startPlatform({ directory, trainer: false, separate: "services" });
  platform = running.description;
});

afterEach(async () => {
  await running?.stop();
  await rm(directory, { recursive: true, force: true });
});

interface Answered {
  key: string;
  id: string;
  sequence: number;
}

/** Sends one command and repeats it, as a client should, until it is answered. */
async function sendUntilAnswered(action: string, stopped: () => boolean): Promise<Answered | undefined> {
  const key = randomUUID();
  while (!stopped()) {
    try {
      const { status, body, text } = await ask(platform, {
        path: commandsPath(platform),
        body: { action, idempotency_key: key },
      });
      if (status === 201) return { key, id: body.id, sequence: body.sequence };
      if (status < 500 && status !== 429) throw new UnexpectedAnswerError(status, text);
    } catch (reason) {
      if (reason instanceof UnexpectedAnswerError) throw reason;
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return undefined;
}

class UnexpectedAnswerError extends Error {
  override name = "UnexpectedAnswerError";
  constructor(status: number, text: string) {
    super(`a command was answered ${status}: ${text}`);
  }
}

function startClients(count: number) {
  const answered: Answered[] = [];
  let stopped = false;
  const clients = Array.from({ length: count }, async (_, client) => {
    for (let turn = client; !stopped; turn += 1) {
      const answer = await sendUntilAnswered(turn % 2 === 0 ? "pause" : "resume", () => stopped);
      if (answer) answered.push(answer);
    }
  });
  const stop = async () => {
    stopped = true;
    await Promise.all(clients);
  };
  return { answered, stop };
}

describe.each(["training", "gateway", "identity", "mongodb", "nats"])("killing %s while commands flow", (victim) => {
  it("loses no answered command, leaves no gap, and applies each at most once and in order", async () => {
    const transport = createMeshTransport({ addresses: platform.grpc.training });
    const trainer = startRecordingTrainer(transport, platform.api_key, platform);
    const clients = startClients(4);
    for (let kill = 0; kill < 2; kill += 1) {
      const before = clients.answered.length;
      await until(
        "commands to flow",
        30,
        async () => clients.answered.length,
        (count) => count >= before + 20,
      );
      await killed(running, victim);
      await running.restart(victim);
    }
    const afterwards = clients.answered.length;
    await until(
      "commands to flow again",
      60,
      async () => clients.answered.length,
      (count) => count >= afterwards + 20,
    );
    await clients.stop();

    const log = await until(
      "every command to settle",
      60,
      () => commandLog(platform),
      (all) => all.every(({ status }) => status !== "pending"),
    );
    await trainer.stop();
    await transport.close();

    expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index + 1));
    const stored = new Map(log.map((command) => [command.id, command]));
    expect(
      clients.answered.filter(({ id, key, sequence }) => {
        const command = stored.get(id);
        return command?.sequence !== sequence || command?.idempotency_key !== key;
      }),
    ).toEqual([]);
    expect(new Set(log.map(({ idempotency_key }) => idempotency_key)).size).toBe(log.length);
    expect(trainer.seen.delivered).toEqual([...trainer.seen.delivered].sort((a, b) => a - b));
    expect(new Set(trainer.seen.applied).size).toBe(trainer.seen.applied.length);
    expect(trainer.seen.applied.length).toBeGreaterThan(0);
  }, 180_000);
});

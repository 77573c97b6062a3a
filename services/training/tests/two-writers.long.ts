import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  TrainingControlAction as Action,
  TrainingControlCommandStatus as Status,
  type TrainingControlCommandRead,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { connectDocumentStore, type DocumentStore } from "@aiplatform/document-store";
import { startInfra, until } from "@aiplatform/local-platform";
import type { MeshTransport } from "@aiplatform/service-host";
import { dropDatabase, newTestEnvironment, ServiceProcess, type TestEnvironment } from "@aiplatform/testkit";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { type Clients, clientsAt, type JobName, newJob, program, TestTrainer } from "./training-rig.ts";

const organisationId = randomUUID();
const retryableCodes = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Canceled, Code.Aborted]);

interface Request {
  job: JobName;
  idempotencyKey: string;
  action: Action;
}

/** Many clients that command the same jobs through whichever replica, and remember every answer. */
class ConcurrentClients {
  readonly answers = new Map<string, TrainingControlCommandRead[]>();
  readonly requests: Request[] = [];
  /** Calls that got no answer and were made again. */
  repeated = 0;
  readonly #clients: Clients[];
  readonly #jobs: JobName[];

  constructor(clients: Clients[], jobs: JobName[]) {
    this.#clients = clients;
    this.#jobs = jobs;
  }

  async run(workers: number, total: number): Promise<void> {
    await Promise.all(Array.from({ length: workers }, () => this.#work(total)));
  }

  async #work(total: number): Promise<void> {
    while (this.requests.length < total) {
      const earlier = Math.random() < 0.1 ? pick(this.requests) : undefined;
      const request = earlier ?? {
        job: pick(this.#jobs),
        idempotencyKey: randomUUID(),
        action: pick([Action.CONTINUE, Action.PAUSE, Action.RESUME, Action.ROLLBACK]) ?? Action.PAUSE,
      };
      if (!earlier) this.requests.push(request as Request);
      await this.#send(request as Request);
    }
  }

  async #send({ job, ...rest }: Request): Promise<void> {
    for (;;) {
      try {
        const { command } = await (pick(this.#clients) as Clients).commands.createTrainingControlCommand(
          { ...job, ...rest },
          { timeoutMs: 5_000 },
        );
        if (command) this.answers.set(rest.idempotencyKey, [...(this.answers.get(rest.idempotencyKey) ?? []), command]);
        return;
      } catch (error) {
        if (!retryableCodes.has(ConnectError.from(error).code)) throw error;
        this.repeated++;
      }
    }
  }
}

/** A trainer that applies every command it is sent, through whichever replica answers, until it is stopped. */
class TirelessTrainer {
  readonly #clients: Clients[];
  readonly #address: { runId: string; jobName: string; attachmentId: string };
  readonly #stopped = new AbortController();
  readonly #running: Promise<void>;
  /** Sequences in the order in which it was sent them first. */
  readonly delivered: number[] = [];
  /** How often it had to attach. */
  attached = 0;

  constructor(clients: Clients[], { runId, jobName }: JobName) {
    this.#clients = clients;
    this.#address = { runId, jobName, attachmentId: randomUUID() };
    this.#running = this.#train();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #train(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const { trainers } = pick(this.#clients) as Clients;
      try {
        const stream = trainers.attach({ ...this.#address, lastSequence: 0 }, { signal: this.#stopped.signal });
        for await (const { event } of stream) {
          if (event.case === "attached") await this.#begin();
          if (event.case !== "command" || !event.value.command) continue;
          const { id: commandId, sequence } = event.value.command;
          if (!this.delivered.includes(sequence)) this.delivered.push(sequence);
          await this.#apply(commandId);
        }
      } catch (error) {
        const { code } = ConnectError.from(error);
        if (!retryableCodes.has(code)) throw error;
      }
    }
  }

  async #begin(): Promise<void> {
    this.attached++;
    if (this.attached > 1) return;
    await (pick(this.#clients) as Clients).trainers.reportJobState({ ...this.#address, state: JobState.RUNNING });
  }

  /** A command sent twice was decided the first time: the second acknowledgement answers the same. One that the
   * service has withdrawn meanwhile is lost to the trainer, which has to go on. */
  async #apply(commandId: string): Promise<void> {
    const { trainers } = pick(this.#clients) as Clients;
    const outcome = { case: "applied" as const, value: {} };
    try {
      await trainers.acknowledgeCommand({ ...this.#address, commandId, outcome }, { timeoutMs: 5_000 });
    } catch (error) {
      const [info] = ConnectError.from(error).findDetails(ErrorInfoSchema);
      if (info?.reason !== "COMMAND_RESOLVED") throw error;
    }
  }
}

function pick<T>(from: readonly T[]): T | undefined {
  return from[Math.floor(Math.random() * from.length)];
}

interface StoredEntry {
  _id: string;
  position: number;
  facts: {
    command?: { id: string; sequence: number; idempotencyKey: string };
    resolutions?: { sequences: number[] }[];
  };
}

async function storedEntries(store: DocumentStore, { runId, jobName }: JobName): Promise<StoredEntry[]> {
  const entries = store.database.collection<StoredEntry & { run_id: string; job_name: string }>("job_log");
  return entries.find({ run_id: runId, job_name: jobName }).sort({ _id: 1 }).toArray();
}

/** No gap, no duplicate, no differing answer; nothing that was answered is missing. */
async function expectConsistent(store: DocumentStore, jobs: JobName[], { answers }: ConcurrentClients): Promise<void> {
  const stored = new Map<string, { id: string; sequence: number }>();
  for (const job of jobs) {
    const entries = await storedEntries(store, job);
    expect(entries.map(({ position }) => position)).toEqual(entries.map((_entry, index) => index + 1));
    const commands = entries.flatMap(({ facts }) => facts.command ?? []);
    expect(commands.map(({ sequence }) => sequence)).toEqual(commands.map((_command, index) => index + 1));
    const decided = entries.flatMap(({ facts }) => (facts.resolutions ?? []).flatMap(({ sequences }) => sequences));
    expect(new Set(decided).size).toBe(decided.length);
    for (const { id, sequence, idempotencyKey } of commands) {
      expect(stored.has(idempotencyKey)).toBe(false);
      stored.set(idempotencyKey, { id, sequence });
    }
  }
  for (const [key, given] of answers) {
    for (const { id, sequence } of given) expect({ id, sequence }).toEqual(stored.get(key));
  }
}

async function connect(home: TestEnvironment): Promise<DocumentStore> {
  return connectDocumentStore({ uri: home.MONGODB_URI, database: home.MONGODB_DATABASE, appName: "test" });
}

describe("two replicas that write the same jobs", () => {
  it("leave no gap, no duplicate and no differing answer while one or the other is killed", async () => {
    const home = newTestEnvironment("training");
    const store = await connect(home);
    await using one = new ServiceProcess({ program, home });
    await using other = new ServiceProcess({ program, home });
    const replicas = [one, other];
    await Promise.all(replicas.map((replica) => replica.start()));
    const transports: MeshTransport[] = [];
    const clients = replicas.map(({ address }) => {
      const { clients, transport } = clientsAt(address, { organisationId });
      transports.push(transport);
      return clients;
    });
    const jobs = await Promise.all([1, 2, 3].map(() => newJob(clients[0] as Clients)));
    const trainers = jobs.map((job) => new TirelessTrainer(clients, job));
    const concurrent = new ConcurrentClients(clients, jobs);
    const running = concurrent.run(24, 2_000);
    for (const round of [1, 2, 3, 4]) {
      await until(() => (concurrent.answers.size > round * 300 ? true : undefined), {
        withinMs: 50_000,
        otherwise: () => new Error("the clients came to a halt"),
      });
      const victim = replicas[round % 2] as ServiceProcess;
      await victim.kill();
      await victim.start();
    }
    await running;
    expect(replicas.map(({ kills }) => kills)).toEqual([2, 2]);
    expect(concurrent.repeated).toBeGreaterThan(0);
    expect(concurrent.answers.size).toBe(concurrent.requests.length);
    await expectConsistent(store, jobs, concurrent);
    for (const [index, job] of jobs.entries()) {
      const { commands } = await (clients[0] as Clients).commands.listControlCommands({ ...job, limit: 1_000 });
      const trainer = trainers[index] as TirelessTrainer;
      await trainer.stop();
      expect(trainer.attached).toBeGreaterThan(1);
      expect(trainer.delivered).toEqual(trainer.delivered.toSorted((left, right) => left - right));
      expect(commands.filter(({ status }) => status === Status.APPLIED).length).toBeGreaterThan(0);
    }
    for (const transport of transports) transport.close();
    await Promise.all(replicas.map((replica) => replica.kill()));
    await dropDatabase(store);
    await store.close();
  }, 120_000);
});

describe("a replica whose database, and then itself, is killed while commands flow", () => {
  it("loses nothing that it has answered, and delivers every command once and in order", async () => {
    const directory = await mkdtemp(join(tmpdir(), "training-kill-"));
    const env = { ...process.env, MONGODB_URI: undefined, NATS_URL: undefined };
    await using parts = await startInfra({ directory, env });
    const home = newTestEnvironment("training", parts);
    await using replica = await new ServiceProcess({ program, home }).start();
    const { clients, transport } = clientsAt(replica.address, { organisationId });
    const job = await newJob(clients);
    const attachmentId = randomUUID();
    const trainer = await new TestTrainer(clients, job, attachmentId).attach();
    await trainer.report(JobState.RUNNING);
    const concurrent = new ConcurrentClients([clients], [job]);
    const running = concurrent.run(8, 600);
    const answered = (count: number) =>
      until(() => (concurrent.answers.size >= count ? true : undefined), {
        withinMs: 50_000,
        otherwise: () => new Error("the clients came to a halt"),
      });
    await answered(100);
    const mongod = parts.processes.mongodb;
    await parts.kill("mongodb");
    await parts.restart("mongodb");
    expect(mongod?.signalCode).toBe("SIGKILL");
    await answered(300);
    await replica.kill();
    await trainer[Symbol.asyncDispose]().catch(() => undefined);
    await replica.start();
    await running;
    expect(replica.kills).toBe(1);
    const store = await connect(home);
    await expectConsistent(store, [job], concurrent);
    await using again = await new TestTrainer(clients, job, attachmentId).attach();
    const pending = (await clients.commands.listControlCommands({ ...job, status: 1 })).commands;
    await again.until(({ deliveries }) => deliveries.length === pending.length);
    expect(again.deliveries.map(({ command }) => command?.sequence)).toEqual(pending.map(({ sequence }) => sequence));
    const seen = trainer.deliveries.map(({ command }) => command?.sequence ?? 0);
    expect(seen).toEqual([...new Set(seen)].sort((left, right) => left - right));
    transport.close();
    await store.close();
    await rm(directory, { recursive: true, force: true });
  }, 120_000);
});

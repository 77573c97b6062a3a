import { generateKeyPairSync, randomUUID } from "node:crypto";
import {
  type Caller,
  callerContextHeader,
  createContextSigner,
  createContextVerifier,
} from "@aiplatform/caller-identity";
import { ControlCommandService } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import type { TrainingJobSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { type JobState, RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { SupervisionLeaseService } from "@aiplatform/contract/aiplatform/training/v1/supervision_leases";
import {
  type Attached,
  type AttachResponse,
  type CommandDelivery,
  TrainerService,
} from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { connectDocumentStore, type DocumentStore } from "@aiplatform/document-store";
import { createMeshTransport, type MeshTransport, type RunningService } from "@aiplatform/service-host";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { readConfig, startTrainingService } from "../src/index.ts";

/** Everything that training's own surface offers. */
export const EVERY_PERMISSION = ["training:write", "training:command", "metrics:read", "metrics:report"];

const keys = generateKeyPairSync("ed25519");
const signer = createContextSigner({
  privateKeyPem: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  now: () => new Date(),
});

/** Clients of one caller. */
export interface Clients {
  runs: Client<typeof RunService>;
  commands: Client<typeof ControlCommandService>;
  leases: Client<typeof SupervisionLeaseService>;
  trainers: Client<typeof TrainerService>;
}

/** Where a service keeps its data: shared by replicas. */
export interface Home {
  MONGODB_URI: string;
  MONGODB_DATABASE: string;
  NATS_URL: string;
  NATS_STREAM: string;
}

/** A database and a stream of this test's own, on the parts that the whole run shares. */
export function newHome(parts: { mongodbUri?: string; natsUrl?: string } = {}): Home {
  const name = `t_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  return {
    MONGODB_URI: parts.mongodbUri ?? process.env["TEST_MONGODB_URI"] ?? "",
    MONGODB_DATABASE: name,
    NATS_URL: parts.natsUrl ?? process.env["TEST_NATS_URL"] ?? "",
    NATS_STREAM: name,
  };
}

/** Settings of a service process on any free ports. */
export function environmentOf(home: Home, settings: Record<string, string> = {}): Record<string, string> {
  const ports = { HOST: "127.0.0.1", GRPC_PORT: "0", HTTP_PORT: "0", ADMIN_PORT: "0" };
  return { ...ports, LOG_LEVEL: "error", SHUTDOWN_GRACE_MS: "1000", ...home, ...settings };
}

/** Callers as every service verifies them, without an identity service. */
export const callers = { verifier: createContextVerifier({ jwks: async () => signer.jwks(), now: () => new Date() }) };

/** Identity's public keys, as the verifier reads them. */
export function verificationKeys(): string {
  return signer.jwks();
}

/** One or more replicas of the service, in this process, on a home of their own. */
export class TrainingRig implements AsyncDisposable {
  readonly home: Home;
  readonly services: RunningService[] = [];
  readonly store: DocumentStore;
  readonly #transports: MeshTransport[] = [];
  readonly organisationId = randomUUID();

  private constructor(home: Home, store: DocumentStore) {
    this.home = home;
    this.store = store;
  }

  static async start(o: { clock?: () => Date; replicas?: number; settings?: Record<string, string> } = {}) {
    const home = newHome();
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = home;
    const rig = new TrainingRig(home, await connectDocumentStore({ uri, database, appName: "test" }));
    const config = readConfig(environmentOf(home, o.settings));
    for (let replica = 0; replica < (o.replicas ?? 1); replica++) {
      rig.services.push(await startTrainingService(config, { callers, ...(o.clock ? { clock: o.clock } : {}) }));
    }
    return rig;
  }

  /** Clients of a caller, at one of the replicas. */
  as(
    caller: Partial<Pick<Caller, "memberId" | "organisationId">> & { permissions?: string[] } = {},
    replica = 0,
  ): Clients {
    const address = this.services[replica]?.addresses.grpc ?? "";
    const { clients, transport } = clientsAt(address, { organisationId: this.organisationId, ...caller });
    this.#transports.push(transport);
    return clients;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const transport of this.#transports) transport.close();
    await Promise.all(this.services.map((service) => service.stop()));
    await this.store.database.dropDatabase();
    await this.store.close();
  }
}

/** Clients of a caller, at an address. */
export function clientsAt(
  address: string,
  caller: { organisationId: string; memberId?: string; permissions?: string[] },
): { clients: Clients; transport: MeshTransport } {
  const { organisationId, memberId, permissions = EVERY_PERMISSION } = caller;
  const identity = { organisationId, permissions: new Set(permissions), credentialId: "test" };
  const signed = memberId ? { ...identity, memberId } : identity;
  const interceptors: Interceptor[] = [
    (next) => async (request) => {
      const { signedContext } = await signer.sign(signed);
      request.header.set(callerContextHeader, signedContext);
      return next(request);
    },
  ];
  const transport = createMeshTransport({ addresses: address, interceptors });
  const clients = {
    runs: createClient(RunService, transport),
    commands: createClient(ControlCommandService, transport),
    leases: createClient(SupervisionLeaseService, transport),
    trainers: createClient(TrainerService, transport),
  };
  return { clients, transport };
}

/** Names a job, as requests do. */
export interface JobName {
  pipelineId: string;
  runId: string;
  jobName: string;
}

/** Creates a pipeline with one run of one job. */
export async function newJob(
  { runs }: Clients,
  declaration: Omit<MessageInitShape<typeof TrainingJobSchema>, "$typeName"> = {},
): Promise<JobName> {
  const { pipeline } = await runs.createPipeline({ name: "pipeline" });
  const pipelineId = pipeline?.id ?? "";
  const jobs = [{ name: "train", ...declaration }];
  const { run } = await runs.createRun({ pipelineId, name: "run", jobs });
  return { pipelineId, runId: run?.id ?? "", jobName: "train" };
}

/** A trainer as a test drives it: it reads its stream and says what it is told to say. */
export class TestTrainer implements AsyncDisposable {
  readonly attachmentId: string;
  readonly events: AttachResponse["event"][] = [];
  readonly #trainers: Client<typeof TrainerService>;
  readonly #job: JobName;
  readonly #left = new AbortController();
  #wake: (() => void)[] = [];
  #reading: Promise<void> = Promise.resolve();

  constructor({ trainers }: Clients, job: JobName, attachmentId: string = randomUUID()) {
    this.#trainers = trainers;
    this.#job = job;
    this.attachmentId = attachmentId;
  }

  /** Attaches, and resolves when the service has said where the job stands. */
  async attach(last: { lastSequence?: number; lastCommandId?: string } = {}): Promise<this> {
    const stream = this.#trainers.attach({ ...this.address, ...last }, { signal: this.#left.signal });
    this.#reading = this.#read(stream);
    await this.until(({ events }) => events.length > 0);
    return this;
  }

  get address() {
    return { runId: this.#job.runId, jobName: this.#job.jobName, attachmentId: this.attachmentId };
  }

  /** Where the job stood at the attachment. */
  get attached(): Attached | undefined {
    return this.events.find((event) => event.case === "attached")?.value;
  }

  get deliveries(): CommandDelivery[] {
    return this.events.flatMap((event) => (event.case === "command" ? [event.value] : []));
  }

  /** Resolves as soon as the condition holds, looked at whenever the trainer is told something. */
  async until(condition: (trainer: this) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>((resolve) => this.#wake.push(resolve));
  }

  async delivered(sequence: number): Promise<CommandDelivery> {
    const find = () => this.deliveries.find(({ command }) => command?.sequence === sequence);
    await this.until(() => find() !== undefined);
    return find() ?? Promise.reject(new Error("not delivered"));
  }

  report(state: JobState) {
    return this.#trainers.reportJobState({ ...this.address, state });
  }

  checkpoint(checkpoint: { id: string; step: number; segmentIndex?: number; metrics?: Record<string, number> }) {
    return this.#trainers.registerCheckpoint({ ...this.address, checkpoint });
  }

  applied(commandId: string, value: { checkpointId?: string; startStep?: number } & Record<string, unknown> = {}) {
    return this.#trainers.acknowledgeCommand({ ...this.address, commandId, outcome: { case: "applied", value } });
  }

  refused(commandId: string, detail: string) {
    return this.#trainers.acknowledgeCommand({
      ...this.address,
      commandId,
      outcome: { case: "refused", value: { detail } },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#left.abort();
    await this.#reading;
  }

  async #read(stream: AsyncIterable<AttachResponse>): Promise<void> {
    try {
      for await (const { event } of stream) {
        this.events.push(event);
        for (const wake of this.#wake.splice(0)) wake();
      }
    } catch (error) {
      if (!this.#left.signal.aborted) throw error;
    }
  }
}

/** The error that the call ends with. */
export async function failureOf(call: Promise<unknown>): Promise<ConnectError> {
  const outcome = await call.then(
    () => new Error("the call succeeded"),
    (error: unknown) => error,
  );
  if (outcome instanceof ConnectError) return outcome;
  throw outcome;
}

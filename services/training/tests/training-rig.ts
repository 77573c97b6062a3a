import { randomUUID } from "node:crypto";
import {
  ControlCommandService,
  type CreateTrainingControlCommandRequestSchema,
  type TrainingControlAction,
  type TrainingControlCommandRead,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import type { TrainingJobSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { JobState, RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { SupervisionLeaseService } from "@aiplatform/contract/aiplatform/training/v1/supervision_leases";
import {
  type Attached,
  type AttachResponse,
  type CheckpointSchema,
  type CommandDelivery,
  TrainerService,
} from "@aiplatform/contract/aiplatform/training/v1/trainers";
import type { DocumentStore } from "@aiplatform/document-store";
import type { MeshTransport, RunningService } from "@aiplatform/service-host";
import {
  callers,
  dropDatabase,
  environmentOf,
  newTestEnvironment,
  type RigOptions,
  type RigParts,
  startReplicas,
  type TestCaller,
  TestClient,
  type TestEnvironment,
} from "@aiplatform/testkit";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client, ConnectError } from "@connectrpc/connect";
import { readConfig, startTrainingService } from "../src/index.ts";

/** Everything that training's own surface offers. */
export const allPermissions = ["training:write", "training:command", "metrics:read", "metrics:report"];

/** The service as a process of its own, which believes the keys of the tests. */
export const program = new URL("serve-with-keys.ts", import.meta.url);

/** Clients of one caller. */
export interface Clients {
  runs: Client<typeof RunService>;
  commands: Client<typeof ControlCommandService>;
  leases: Client<typeof SupervisionLeaseService>;
  trainers: Client<typeof TrainerService>;
}

/** One or more replicas of the service, in this process, on a home of their own. */
export class TrainingRig implements AsyncDisposable {
  readonly home: TestEnvironment;
  readonly services: RunningService[];
  readonly store: DocumentStore;
  readonly #transports: MeshTransport[] = [];
  readonly organisationId = randomUUID();

  private constructor({ home, services, store }: RigParts<TestEnvironment>) {
    this.home = home;
    this.services = services;
    this.store = store;
  }

  static async start(options: RigOptions = {}): Promise<TrainingRig> {
    const parts = await startReplicas(newTestEnvironment("training"), options, (env, overrides) =>
      startTrainingService(readConfig(env), overrides),
    );
    return new TrainingRig(parts);
  }

  /** Clients of a caller, at one of the replicas. */
  as(caller: TestCaller = {}, replica = 0): Clients {
    const address = this.services[replica]?.addresses.grpc ?? "";
    const { clients, transport } = clientsAt(address, { organisationId: this.organisationId, ...caller });
    this.#transports.push(transport);
    return clients;
  }

  /** One more replica, and clients of it. */
  async startAnother(): Promise<{ clients: Clients; [Symbol.asyncDispose](): Promise<void> }> {
    const service = await startTrainingService(readConfig(environmentOf(this.home)), { callers });
    const { clients, transport } = clientsAt(service.addresses.grpc, { organisationId: this.organisationId });
    const dispose = async () => {
      transport.close();
      await service.stop();
    };
    return { clients, [Symbol.asyncDispose]: dispose };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const transport of this.#transports) transport.close();
    await Promise.all(this.services.map((service) => service.stop()));
    await dropDatabase(this.store);
    await this.store.close();
  }
}

/** Clients of a caller, at an address. */
export function clientsAt(
  address: string,
  caller: TestCaller & { organisationId: string },
): { clients: Clients; transport: MeshTransport } {
  const client = new TestClient(address, { permissions: allPermissions, ...caller });
  const clients = {
    runs: client.client(RunService),
    commands: client.client(ControlCommandService),
    leases: client.client(SupervisionLeaseService),
    trainers: client.client(TrainerService),
  };
  return { clients, transport: client.transport };
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

/** Creates a job with a trainer that has begun. */
export async function runningJob(rig: TrainingRig, declaration: Parameters<typeof newJob>[1] = {}) {
  const clients = rig.as();
  const job = await newJob(clients, declaration);
  const trainer = await new TestTrainer(clients, job).attach();
  await trainer.report(JobState.RUNNING);
  return { clients, job, trainer };
}

type CommandInit = MessageInitShape<typeof CreateTrainingControlCommandRequestSchema>;

/** Creates a command under a new key. */
export async function send(
  { commands }: Clients,
  job: JobName,
  action: TrainingControlAction,
  rest: Omit<CommandInit, "$typeName"> = {},
): Promise<TrainingControlCommandRead> {
  const request = { ...job, action, idempotencyKey: randomUUID(), ...rest };
  const { command } = await commands.createTrainingControlCommand(request);
  return command ?? Promise.reject(new Error("no command"));
}

/** A trainer as a test drives it: it reads its stream and sends what the test asks for. */
export class TestTrainer implements AsyncDisposable {
  readonly attachmentId: string;
  readonly events: AttachResponse["event"][] = [];
  readonly #trainers: Client<typeof TrainerService>;
  readonly #job: JobName;
  readonly #left = new AbortController();
  #signal: (() => void)[] = [];
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
    // Told when it is disposed: a test may kill the service before.
    this.#reading.catch(() => {});
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

  /** Resolves as soon as the condition holds, checked at each event of the trainer. */
  async until(condition: (trainer: this) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>((resolve) => this.#signal.push(resolve));
  }

  async delivered(sequence: number): Promise<CommandDelivery> {
    const find = () => this.deliveries.find(({ command }) => command?.sequence === sequence);
    await this.until(() => find() !== undefined);
    return find() ?? Promise.reject(new Error("not delivered"));
  }

  report(state: JobState) {
    return this.#trainers.reportJobState({ ...this.address, state });
  }

  checkpoint(checkpoint: Omit<MessageInitShape<typeof CheckpointSchema>, "$typeName">) {
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
        for (const signal of this.#signal.splice(0)) signal();
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

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { TrainingControlAction } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { JobState, type RunDatasetSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import {
  type AcknowledgeCommandRequest,
  type Artifact,
  type AttachResponseSchema,
  type Checkpoint,
  type ReportRequest,
  TrainerService,
} from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";

type Told = MessageInitShape<typeof AttachResponseSchema>["event"];

export interface WantedCommand {
  action: TrainingControlAction;
  checkpointId?: string;
  overrides?: object;
  epoch?: number;
}

/** A point as the platform keeps it. */
export interface KeptPoint {
  segment: number;
  metric: string;
  step: number;
  value: number;
}

const opensSegment: ReadonlySet<TrainingControlAction> = new Set([
  TrainingControlAction.RESUME,
  TrainingControlAction.ROLLBACK,
  TrainingControlAction.WARM_RESTART,
]);
const stateAfter: Partial<Record<TrainingControlAction, JobState>> = {
  [TrainingControlAction.PAUSE]: JobState.PAUSED,
  [TrainingControlAction.FINISH_FROM_CHECKPOINT]: JobState.COMPLETED,
  [TrainingControlAction.ABORT]: JobState.ABORTED,
};

/**
 * The trainer's side of the platform, in memory and over a real connection, which does what a test says: it can keep
 * an answer back, decide a command otherwise, and be away. The commands it gives out are the test's to choose.
 */
export class TestPlatform implements AsyncDisposable {
  readonly runId = randomUUID();
  readonly jobName = "trained";
  readonly states: JobState[] = [];
  readonly checkpoints: Checkpoint[] = [];
  readonly artifacts: Artifact[] = [];
  readonly acknowledgements: AcknowledgeCommandRequest[] = [];
  readonly points: KeptPoint[] = [];
  readonly reports: ReportRequest[] = [];
  /** How a command's acknowledgement is answered; by default it is recorded. */
  answers: "recorded" | "COMMAND_RESOLVED" | "ATTACHMENT_LOST" | "never" = "recorded";
  durableCounter = 0;
  segment = 0;
  attachments = 0;
  state = JobState.QUEUED;
  /** In force, as a trainer that attaches is told. */
  overrides: object = {};
  /** That the run reads, as a trainer that attaches is told. */
  datasets: MessageInitShape<typeof RunDatasetSchema>[] = [];
  /** Whether it is told: platforms of earlier versions do not. */
  datasetsTold = true;
  readonly #configuration: object;
  readonly #pending: { id: string; sequence: number; wanted: WantedCommand }[] = [];
  readonly #sessions = new Set<ServerHttp2Session>();
  #sequence = 0;
  #send: ((event: Told) => void) | undefined;
  #server: Http2Server | undefined;
  #port = 0;

  constructor(configuration: object = {}) {
    this.#configuration = configuration;
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  async start(): Promise<this> {
    this.#server = createServer(connectNodeAdapter({ routes: (router) => this.#routes(router) }));
    this.#server.on("session", (session) => {
      this.#sessions.add(session);
      session.on("close", () => this.#sessions.delete(session));
    });
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    const { port } = this.#server.address() as AddressInfo;
    this.#port = port;
    return this;
  }

  /** Goes away as a machine that loses its power. */
  async leave(): Promise<void> {
    const closed = this.#server ? once(this.#server, "close") : undefined;
    this.#server?.close();
    for (const session of this.#sessions) session.destroy();
    await closed;
    this.#server = undefined;
  }

  command(wanted: WantedCommand): string {
    const command = { id: randomUUID(), sequence: ++this.#sequence, wanted };
    this.#pending.push(command);
    this.#deliver(command);
    return command.id;
  }

  /** Prunes a checkpoint, and tells the trainer if it is attached. */
  prune(checkpoint: Checkpoint): void {
    checkpoint.prunedAt = timestampNow();
    this.#send?.({ case: "pruned", value: { checkpointIds: [checkpoint.id] } });
  }

  /** Tells the trainer that another one has taken over. */
  detach(): void {
    this.#send?.({ case: "detached", value: { attachmentId: randomUUID() } });
  }

  acknowledged(id: string): AcknowledgeCommandRequest[] {
    return this.acknowledgements.filter(({ commandId }) => commandId === id);
  }

  /** Values of a metric in a segment, by step, in the order they came. */
  curve(metric: string, segment: number): [step: number, value: number][] {
    const points = this.points.filter((point) => point.metric === metric && point.segment === segment);
    return points.map(({ step, value }) => [step, value]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.leave();
  }

  #deliver({ id, sequence, wanted }: { id: string; sequence: number; wanted: WantedCommand }): void {
    const { action, checkpointId, overrides = {}, epoch = 1 } = wanted;
    const runtimeOverrides = { text: JSON.stringify(overrides) };
    const resolved = checkpointId ? { resolvedCheckpointId: checkpointId } : {};
    this.#send?.({
      case: "command",
      value: { command: { id, sequence, action, runtimeOverrides }, epoch, ...resolved },
    });
  }

  #routes(router: ConnectRouter): void {
    const platform = this;
    router.service(TrainerService, {
      async *attach({ lastSequence }, { signal }) {
        platform.attachments += 1;
        const told: Told[] = [platform.#attached()];
        let wake = Promise.withResolvers<void>();
        signal.addEventListener("abort", () => wake.resolve());
        platform.#send = (event) => {
          told.push(event);
          wake.resolve();
        };
        for (const command of platform.#pending) if (command.sequence > lastSequence) platform.#deliver(command);
        while (!signal.aborted) {
          for (const event of told.splice(0)) yield event ? { event } : {};
          await wake.promise;
          wake = Promise.withResolvers<void>();
        }
      },
      acknowledgeCommand: (request, { signal }) => platform.#acknowledge(request, signal),
      reportJobState({ state, artifact }) {
        if (artifact) platform.artifacts.push(artifact);
        platform.states.push(state);
        platform.state = state;
        return { state };
      },
      registerCheckpoint({ checkpoint }) {
        if (checkpoint) platform.#keep(checkpoint);
        return checkpoint ? { checkpoint } : {};
      },
      async *report(requests) {
        for await (const request of requests) yield platform.#take(request);
      },
    });
  }

  #attached(): Told {
    const job = { name: this.jobName, configuration: { text: JSON.stringify(this.#configuration) } };
    const { durableCounter, segment: activeSegment, checkpoints, datasets, datasetsTold } = this;
    const overrides = { text: JSON.stringify(this.overrides) };
    const standing = { job: { job, state: this.state }, durableCounter, activeSegment, epoch: 1 };
    return { case: "attached", value: { ...standing, checkpoints, overrides, datasets, datasetsTold } };
  }

  async #acknowledge(request: AcknowledgeCommandRequest, left: AbortSignal) {
    this.acknowledgements.push(request);
    if (this.answers === "never") {
      await once(left, "abort");
      throw left.reason;
    }
    if (this.answers !== "recorded") {
      const info = { desc: ErrorInfoSchema, value: { reason: this.answers, domain: "aiplatform" } };
      throw new ConnectError("decided otherwise", Code.FailedPrecondition, undefined, [info]);
    }
    const index = this.#pending.findIndex(({ id }) => id === request.commandId);
    const [command] = index < 0 ? [] : this.#pending.splice(index, 1);
    if (command && request.outcome.case === "applied") {
      if (opensSegment.has(command.wanted.action)) this.segment += 1;
      if (request.outcome.value.checkpoint) this.#keep(request.outcome.value.checkpoint);
      this.state = stateAfter[command.wanted.action] ?? JobState.RUNNING;
    }
    return { activeSegment: this.segment, state: this.state };
  }

  #keep(checkpoint: Checkpoint): void {
    if (!this.checkpoints.some(({ id }) => id === checkpoint.id)) this.checkpoints.push(checkpoint);
  }

  #take(report: ReportRequest) {
    if (report.counter > this.durableCounter) {
      this.durableCounter = report.counter;
      this.reports.push(report);
      for (const { name: metric, steps, values } of report.columns) {
        steps.forEach((step, index) => {
          this.points.push({ segment: report.segmentIndex, metric, step, value: values[index] ?? Number.NaN });
        });
      }
    }
    return { durableCounter: this.durableCounter, sequence: this.durableCounter };
  }
}

import type { ReportedMedia } from "@aiplatform/contract/aiplatform/training/v1/media";
import {
  type HeartbeatSource,
  type LifecyclePhase,
  type PhaseChangeSchema,
  type PhaseStatus,
  type ReportRequest,
  ReportRequestSchema,
  type ResourceSampleSchema,
} from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Signal } from "../link/signal.ts";
import { fittingMedia } from "../media/fitting-media.ts";
import { PointColumns } from "./point-columns.ts";
import type { ReportSpool } from "./report-spool.ts";

/** While the platform is away a batch is spooled once it holds so many points. */
const pointsAwayFromPlatform = 4_096;
/** What a full disk does not take waits; above it, every second point is forgotten. */
const maxPointsInMemory = 200_000;
const maxLogLines = 500;
const maxPhases = 100;
/** What a full disk does not take; above it the oldest are forgotten. */
const maxMediaInMemory = 1_000;

interface Identity {
  runId: string;
  jobName: string;
  attachmentId: string;
}

interface ReporterOptions {
  spool: ReportSpool;
  identity: Identity;
  clock: () => number;
  segment: number;
}

/** Collects what there is to report and cuts it into batches; never waits for the platform. */
export class Reporter {
  /** Called when there is a new batch to send. */
  readonly cutBatches = new Signal();
  readonly #spool: ReportSpool;
  readonly #identity: Identity;
  readonly #clock: () => number;
  #segment: number;
  #step = 0;
  /** Of the newest batch. */
  #cutStep = 0;
  /** Points of the step that is not complete yet. */
  #staged: { metric: string; value: number }[] = [];
  #stagedMedia: ReportedMedia[] = [];
  #open = new PointColumns();
  #media: readonly ReportedMedia[] = [];
  #heldMedia: readonly ReportedMedia[] = [];
  /** Points whose command the platform has not recorded yet. */
  #held: PointColumns | undefined;
  #heldOpensSegment = false;
  #heldStep = 0;
  /** Points of the segment up to this step were reported before: a crash or an undone command repeats them. */
  #reportedThrough: number;
  #phases: MessageInitShape<typeof PhaseChangeSchema>[] = [];
  #logs: { message: string; source: string; atMs: number }[] = [];
  #heartbeat: HeartbeatSource | undefined;
  #resources: MessageInitShape<typeof ResourceSampleSchema> | undefined;

  constructor({ spool, identity, clock, segment }: ReporterOptions) {
    this.#spool = spool;
    this.#identity = identity;
    this.#clock = clock;
    this.#segment = segment;
    const { newest } = spool;
    this.#reportedThrough = newest?.segment === segment ? newest.step : 0;
    this.#step = this.#reportedThrough;
    this.#cutStep = this.#reportedThrough;
  }

  /** Whether the points of a step were reported before. */
  hasReported(step: number): boolean {
    return !this.#held && step <= this.#reportedThrough;
  }

  /** A point of the step under way; it counts once the step is complete. */
  point(metric: string, value: number): void {
    this.#staged.push({ metric, value });
  }

  /** Something beside numbers, of the step under way; it counts once the step is complete. */
  show(medium: ReportedMedia): void {
    this.#stagedMedia.push(medium);
  }

  /** The step is complete. */
  commit(step: number): void {
    const points = this.#held ?? this.#open;
    const fresh = (this.#held && this.#heldOpensSegment) || step > this.#reportedThrough;
    for (const { metric, value } of fresh ? this.#staged : []) points.add(metric, { step, value, atMs: this.#clock() });
    this.#staged = [];
    const media = fresh ? this.#stagedMedia.map((medium) => ({ ...medium, step })) : [];
    this.#stagedMedia = [];
    if (this.#held) {
      this.#heldMedia = [...this.#heldMedia, ...media].slice(-maxMediaInMemory);
      this.#heldStep = step;
      if (this.#held.size > pointsAwayFromPlatform) this.#held = this.#held.thinned();
    } else {
      if (media.length > 0) this.#media = [...this.#media, ...media].slice(-maxMediaInMemory);
      this.#step = Math.max(this.#step, step);
      if (this.#open.size >= pointsAwayFromPlatform) this.cut();
    }
  }

  phase(phase: LifecyclePhase, status: PhaseStatus): void {
    this.#phases = [...this.#phases, { phase, status, at: timestampFromMs(this.#clock()) }].slice(-maxPhases);
  }

  log(message: string): void {
    const line = { message: message.slice(0, 8_192), source: "trainer", atMs: this.#clock() };
    this.#logs = [...this.#logs, line].slice(-maxLogLines);
  }

  heartbeat(source: HeartbeatSource, resources: MessageInitShape<typeof ResourceSampleSchema>): void {
    this.#heartbeat = source;
    this.#resources = { ...resources, observedAt: timestampFromMs(this.#clock()) };
  }

  /** Points from now on wait until the platform has recorded the command; they may belong to a segment it opens. */
  hold(o: { opensSegment: boolean }): void {
    this.cut();
    this.#held = new PointColumns();
    this.#heldMedia = [];
    this.#heldOpensSegment = o.opensSegment;
    this.#heldStep = o.opensSegment ? 0 : this.#step;
  }

  /** The platform has recorded the command; `segment` is the active one now. */
  settle(segment: number): void {
    if (segment === this.#segment && !this.#held) return;
    this.cut();
    if (segment !== this.#segment) {
      this.#reportedThrough = 0;
      this.#cutStep = 0;
    }
    if (this.#held) {
      this.#step = this.#heldStep;
      this.#media = [...this.#media, ...this.#heldMedia].slice(-maxMediaInMemory);
      this.#heldMedia = [];
      this.#open = this.#open.followedBy(this.#held);
    }
    this.#segment = segment;
    this.#held = undefined;
    this.cut();
  }

  /**
   * The platform was restored from a backup, and this is its active segment: points of later ones are dropped, because
   * another segment will have the same number.
   */
  follow(segment: number): void {
    if (segment >= this.#segment) {
      this.settle(segment);
      return;
    }
    this.#open = new PointColumns();
    this.#held = undefined;
    this.#media = [];
    this.#heldMedia = [];
    this.#segment = segment;
    this.#reportedThrough = 0;
    this.#cutStep = 0;
    // First: a spool without a file would forget its counter.
    this.cut();
    this.#spool.dropAbove(segment);
  }

  /** The command was undone: what it led to is forgotten, and what is repeated is not reported twice. */
  undo(): void {
    this.#held = undefined;
    this.#heldMedia = [];
    this.#staged = [];
    this.#stagedMedia = [];
    this.#reportedThrough = this.#step;
  }

  /** Makes a batch of everything collected; nothing when there is nothing. What the disk does not take waits in memory. */
  cut(): void {
    try {
      if (this.keep()) this.cutBatches.notify();
    } catch {
      // The next one tries again, and a checkpoint that needs these points on disk says why it is not saved.
      if (this.#open.size > maxPointsInMemory) this.#open = this.#open.thinned();
    }
  }

  /**
   * As {@link cut}, but only safe from a crash yet: it is sent with what comes next. Returns whether there was anything.
   * @throws Error as the disk does
   */
  keep(): boolean {
    // The step of a batch says that everything up to it is on disk: points wait for media that one report does not take.
    for (let first = fittingMedia(this.#media); first.length < this.#media.length; first = fittingMedia(this.#media)) {
      const part = create(ReportRequestSchema, { ...this.#identity, media: [...first] });
      this.#spool.add(part, { segment: this.#segment, step: this.#cutStep });
      this.#media = this.#media.slice(first.length);
    }
    const batch = this.#collected();
    if (!batch) return false;
    this.#spool.add(batch, { segment: this.#segment, step: this.#step });
    this.#cutStep = this.#step;
    this.#open = new PointColumns();
    this.#media = [];
    this.#phases = [];
    this.#logs = [];
    this.#heartbeat = undefined;
    this.#resources = undefined;
    return true;
  }

  #collected(): ReportRequest | undefined {
    const columns = Array.from(this.#open.entries(), ([name, column]) => ({ name, ...column }));
    const count = columns.length + this.#media.length + this.#phases.length + this.#logs.length;
    const worthIt = count > 0 || this.#heartbeat !== undefined;
    if (!worthIt) return undefined;
    return create(ReportRequestSchema, {
      ...this.#identity,
      columns,
      media: [...this.#media],
      phases: this.#phases,
      logs: this.#logs.map(({ atMs, ...line }) => ({ ...line, timestamp: timestampFromMs(atMs) })),
      ...(this.#heartbeat === undefined
        ? {}
        : { heartbeat: { at: timestampFromMs(this.#clock()), source: this.#heartbeat } }),
      ...(this.#resources ? { resources: this.#resources } : {}),
    });
  }
}

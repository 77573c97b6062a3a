import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReportedMedia } from "@aiplatform/contract/aiplatform/training/v1/media";
import {
  MetricColumnSchema,
  type ReportRequest,
  ReportRequestSchema,
} from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { thinnedMedia } from "../media/fitting-media.ts";
import { PointColumns } from "./point-columns.ts";

/** A batch on disk. */
export interface SpooledBatch {
  counter: number;
  segment: number;
  /** Every point of the segment up to this step is in this batch or an earlier one. */
  step: number;
}

/** Files kept; above it the oldest unsent ones are merged and thinned. */
const maxFiles = 64;
const maxLogLines = 500;
const maxPhases = 50;

/**
 * Batches that the platform has not confirmed, one file each, written before they are sent: a process that is killed
 * sends the same batches under the same counters again. Not synced: what a machine's crash loses is trained again. The
 * newest file stays when it is confirmed, because its name tells a new process how far the reports went.
 */
export class ReportSpool {
  readonly #directory: string;
  readonly #batches: SpooledBatch[];
  #counter: number;
  /** Batches up to this counter may have reached the platform; they must no longer change. */
  #offeredThrough: number;
  #durableThrough = 0;

  constructor(directory: string) {
    mkdirSync(directory, { recursive: true });
    this.#directory = directory;
    this.#batches = readdirSync(directory)
      .flatMap(batchOfName)
      .sort((a, b) => a.counter - b.counter);
    this.#counter = this.#batches.at(-1)?.counter ?? 0;
    this.#offeredThrough = this.#counter;
  }

  /** The newest batch, confirmed or not. */
  get newest(): SpooledBatch | undefined {
    return this.#batches.at(-1);
  }

  /** How many batches the platform has not confirmed. */
  get unconfirmed(): number {
    return this.#batches.filter(({ counter }) => counter > this.#durableThrough).length;
  }

  /** Media of all batches that the platform has not confirmed. */
  media(): ReportedMedia[] {
    const waiting = this.#batches.filter(({ counter }) => counter > this.#durableThrough);
    return waiting.flatMap((batch) => this.#read(batch).media);
  }

  /** Numbers and keeps a batch. @throws Error as the disk does, with everything as it was */
  add(batch: ReportRequest, at: { segment: number; step: number }): void {
    const counter = this.#counter + 1;
    this.#write({ ...batch, counter, segmentIndex: at.segment }, at.step);
    this.#counter = counter;
    this.#batches.push({ counter, ...at });
    while (this.#batches.length > maxFiles && this.#thinOldest());
  }

  /** The first unconfirmed batch above a counter; from now on it no longer changes. */
  offer(after: number): ReportRequest | undefined {
    const batch = this.#batches.find(({ counter }) => counter > Math.max(after, this.#durableThrough));
    if (!batch) return undefined;
    this.#offeredThrough = Math.max(this.#offeredThrough, batch.counter);
    return this.#read(batch);
  }

  /** The platform has everything up to this counter, or will never take it. */
  confirm(counter: number): void {
    this.#durableThrough = Math.max(this.#durableThrough, counter);
    this.#counter = Math.max(this.#counter, counter);
    for (const batch of this.#batches.slice(0, -1).filter((old) => old.counter <= counter)) this.#remove(batch);
  }

  /** Drops the batches of later segments: the platform does not have these any longer. */
  dropAbove(segment: number): void {
    for (const batch of this.#batches.filter((each) => each.segment > segment)) this.#remove(batch);
  }

  #thinOldest(): boolean {
    const index = this.#batches.findIndex(({ counter, segment }, at) => {
      const next = this.#batches[at + 1];
      return counter > this.#offeredThrough && next?.segment === segment;
    });
    const [older, newer] = this.#batches.slice(index, index + 2);
    if (index < 0 || !older || !newer) return false;
    this.#write(merged(this.#read(older), this.#read(newer)), newer.step);
    this.#remove(older);
    return true;
  }

  #read(batch: SpooledBatch): ReportRequest {
    return fromBinary(ReportRequestSchema, readFileSync(this.#pathOf(batch)));
  }

  #write(batch: ReportRequest, step: number): void {
    const path = this.#pathOf({ counter: batch.counter, segment: batch.segmentIndex, step });
    writeFileSync(`${path}.new`, toBinary(ReportRequestSchema, batch));
    renameSync(`${path}.new`, path);
  }

  #remove(batch: SpooledBatch): void {
    rmSync(this.#pathOf(batch), { force: true });
    this.#batches.splice(this.#batches.indexOf(batch), 1);
  }

  #pathOf({ counter, segment, step }: SpooledBatch): string {
    return join(this.#directory, `${counter}-${segment}-${step}.report`);
  }
}

function batchOfName(name: string): SpooledBatch[] {
  const [, counter, segment, step] = /^(\d+)-(\d+)-(\d+)\.report$/.exec(name) ?? [];
  return counter ? [{ counter: Number(counter), segment: Number(segment), step: Number(step) }] : [];
}

/** Two neighbours as one batch of about the size of one, under the newer's counter. */
function merged(older: ReportRequest, newer: ReportRequest): ReportRequest {
  const points = columnsOf(older).followedBy(columnsOf(newer)).thinned();
  const columns = Array.from(points.entries(), ([name, column]) => create(MetricColumnSchema, { name, ...column }));
  return create(ReportRequestSchema, {
    ...newer,
    columns,
    phases: [...older.phases, ...newer.phases].slice(-maxPhases),
    logs: [...older.logs, ...newer.logs].slice(-maxLogLines),
    media: [...thinnedMedia([...older.media, ...newer.media])],
  });
}

function columnsOf({ columns }: ReportRequest): PointColumns {
  return PointColumns.of(columns.map(({ name, ...column }) => [name, column]));
}

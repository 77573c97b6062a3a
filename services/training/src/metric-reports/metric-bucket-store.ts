import {
  type Collection,
  type DocumentStore,
  GroupWriter,
  type IndexPlan,
  translated,
} from "@aiplatform/document-store";
import type { Binary } from "mongodb";
import type { AcceptedReport } from "./report.ts";
import { decodeReport } from "./report-message.ts";

const collection = "metric_buckets";

/** A stored batch. `_id` holds run and sequence, so that its index makes the pair unique and orders reads. */
export interface MetricBucket {
  _id: string;
  organisation_id: string;
  run_id: string;
  job_name: string;
  counter: number;
  /** Of a batch that named no counter. */
  digest?: string;
  sequence: number;
  segment: number;
  archived: boolean;
  accepted_at: Date;
  /** A `ReportRequest`. */
  report: Uint8Array | Binary;
}

/** The newest batch of a job. */
export interface JobTail {
  counter: number;
  acceptedAt: Date;
}

/** What names a batch. */
interface BatchName {
  organisationId: string;
  runId: string;
  jobName: string;
  counter: number;
}

/** What names a batch that had no counter. */
type BatchDigest = Omit<BatchName, "counter"> & { digest: string };

export class MetricBucketStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "counter_of_job", key: { organisation_id: 1, run_id: 1, job_name: 1, counter: 1 }, unique: true },
      {
        name: "digest_of_job",
        key: { organisation_id: 1, run_id: 1, job_name: 1, digest: 1 },
        unique: true,
        partialFilterExpression: { digest: { $exists: true } },
      },
    ],
  };

  readonly #buckets: Collection<MetricBucket>;

  constructor(store: DocumentStore) {
    this.#buckets = store.database.collection<MetricBucket>(collection);
  }

  /** One writer for all runs: a refused bucket refuses what waits behind it of its own run, and nothing else. */
  writer(): GroupWriter<MetricBucket> {
    return new GroupWriter(this.#buckets, { chainOf: ({ run_id }) => run_id });
  }

  /** Sequence of the run's newest batch; 0: none. */
  async newestSequence(organisationId: string, runId: string): Promise<number> {
    const [newest] = await translated(() =>
      this.#buckets
        .find({ organisation_id: organisationId, _id: rangeOf(runId, 0) })
        .project<{ sequence: number }>({ sequence: 1 })
        .sort({ _id: -1 })
        .limit(1)
        .toArray(),
    );
    return newest?.sequence ?? 0;
  }

  /** The job's newest batch, for all replicas: read from the database. */
  async tailOf(organisationId: string, runId: string, jobName: string): Promise<JobTail | undefined> {
    const [newest] = await translated(() =>
      this.#buckets
        .find({ organisation_id: organisationId, run_id: runId, job_name: jobName })
        .project<{ counter: number; accepted_at: Date }>({ counter: 1, accepted_at: 1 })
        .sort({ counter: -1 })
        .limit(1)
        .toArray(),
    );
    return newest && { counter: newest.counter, acceptedAt: newest.accepted_at };
  }

  /** Whether the job's batch with this counter is stored. */
  async has({ organisationId, runId, jobName, counter }: BatchName): Promise<boolean> {
    const named = { organisation_id: organisationId, run_id: runId, job_name: jobName, counter };
    return (await translated(() => this.#buckets.findOne(named, { projection: { _id: 1 } }))) !== null;
  }

  /** Whether a batch of the job with this digest is stored. */
  async hasDigest({ organisationId, runId, jobName, digest }: BatchDigest): Promise<boolean> {
    const named = { organisation_id: organisationId, run_id: runId, job_name: jobName, digest };
    return (await translated(() => this.#buckets.findOne(named, { projection: { _id: 1 } }))) !== null;
  }

  /** When the run's batches of these sequences were accepted. */
  async acceptedAt(organisationId: string, runId: string, sequences: readonly number[]): Promise<Map<number, Date>> {
    const ids = sequences.map((sequence) => bucketId(runId, sequence));
    const query = this.#buckets
      .find({ organisation_id: organisationId, _id: { $in: ids } })
      .project<{ sequence: number; accepted_at: Date }>({ sequence: 1, accepted_at: 1 });
    const found = await translated(() => query.toArray());
    return new Map(found.map(({ sequence, accepted_at }) => [sequence, accepted_at]));
  }

  /** The run's batches above a sequence, in order: one page of them. */
  async after(organisationId: string, runId: string, sequence: number): Promise<AcceptedReport[]> {
    const found = await translated(() =>
      this.#buckets
        .find({ organisation_id: organisationId, _id: rangeOf(runId, sequence) }, { promoteBuffers: true })
        .sort({ _id: 1 })
        .limit(pageSize)
        .batchSize(pageSize)
        .toArray(),
    );
    return found.map(acceptedReportOf);
  }
}

/** Batches read at once; the largest is some 1.5 MB, most are some 10 KB. */
const pageSize = 64;

export function bucketId(runId: string, sequence: number): string {
  return `${runId}/${String(sequence).padStart(10, "0")}`;
}

function rangeOf(runId: string, afterSequence: number) {
  return { $gt: bucketId(runId, afterSequence), $lt: `${runId}0` };
}

function acceptedReportOf(bucket: MetricBucket): AcceptedReport {
  const bytes = bucket.report instanceof Uint8Array ? bucket.report : bucket.report.buffer;
  return {
    organisationId: bucket.organisation_id,
    runId: bucket.run_id,
    jobName: bucket.job_name,
    counter: bucket.counter,
    sequence: bucket.sequence,
    segment: bucket.segment,
    archived: bucket.archived,
    acceptedAt: bucket.accepted_at,
    report: decodeReport(bytes),
  };
}

import {
  type ClientSession,
  createdBefore,
  type DocumentStore,
  encodeCursor,
  type IndexPlan,
  newestFirst,
  type Page,
  placeOf,
  readBounded,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { bytesOfJobs, type JobDeclaration, type Run } from "./run.ts";

const collection = "runs";

interface RunDocument extends TenantDocument {
  _id: string;
  pipeline_id: string;
  name: string;
  jobs: JobDeclaration[];
  created_at: Date;
}

/** Which runs of a pipeline. */
export interface RunsQuery {
  pipelineId: string;
  limit: number;
  cursor: string;
}

/** Runs never change. */
export class RunStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [{ name: "of_pipeline", key: { organisation_id: 1, pipeline_id: 1, created_at: -1, _id: -1 } }],
  };

  readonly #runs: TenantCollection<RunDocument>;

  constructor(store: DocumentStore) {
    this.#runs = new TenantCollection(store, collection);
  }

  async insert(organisationId: string, run: Run, session?: ClientSession): Promise<void> {
    const document = {
      _id: run.id,
      organisation_id: organisationId,
      pipeline_id: run.pipelineId,
      name: run.name,
      jobs: run.jobs,
      created_at: run.createdAt,
    };
    await this.#runs.insert(organisationId, document, { session });
  }

  async find(organisationId: string, runId: string): Promise<Run | undefined> {
    const found = await this.#runs.findOne(organisationId, { _id: runId });
    return found ? runOf(found) : undefined;
  }

  count(organisationId: string, session?: ClientSession): Promise<number> {
    return this.#runs.count(organisationId, {}, { session });
  }

  /** Bytes of all runs as they are stored. */
  bytes(organisationId: string, session?: ClientSession): Promise<number> {
    return this.#runs.sum(organisationId, {}, { $bsonSize: "$$ROOT" }, { session });
  }

  /** Newest first; a page of large ones holds fewer than asked for. @throws InvalidCursorError */
  async ofPipeline(organisationId: string, { pipelineId, limit, cursor }: RunsQuery): Promise<Page<Run>> {
    const filter = { pipeline_id: pipelineId, ...createdBefore(placeOf(cursor)) };
    const found = this.#runs.each(organisationId, filter, { sort: newestFirst });
    const { items, isLast } = await readBounded(found, { limit, sizeOf: sizeOfRun });
    const last = items.at(-1);
    return { items: items.map(runOf), nextCursor: last && !isLast ? encodeCursor([last.created_at, last._id]) : "" };
  }
}

function sizeOfRun({ jobs }: RunDocument): number {
  return bytesOfJobs(jobs);
}

function runOf({ _id, organisation_id, pipeline_id, name, jobs, created_at }: RunDocument): Run {
  return { id: _id, organisationId: organisation_id, pipelineId: pipeline_id, name, jobs, createdAt: created_at };
}

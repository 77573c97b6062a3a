import { ListMediaRequestSchema } from "@aiplatform/contract/aiplatform/training/v1/media";
import {
  type Collection,
  type DocumentStore,
  type IndexPlan,
  type Page,
  TenantCollection,
  type TenantDocument,
  translated,
  upserted,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery, type MongoFilter } from "@aiplatform/list-filter";
import { LRUCache } from "lru-cache";
import type { JobKey } from "../job-log/job-entry.ts";
import { type MediaContent, type MediaKindName, mediaLimits, type StoredMedium } from "./media.ts";
import { surplusOf } from "./thin-media.ts";

interface MediumDocument extends TenantDocument {
  /** `<run>/<id>`. */
  _id: string;
  run_id: string;
  job_name: string;
  name: string;
  kind: MediaKindName;
  step: number;
  segment: number;
  archived: boolean;
  stored_at: Date;
  content: MediaContent;
  /** Of a file. */
  sha256?: string;
}

/** Media of one name, job and kind. */
export interface MediaName {
  jobName: string;
  name: string;
  kind: MediaKindName;
  count: number;
  firstStep: number;
  lastStep: number;
}

/** A part of a job's media that a rollback or a warm restart has archived. */
export interface ArchivedSteps {
  jobName: string;
  segment: number;
  /** Of higher steps. */
  above: number;
}

/** Of a run: all, or those that are not archived. */
export interface MediaOfRun {
  runId: string;
  /** Undefined: archived ones as well. */
  without: readonly ArchivedSteps[] | undefined;
}

const collection = "run_media";
/** Media of a name after which its surplus is looked for. */
const thinEvery = 16;
/** Names of jobs of which this process knows how many media it has stored. */
const maxCountedNames = 10_000;

const mediaList = new ListQuery(ListMediaRequestSchema, {
  bindings: { segment_index: "segment" },
  defaultSort: [
    ["step", 1, "number"],
    ["_id", 1, "string"],
  ],
});

/** What trainers have shown. Each medium stands by itself: a repeated one meets its primary key. */
export class MediaStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "by_step", key: { organisation_id: 1, run_id: 1, step: 1, _id: 1 } },
      { name: "of_name_by_step", key: { organisation_id: 1, run_id: 1, name: 1, step: 1, _id: 1 } },
      {
        name: "names_of_run",
        key: { organisation_id: 1, run_id: 1, job_name: 1, name: 1, kind: 1, step: 1, segment: 1, archived: 1 },
      },
      {
        name: "files",
        key: { organisation_id: 1, sha256: 1 },
        partialFilterExpression: { sha256: { $exists: true } },
      },
    ],
  };

  readonly #media: TenantCollection<MediumDocument>;
  readonly #collection: Collection<MediumDocument>;
  readonly #stored = new LRUCache<string, number>({ max: maxCountedNames });

  constructor(store: DocumentStore) {
    this.#media = new TenantCollection(store, collection);
    this.#collection = store.database.collection(collection);
  }

  /** Stores media of a job; those that were stored before stay as they are. */
  async insert(job: JobKey, media: readonly StoredMedium[]): Promise<void> {
    const operations = media.map((medium) => {
      const { _id, organisation_id, ...fields } = documentOf(job, medium);
      return { updateOne: { filter: { _id, organisation_id }, update: { $setOnInsert: fields }, upsert: true } };
    });
    await upserted(() => this.#collection.bulkWrite(operations, { ordered: false }));
    for (const name of new Set(media.map((medium) => medium.name))) {
      await this.#thinNowAndThen(job, name, media.filter((medium) => medium.name === name).length);
    }
  }

  async find(organisationId: string, runId: string, id: string): Promise<StoredMedium | undefined> {
    const found = await this.#media.findOne(organisationId, { _id: idOf(runId, id) });
    return found && mediumOf(found);
  }

  /** @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, of: MediaOfRun, request: ListPageRequest): Promise<Page<StoredMedium>> {
    const page = { list: mediaList, request, within: filterOf(of), sizeOf };
    const { items, nextCursor } = await findPage(this.#media, organisationId, page);
    return { items: items.map(mediumOf), nextCursor };
  }

  /** The names of a run's media, in order. */
  async names(organisationId: string, of: MediaOfRun): Promise<MediaName[]> {
    const each = { job_name: "$job_name", name: "$name", kind: "$kind" };
    const steps = { count: { $sum: 1 }, first_step: { $min: "$step" }, last_step: { $max: "$step" } };
    const stages = [{ $group: { _id: each, ...steps } }, { $sort: { _id: 1 } }];
    const found = await this.#media.aggregate<NameDocument>(organisationId, filterOf(of), stages);
    return found.map(({ _id: { job_name, name, kind }, count, first_step, last_step }) => {
      return { jobName: job_name, name, kind, count, firstStep: first_step, lastStep: last_step };
    });
  }

  /** Those of the artifacts that media name. */
  async artifactsAmong(organisationId: string, digests: readonly string[]): Promise<string[]> {
    const filter = { organisation_id: organisationId, sha256: { $in: [...digests] } };
    const found = await translated(() => this.#collection.distinct("sha256", filter));
    return found.filter((sha256) => sha256 !== undefined);
  }

  async #thinNowAndThen(job: JobKey, name: string, count: number): Promise<void> {
    const key = `${job.runId}/${job.jobName}/${name}`;
    const before = this.#stored.get(key);
    const after = (before ?? 0) + count;
    this.#stored.set(key, after);
    const isDue = before === undefined || Math.floor(before / thinEvery) < Math.floor(after / thinEvery);
    if (isDue) await this.#thin(job, name);
  }

  async #thin({ organisationId, runId, jobName }: JobKey, name: string): Promise<void> {
    const ofName = { run_id: runId, job_name: jobName, name };
    const places = await this.#media.find(organisationId, ofName, { only: ["segment", "step"] });
    const surplus = surplusOf(places, mediaLimits.perName);
    if (surplus.length > 0) await this.#media.deleteMany(organisationId, { _id: { $in: surplus } });
  }
}

interface NameDocument {
  _id: { job_name: string; name: string; kind: MediaKindName };
  count: number;
  first_step: number;
  last_step: number;
}

const idOf = (runId: string, id: string) => `${runId}/${id}`;

function filterOf({ runId, without }: MediaOfRun): MongoFilter {
  if (!without) return { run_id: runId };
  const archived = without.map(({ jobName, segment, above }) => ({
    job_name: jobName,
    segment,
    step: { $gt: above },
  }));
  return { run_id: runId, $nor: [{ archived: true }, ...archived] };
}

/** Of its content, roughly, in characters: names and ids are short. */
function sizeOf({ content }: MediumDocument): number {
  if (content.case === "histogram") return content.value.edges.length * 40;
  return content.case === "file" ? 0 : content.value.length;
}

function documentOf(job: JobKey, { id, jobName, storedAt, content, ...medium }: StoredMedium): MediumDocument {
  return {
    _id: idOf(job.runId, id),
    organisation_id: job.organisationId,
    run_id: job.runId,
    job_name: jobName,
    ...medium,
    stored_at: storedAt,
    content,
    ...(content.case === "file" ? { sha256: content.value.sha256 } : {}),
  };
}

function mediumOf(document: MediumDocument): StoredMedium {
  const {
    _id,
    run_id,
    job_name: jobName,
    stored_at: storedAt,
    name,
    kind,
    step,
    segment,
    archived,
    content,
  } = document;
  return { id: _id.slice(run_id.length + 1), jobName, name, kind, step, segment, archived, storedAt, content };
}

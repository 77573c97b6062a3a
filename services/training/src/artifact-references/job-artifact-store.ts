import { type DocumentStore, type IndexPlan, TenantCollection } from "@aiplatform/document-store";
import { type JobEntryDocument, jobKeyText } from "../job-log/job-log-store.ts";

const collection = "job_log";
const prefix = "artifact:sha256:";
const checkpointUri = "facts.checkpoint.uri";
const resultUri = "facts.artifact.uri";
const resultDigest = "facts.artifact.sha256";
const ofJob = ["run_id", "job_name"];

/** The artifacts that entries of job logs refer to. */
export class JobArtifactStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      indexOf("checkpoint_uri", checkpointUri),
      indexOf("result_uri", resultUri),
      indexOf("result_digest", resultDigest),
      indexOf("pruned", "facts.pruned"),
    ],
  };

  readonly #log: TenantCollection<JobEntryDocument>;

  constructor(store: DocumentStore) {
    this.#log = new TenantCollection(store, collection);
  }

  /** Those of the digests that a checkpoint refers to which is not pruned. */
  async ofCheckpoints(organisationId: string, digests: readonly string[]): Promise<string[]> {
    const filter = { [checkpointUri]: { $in: digests.map((digest) => prefix + digest) } };
    const only = [checkpointUri, "facts.checkpoint.id", ...ofJob];
    const found = await this.#log.find(organisationId, filter, { only });
    const checkpoints = found.flatMap((entry) => {
      const { checkpoint } = entry.facts;
      return checkpoint ? [{ ...checkpoint, key: keyOf(entry, checkpoint.id) }] : [];
    });
    const pruned = await this.#prunedAmong(
      organisationId,
      checkpoints.map(({ id }) => id),
    );
    const kept = checkpoints.filter(({ key }) => !pruned.has(key));
    return [...new Set(kept.map(({ uri }) => uri.slice(prefix.length)))];
  }

  /** Those of the digests that are the result of a job. */
  async ofResults(organisationId: string, digests: readonly string[]): Promise<string[]> {
    const wanted = new Set(digests);
    const named = { [resultUri]: { $in: digests.map((digest) => prefix + digest) } };
    const $or = [named, { [resultDigest]: { $in: [...digests] } }];
    const found = await this.#log.find(organisationId, { $or }, { only: [resultUri, resultDigest] });
    const referenced = found.flatMap(({ facts: { artifact } }) =>
      artifact ? [artifact.sha256, artifact.uri.slice(prefix.length)] : [],
    );
    return [...new Set(referenced.filter((digest) => wanted.has(digest)))];
  }

  /** By {@link keyOf}. */
  async #prunedAmong(organisationId: string, ids: readonly string[]): Promise<Set<string>> {
    const only = ["facts.pruned", ...ofJob];
    const found = await this.#log.find(organisationId, { "facts.pruned": { $in: [...ids] } }, { only });
    return new Set(found.flatMap((entry) => (entry.facts.pruned ?? []).map((id) => keyOf(entry, id))));
  }
}

/** Trainers make the ids of checkpoints, so one is a job's own. */
function keyOf({ run_id: runId, job_name: jobName }: JobEntryDocument, checkpointId: string): string {
  return `${jobKeyText({ runId, jobName })}:${checkpointId}`;
}

/** Of entries that have the field, whichever version has stored them. */
function indexOf(name: string, path: string): IndexPlan["indexes"][number] {
  return { name, key: { organisation_id: 1, [path]: 1 }, partialFilterExpression: { [path]: { $exists: true } } };
}

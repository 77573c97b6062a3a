import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import {
  deletedState,
  findLineage,
  type LineageMatches,
  type LineageSearch,
  refsTo,
  type Thing,
} from "@aiplatform/service-kit/lineage";

interface DeletedRunDocument extends TenantDocument {
  pipeline_id: string;
  dataset_version_ids: string[];
  /** When the run was created. */
  created_at: Date;
}

/** A run that is deleted, as far as it stays known: what it was called and declared is gone. */
export interface DeletedRun {
  id: string;
  pipelineId: string;
  createdAt: Date;
  /** Versions that it read. */
  datasets: readonly { versionId: string }[];
}

const collection = "deleted_runs";

/** The deleted runs that read versions of datasets: models that were made of them stay, and so does what these have learned from. */
export class DeletedRunStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "by_dataset_version", key: { organisation_id: 1, dataset_version_ids: 1, created_at: 1, _id: 1 } },
    ],
  };

  readonly #runs: TenantCollection<DeletedRunDocument>;

  constructor(store: DocumentStore) {
    this.#runs = new TenantCollection(store, collection);
  }

  /** Keeps those of the runs that read a version. */
  async insert(organisationId: string, runs: readonly DeletedRun[], session: ClientSession): Promise<void> {
    const reading = runs.filter(({ datasets }) => datasets.length > 0);
    const documents = reading.map(({ id, pipelineId, createdAt, datasets }) => ({
      _id: id,
      organisation_id: organisationId,
      pipeline_id: pipelineId,
      dataset_version_ids: [...new Set(datasets.map(({ versionId }) => versionId))],
      created_at: createdAt,
    }));
    await this.#runs.insertMany(organisationId, documents, { session });
  }

  /** What the lineage has of deleted runs. */
  async lineage(search: LineageSearch): Promise<LineageMatches<Thing>> {
    const { ids, sourceIds, knownIds } = search;
    const { things, total } = await findLineage(this.#runs, search, {
      named: { _id: { $in: [...ids] } },
      derived: { dataset_version_ids: { $in: [...sourceIds] }, _id: { $nin: [...knownIds] } },
      only: ["pipeline_id", "dataset_version_ids"],
    });
    return { things: things.map(toThing), total };
  }
}

function toThing({ _id: id, pipeline_id: parentId, dataset_version_ids: read }: DeletedRunDocument): Thing {
  return { kind: "run", id, parentId, state: deletedState, sources: refsTo("dataset_version", read) };
}

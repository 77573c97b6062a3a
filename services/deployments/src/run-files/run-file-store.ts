import { ListRunFilesRequestSchema } from "@aiplatform/contract/aiplatform/deployments/v1/run_files";
import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  type Page,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery } from "@aiplatform/list-filter";
import { maxFilesOfRun, type RunFile, type RunOfPipeline } from "./run-file.ts";

interface RunFileDocument extends TenantDocument {
  pipeline_id: string;
  run_id: string;
  path: string;
  sha256: string;
  size_bytes: number;
  created_at: Date;
}

const collection = "run_files";
const fileList = new ListQuery(ListRunFilesRequestSchema, { defaultSort: [["path", 1, "string"]], unique: ["path"] });

/** Which file of a run has which bytes. The bytes lie elsewhere. */
export class RunFileStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "path", key: { organisation_id: 1, run_id: 1, path: 1 }, unique: true },
      { name: "newest", key: { organisation_id: 1, run_id: 1, created_at: -1, _id: -1 } },
      { name: "by_size", key: { organisation_id: 1, run_id: 1, size_bytes: 1, _id: 1 } },
      { name: "digest", key: { organisation_id: 1, sha256: 1 } },
    ],
  };

  readonly #files: TenantCollection<RunFileDocument>;

  constructor(store: DocumentStore) {
    this.#files = new TenantCollection(store, collection);
  }

  /** Stores a file in place of the one of its path. */
  async put(file: RunFile): Promise<void> {
    const { organisationId, pipelineId, runId, path, sha256, sizeBytes, createdAt } = file;
    const set = { pipeline_id: pipelineId, run_id: runId, path, sha256, size_bytes: sizeBytes, created_at: createdAt };
    await this.#files.updateOne(organisationId, { _id: idOf(file) }, { $set: set }, { upsert: true });
  }

  async find(
    organisationId: string,
    { pipelineId, runId, path }: RunOfPipeline & { path: string },
  ): Promise<RunFile | undefined> {
    const filter = { run_id: runId, path, pipeline_id: pipelineId };
    const found = await this.#files.findOne(organisationId, filter);
    return found && fileOf(found);
  }

  /** Whether the run could have a further file. */
  async hasRoom(organisationId: string, { runId }: Pick<RunOfPipeline, "runId">): Promise<boolean> {
    const last = await this.#files.findOne(
      organisationId,
      { run_id: runId },
      { skip: maxFilesOfRun - 1, only: ["path"] },
    );
    return last === undefined;
  }

  /** Those in a folder and below it; "": all. */
  async below(
    organisationId: string,
    { pipelineId, runId, folder }: RunOfPipeline & { folder: string },
  ): Promise<Pick<RunFile, "path" | "sizeBytes">[]> {
    const within = folder === "" ? {} : { path: { $gte: `${folder}/`, $lt: `${folder}0` } };
    const filter = { run_id: runId, ...within, pipeline_id: pipelineId };
    const found = await this.#files.find(organisationId, filter, { only: ["path", "size_bytes"] });
    return found.map(({ path, size_bytes: sizeBytes }) => ({ path, sizeBytes }));
  }

  /** @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, { runId }: RunOfPipeline, request: ListPageRequest): Promise<Page<RunFile>> {
    const within = { run_id: runId };
    const { items, nextCursor } = await findPage(this.#files, organisationId, { list: fileList, request, within });
    return { items: items.map(fileOf), nextCursor };
  }

  /** Those of the digests that files of runs have: these artifacts are used. */
  async artifactsAmong(organisationId: string, digests: readonly string[]): Promise<string[]> {
    // Many files may have one digest: the index alone answers which there are.
    const grouped = [{ $group: { _id: "$sha256" } }];
    const filter = { sha256: { $in: [...digests] } };
    const found = await this.#files.aggregate<{ _id: string }>(organisationId, filter, grouped, { hint: "digest" });
    return found.map(({ _id }) => _id);
  }

  async remove(file: Pick<RunFile, "organisationId" | "runId" | "path">): Promise<void> {
    await this.#files.deleteOne(file.organisationId, { _id: idOf(file) });
  }

  /** Removes all files of a run. */
  async removeRun(organisationId: string, runId: string, session: ClientSession): Promise<void> {
    await this.#files.deleteMany(organisationId, { run_id: runId }, { session });
  }
}

function idOf({ runId, path }: Pick<RunFile, "runId" | "path">): string {
  return `${runId}/${path}`;
}

function fileOf({
  organisation_id,
  pipeline_id,
  run_id,
  size_bytes,
  created_at,
  path,
  sha256,
}: RunFileDocument): RunFile {
  const run = { organisationId: organisation_id, pipelineId: pipeline_id, runId: run_id };
  return { ...run, path, sha256, sizeBytes: size_bytes, createdAt: created_at };
}

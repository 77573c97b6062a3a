import { randomUUID } from "node:crypto";
import { copyFile, mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDataEngine } from "@aiplatform/data-engine";
import { type DocumentStore, withTransaction } from "@aiplatform/document-store";
import type { DatasetVersion, VersionData } from "../src/dataset-versions/dataset-version.ts";
import { DatasetVersionStore } from "../src/dataset-versions/version-store.ts";

/** Makes data of CSV, and puts a copy of it where a service that starts later finds it. */
export async function storedData(directory: string, organisationId: string, csv: string): Promise<VersionData> {
  await using home = await mkdtempDisposable(join(tmpdir(), "made-"));
  const folder = join(home.path, organisationId);
  await mkdir(folder);
  await writeFile(join(folder, "a.csv"), csv);
  await using engine = await openDataEngine({
    ...{ sandbox: "none", sandboxSetting: "DATA_SANDBOX", directory: home.path, logger: { info() {}, warn() {} } },
    ...{ maxProcesses: 1, memoryMiB: 1_024, temporaryDiskMiB: 64, idleMs: 1_000 },
  });
  const output = join(folder, "a.parquet");
  const files = [{ path: join(folder, "a.csv"), name: "a.csv", format: "csv" as const }];
  const data = await engine.convert({ organisationId, files, output });
  await mkdir(join(directory, organisationId), { recursive: true, mode: 0o755 });
  await copyFile(output, join(directory, organisationId, `${data.sha256}.parquet`));
  return data;
}

/** Stores a version of a dataset of its own. */
export async function storedVersion(
  store: DocumentStore,
  given: Pick<DatasetVersion, "organisationId" | "state"> & Partial<DatasetVersion>,
): Promise<DatasetVersion> {
  const now = new Date();
  const version: DatasetVersion = {
    ...{ id: randomUUID(), datasetId: randomUUID(), number: 1, description: "", files: [], bytesRead: 0 },
    ...{ createdAt: now, updatedAt: now },
    ...given,
  };
  await withTransaction(store, (session) => new DatasetVersionStore(store).insert(version, session));
  return version;
}

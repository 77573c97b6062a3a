import { InvalidFieldsError } from "@aiplatform/service-host";
import type { RunFile, RunOfPipeline } from "./run-file.ts";

/** What a folder has in it: a file, or another folder. */
export interface FolderEntry {
  name: string;
  /** Undefined of a folder. */
  sizeBytes: number | undefined;
}

/** A folder of a run's files; "" is the one that all are in. */
export interface FolderOfRun extends RunOfPipeline {
  folder: string;
}

/** Takes `pipeline/run/folder` apart. @throws InvalidFieldsError */
export function folderNamed(path: string): FolderOfRun {
  const [pipelineId = "", runId, ...names] = path.split("/");
  const folder = names.filter((name) => name !== "").join("/");
  if (runId !== undefined) return { pipelineId, runId, folder };
  const description = "begins with the ids of a pipeline and a run, separated by a slash";
  throw new InvalidFieldsError([{ field: "path", reason: "PATH_INVALID", description }]);
}

/** What is directly in a folder, of the files below it, by name. */
export function entriesOf(folder: string, files: readonly Pick<RunFile, "path" | "sizeBytes">[]): FolderEntry[] {
  const start = folder === "" ? 0 : folder.length + 1;
  const entries = new Map<string, FolderEntry>();
  for (const { path, sizeBytes } of files) {
    const [name = "", ...below] = path.slice(start).split("/");
    entries.set(name, { name, sizeBytes: below.length === 0 ? sizeBytes : undefined });
  }
  return [...entries.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

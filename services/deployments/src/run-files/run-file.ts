import { InvalidFieldsError } from "@aiplatform/service-host";
import { NotFoundError } from "@aiplatform/service-kit/not-found";

/** A run, and the pipeline that it is said to be of. */
export interface RunOfPipeline {
  pipelineId: string;
  runId: string;
}

/** A file that a run has stored. Its bytes are an artifact. */
export interface RunFile extends RunOfPipeline {
  organisationId: string;
  /** Names and folders, separated by slashes. */
  path: string;
  sha256: string;
  sizeBytes: number;
  createdAt: Date;
}

/** Files of a run at most. */
export const maxFilesOfRun = 10_000;

/** The run has no file of that path, or is not the organisation's. */
export class RunFileNotFoundError extends NotFoundError {
  override name = "RunFileNotFoundError";
}

/** The run has as many files as a run can have. */
export class RunFilesLimitError extends Error {
  override name = "RunFilesLimitError";
  constructor() {
    super(`The run has ${maxFilesOfRun} files, which is the most: pack further ones into an archive`);
  }
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const unfitPattern = /[\p{Cc}\\]/u;

/** The run in the spelling in which ids are stored. @throws InvalidFieldsError */
export function runNamed({ pipelineId, runId }: RunOfPipeline): RunOfPipeline {
  const run = { pipelineId: pipelineId.toLowerCase(), runId: runId.toLowerCase() };
  const fields = { pipeline_id: run.pipelineId, run_id: run.runId };
  const wrong = Object.entries(fields).filter(([, id]) => !uuidPattern.test(id));
  if (wrong.length === 0) return run;
  throw new InvalidFieldsError(wrong.map(([field]) => ({ field, reason: "UUID_INVALID", description: "is no uuid" })));
}

/** @throws InvalidFieldsError for what can be no path of a file */
export function assertFilePath(path: string): void {
  const names = path.split("/");
  const isSound = names.every((name) => name !== "" && name !== "." && name !== "..") && !unfitPattern.test(path);
  if (isSound) return;
  const description =
    "is names separated by single slashes, such as model/weights.bin: none is . or .., or has control characters or backslashes";
  throw new InvalidFieldsError([{ field: "path", reason: "PATH_INVALID", description }]);
}

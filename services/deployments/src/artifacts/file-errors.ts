import { ArtifactsUnavailableError } from "./artifact-store.ts";

/** The code of what the file system says, such as `ENOENT`; undefined for every other error. */
export function fileErrorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("syscall" in error && "code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Whether that which was asked for is not there. */
export function isMissing(error: unknown): boolean {
  return fileErrorCode(error) === "ENOENT";
}

/** What the file system says is for the log; other errors pass. */
export function reported(error: unknown): unknown {
  return fileErrorCode(error) === undefined ? error : new ArtifactsUnavailableError(error);
}

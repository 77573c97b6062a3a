import { PlatformError, PlatformUnreachableError, StreamFailedError } from "@aiplatform/client";

/** What the exit status of the program says. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  unauthorized: 3,
  notFound: 4,
  refused: 5,
  timeout: 6,
  unavailable: 7,
} as const;

const byStatus: Readonly<Record<number, number>> = {
  400: exitCodes.usage,
  401: exitCodes.unauthorized,
  403: exitCodes.unauthorized,
  404: exitCodes.notFound,
  409: exitCodes.refused,
  412: exitCodes.refused,
  422: exitCodes.usage,
  429: exitCodes.unavailable,
  502: exitCodes.unavailable,
  503: exitCodes.unavailable,
  504: exitCodes.timeout,
};

/** A command of a job was rejected. */
export class CommandRejectedError extends Error {
  override name = "CommandRejectedError";
}

/** What was waited for came to a bad end. */
export class WaitFailedError extends Error {
  override name = "WaitFailedError";
}

/** The command line asks for what cannot be. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** The exit status for a failure. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof PlatformError) return byStatus[error.status] ?? exitCodes.failed;
  if (error instanceof PlatformUnreachableError) return error.timedOut ? exitCodes.timeout : exitCodes.unavailable;
  if (error instanceof StreamFailedError) return error.isPassing ? exitCodes.unavailable : exitCodes.failed;
  if (error instanceof CommandRejectedError) return exitCodes.refused;
  if (isTimeout(error)) return exitCodes.timeout;
  if (error instanceof UsageError) return exitCodes.usage;
  return exitCodes.failed;
}

/** Whether the time that was given is over. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}

import { backoffMs } from "@aiplatform/backoff";
import { isSuspension } from "@aiplatform/caller-identity";
import {
  isStoreUnavailable,
  TransactionConflictError,
  WriteOutcomeUnknownError,
  WriteUnavailableError,
} from "@aiplatform/document-store";
import { InvalidFieldsError, mapError } from "@aiplatform/service-host";
import { storeErrors } from "@aiplatform/service-kit";
import { PoolClosedError } from "@aiplatform/worker-pool";
import { Code, ConnectError } from "@connectrpc/connect";
import { StepFailedError } from "../automation-steps/step-outcome.ts";
import { contentErrors } from "../errors.ts";

const temporaryCodes: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.Aborted,
  Code.ResourceExhausted,
]);
const maxPauseMs = 60_000;
const errors = new Map([...storeErrors, ...contentErrors]);

/** Whether what failed may succeed a little later, with the step as it is. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof ConnectError) return temporaryCodes.has(error.code) || isSuspension(error);
  return (
    isStoreUnavailable(error) ||
    error instanceof PoolClosedError ||
    error instanceof TransactionConflictError ||
    error instanceof WriteUnavailableError ||
    error instanceof WriteOutcomeUnknownError
  );
}

/** What a reader of the run may know of a failure; undefined: only that it failed. */
export function messageOf(error: unknown): string | undefined {
  if (error instanceof StepFailedError) return error.message;
  if (error instanceof InvalidFieldsError) return fieldsOf(error);
  if (error instanceof ConnectError) return error.rawMessage;
  const seen = mapError(error, { errors });
  return seen.code === Code.Internal || seen.code === Code.Unknown ? undefined : seen.rawMessage;
}

/** How long to wait before a step is tried again that was tried so often, ms. */
export function retryPauseMs(attempts: number, retryMs: number, random?: () => number): number {
  return backoffMs({ minMs: retryMs, maxMs: maxPauseMs }, attempts, random);
}

function fieldsOf({ violations }: InvalidFieldsError): string {
  return violations.map(({ field, description }) => `${field}: ${description}`).join("; ");
}

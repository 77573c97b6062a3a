import { create } from "@bufbuild/protobuf";
import type { EngineLimit, FileFault } from "../../errors.ts";
import { type Failure, FailureSchema } from "../../gen/data_engine_pb.js";
import { QueryFailure } from "./query-failure.ts";

/** A file that cannot be read. */
export class FaultError extends Error {
  readonly fault: FileFault;
  constructor(fault: FileFault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** A request that goes over a limit that this process counts. */
export class LimitFailure extends Error {
  readonly limit: EngineLimit;
  constructor(limit: EngineLimit, message: string) {
    super(message);
    this.limit = limit;
  }
}

/** A request that was told to end. */
export class CancelledFailure extends Error {}

interface Pattern {
  readonly pattern: RegExp;
  readonly limit: EngineLimit;
  readonly message: string;
}

const limits: readonly Pattern[] = [
  {
    pattern: /max_temp_directory_size|No space left|File too large|Could not write file/i,
    limit: "disk",
    message: "The request needs more temporary disk than it may have",
  },
  {
    pattern: /Out of Memory|bad_alloc|[Cc]ould not allocate|failed to allocate|Array buffer allocation failed/,
    limit: "memory",
    message: "The request needs more memory than it may have",
  },
];

/** Paths of the machine, which no one but us knows. */
const paths = /(?<![\w.])"?(?:[a-z0-9]+:)?\/[^\s'",;()]+"?/gi;
const maxMessage = 500;

/** What an error is for the service. */
export function failureOf(error: unknown): Failure {
  if (error instanceof FaultError) {
    const { fault } = error;
    return create(FailureSchema, {
      kind: "unreadable",
      ...fault,
      line: BigInt(fault.line ?? 0),
      column: fault.column ?? "",
    });
  }
  if (error instanceof LimitFailure)
    return create(FailureSchema, { kind: "limit", limit: error.limit, message: error.message });
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof CancelledFailure || /INTERRUPT/.test(text))
    return create(FailureSchema, { kind: "cancelled", message: "The request was ended" });
  const limit = limits.find(({ pattern }) => pattern.test(text));
  if (limit) return create(FailureSchema, { kind: "limit", limit: limit.limit, message: limit.message });
  const message = text.split("\n")[0]?.replace(paths, "a file").slice(0, maxMessage) ?? "";
  if (!(error instanceof QueryFailure)) return create(FailureSchema, { kind: "broken", message });
  const { line, character } = error.place ?? { line: 0, character: 0 };
  const place = { line: BigInt(line), character: BigInt(character) };
  return create(FailureSchema, { kind: "query", message, remedy: error.remedy, ...place });
}

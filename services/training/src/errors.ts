import { type ErrorClass, type ErrorEntry, type ErrorTable, InvalidFieldsError } from "@aiplatform/service-host";
import { Code } from "@connectrpc/connect";
import { FollowerOverrunError } from "./jobs/job-follower.ts";
import type { JobState } from "./jobs/job-state.ts";

/** The key names another command of the job already. */
export class IdempotencyKeyReusedError extends InvalidFieldsError {
  override name = "IdempotencyKeyReusedError";
  constructor() {
    const description = "this idempotency key was already used for a different command";
    super([{ field: "idempotency_key", reason: "IDEMPOTENCY_KEY_REUSED", description }]);
  }
}

/** It does not exist, or belongs to another organisation: the two look the same. */
export class NotFoundError extends Error {
  override name = "NotFoundError";
  constructor() {
    super("Not found");
  }
}

/** Another supervision lease is active. */
export class LeaseHeldError extends Error {
  override name = "LeaseHeldError";
  constructor() {
    super("another supervision lease is active");
  }
}

/** The lease is not the live one, or the token is not its own. */
export class LeaseLostError extends Error {
  override name = "LeaseLostError";
  constructor() {
    super("the supervision lease is no longer live");
  }
}

/** The command was decided before: the trainer must not act on it, or must undo what it did. */
export class CommandResolvedError extends Error {
  override name = "CommandResolvedError";
  readonly sequence: number;
  constructor(sequence: number, status: string, detail = "") {
    super(`command ${sequence} is ${status} already${detail && `: ${detail}`}`);
    this.sequence = sequence;
  }
}

/** A command of lower sequence has to be acknowledged first. */
export class CommandOutOfOrderError extends Error {
  override name = "CommandOutOfOrderError";
  readonly next: number;
  constructor(sequence: number, next: number) {
    super(`command ${next} has to be acknowledged before command ${sequence}`);
    this.next = next;
  }
}

/** Another process is the job's trainer now. */
export class AttachmentLostError extends Error {
  override name = "AttachmentLostError";
  constructor() {
    super("another process is the job's trainer now");
  }
}

/** This replica stops: the watcher should come back, and will find another. */
export class ReconnectError extends Error {
  override name = "ReconnectError";
  constructor() {
    super("server is draining, reconnect");
  }
}

/** The table of moves has no such move. */
export class IllegalMoveError extends Error {
  override name = "IllegalMoveError";
  readonly from: JobState;
  readonly to: JobState;
  constructor(from: JobState, to: JobState) {
    super(`a trainer cannot move a job from ${from} to ${to}`);
    this.from = from;
    this.to = to;
  }
}

/** What callers see of our failures. A class that is missing here becomes Internal, without its message. */
export const trainingErrors: ErrorTable = new Map<ErrorClass, ErrorEntry>([
  [NotFoundError, { code: Code.NotFound, reason: "NOT_FOUND" }],
  [LeaseHeldError, { code: Code.FailedPrecondition, reason: "LEASE_HELD" }],
  [LeaseLostError, { code: Code.FailedPrecondition, reason: "LEASE_LOST" }],
  [CommandResolvedError, { code: Code.FailedPrecondition, reason: "COMMAND_RESOLVED" }],
  [CommandOutOfOrderError, { code: Code.FailedPrecondition, reason: "COMMAND_OUT_OF_ORDER" }],
  [AttachmentLostError, { code: Code.FailedPrecondition, reason: "ATTACHMENT_LOST" }],
  [IllegalMoveError, { code: Code.FailedPrecondition, reason: "ILLEGAL_MOVE" }],
  [ReconnectError, { code: Code.Unavailable, reason: "RECONNECT" }],
  [FollowerOverrunError, { code: Code.Aborted, reason: "FOLLOWER_OVERRUN" }],
]);

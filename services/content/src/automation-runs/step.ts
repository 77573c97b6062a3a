import { createHash } from "node:crypto";
import type { EventCause } from "@aiplatform/document-store";
import type { ContentDependencies } from "../dependencies.ts";
import type { Members } from "../json-object.ts";

/** What steps work with: everything but the engine itself. */
export type StepDependencies = Omit<ContentDependencies, "runs">;

/** What a step that is carried out knows. */
export interface StepContext {
  organisationId: string;
  automationId: string;
  automationName: string;
  runId: string;
  versionId: string;
  /** The delegation under which the steps of the version act. Undefined: they have none. */
  delegationId: string | undefined;
  stepId: string;
  /** Of the step, within its version. */
  key: string;
  /** What the step's JSON says, with its templates filled in; the members that its kind knows. */
  members: Members;
  /** Of the transitions that the step may take when it ends well. */
  labels: readonly string[];
  /** A UUID of the step in this run: the same at each attempt, so that an effect can be recognised. */
  effectId: string;
  /** 1 the first time. */
  attempt: number;
  /** What the step kept when it last waited. Undefined before. */
  state: Members | undefined;
  /** What the step's own events are to say of their cause. */
  cause: EventCause;
  /** Aborts when the run is given up, or is another process's to go on with. */
  signal: AbortSignal;
}

/** How a step ended well, or what it waits for. */
export type StepOutcome =
  | {
      /** JSON that later steps read as `steps.<key>.output`. */
      output: Members;
      /** The transition to take. Default: the only one. */
      label?: string;
    }
  | {
      /** The id of what the step waits for: an event about it has the step carried out again. */
      waitsFor: string;
      /** What `context.state` is then. */
      state: Members;
      /** After this it is carried out again without an event, ms. Default 30 s. */
      lookAgainMs?: number;
    };

/**
 * Carries a step out. It may be called again after the process ended in the middle of it: what it makes elsewhere carries
 * `effectId`. Throws StepFailedError for what its author should know; what is temporary (ConnectError UNAVAILABLE and the like,
 * the database being away) is tried again.
 */
export type StepWork = (dependencies: StepDependencies, context: StepContext) => Promise<StepOutcome>;

/** The step has failed for good; the message is for readers of the run. */
export class StepFailedError extends Error {
  override name = "StepFailedError";
}

/** A UUID that the same names always give. */
export function effectIdOf(...names: readonly string[]): string {
  const digest = createHash("sha256").update(JSON.stringify(names)).digest();
  // RFC 9562: version 8, whose bits are the application's own.
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x80, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}

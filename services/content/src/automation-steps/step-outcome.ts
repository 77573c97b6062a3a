import type { JsonRecord } from "../json-object.ts";

/** How a step succeeded, or what it waits for. */
export type StepOutcome =
  | {
      /** JSON that later steps read as `steps.<key>.output`. */
      output: JsonRecord;
      /** The transition to take. Default: the only one. */
      label?: string;
    }
  | {
      /** The id of what the step waits for: after an event about it the step is executed again. */
      waitsFor: string;
      /** What `context.state` is then. */
      state: JsonRecord;
      /** After this it is executed again without an event, ms. Default 30 s. */
      pollMs?: number;
    };

/** The step has failed for good; the message is for readers of the run. */
export class StepFailedError extends Error {
  override name = "StepFailedError";
}

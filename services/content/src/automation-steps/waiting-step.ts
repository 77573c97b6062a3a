import type { JsonRecord } from "../json-object.ts";
import type { StepContext, StepHandler, StepServices } from "./step-handler.ts";
import type { StepOutcome } from "./step-outcome.ts";

/** A step that begins something in another service and may wait for how that ends. */
export interface WaitingStep<Begun extends object> {
  /** What the step kept when it last waited; undefined for anything else. */
  kept: (state: JsonRecord) => Begun | undefined;
  /** Begins it under `effectId`: again it is the same. @throws StepFailedError */
  begin: (services: StepServices, context: StepContext) => Promise<Begun>;
  /** How it ended; undefined while it has not. @throws StepFailedError when it ended without a result */
  observe: (services: StepServices, context: StepContext, begun: Begun) => Promise<EndedOutcome | undefined>;
  /** The id that events about it name. */
  waitsFor: (begun: Begun) => string;
  /** Output of a step that does not wait (`wait: false`). */
  named: (begun: Begun) => JsonRecord;
}

/** How a step succeeded. */
export type EndedOutcome = Extract<StepOutcome, { output: JsonRecord }>;

/** Events make it prompt, this makes it certain, ms. */
const pollMs = 5_000;

/** Executes such a step: begins once, and waits for how it ends unless the step is not to. */
export function beginsOnce<Begun extends object>(step: WaitingStep<Begun>): StepHandler["execute"] {
  const waiting = (begun: Begun, afterMs: number): StepOutcome => {
    const state = Object.fromEntries(Object.entries(begun));
    return { waitsFor: step.waitsFor(begun), state, pollMs: afterMs };
  };
  return async (services, context) => {
    const { state, fields } = context;
    const known = state && step.kept(state);
    if (known) return (await step.observe(services, context, known)) ?? waiting(known, pollMs);
    const begun = await step.begin(services, context);
    if (fields["wait"] === false) return { output: step.named(begun) };
    // What was begun is kept before anything is asked of it.
    return waiting(begun, 0);
  };
}

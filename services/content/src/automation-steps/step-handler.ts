import type { EventCause } from "@aiplatform/document-store";
import type { FieldViolation } from "@aiplatform/service-host";
import type { DictionaryPatch, WrittenDictionary } from "../data-dictionaries/patch-data-dictionary.ts";
import type { NewDataset } from "../datasets/create-dataset.ts";
import type { NewEmailDraft } from "../email-drafts/create-email-draft.ts";
import type { JsonRecord } from "../json-object.ts";
import type { Delegations, GivenDelegation } from "./delegations.ts";
import type { PromptApi } from "./prompt-api.ts";
import type { ServiceClients } from "./service-clients.ts";
import type { FieldRules } from "./step-fields.ts";
import type { StepOutcome } from "./step-outcome.ts";

/** A type of step: what may be written, what its publisher must be allowed, and how it is executed. */
export interface StepHandler {
  /** What the step's JSON may hold besides `type`; other fields are left as they are and not used. */
  fields: FieldRules;
  /** What no rule of a single field can say. The fields keep the rules. */
  check?: (fields: JsonRecord, place: string) => FieldViolation[];
  /** Permissions that the publisher of such a step gives to it, `resource:action`. Empty: it needs no delegation. */
  permissions: (fields: JsonRecord) => readonly string[];
  /** Ids of the datasets that the step writes or reads. Absent: it has no field for one. */
  datasetIds?: (fields: JsonRecord) => readonly string[];
  /**
   * Executes a step. It may be called again after the process ended in the middle of it: what it creates elsewhere
   * carries `effectId`. What is temporary (ConnectError UNAVAILABLE and the like, the database being away) is tried
   * again.
   * @throws StepFailedError for what the author of the step should know
   */
  execute: (services: StepServices, context: StepContext) => Promise<StepOutcome>;
}

/**
 * What handlers work with. They import types of it only: worker threads read their fields and permissions, and have no memory
 * for database drivers and network clients.
 */
export interface StepServices {
  promptApi: Pick<PromptApi, "complete">;
  clients: Pick<ServiceClients, "training" | "deployments" | "data">;
  delegations: Pick<Delegations, "headers">;
  patchDictionary: (patch: DictionaryPatch, cause: EventCause) => Promise<WrittenDictionary>;
  /** Creates a dataset under this id; one that exists already stays as it is. */
  createDataset: (dataset: NewDataset, origin: { id: string; cause: EventCause }) => Promise<void>;
  /** Creates a draft under this id; one that exists already stays as it is. */
  createEmailDraft: (draft: NewEmailDraft, origin: { id: string; cause: EventCause }) => Promise<void>;
}

/** What a step that is executed knows. */
export interface StepContext {
  organisationId: string;
  automationName: string;
  /** The delegation under which the steps of the version act. */
  delegation: GivenDelegation;
  /** What the step's JSON says, with its templates filled in; the fields that its type knows. */
  fields: JsonRecord;
  /** Of the transitions that the step may take when it succeeds. */
  labels: readonly string[];
  /** A UUID of the step in this run: the same at each attempt, so that an effect can be recognised. */
  effectId: string;
  /** What the step kept when it last waited. Undefined before. */
  state: JsonRecord | undefined;
  /** What the step's own events are to say of their cause. */
  cause: EventCause;
  /** Aborts when the run is cancelled, or is another process's to go on with. */
  signal: AbortSignal;
}

/** Time that another service has for one answer to a step, ms. */
const callTimeoutMs = 20_000;

/** Options of a call that a step makes in the name of its publisher. @throws DelegationMissingError */
export function delegatedCall(
  { delegations }: Pick<StepServices, "delegations">,
  { organisationId, delegation, signal }: Pick<StepContext, "organisationId" | "delegation" | "signal">,
): { headers: Headers; timeoutMs: number; signal: AbortSignal } {
  return { headers: delegations.headers(organisationId, delegation), timeoutMs: callTimeoutMs, signal };
}

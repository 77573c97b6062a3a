import { NotFoundError } from "@aiplatform/service-kit/not-found";
import type { Schedule } from "../automation-schedules/schedule.ts";
import { EntityError, LimitError } from "../entity-error.ts";
import type { AutomationSettings } from "./automation-settings.ts";

export interface Step {
  /** The same in every version in which its key stands. */
  id: string;
  /** Known within the automation. */
  key: string;
  name: string;
  /** JSON text of an object. */
  promptTemplate: string;
  /** Of all features it uses, sorted. */
  featureKeys: string[];
  createdAt: Date;
  updatedAt: Date;
}

/** What may follow a step. */
export interface Transition {
  id: string;
  sourceStepId: string;
  targetStepId: string;
  label: string;
}

/** What starts a run by itself. */
export interface Trigger {
  /** Name of an event, `domain.entity.happened`, or `schedule`. */
  event: string;
  /** A Liquid condition over `event`. Empty: every such event. */
  when: string;
  /** Of the event `schedule` alone. */
  schedule: Schedule | undefined;
}

/** Where a version stands: one at most is the draft, one at most is published. */
export type VersionStatus = "draft" | "published" | "superseded";

export interface Version {
  id: string;
  organisationId: string;
  automationId: string;
  status: VersionStatus;
  /** The first is where a run begins. */
  steps: Step[];
  transitions: Transition[];
  /** Of all features that its steps use, sorted. */
  featureKeys: string[];
  /** What its templates read, sorted. */
  variables: string[];
  /** Undefined: it runs on demand only. */
  trigger: Trigger | undefined;
  /** Of its content, higher than that of all drafts of the automation before; 0 for versions that are older than revisions. */
  revision: number;
  /** The delegation in whose name its steps act and its trigger reads. Undefined until it is published, and where it needs none. */
  delegationId: string | undefined;
  /** Of the steps to which the delegation is bound. Undefined: it is bound to none, as older ones are. */
  delegatedDigest: string | undefined;
  createdAt: Date;
  updatedAt: Date;
  publishedAt: Date | undefined;
}

export interface Automation {
  id: string;
  organisationId: string;
  name: string;
  description: string;
  /** The published one. */
  currentVersion: Version | undefined;
  settings: AutomationSettings;
  createdAt: Date;
  updatedAt: Date;
}

/** Automations of an organisation at most: the event of a deprecation names all that are concerned. */
export const maxAutomations = 10_000;

export class AutomationNotFoundError extends NotFoundError {
  override name = "AutomationNotFoundError";
}

export class DraftMissingError extends EntityError {
  override name = "DraftMissingError";
  constructor(automationId: string) {
    super(automationId, "The automation has no draft to publish");
  }
}

/** A caller would publish without saying which draft. */
export class ReviewMissingError extends Error {
  override name = "ReviewMissingError";
  constructor() {
    super("If-Match is missing: read the draft, then publish it with its ETag as If-Match");
  }
}

export class AutomationLimitError extends LimitError {
  override name = "AutomationLimitError";
  constructor() {
    super(maxAutomations, "automations");
  }
}

import type { AutomationSettings } from "./automation-settings.ts";

/** A step of a version. */
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
  /** Name of an event, `domain.entity.happened`. */
  event: string;
  /** A Liquid condition over `event`. Empty: every such event. */
  when: string;
}

/** Where a version stands: one at most is the draft, one at most is published. */
export type VersionStatus = "draft" | "published" | "superseded";

/** A version of an automation. */
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
  /** The delegation in whose name its steps act. Undefined until it is published, and where no step needs one. */
  delegationId: string | undefined;
  createdAt: Date;
  updatedAt: Date;
  publishedAt: Date | undefined;
}

/** An automation. */
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
export const mostAutomations = 10_000;

/** The automation does not exist, or not here. */
export class AutomationNotFoundError extends Error {
  override name = "AutomationNotFoundError";
  readonly automationId: string;
  constructor(automationId: string) {
    super("Not found");
    this.automationId = automationId;
  }
}

/** There is nothing to publish. */
export class DraftMissingError extends Error {
  override name = "DraftMissingError";
  readonly automationId: string;
  constructor(automationId: string) {
    super("The automation has no draft to publish");
    this.automationId = automationId;
  }
}

/** The organisation has as many automations as it can have. */
export class AutomationLimitError extends Error {
  override name = "AutomationLimitError";
  constructor() {
    super(`The organisation has reached its limit of ${mostAutomations} automations`);
  }
}

import type { TenantDocument } from "@aiplatform/document-store";
import type { MissedRuns } from "../automation-schedules/schedule.ts";
import type { Step, Transition, Trigger, Version, VersionStatus } from "./automation.ts";

interface StepDocument {
  id: string;
  key: string;
  name: string;
  prompt_template: string;
  feature_keys: string[];
  created_at: Date;
  updated_at: Date;
}

interface TransitionDocument {
  id: string;
  source_step_id: string;
  target_step_id: string;
  label: string;
}

interface TriggerDocument {
  event: string;
  when: string;
  /** Absent in those that no schedule starts. */
  schedule?: { cron: string; time_zone: string; missed: MissedRuns };
}

/** A version as it is kept, by itself and with its automation. */
export interface VersionDocument extends TenantDocument {
  automation_id: string;
  status: VersionStatus;
  steps: StepDocument[];
  transitions: TransitionDocument[];
  feature_keys: string[];
  variables: string[];
  created_at: Date;
  updated_at: Date;
  published_at: Date | null;
  trigger?: TriggerDocument | null;
  delegation_id?: string | null;
  delegated_digest?: string | null;
  /** Absent in those that are older than revisions. */
  revision?: number;
}

/** What a version adds to an answer, in characters. */
export function sizeOfVersion({ steps, transitions }: VersionDocument): number {
  const inSteps = steps.reduce((size, { name, prompt_template: template }) => size + name.length + template.length, 0);
  const perTransition = 150;
  return inSteps + transitions.length * perTransition;
}

export function toVersionDocument(version: Version): VersionDocument {
  return {
    _id: version.id,
    organisation_id: version.organisationId,
    automation_id: version.automationId,
    status: version.status,
    steps: version.steps.map(toStepDocument),
    transitions: version.transitions.map(toTransitionDocument),
    feature_keys: version.featureKeys,
    variables: version.variables,
    created_at: version.createdAt,
    updated_at: version.updatedAt,
    published_at: version.publishedAt ?? null,
    trigger: version.trigger ? toTriggerDocument(version.trigger) : null,
    delegation_id: version.delegationId ?? null,
    delegated_digest: version.delegatedDigest ?? null,
    revision: version.revision,
  };
}

export function toVersion(document: VersionDocument): Version {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    automationId: document.automation_id,
    status: document.status,
    steps: document.steps.map(toStep),
    transitions: document.transitions.map(toTransition),
    featureKeys: document.feature_keys,
    variables: document.variables,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    publishedAt: document.published_at ?? undefined,
    trigger: document.trigger ? toTrigger(document.trigger) : undefined,
    delegationId: document.delegation_id ?? undefined,
    delegatedDigest: document.delegated_digest ?? undefined,
    revision: document.revision ?? 0,
  };
}

function toTriggerDocument({ event, when, schedule }: Trigger): TriggerDocument {
  if (!schedule) return { event, when };
  return { event, when, schedule: { cron: schedule.cron, time_zone: schedule.timeZone, missed: schedule.missed } };
}

function toTrigger({ event, when, schedule }: TriggerDocument): Trigger {
  if (!schedule) return { event, when, schedule: undefined };
  return { event, when, schedule: { cron: schedule.cron, timeZone: schedule.time_zone, missed: schedule.missed } };
}

function toStepDocument({ id, key, name, promptTemplate, featureKeys, createdAt, updatedAt }: Step): StepDocument {
  const times = { created_at: createdAt, updated_at: updatedAt };
  return { id, key, name, prompt_template: promptTemplate, feature_keys: featureKeys, ...times };
}

function toStep({ id, key, name, ...document }: StepDocument): Step {
  const { prompt_template: promptTemplate, feature_keys: featureKeys } = document;
  return { id, key, name, promptTemplate, featureKeys, createdAt: document.created_at, updatedAt: document.updated_at };
}

function toTransitionDocument({ id, sourceStepId, targetStepId, label }: Transition): TransitionDocument {
  return { id, source_step_id: sourceStepId, target_step_id: targetStepId, label };
}

function toTransition({ id, source_step_id: source, target_step_id: target, label }: TransitionDocument): Transition {
  return { id, sourceStepId: source, targetStepId: target, label };
}

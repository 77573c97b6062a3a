import {
  CheckpointsPrunedSchema,
  ControlCommandCreatedSchema,
  ControlCommandResolvedSchema,
  JobCompletedSchema,
  JobStateChangedSchema,
  SupervisionLeaseChangedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/training";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { v5 as namedId } from "uuid";
import type { EntryKind, JobFacts } from "./job-entry.ts";
import type { JobEntryDocument } from "./job-log-store.ts";
import { actionNumbers, commandStatusNumbers, jobStateNumbers } from "./job-numbers.ts";

/** Namespace of event ids: an entry's events have the same ids whenever they are derived. */
const eventIdNamespace = "6e0c1a62-64a0-5d3c-9c5e-2f2f3c5b8a41";

/** What happened to the lease, for entries about the lease alone. No caller changed a lease that expires. */
const leaseChanges: { readonly [Kind in EntryKind]?: string } = {
  lease_acquired: "acquired",
  lease_renewed: "renewed",
  lease_released: "released",
};

export function hasEvents(kind: EntryKind, { command, resolutions, state, lease, pruned }: JobFacts): boolean {
  return Boolean(command || resolutions?.length || state || pruned || (lease && leaseChanges[kind]));
}

/** The events of an entry. `commandIds` holds the ids of the commands that it decides, by sequence. */
export function eventsOf(entry: JobEntryDocument, commandIds: ReadonlyMap<number, string>): OutboxRecord[] {
  const events = new EntryEvents(entry);
  const { command, resolutions = [], state, lease, pruned } = entry.facts;
  const at = timestampFromDate(entry.at);
  for (const { sequences, status, detail = "" } of resolutions) {
    for (const sequence of sequences) {
      const commandId = commandIds.get(sequence);
      if (!commandId) continue;
      const commandStatus = commandStatusNumbers[status];
      const outcome = { ...events.job, commandId, sequence, status, commandStatus, detail, resolvedAt: at };
      events.add(ControlCommandResolvedSchema, commandId, outcome);
    }
  }
  if (command) {
    const { id: commandId, sequence, action, status } = command;
    events.add(ControlCommandCreatedSchema, commandId, {
      ...events.job,
      commandId,
      sequence,
      ...{ action, controlAction: actionNumbers[action] },
      ...{ status, commandStatus: commandStatusNumbers[status] },
      createdAt: at,
    });
  }
  if (state) {
    const { from: fromState, to: toState } = state;
    const typed = { fromJobState: jobStateNumbers[fromState], toJobState: jobStateNumbers[toState] };
    events.add(JobStateChangedSchema, entry.run_id, { ...events.job, fromState, toState, ...typed, changedAt: at });
  }
  const change = leaseChanges[entry.kind];
  if (lease && change) {
    const fields = { ...events.job, supervisionId: lease.id, change, changedAt: at };
    events.add(SupervisionLeaseChangedSchema, lease.id, fields);
  }
  if (pruned) events.add(CheckpointsPrunedSchema, entry.run_id, { ...events.job, checkpointIds: pruned, prunedAt: at });
  if (state?.to === "completed") events.add(JobCompletedSchema, entry.run_id, completion(entry));
  return events.records;
}

function completion({ pipeline_id, facts: { artifact, metrics }, at, ...entry }: JobEntryDocument) {
  return {
    organisationId: entry.organisation_id,
    pipelineId: pipeline_id,
    runId: entry.run_id,
    jobName: entry.job_name,
    checkpointId: artifact?.checkpointId ?? "",
    artifactUri: artifact?.uri ?? "",
    artifactSha256: artifact?.sha256 ?? "",
    artifactFormat: artifact?.format ?? "",
    completedAt: timestampFromDate(at),
    metrics: Object.fromEntries((metrics?.latest ?? []).map(({ name, value }) => [name, value])),
    primaryMetric: metrics?.primary ?? "",
  };
}

class EntryEvents {
  readonly records: OutboxRecord[] = [];
  readonly #entry: JobEntryDocument;

  constructor(entry: JobEntryDocument) {
    this.#entry = entry;
  }

  get job() {
    const { organisation_id, run_id, job_name } = this.#entry;
    return { organisationId: organisation_id, runId: run_id, jobName: job_name };
  }

  add<S extends DescMessage>(schema: S, entityId: string, message: MessageInitShape<S>): void {
    const { _id, organisation_id: organisationId, at: time, traceparent, cause } = this.#entry;
    const id = namedId(`${_id}#${this.records.length}`, eventIdNamespace);
    const trace = traceparent === undefined ? {} : { traceparent };
    const facts = { id, organisationId, entityId, time, cause, ...trace };
    this.records.push(eventRecord(schema, create(schema, message), facts));
  }
}

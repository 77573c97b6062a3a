import {
  ControlCommandCreatedSchema,
  ControlCommandResolvedSchema,
  JobCompletedSchema,
  JobStateChangedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/training";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { v5 as namedId } from "uuid";
import type { JobEntryDocument } from "./job-log-store.ts";

/** Namespace of the ids of events, so that an entry's events bear the same ids whenever they are made. */
const EVENT_IDS = "6e0c1a62-64a0-5d3c-9c5e-2f2f3c5b8a41";

/** The events an entry stands for. `commandIds` knows the ids of the commands that it decides, by sequence. */
export function eventsOf(entry: JobEntryDocument, commandIds: ReadonlyMap<number, string>): OutboxRecord[] {
  const events = new EntryEvents(entry);
  const { command, resolutions = [], state } = entry.facts;
  const at = timestampFromDate(entry.at);
  for (const { sequences, status, detail = "" } of resolutions) {
    for (const sequence of sequences) {
      const commandId = commandIds.get(sequence);
      if (!commandId) continue;
      const outcome = { ...events.job, commandId, sequence, status, detail, resolvedAt: at };
      events.add(ControlCommandResolvedSchema, commandId, outcome);
    }
  }
  if (command) {
    const { id: commandId, sequence, action, status } = command;
    events.add(ControlCommandCreatedSchema, commandId, {
      ...events.job,
      commandId,
      sequence,
      action,
      status,
      createdAt: at,
    });
  }
  if (state) {
    const { from: fromState, to: toState } = state;
    events.add(JobStateChangedSchema, entry.run_id, { ...events.job, fromState, toState, changedAt: at });
  }
  if (state?.to === "completed") events.add(JobCompletedSchema, entry.run_id, completion(entry));
  return events.records;
}

function completion({ pipeline_id, facts: { artifact }, at, ...entry }: JobEntryDocument) {
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
    const { _id, organisation_id: organisationId, at: time, traceparent } = this.#entry;
    const id = namedId(`${_id}#${this.records.length}`, EVENT_IDS);
    const trace = traceparent === undefined ? {} : { traceparent };
    this.records.push(eventRecord(schema, create(schema, message), { id, organisationId, entityId, time, ...trace }));
  }
}

import { EventSchema } from "@aiplatform/contract/aiplatform/events/v1/event";
import { JobCompletedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { subjectOf } from "./cloud-event.ts";
import { EventDeclarationError, InvalidEventError } from "./errors.ts";
import { decodeEvent, eventRecord, eventSubject } from "./event-record.ts";

const time = new Date("2026-01-02T03:04:05.006Z");
const message = create(JobCompletedSchema, { runId: "r", jobName: "train" });

describe("an event's record", () => {
  it("takes its type from the contract and carries the message", () => {
    const record = eventRecord(JobCompletedSchema, message, { organisationId: "o", entityId: "r.train", time });
    const { type, dataSchema, id } = record;
    const dataType = "aiplatform.events.v1.JobCompleted";
    expect({ type, dataSchema }).toEqual({ type: "aiplatform.training.job.completed.v1", dataSchema: dataType });
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(decodeEvent(JobCompletedSchema, record.data)).toEqual(message);
  });

  it("goes to the subject its listeners ask for", () => {
    const record = eventRecord(JobCompletedSchema, message, { organisationId: "o", entityId: "r.train", time });
    expect(subjectOf(record)).toBe(eventSubject(JobCompletedSchema, "o", "r.train"));
    expect(eventSubject(JobCompletedSchema)).toBe("aiplatform.training.job.completed.v1.*.*");
  });

  it("cannot be made of a message that is no event, or without an entity id", () => {
    const facts = { organisationId: "o", entityId: "e", time };
    expect(() => eventRecord(EventSchema, create(EventSchema), facts)).toThrow(EventDeclarationError);
    expect(() => eventRecord(JobCompletedSchema, message, { ...facts, entityId: "" })).toThrow(EventDeclarationError);
  });

  it("is recognised as broken when its data does not decode", () => {
    expect(() => decodeEvent(JobCompletedSchema, new Uint8Array([0xff]))).toThrow(InvalidEventError);
  });
});

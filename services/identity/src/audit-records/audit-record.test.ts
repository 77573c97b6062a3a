import { DatasetSensitiveColumnsSetSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import { RoleCreatedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { CallRefusedSchema } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { eventType, InvalidEventError, type ReceivedEvent } from "@aiplatform/event-stream";
import { create, type DescMessage, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { auditRecordOf } from "./audit-record.ts";

const time = new Date("2026-01-02T03:04:05.006Z");

function received<S extends DescMessage>(schema: S, more: Partial<ReceivedEvent> = {}): ReceivedEvent {
  return {
    id: "e1",
    type: eventType(schema),
    organisationId: "o1",
    entityId: "r1",
    data: toBinary(schema, create(schema)),
    dataSchema: schema.typeName,
    time,
    attempt: 1,
    ...more,
  };
}

function refused(fields: MessageInitShape<typeof CallRefusedSchema>): ReceivedEvent {
  return received(CallRefusedSchema, { data: toBinary(CallRefusedSchema, create(CallRefusedSchema, fields)) });
}

describe("the record of a write", () => {
  it("says what was done to what, by whom and by which request", () => {
    const cause = { memberId: "m1", credentialId: "k1", requestId: "q1", requestIdSource: "platform" };
    expect(auditRecordOf(received(RoleCreatedSchema, { cause }))).toEqual({
      id: "e1",
      organisationId: "o1",
      installation: false,
      at: time,
      action: "identity.role.created",
      outcome: "done",
      entityId: "r1",
      ...cause,
    });
  });

  it("names no caller where none asked", () => {
    const record = auditRecordOf(received(RoleCreatedSchema));
    expect([record.memberId, record.credentialId, record.requestId]).toEqual([undefined, undefined, undefined]);
  });

  it("concerns the installation too when the operator acted", () => {
    const record = auditRecordOf(received(RoleCreatedSchema, { cause: { credentialId: "operator" } }));
    expect(record).toMatchObject({ organisationId: "o1", installation: true });
  });
});

describe("the record of a write of which the contract keeps fields", () => {
  const schema = DatasetSensitiveColumnsSetSchema;

  it.each([[["email", "name"]], [[]]])("has these fields and no others: %j", (columns) => {
    const data = toBinary(schema, create(schema, { organisationId: "o1", datasetId: "d1", columns }));
    expect(JSON.parse(auditRecordOf(received(schema, { data })).details ?? "")).toEqual({ columns });
  });

  it("is none where the event cannot be read", () => {
    expect(() => auditRecordOf(received(schema, { data: Buffer.from([255]) }))).toThrow(InvalidEventError);
  });
});

describe("the record of a refusal", () => {
  it("says who was refused what, why, and from where", () => {
    const rpc = "aiplatform.identity.v1.RoleService/CreateRole";
    const caller = {
      organisationId: "o2",
      memberId: "m1",
      credentialId: "k1",
      requestId: "q1",
      requestIdSource: "caller",
    };
    const event = refused({
      ...caller,
      rpc,
      code: "permission_denied",
      reason: "PERMISSION_MISSING",
      sourceAddress: "::1",
    });
    expect(auditRecordOf(event)).toEqual({
      id: "e1",
      ...caller,
      installation: false,
      at: time,
      action: "mesh.call.refused",
      outcome: "refused",
      reason: "PERMISSION_MISSING",
      rpc,
      sourceAddress: "::1",
      count: 1,
    });
  });

  it("says how many calls it stands for", () => {
    expect(auditRecordOf(refused({ code: "not_found", count: 4_711 }))).toMatchObject({ count: 4_711 });
  });

  it.each([
    ["of an unknown caller concerns the installation alone", {}, { organisationId: "", installation: true }],
    ["of the operator concerns the installation", { credentialId: "operator" }, { installation: true }],
  ])("%s", (_title, fields, expected) => {
    expect(auditRecordOf(refused(fields))).toMatchObject(expected);
  });

  it("cannot be made of what is none", () => {
    const broken = received(CallRefusedSchema, { data: new Uint8Array([0xff]) });
    expect(() => auditRecordOf(broken)).toThrow(InvalidEventError);
  });
});

import { AccessSchema, access } from "@aiplatform/contract/aiplatform/access/v1/access";
import { services } from "@aiplatform/contract/services";
import { create, createFileRegistry, type DescService, type MessageInitShape, setExtension } from "@bufbuild/protobuf";
import {
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  file_google_protobuf_empty,
  MethodDescriptorProtoSchema,
  MethodOptions_IdempotencyLevel,
  MethodOptionsSchema,
} from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { assertEffectsDeclared, auditedEvents, EffectUndeclaredError } from "./effect-record.ts";

const audited = "aiplatform.events.v1.RoleCreated";
const notAudited = "aiplatform.events.v1.JobStateChanged";

type Declaration = Pick<MessageInitShape<typeof AccessSchema>, "recordedAs" | "unrecorded">;

function serviceWith(idempotencyLevel: MethodOptions_IdempotencyLevel, declaration: Declaration): DescService {
  const options = create(MethodOptionsSchema, { idempotencyLevel });
  setExtension(options, access, create(AccessSchema, { rule: { case: "public", value: true }, ...declaration }));
  const [inputType, outputType] = [".google.protobuf.Empty", ".google.protobuf.Empty"];
  const method = [create(MethodDescriptorProtoSchema, { name: "Do", inputType, outputType, options })];
  const file = create(FileDescriptorProtoSchema, {
    ...{ name: "x.proto", package: "x", dependency: ["google/protobuf/empty.proto"] },
    service: [{ name: "S", method }],
  });
  const set = create(FileDescriptorSetSchema, { file: [file_google_protobuf_empty.proto, file] });
  const service = createFileRegistry(set).getService("x.S");
  if (!service) throw new Error("no service");
  return service;
}

const { IDEMPOTENT, IDEMPOTENCY_UNKNOWN, NO_SIDE_EFFECTS } = MethodOptions_IdempotencyLevel;

describe("an RPC that starts with the service", () => {
  it.each([
    ["with an effect and its event", IDEMPOTENCY_UNKNOWN, { recordedAs: [audited] }],
    [
      "with an effect and one of several events",
      IDEMPOTENT,
      { recordedAs: [audited, "aiplatform.events.v1.RoleDeleted"] },
    ],
    ["with an effect and a reason to keep no record", IDEMPOTENCY_UNKNOWN, { unrecorded: "it is kept elsewhere" }],
    ["without an effect", NO_SIDE_EFFECTS, {}],
  ])("is one %s", (_title, level, declaration) => {
    expect(() => assertEffectsDeclared([serviceWith(level, declaration)])).not.toThrow();
  });
});

describe("an RPC that keeps the service from starting", () => {
  it.each([
    ["has an effect and says nothing", IDEMPOTENCY_UNKNOWN, {}, "nor why there are none"],
    ["is idempotent, which is an effect, and says nothing", IDEMPOTENT, {}, "nor why there are none"],
    ["names an event that is not audited", IDEMPOTENCY_UNKNOWN, { recordedAs: [notAudited] }, "no audited event"],
    ["names what is no event", IDEMPOTENCY_UNKNOWN, { recordedAs: ["x.Y"] }, "x.Y, which is no audited event"],
    ["says both", IDEMPOTENCY_UNKNOWN, { recordedAs: [audited], unrecorded: "why" }, "says both"],
    ["has no effect and names an event", NO_SIDE_EFFECTS, { recordedAs: [audited] }, "has no effect"],
    ["has no effect and explains itself", NO_SIDE_EFFECTS, { unrecorded: "why" }, "has no effect"],
  ])("%s", (_title, level, declaration, message) => {
    const check = () => assertEffectsDeclared([serviceWith(level, declaration)]);
    expect(check).toThrow(EffectUndeclaredError);
    expect(check).toThrow(`x.S/Do`);
    expect(check).toThrow(message);
  });
});

describe("the contract", () => {
  it("declares of each RPC what the audit log keeps", () => {
    expect(() => assertEffectsDeclared(services)).not.toThrow();
  });

  it("has events that are audited and events that are not", () => {
    const names = auditedEvents().map(({ typeName }) => typeName);
    expect(names).toEqual(expect.arrayContaining([audited, "aiplatform.events.v1.CallRefused"]));
    expect(names).not.toContain(notAudited);
  });
});

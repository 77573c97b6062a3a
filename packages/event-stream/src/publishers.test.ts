import { DatasetDeletedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import { CredentialChangedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { CallRefusedSchema } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { JobCompletedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { describe, expect, it } from "vitest";
import { eventType } from "./event-record.ts";
import { mayPublish } from "./publishers.ts";

describe("who may publish an event", () => {
  it.each([
    ["training", JobCompletedSchema, true],
    ["content", JobCompletedSchema, false],
    ["gateway", JobCompletedSchema, false],
    ["operator", JobCompletedSchema, false],
    ["identity", CredentialChangedSchema, true],
    ["gateway", CredentialChangedSchema, false],
    ["deployments", DatasetDeletedSchema, false],
    ["gateway", CallRefusedSchema, true],
    ["training", CallRefusedSchema, true],
    ["operator", CallRefusedSchema, false],
  ] as const)("%s, %o: %j", (service, schema, may) => {
    expect(mayPublish(service, eventType(schema))).toBe(may);
  });

  it("no service may do for what is no event of the platform", () => {
    expect(mayPublish("training", "other.training.job.completed.v1")).toBe(false);
    expect(mayPublish("training", "aiplatform")).toBe(false);
  });
});

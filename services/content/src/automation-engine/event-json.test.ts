import {
  DataDictionaryPatchedSchema,
  FeatureDeprecatedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/content";
import { JobCompletedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { InvalidEventError } from "@aiplatform/event-stream";
import { create, type DescMessage, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { eventJson } from "./event-json.ts";

const json = <S extends DescMessage>(schema: S, message: MessageInitShape<S>) =>
  eventJson(schema, toBinary(schema, create(schema, message)));

describe("an event, as templates read it", () => {
  it("has the names of the contract, and all members", () => {
    const message = { runId: "r", metrics: { accuracy: 0.5, loss: Number.NaN }, completedAt: timestampFromMs(0) };
    expect(json(JobCompletedSchema, message)).toMatchObject({
      run_id: "r",
      job_name: "",
      metrics: { accuracy: 0.5, loss: "NaN" },
      completed_at: "1970-01-01T00:00:00Z",
    });
  });

  it("has its numbers as numbers", () => {
    expect(json(DataDictionaryPatchedSchema, { version: 7n })).toMatchObject({ version: 7, changed_entries: 0 });
  });

  it("has the beginning of its long lists", () => {
    const automationIds = Array.from({ length: 2_000 }, (_, index) => String(index));
    expect(json(FeatureDeprecatedSchema, { automationIds })["automation_ids"]).toHaveLength(1_000);
  });

  it("is refused where it is none", () => {
    expect(() => eventJson(JobCompletedSchema, new Uint8Array([255]))).toThrow(InvalidEventError);
  });
});

import { LineageUsesSchema } from "@aiplatform/contract/aiplatform/lineage/v1/lineage";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type Uses, usesMessage, usesOf } from "./uses.ts";

const uses: Uses = {
  nodes: [
    { kind: "run", id: "r", name: "First", number: undefined, state: "ended", parentId: "p", distance: 1 },
    { kind: "model_version", id: "m", name: "Digits", number: 2, state: "ready", parentId: "d", distance: 2 },
  ],
  totals: [
    { kind: "run", count: 1 },
    { kind: "model_version", count: 1 },
  ],
  leftOut: 3,
};

describe("uses", () => {
  it.each([
    ["everything", ["metrics:read", "models:read"], ["r", "m"]],
    ["runs alone", ["metrics:read", "data:read"], ["r"]],
    ["nothing of them", ["data:read"], []],
  ])("of a caller who may read %s have these names, and all numbers", (_, permissions, ids) => {
    const message = usesMessage(uses, new Set(permissions));
    expect(message.nodes.map(({ id }) => id)).toEqual(ids);
    expect([message.totals.map(({ count }) => count), message.leftOut]).toEqual([[1, 1], 3]);
  });

  it("come back from a message as they were", () => {
    const message = create(LineageUsesSchema, usesMessage(uses, new Set(["metrics:read", "models:read"])));
    expect(usesOf(message)).toEqual(uses);
  });
});

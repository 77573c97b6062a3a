import { QuotaLimitsSchema } from "@aiplatform/contract/aiplatform/quotas/v1/quotas";
import { field as fieldRules } from "@aiplatform/contract/buf/validate/validate";
import { create, getOption } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { limitsFrom, limitsMessage } from "./limits-message.ts";
import { maxLimit, type QuotaName, quotaTable } from "./quota-table.ts";

const names = Object.keys(quotaTable);

describe("the contract's message of limits", () => {
  it("has a field for every quota of the table, and no other", () => {
    expect(QuotaLimitsSchema.fields.map(({ name }) => name)).toEqual(names);
  });

  it.each(QuotaLimitsSchema.fields.map((field) => [field.name, field] as const))(
    "allows %s what the settings allow, and tells an absent limit from none",
    (_name, field) => {
      expect(getOption(field, fieldRules).type).toMatchObject({
        case: "int64",
        value: {
          greaterThan: { case: "gte", value: 0n },
          lessThan: { case: "lte", value: BigInt(maxLimit) },
        },
      });
      expect(field.proto.proto3Optional).toBe(true);
    },
  );
});

describe("limits as a message", () => {
  it("are the same when they are read again, the lowest and the highest, too", () => {
    const limits = { deployments: 0, runs: 5, artifact_bytes: maxLimit };
    const message = limitsMessage(limits);
    expect(message).toMatchObject({ deployments: 0n, runs: 5n, artifactBytes: BigInt(maxLimit) });
    expect(limitsFrom(message)).toEqual(limits);
  });

  it("are one field each", () => {
    const all = Object.fromEntries(names.map((name, index) => [name, index])) as Record<QuotaName, number>;
    expect(limitsFrom(limitsMessage(all))).toEqual(all);
  });

  it("are none where nothing is set", () => {
    expect(limitsMessage({})).toEqual(create(QuotaLimitsSchema));
    expect(limitsFrom(undefined)).toEqual({});
  });
});

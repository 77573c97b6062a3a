import { RolloutStatus, RolloutStatusSchema } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { GroupingStatus, GroupingStatusSchema } from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { describe, expect, it } from "vitest";
import { enumNames } from "../src/scalars/enum-names.ts";

describe("the names of an enum", () => {
  it("are lower case without the prefix, and there is none for what is unspecified", () => {
    expect([...enumNames(GroupingStatusSchema).byName.keys()]).toEqual([
      "idle",
      "queued",
      "running",
      "succeeded",
      "failed",
    ]);
    expect(enumNames(GroupingStatusSchema).byNumber.get(GroupingStatus.UNSPECIFIED)).toBeUndefined();
  });

  it("have a capital per word where the enum says so", () => {
    const { byName, byNumber } = enumNames(RolloutStatusSchema);
    expect([...byName.keys()]).toEqual(["Queued", "InProgress", "Succeeded", "Failed", "RolledBack", "Superseded"]);
    expect(byNumber.get(RolloutStatus.IN_PROGRESS)).toBe("InProgress");
  });
});

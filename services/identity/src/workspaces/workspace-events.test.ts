import { WorkspaceGroupingFinishedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { GroupingStatus } from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { workspaceGroupingFinished } from "./workspace-events.ts";

describe("the event of a grouping that ended", () => {
  it.each([
    ["succeeded", GroupingStatus.SUCCEEDED],
    ["failed", GroupingStatus.FAILED],
  ] as const)("has the status %s as a word and as an enum", (status, groupingStatus) => {
    const finished = { organisationId: "o1", runId: "g1", status, workspaceIds: [] };
    const { data } = workspaceGroupingFinished(finished, new Date(0));
    expect(fromBinary(WorkspaceGroupingFinishedSchema, data)).toMatchObject({ status, groupingStatus });
  });
});

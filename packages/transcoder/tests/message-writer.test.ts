import {
  GroupingRunType,
  GroupingStatus,
  type WorkspaceSettings,
  WorkspaceSettingsSchema,
} from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { JsonOutput } from "../src/json/output.ts";
import { WriterCompiler } from "../src/messages/message-writer.ts";

function written(settings: MessageInitShape<typeof WorkspaceSettingsSchema>): Record<keyof WorkspaceSettings, unknown> {
  const output = new JsonOutput();
  new WriterCompiler().message(WorkspaceSettingsSchema)(create(WorkspaceSettingsSchema, settings), output);
  return JSON.parse(String(output.finish()));
}

describe("a message with optional enums, texts and times", () => {
  it("is written with all of them null when none has a value", () => {
    expect(written({ organisationId: "o", groupingStatus: GroupingStatus.IDLE })).toEqual({
      organisation_id: "o",
      workspaces_enabled: false,
      auto_grouping_enabled: false,
      grouping_status: "idle",
      last_grouping_run_type: null,
      last_grouping_started_at: null,
      last_grouping_completed_at: null,
      last_grouping_error: null,
      grouping_algorithm_version: null,
      created_at: null,
      updated_at: null,
    });
  });

  it("is written with each that has one", () => {
    const at = timestampFromDate(new Date("2026-01-02T03:04:05.006Z"));
    const settings = {
      groupingStatus: GroupingStatus.SUCCEEDED,
      lastGroupingRunType: GroupingRunType.PROPOSAL,
      lastGroupingStartedAt: at,
      lastGroupingError: "",
    };
    expect(written(settings)).toMatchObject({
      grouping_status: "succeeded",
      last_grouping_run_type: "proposal",
      last_grouping_started_at: "2026-01-02T03:04:05.006Z",
      last_grouping_error: "",
    });
  });

  it.each([
    [GroupingRunType.UNSPECIFIED, null],
    [GroupingRunType.PROPOSAL, "proposal"],
    [GroupingRunType.AUTO, "auto"],
    [GroupingRunType.MANUAL, "manual"],
  ])("has the enum's value %i as %j", (lastGroupingRunType, name) => {
    expect(written({ lastGroupingRunType })).toMatchObject({ last_grouping_run_type: name });
  });
});

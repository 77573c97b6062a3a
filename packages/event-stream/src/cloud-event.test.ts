import type { OutboxRecord } from "@aiplatform/document-store";
import { describe, expect, it } from "vitest";
import { toEvent, toHeaders } from "./cloud-event.ts";

const record: OutboxRecord = {
  id: "0199",
  type: "aiplatform.training.job.completed.v1",
  organisationId: "o",
  entityId: "e",
  data: new Uint8Array([1]),
  dataSchema: "aiplatform.events.v1.JobCompleted",
  time: new Date("2026-01-02T03:04:05.006Z"),
};

describe("the cause of an event", () => {
  it.each([
    ["a member's request", { memberId: "m", credentialId: "https://issuer.test ada lovelace \u00fc", requestId: "r" }],
    ["a key's request", { credentialId: "k", requestId: "r", requestIdSource: "caller" }],
    ["no request", undefined],
  ])("of %s arrives as it was sent", (_title, cause) => {
    const sent = toHeaders(cause === undefined ? record : { ...record, cause });
    expect(toEvent(sent, record.data, 1).cause).toEqual(cause);
  });

  it("travels in extension attributes of the event", () => {
    const sent = toHeaders({ ...record, cause: { memberId: "m", credentialId: "a b", requestId: "r" } });
    expect(["ce-memberid", "ce-credentialid", "ce-requestid"].map((name) => sent.get(name))).toEqual([
      "m",
      "a%20b",
      "r",
    ]);
  });
});

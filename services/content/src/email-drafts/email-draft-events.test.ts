import { EmailDraftStatus } from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { EmailDraftSentSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { emailDraftSent } from "./email-draft-events.ts";

describe("the event of a sending that ended", () => {
  it.each([
    ["sent", EmailDraftStatus.SENT],
    ["partially_sent", EmailDraftStatus.PARTIALLY_SENT],
    ["failed", EmailDraftStatus.FAILED],
  ] as const)("has the status %s as a word and as an enum", (status, draftStatus) => {
    const counts = { pending: 0, sent: 1, failed: 0, skipped: 0, unknown: 0 };
    const end = { counts, time: new Date(0), cause: undefined };
    const { data } = emailDraftSent({ id: "e1", organisationId: "o1", status }, end);
    expect(fromBinary(EmailDraftSentSchema, data)).toMatchObject({ status, draftStatus });
  });
});

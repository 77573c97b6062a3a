import { describe, expect, it } from "vitest";
import { answerTo, assertChangeable, EmailDraftSendingError, EmailDraftSentError } from "./email-draft.ts";

describe("a draft", () => {
  it.each([
    ["draft", "allowed", "allowed"],
    ["sending", "sending", "sending"],
    ["sent", "sent", "sent"],
    ["partially_sent", "sent", "allowed"],
    ["failed", "sent", "allowed"],
  ] as const)("that is %s answers a change with %s and sending with %s", (status, change, send) => {
    expect([answerTo("change", { status }), answerTo("send", { status })]).toEqual([change, send]);
  });

  it("refuses changes by name", () => {
    expect(() => assertChangeable({ id: "d", status: "sending" })).toThrow(EmailDraftSendingError);
    expect(() => assertChangeable({ id: "d", status: "failed" })).toThrow(EmailDraftSentError);
    expect(() => assertChangeable({ id: "d", status: "draft" })).not.toThrow();
  });
});

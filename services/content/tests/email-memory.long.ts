import { once } from "node:events";
import { eventually } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { AbandonedDraft } from "./abandoned-draft.ts";
import { MailSink } from "./mail-sink.ts";

const recipients = 10_000;
const mebibyte = 1024 * 1024;

describe("a draft to ten thousand", () => {
  it("is sent with 128 MiB of heap", async () => {
    await using sink = await MailSink.start();
    await using abandoned = await AbandonedDraft.of(recipients, { ...sink.settings, EMAIL_LEASE_MS: "2000" });
    const sender = abandoned.send("--max-old-space-size=128");
    const memory = async () => {
      const answered = once(sender, "message");
      sender.send("memory");
      const [bytes] = await answered;
      return Number(bytes) / mebibyte;
    };
    await eventually(() => sink.mails.length >= recipients, "every message", 200_000);
    await eventually(() => abandoned.isOver());
    const used = await memory();
    const gone = once(sender, "exit");
    sender.kill("SIGKILL");
    await gone;
    expect(await abandoned.counts()).toEqual({ sent: recipients, failed: 0, skipped: 0, unknown: 0 });
    expect(new Set(sink.mails.map(({ messageId }) => messageId)).size).toBe(recipients);
    expect(used).toBeLessThan(400);
  }, 240_000);
});

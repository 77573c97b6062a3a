import { randomUUID } from "node:crypto";
import {
  DeliveryStatus,
  EmailDraftService,
  EmailDraftStatus,
  ListEmailDeliveriesRequestSchema,
} from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { declaredQueries, failureOf, withoutIndex } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EmailRig } from "./email-rig.ts";
import { MailSink } from "./mail-sink.ts";

let sink: MailSink;
let rig: EmailRig;
beforeAll(async () => {
  sink = await MailSink.start();
  rig = await EmailRig.start(sink.settings);
});
afterAll(async () => {
  await rig?.[Symbol.asyncDispose]();
  await sink?.[Symbol.asyncDispose]();
});

/** What of a draft has arrived. */
async function mailsOf(draftId: string) {
  const { deliveries } = await rig.drafts.listEmailDeliveries({ draftId });
  const ids = new Set(deliveries.map(({ providerMessageId }) => providerMessageId));
  return sink.mails.filter(({ messageId }) => ids.has(messageId));
}

/** What a draft's changes announced, in their order. */
async function announced(draftId: string) {
  const records = rig.content.store.database.collection("outbox").find({ entity_id: draftId });
  const found = await records.sort({ staged_at: 1, _id: 1 }).toArray();
  return found.map(({ type }) => String(type).replace("aiplatform.content.email_draft.", ""));
}

describe("writing a draft", () => {
  it("answers it as it can be read again", async () => {
    const recipientMemberIds = [await rig.member()];
    const { draft } = await rig.drafts.createEmailDraft({ subject: "News", text: "t", recipientMemberIds });
    expect(draft).toMatchObject({ status: EmailDraftStatus.DRAFT, revision: 1, recipientMemberIds, html: "" });
    expect((await rig.drafts.getEmailDraft({ draftId: draft?.id.toUpperCase() ?? "" })).draft).toEqual(draft);
  });

  it("tells every template that cannot be filled in, with the place", async () => {
    const wrong = { subject: "{{ member.nmae }}", text: "{% if %}", html: "{{ 1 | nosuch }}" };
    const failure = await failureOf(rig.drafts.createEmailDraft(wrong));
    expect(failure).toMatchObject({ code: Code.InvalidArgument });
    expect(failure.fields).toEqual(["subject", "text", "html"].map((field) => [field, "TEMPLATE_INVALID"]));
  });

  it("knows no members of other organisations", async () => {
    const other = rig.content.as({ organisationId: rig.content.globex }).client(EmailDraftService);
    const recipientMemberIds = [await rig.member()];
    const foreign = await failureOf(other.createEmailDraft({ subject: "s", recipientMemberIds }));
    const unknown = await failureOf(other.createEmailDraft({ subject: "s", recipientMemberIds: [randomUUID()] }));
    expect(foreign).toEqual(unknown);
    expect(foreign.code).toBe(Code.NotFound);
  });

  it("replaces it until it is sent, and not afterwards", async () => {
    const draftId = await rig.draft(1);
    const { draft } = await rig.drafts.getEmailDraft({ draftId });
    const change = { draftId, subject: "Other", text: "x", recipientMemberIds: draft?.recipientMemberIds ?? [] };
    expect((await rig.drafts.updateEmailDraft(change)).draft).toMatchObject({ revision: 2, subject: "Other" });
    expect((await rig.drafts.updateEmailDraft(change)).draft).toMatchObject({ revision: 2 });
    await rig.drafts.sendEmailDraft({ draftId });
    const late = { code: Code.FailedPrecondition, reason: "EMAIL_DRAFT_SENT" };
    expect(await failureOf(rig.drafts.updateEmailDraft({ ...change, subject: "Late" }))).toMatchObject(late);
    expect(await failureOf(rig.drafts.deleteEmailDraft({ draftId }))).toMatchObject(late);
  });

  it("replaces it under a condition only while it has that tag, and answers a repeat whose first answer was lost", async () => {
    const draftId = await rig.draft(1);
    const tags: (string | null)[] = [];
    const onHeader = (header: Headers) => void tags.push(header.get("etag"));
    const { draft } = await rig.drafts.getEmailDraft({ draftId }, { onHeader });
    const recipientMemberIds = draft?.recipientMemberIds ?? [];
    const change = { draftId, subject: "First", text: "x", recipientMemberIds, ifMatch: tags[0] ?? "" };
    await rig.drafts.updateEmailDraft(change, { onHeader });
    expect(tags).toEqual(['"1-draft"', '"2-draft"']);
    expect((await rig.drafts.updateEmailDraft(change)).draft).toMatchObject({ revision: 2 });
    const late = await failureOf(rig.drafts.updateEmailDraft({ ...change, subject: "Second" }));
    expect(late).toMatchObject({ code: Code.FailedPrecondition, reason: "ETAG_MISMATCH" });
    expect((await rig.drafts.getEmailDraft({ draftId })).draft).toMatchObject({ subject: "First", revision: 2 });
  });

  it("shows what a recipient would get, with values escaped in HTML alone", async () => {
    const member = await rig.member({ name: "<b>Ada</b>\r\nBcc: all@people.test" });
    const template = "Dear {{ member.display_name | raw }}";
    const draftId = await rig.draft([member], { subject: template, text: template, html: `<p>${template}</p>` });
    const { preview } = await rig.drafts.previewEmailDraft({ draftId });
    expect(preview?.subject).toBe("Dear <b>Ada</b> Bcc: all@people.test");
    expect(preview?.html).toContain("<p>Dear &lt;b&gt;Ada&lt;/b&gt;");
    const unknown = rig.drafts.previewEmailDraft({ draftId, memberId: randomUUID() });
    expect(await failureOf(unknown)).toMatchObject({ code: Code.NotFound });
  });
});

describe("sending a draft", () => {
  it("hands each recipient their own mail over, once", async () => {
    const draftId = await rig.draft(3, { html: "<p>{{ member.email }}</p>" });
    const { result } = await rig.drafts.sendEmailDraft({ draftId });
    expect(result).toMatchObject({ draftId, sentCount: 3, failedCount: 0 });
    const mails = await mailsOf(draftId);
    expect(mails.map(({ to }) => to[0]).sort()).toEqual(result?.deliveries.map((each) => each.recipientEmail).sort());
    expect(mails.map(({ messageId }) => messageId).sort()).toEqual(
      result?.deliveries.map((each) => each.providerMessageId).sort(),
    );
    expect((await rig.drafts.getEmailDraft({ draftId })).draft).toMatchObject({ status: EmailDraftStatus.SENT });
  });

  it("answers the same again, and sends nothing", async () => {
    const draftId = await rig.draft(2);
    const first = await rig.drafts.sendEmailDraft({ draftId });
    expect(await rig.drafts.sendEmailDraft({ draftId })).toEqual(first);
    expect(await mailsOf(draftId)).toHaveLength(2);
  });

  it("happens once, however many ask at once", async () => {
    const draftId = await rig.draft(5);
    const asked = await Promise.allSettled(Array.from({ length: 100 }, () => rig.drafts.sendEmailDraft({ draftId })));
    const failures = asked.filter((each) => each.status === "rejected");
    for (const { reason } of failures) expect(reason.code).toBe(Code.FailedPrecondition);
    expect(failures.length).toBeLessThan(100);
    expect(await mailsOf(draftId)).toHaveLength(5);
  });

  it("skips members who may not act, and addresses that came before", async () => {
    const [gone, there] = [await rig.member(), await rig.member()];
    const draftId = await rig.draft([gone, there, there]);
    await rig.members.deactivateMember({ memberId: gone });
    const { result } = await rig.drafts.sendEmailDraft({ draftId });
    expect(result?.deliveries.map(({ status }) => status)).toEqual([
      DeliveryStatus.SKIPPED,
      DeliveryStatus.SENT,
      DeliveryStatus.SKIPPED,
    ]);
    expect(result).toMatchObject({ sentCount: 1, failedCount: 0 });
  });

  it("skips members who want no e-mails, and says so", async () => {
    const [wants, wantsNone] = [await rig.member(), await rig.member()];
    await rig.optOut(wantsNone);
    const draftId = await rig.draft([wantsNone, wants]);
    const { result } = await rig.drafts.sendEmailDraft({ draftId });
    expect(result).toMatchObject({
      sentCount: 1,
      failedCount: 0,
      deliveries: [
        { status: DeliveryStatus.SKIPPED, error: expect.stringMatching(/^opted_out: /) },
        { status: DeliveryStatus.SENT },
      ],
    });
    expect((await rig.drafts.getEmailDraft({ draftId })).draft?.status).toBe(EmailDraftStatus.SENT);
    expect((await mailsOf(draftId)).length).toBe(1);
  });

  it("needs recipients", async () => {
    const draftId = await rig.draft([]);
    expect(await failureOf(rig.drafts.sendEmailDraft({ draftId }))).toMatchObject({ reason: "NO_RECIPIENTS" });
  });

  it("knows no drafts of other organisations", async () => {
    const draftId = await rig.draft(1);
    const other = rig.content.as({ organisationId: rig.content.globex }).client(EmailDraftService);
    expect(await failureOf(other.sendEmailDraft({ draftId }))).toMatchObject({ code: Code.NotFound });
    expect(await mailsOf(draftId)).toEqual([]);
  });

  it("announces its end exactly once, and who asked for it", async () => {
    const draftId = await rig.draft(2);
    await rig.drafts.sendEmailDraft({ draftId });
    await rig.drafts.sendEmailDraft({ draftId });
    expect(await announced(draftId)).toEqual(["created.v1", "sent.v1"]);
    const records = rig.content.store.database.collection("outbox").find({ entity_id: draftId });
    for (const { cause } of await records.toArray()) expect(cause).toMatchObject({ credentialId: "test" });
  });

  it("lists what became of each in pages that join", async () => {
    const draftId = await rig.draft(3);
    const { result } = await rig.drafts.sendEmailDraft({ draftId });
    const first = await rig.drafts.listEmailDeliveries({ draftId, limit: 2 });
    const second = await rig.drafts.listEmailDeliveries({ draftId, limit: 2, cursor: first.nextCursor });
    expect([...first.deliveries, ...second.deliveries]).toEqual(result?.deliveries);
    expect(second.nextCursor).toBe("");
  });

  it("finds them by what became of each, by an index", async () => {
    const recipient = await rig.member();
    const draftId = await rig.draft([recipient, recipient]);
    await rig.drafts.sendEmailDraft({ draftId });
    const found = async (filter: string, orderBy = "") =>
      (await rig.drafts.listEmailDeliveries({ draftId, filter, orderBy })).deliveries.map(({ status }) => status);
    expect(await found("status = skipped")).toEqual([DeliveryStatus.SKIPPED]);
    expect(await found("status != pending", "position desc")).toEqual([DeliveryStatus.SKIPPED, DeliveryStatus.SENT]);
    expect(await found("status = pending")).toEqual([]);
    const ask = (query: { filter: string; orderBy: string }) => rig.drafts.listEmailDeliveries({ draftId, ...query });
    expect(await withoutIndex(rig.content.store, declaredQueries(ListEmailDeliveriesRequestSchema), ask)).toEqual([]);
  });
});

describe("what arrives", () => {
  it("holds no command and no header but ours, whatever a name, a subject or a text says", async () => {
    const before = sink.recipients.length;
    const name = 'Ada"\r\nBcc: <eve@people.test>';
    const text = "first\n.\nRCPT TO:<eve@people.test>\r\n.\r\nMAIL FROM:<eve@people.test>\n..\nlast";
    const draftId = await rig.draft([await rig.member({ name })], {
      subject: "{{ member.display_name }}\r\nX-Eve: 1",
      text,
    });
    const { result } = await rig.drafts.sendEmailDraft({ draftId });
    expect(result).toMatchObject({ sentCount: 1 });
    const [mail, ...more] = await mailsOf(draftId);
    expect(more).toEqual([]);
    expect(sink.recipients.slice(before)).toEqual(mail?.to);
    const [headers = "", body = ""] = mail?.raw.split("\r\n\r\n") ?? [];
    expect(headers).not.toMatch(/^(?:Bcc|X-Eve):/im);
    expect(body.trimEnd().split(/\r?\n/)).toEqual(text.split(/\r?\n/));
  });

  it("reaches an address of unusual characters", async () => {
    const draftId = await rig.draft([await rig.member({ email: "o'neil+x@people.test" })]);
    await rig.drafts.sendEmailDraft({ draftId });
    expect((await mailsOf(draftId)).map(({ to }) => to)).toEqual([["o'neil+x@people.test"]]);
  });
});

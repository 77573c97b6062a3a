import { randomUUID } from "node:crypto";
import {
  EmailDraftService,
  EmailDraftStatus,
  type EmailSendingProgress,
} from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { eventually, failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EmailRig } from "./email-rig.ts";
import { MailSink } from "./mail-sink.ts";

/** The mail server answers no message until the gate is open. */
let gate = Promise.withResolvers<void>();
let sink: MailSink;
let rig: EmailRig;
beforeAll(async () => {
  sink = await MailSink.start({ beforeAnswer: () => gate.promise });
  rig = await EmailRig.start(sink.settings, { replicas: 2 });
});
afterAll(async () => {
  await rig?.[Symbol.asyncDispose]();
  await sink?.[Symbol.asyncDispose]();
});

const watching = (draftId: string, replica = 0) =>
  rig.content.as({}, replica).client(EmailDraftService).watchEmailSending({ draftId });

/** Everything that is still told. */
async function rest(
  stream: AsyncIterable<{ progress?: EmailSendingProgress | undefined }>,
): Promise<EmailSendingProgress[]> {
  const told: EmailSendingProgress[] = [];
  for await (const { progress } of stream) if (progress) told.push(progress);
  return told;
}

const isBeingSent = async ({ drafts }: EmailRig, draftId: string) =>
  (await drafts.getEmailDraft({ draftId })).draft?.status === EmailDraftStatus.SENDING;

const ended = ({ sentCount, failedCount, skippedCount }: EmailSendingProgress) =>
  sentCount + failedCount + skippedCount;

describe("watching how a draft is sent", () => {
  it("tells the counts as they change, at any replica, and ends when the sending does", async () => {
    gate = Promise.withResolvers();
    const gone = await rig.member();
    const draftId = await rig.draft([gone, ...(await Promise.all([rig.member(), rig.member()]))]);
    await rig.members.deactivateMember({ memberId: gone });
    const sending = rig.drafts.sendEmailDraft({ draftId });
    await eventually(() => isBeingSent(rig, draftId));
    const streams = [watching(draftId, 0), watching(draftId, 1)].map((stream) => stream[Symbol.asyncIterator]());
    for (const stream of streams) {
      const { value } = await stream.next();
      expect(value?.progress).toMatchObject({ status: EmailDraftStatus.SENDING, recipientCount: 3, skippedCount: 1 });
    }
    gate.resolve();
    await sending;
    for (const stream of streams) {
      const told = await rest({ [Symbol.asyncIterator]: () => stream });
      expect(told.at(-1)).toMatchObject({ status: EmailDraftStatus.SENT, sentCount: 2, skippedCount: 1 });
      for (const each of told) expect(ended(each) + each.pendingCount).toBe(each.recipientCount);
      expect(told.map(ended)).toEqual(told.map(ended).sort((one, other) => one - other));
    }
  });

  it("reports once on a draft that is not being sent", async () => {
    gate.resolve();
    const draftId = await rig.draft(2);
    const counts = { sentCount: 0, failedCount: 0, skippedCount: 0, pendingCount: 0 };
    const before = await rest(watching(draftId.toUpperCase()));
    expect(before).toMatchObject([{ draftId, status: EmailDraftStatus.DRAFT, recipientCount: 0, ...counts }]);
    await rig.drafts.sendEmailDraft({ draftId });
    const after = await rest(watching(draftId));
    expect(after).toMatchObject([{ status: EmailDraftStatus.SENT, recipientCount: 2, ...counts, sentCount: 2 }]);
  });

  it("knows no drafts of other organisations", async () => {
    const draftId = await rig.draft(1);
    const other = rig.content.as({ organisationId: rig.content.globex }).client(EmailDraftService);
    expect(await failureOf(rest(other.watchEmailSending({ draftId })))).toMatchObject({ code: Code.NotFound });
    const unknown = rig.drafts.watchEmailSending({ draftId: randomUUID() });
    expect(await failureOf(rest(unknown))).toMatchObject({ code: Code.NotFound });
  });

  it("ends when the replica drains, which does not wait for the sending", async () => {
    gate = Promise.withResolvers();
    await using own = await EmailRig.start(sink.settings);
    const draftId = await own.draft(1);
    own.drafts.sendEmailDraft({ draftId }).catch(() => undefined);
    await eventually(() => isBeingSent(own, draftId));
    const stream = own.drafts.watchEmailSending({ draftId })[Symbol.asyncIterator]();
    expect((await stream.next()).value?.progress).toMatchObject({ status: EmailDraftStatus.SENDING });
    const drained = own.content.services[0]?.stop();
    expect((await stream.next()).done).toBe(true);
    gate.resolve();
    await drained;
  });
});

import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import {
  DeliveryStatus,
  EmailDraftService,
  EmailDraftStatus,
} from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { eventually, failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EmailRig, startEmailIdentity } from "./email-rig.ts";
import { answer, MailSink, smtpSettings, startBadServer } from "./mail-sink.ts";

const quick = { EMAIL_RETRY_MS: "50", SMTP_CONNECT_TIMEOUT_MS: "500", SMTP_TIMEOUT_MS: "1000", SMTP_CONNECTIONS: "2" };

let identity: Awaited<ReturnType<typeof startEmailIdentity>>;
beforeAll(async () => {
  identity = await startEmailIdentity();
});
afterAll(() => identity?.[Symbol.asyncDispose]());
const startRig = (settings: Record<string, string> = {}, o: { replicas?: number } = {}) =>
  EmailRig.start(settings, { ...o, identity: identity.address });

/** A server that speaks, line by line, until it is told not to. */
function speaking(replies: Record<string, string | ((socket: Socket) => void)>) {
  return (socket: Socket) => {
    socket.write("220 bad.test\r\n");
    let rest = "";
    socket.on("data", (chunk) => {
      rest += chunk.toString("latin1");
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        const key = Object.keys(replies).find((prefix) => line.toUpperCase().startsWith(prefix));
        const reply = key === undefined ? undefined : replies[key];
        if (typeof reply === "function") reply(socket);
        else if (reply !== undefined) socket.write(`${reply}\r\n`);
      }
    });
  };
}
const polite = {
  EHLO: "250 bad.test",
  STARTTLS: "502 no",
  MAIL: "250 ok",
  RCPT: "250 ok",
  RSET: "250 ok",
  QUIT: "221 bye",
};

function breakTls(socket: Socket): void {
  socket.write("220 go\r\n");
  socket.on("data", () => socket.write("nonsense"));
}

describe("a mail server that cannot be used before the first recipient", () => {
  const cases: [string, (socket: Socket) => void, Record<string, string>, string][] = [
    ["ends the connection", (socket) => socket.destroy(), {}, "The mail server cannot be reached"],
    ["says nothing", () => {}, {}, "The mail server does not answer in time"],
    ["is busy", (socket) => socket.end("421 busy\r\n"), {}, "The mail server cannot be reached"],
    [
      "offers no TLS where that is required",
      speaking(polite),
      { SMTP_TLS: "required" },
      "No secure connection to the mail server can be made",
    ],
    [
      "breaks TLS",
      speaking({ ...polite, EHLO: "250-bad.test\r\n250 STARTTLS", STARTTLS: breakTls }),
      { SMTP_TLS: "required" },
      "No secure connection to the mail server can be made",
    ],
    [
      "refuses the login",
      speaking({ ...polite, EHLO: "250-bad.test\r\n250 AUTH PLAIN", AUTH: "535 wrong: hunter2" }),
      { SMTP_URL: "" },
      "The mail server refuses the platform's login",
    ],
  ];

  it.each(cases)("that %s: nothing is sent, and the draft can be sent later", async (_how, talk, more, message) => {
    await using server = await startBadServer(talk);
    const login = more.SMTP_URL === "" ? { SMTP_URL: `smtp://user:hunter2@127.0.0.1:${server.port}` } : {};
    await using rig = await startRig({ ...quick, ...smtpSettings(server.port), ...more, ...login });
    const draftId = await rig.draft(1);
    const failure = await failureOf(rig.drafts.sendEmailDraft({ draftId }));
    expect(failure).toMatchObject({ code: Code.Unavailable, reason: "MAIL_SERVER_UNAVAILABLE", message });
    expect((await rig.drafts.getEmailDraft({ draftId })).draft?.status).toBe(EmailDraftStatus.DRAFT);
  });

  it("that is none: nothing is sent", async () => {
    await using rig = await startRig();
    const failure = await failureOf(rig.drafts.sendEmailDraft({ draftId: await rig.draft(1) }));
    expect(failure).toMatchObject({ code: Code.Unavailable, message: "No mail server is configured" });
  });
});

describe("a mail server that defers", () => {
  it.each([421, 450, 451])("with %i is asked again, until it takes the mail once", async (code) => {
    const asked = new Map<string, number>();
    const onRecipient = (address: string) => {
      const times = (asked.get(address) ?? 0) + 1;
      asked.set(address, times);
      return times < 3 ? answer(code, "try later") : undefined;
    };
    await using sink = await MailSink.start({ onRecipient });
    await using rig = await startRig({ ...quick, ...sink.settings });
    const { result } = await rig.drafts.sendEmailDraft({ draftId: await rig.draft(3) });
    expect(result).toMatchObject({ sentCount: 3, failedCount: 0 });
    expect(sink.mails).toHaveLength(3);
  });

  it("the message itself is given it again", async () => {
    let refusals = 2;
    await using sink = await MailSink.start({ onMessage: () => (refusals-- > 0 ? answer(451) : undefined) });
    await using rig = await startRig({ ...quick, ...sink.settings });
    const { result } = await rig.drafts.sendEmailDraft({ draftId: await rig.draft(2) });
    expect(result).toMatchObject({ sentCount: 2 });
    expect(sink.mails).toHaveLength(2);
  });

  it("for too long has not been sent to, and the draft can be sent again", async () => {
    let defers = true;
    await using sink = await MailSink.start({ onRecipient: () => (defers ? answer(450) : undefined) });
    await using rig = await startRig({ ...quick, ...sink.settings, EMAIL_GIVE_UP_MS: "700" });
    const draftId = await rig.draft(2);
    const { result } = await rig.drafts.sendEmailDraft({ draftId });
    expect(result).toMatchObject({ sentCount: 0, failedCount: 2 });
    expect(result?.deliveries[0]?.error).toMatch(/^too_late/);
    defers = false;
    expect((await rig.drafts.sendEmailDraft({ draftId })).result).toMatchObject({ sentCount: 2, failedCount: 0 });
  });

  it("answers the caller in time that the sending goes on, and gives the result in a later answer", async () => {
    let defers = true;
    await using sink = await MailSink.start({ onRecipient: () => (defers ? answer(450) : undefined) });
    await using rig = await startRig({ ...quick, ...sink.settings, EMAIL_ANSWER_MS: "500" });
    const draftId = await rig.draft(1);
    const sending = { code: Code.FailedPrecondition, reason: "EMAIL_DRAFT_SENDING" };
    expect(await failureOf(rig.drafts.sendEmailDraft({ draftId }))).toMatchObject(sending);
    expect(await failureOf(rig.drafts.sendEmailDraft({ draftId }))).toMatchObject(sending);
    const { deliveries } = await rig.drafts.listEmailDeliveries({ draftId });
    expect(deliveries.map(({ status }) => status)).toEqual([DeliveryStatus.PENDING]);
    defers = false;
    await eventually(async () => {
      const { draft } = await rig.drafts.getEmailDraft({ draftId });
      return draft?.status === EmailDraftStatus.SENT;
    });
    expect((await rig.drafts.sendEmailDraft({ draftId })).result).toMatchObject({ sentCount: 1 });
  });
});

describe("a mail server that refuses", () => {
  it("a recipient is said so, with its code and none of its words; sending again sends to those alone", async () => {
    let bad = "";
    await using sink = await MailSink.start({
      onRecipient: (address) => (address === bad ? answer(550, "no such hunter2") : undefined),
    });
    await using rig = await startRig({ ...quick, ...sink.settings });
    const [first, second] = [await rig.member({ email: "bad@people.test" }), await rig.member()];
    bad = "bad@people.test";
    const draftId = await rig.draft([first, second]);
    const { result } = await rig.drafts.sendEmailDraft({ draftId });
    expect(result).toMatchObject({ sentCount: 1, failedCount: 1 });
    expect(result?.deliveries[0]?.error).toMatch(/^refused: .*\(550\)$/);
    expect((await rig.drafts.getEmailDraft({ draftId })).draft?.status).toBe(EmailDraftStatus.PARTIALLY_SENT);
    bad = "";
    const again = await rig.drafts.sendEmailDraft({ draftId });
    expect(again.result).toMatchObject({ sentCount: 2, failedCount: 0 });
    expect(again.result?.deliveries[1]).toEqual(result?.deliveries[1]);
    expect(sink.mails).toHaveLength(2);
  });

  it("a recipient who wants no e-mails by the time the draft is sent again is sent nothing", async () => {
    await using sink = await MailSink.start({ onRecipient: () => answer(550) });
    await using rig = await startRig({ ...quick, ...sink.settings });
    const [gone, optedOut, there] = [await rig.member(), await rig.member(), await rig.member()];
    const draftId = await rig.draft([gone, optedOut, there]);
    expect((await rig.drafts.sendEmailDraft({ draftId })).result).toMatchObject({ failedCount: 3 });
    await rig.members.deactivateMember({ memberId: gone });
    for (const memberId of [gone, optedOut]) await rig.optOut(memberId);
    const { result } = await rig.drafts.sendEmailDraft({ draftId });
    expect(result?.deliveries.map(({ error }) => error?.split(":")[0])).toEqual(["not_active", "opted_out", "refused"]);
  });
});

describe("a connection that breaks", () => {
  const cut = (socket: Socket) => socket.destroy();

  it("before the message is on its way is made again, and the mail sent", async () => {
    let cuts = 3;
    await using sink = await MailSink.start();
    await using server = await startBadServer((socket) => {
      if (cuts-- > 0) return speaking({ ...polite, RCPT: cut })(socket);
      speaking({ ...polite, DATA: "354 go", ".": "250 taken" })(socket);
    });
    await using rig = await startRig({ ...quick, ...smtpSettings(server.port) });
    const { result } = await rig.drafts.sendEmailDraft({ draftId: await rig.draft(2) });
    expect(result).toMatchObject({ sentCount: 2, failedCount: 0 });
    expect(sink.mails).toEqual([]);
  });

  it.each([
    ["inside the message", { DATA: "354 go", "MESSAGE-ID": cut }],
    ["before the answer to it", { DATA: "354 go", ".": cut }],
    ["by silence after it", { DATA: "354 go" }],
  ])("%s leaves it unknown, and the mail is never sent again by itself", async (_when, replies) => {
    let messages = 0;
    await using server = await startBadServer((socket) => {
      speaking({ ...polite, ...replies })(socket);
      socket.on("data", (chunk) => (messages += chunk.toString("latin1").includes("Message-ID") ? 1 : 0));
    });
    await using rig = await startRig({ ...quick, ...smtpSettings(server.port) });
    const draftId = await rig.draft(1);
    const { result } = await rig.drafts.sendEmailDraft({ draftId });
    expect(result).toMatchObject({ sentCount: 0, failedCount: 1 });
    expect(result?.deliveries[0]).toMatchObject({ status: DeliveryStatus.UNKNOWN });
    expect(result?.deliveries[0]?.providerMessageId).toMatch(/@mail\.test>$/);
    expect(await rig.drafts.sendEmailDraft({ draftId })).toMatchObject({ result });
    expect(messages).toBe(1);
  });
});

describe("a process that is stopped while it sends", () => {
  it("leaves no recipient in doubt, and another process goes on", async () => {
    await using sink = await MailSink.start({ beforeAnswer: () => pause(10) });
    await using rig = await startRig({ ...quick, ...sink.settings, EMAIL_LEASE_MS: "60000" }, { replicas: 2 });
    const draftId = await rig.draft(40);
    const answered = rig.drafts.sendEmailDraft({ draftId }).catch(() => undefined);
    await eventually(() => sink.mails.length >= 5);
    await rig.content.services[0]?.stop();
    await answered;
    const other = rig.content.as({}, 1).client(EmailDraftService);
    await eventually(async () => (await other.getEmailDraft({ draftId })).draft?.status === EmailDraftStatus.SENT);
    expect((await other.sendEmailDraft({ draftId })).result).toMatchObject({ sentCount: 40, failedCount: 0 });
    expect(new Set(sink.mails.map(({ messageId }) => messageId)).size).toBe(40);
    expect(sink.mails).toHaveLength(40);
  });
});

describe("ten thousand drafts of an organisation whose senders are gone", () => {
  it("do not keep another organisation's draft waiting", async () => {
    await using sink = await MailSink.start();
    await using rig = await startRig({ ...quick, ...sink.settings });
    const drafts = rig.content.store.database.collection<{ _id: string; [name: string]: unknown }>("email_drafts");
    const abandoned = (organisation_id: string) => ({
      ...{ _id: randomUUID(), organisation_id, subject: "", text: "", html: "", recipient_member_ids: [], revision: 1 },
      ...{ status: "sending", created_at: new Date(), updated_at: new Date() },
      sending: { sender: "gone", until: new Date(0), began_at: new Date() },
    });
    const quiet = abandoned("quiet");
    await drafts.insertMany([...Array.from({ length: 10_000 }, () => abandoned("noisy")), quiet]);
    await eventually(async () => (await drafts.findOne({ _id: quiet._id }))?.["status"] === "sent");
    expect(await drafts.countDocuments({ organisation_id: "noisy", status: "sending" })).toBeGreaterThan(5_000);
  });
});

describe("a template that fails for one recipient", () => {
  it("fails for that one alone", async () => {
    await using sink = await MailSink.start();
    await using rig = await startRig({ ...quick, ...sink.settings });
    const recipients = [await rig.member({ name: "loop" }), await rig.member()];
    const text = `{% if member.display_name == "loop" %}{% for i in (1..9999999) %}x{% endfor %}{% endif %}`;
    const { result } = await rig.drafts.sendEmailDraft({ draftId: await rig.draft(recipients, { text }) });
    expect(result).toMatchObject({ sentCount: 1, failedCount: 1 });
    expect(result?.deliveries[0]?.error).toMatch(/^template_failed/);
  });
});

import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { type Answer, ask, type Json, until } from "../mesh/rest.ts";

let running: LocalPlatform;
let platform: LocalPlatform["description"];

sharedPlatform((started) => {
  running = started;
  platform = started.description;
});

/** An active member, as one whom an issuer knows is. */
async function member(): Promise<{ id: string; email: string }> {
  const subject = randomUUID();
  const email = `${subject}@people.test`;
  const wanted = { display_name: "Grace <Hopper>", email, issuer: "https://issuer.test", subject };
  const { status, body } = await ask(platform, { path: "/platform/members", body: { member: wanted } });
  if (status !== 201) throw new Error(`adding a member was answered ${status}`);
  return { id: body.id, email };
}

async function draft(recipients: string[], more: Json = {}): Promise<Json> {
  const body = {
    subject: "News for {{ member.display_name }}",
    text: "Hello",
    recipient_member_ids: recipients,
    ...more,
  };
  const answer = await ask(platform, { path: "/platform/email-drafts", body });
  if (answer.status !== 201) throw new Error(`creating was answered ${answer.status}`);
  return answer.body;
}

const sent = (id: string, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(platform, { method: "POST", path: `/email-drafts/${id}/send/`, headers });

/** What was caught for an address. */
async function caughtFor(email: string): Promise<Json[]> {
  const mails: Json[] = JSON.parse(await (await fetch(`${platform.mail}/mails`)).text());
  return mails.filter(({ to }) => to.includes(email));
}

describe("POST /email-drafts/{draft_id}/send/", () => {
  it("answers what became of each recipient, in the fields of the specification", async () => {
    const [first, second] = [await member(), await member()];
    const { id } = await draft([first.id, second.id, first.id]);
    const { status, body } = await sent(id);
    const messageId = expect.stringMatching(/^<[0-9a-f]{40}@/);
    const taken = { status: "sent", provider_message_id: messageId, error: null };
    expect([status, body]).toEqual([
      200,
      {
        draft_id: id,
        sent_count: 2,
        failed_count: 0,
        deliveries: [
          { recipient_member_id: first.id, recipient_email: first.email, ...taken },
          { recipient_member_id: second.id, recipient_email: second.email, ...taken },
          {
            recipient_member_id: first.id,
            recipient_email: first.email,
            status: "skipped",
            provider_message_id: null,
            error: expect.stringMatching(/^address_repeated/),
          },
        ],
      },
    ]);
    const [caught, ...more] = await caughtFor(first.email);
    expect(more).toEqual([]);
    expect(caught?.subject).toBe("News for Grace <Hopper>");
  });

  it("sends nothing again, with or without the slash, and with an Idempotency-Key says so", async () => {
    const one = await member();
    const { id } = await draft([one.id]);
    const key = { "idempotency-key": randomUUID() };
    const first = await sent(id, key);
    const second = await sent(id, key);
    const third = await ask(platform, { method: "POST", path: `/email-drafts/${id}/send` });
    expect([second.text, third.text]).toEqual([first.text, first.text]);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await caughtFor(one.email)).toHaveLength(1);
  });

  it("is 409 without recipients, and 404 for what is no draft", async () => {
    const { id } = await draft([]);
    const none = await sent(id);
    expect([none.status, none.body.code]).toEqual([409, "no_recipients"]);
    for (const other of [randomUUID(), "no-draft"]) {
      const { status, body } = await sent(other);
      expect([status, body]).toEqual([404, { detail: "Not found" }]);
    }
  });

  it("is 503 while no mail server can be reached, and goes well afterwards", async () => {
    const { id } = await draft([(await member()).id]);
    await running.kill("fake-smtp");
    const away = await sent(id);
    await running.restart("fake-smtp");
    expect([away.status, away.body.code]).toEqual([503, "mail_server_unavailable"]);
    expect((await sent(id)).body).toMatchObject({ sent_count: 1 });
  });
});

describe("GET /platform/email-drafts/{draft_id}/progress", () => {
  const progress = (id: string, accept: string) =>
    fetch(`${platform.gateway}/platform/email-drafts/${id}/progress`, {
      headers: { authorization: `Bearer ${platform.bearer}`, accept },
    });

  it("streams how a sending goes as server-sent events, and ends with it", async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => member()));
    const { id } = await draft(people.map((each) => each.id));
    const sending = sent(id);
    await until(
      "the sending to begin",
      30,
      async () => (await ask(platform, { path: `/platform/email-drafts/${id}` })).body,
      ({ status }: Json) => status !== "draft",
    );
    const response = await progress(id, "text/event-stream");
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const events = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
    expect((await sending).body.sent_count).toBe(people.length);
    const counts = { failed_count: 0, skipped_count: 0, pending_count: 0 };
    const all = { recipient_count: people.length, sent_count: people.length };
    expect(events.at(-1)).toEqual({ draft_id: id, status: "sent", ...all, ...counts });
    for (const event of events) expect(event.sent_count + event.pending_count).toBe(people.length);
  });

  it("answers lines of JSON to a client that asks for no events, and 404 for what is no draft", async () => {
    const { id } = await draft([]);
    const lines = (await (await progress(id, "application/json")).text()).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).status)).toEqual(["draft"]);
    expect((await progress(randomUUID(), "text/event-stream")).status).toBe(404);
  });
});

describe("a draft", () => {
  it("tells at its fields which templates cannot be filled in", async () => {
    const body = { subject: "{{ member.nmae }}", html: "{% if %}" };
    const { status, body: wrong } = await ask(platform, { path: "/platform/email-drafts", body });
    expect(status).toBe(422);
    expect(wrong.detail.map(({ loc }: Json) => loc)).toEqual([
      ["body", "subject"],
      ["body", "html"],
    ]);
  });

  it("shows what its recipient would get", async () => {
    const { id } = await draft([(await member()).id], { html: "<p>{{ member.display_name }}</p>" });
    const { status, body } = await ask(platform, { path: `/platform/email-drafts/${id}/preview` });
    expect([status, body]).toEqual([
      200,
      { subject: "News for Grace <Hopper>", text: "Hello", html: "<p>Grace &lt;Hopper&gt;</p>" },
    ]);
  });
});

import { type ChildProcess, spawn } from "node:child_process";
import { randomInt, randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { connectDocumentStore, createIndexes, withTransaction } from "@aiplatform/document-store";
import { describe, expect, it } from "@jest/globals";
import type { EmailDraft } from "../src/email-drafts/email-draft.ts";
import { planDeliveries } from "../src/email-drafts/plan-deliveries.ts";
import { contentIndexes, createStores } from "../src/stores.ts";
import { environmentOf, newHome } from "./content-rig.ts";
import { eventually } from "./eventually.ts";
import { MailSink } from "./mail-sink.ts";

const recipients = 1_000;
/** Time for kills; what is left to send then is sent in peace. */
const killingMs = 45_000;
const entry = fileURLToPath(new URL("email-sender-process.ts", import.meta.url));

/** A draft that is being sent, by somebody who is gone. */
function abandonedDraft() {
  const ids = Array.from({ length: recipients }, () => randomUUID());
  const now = new Date();
  const draft: EmailDraft = {
    id: randomUUID(),
    organisationId: randomUUID(),
    subject: "News",
    text: "Dear {{ member.display_name }}",
    html: "",
    recipientMemberIds: ids,
    status: "draft",
    revision: 1,
    createdAt: now,
    updatedAt: now,
  };
  const known = ids.map((id) => ({ id, displayName: "Ada", email: `${id}@people.test`, isActive: true }));
  const planned = planDeliveries(draft, new Map(known.map((each) => [each.id, each])));
  return { draft, planned, sending: { sender: "gone", until: new Date(0), beganAt: now, cause: undefined } };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  if (child.signalCode !== "SIGKILL") throw new Error("the sender ended before it was killed");
}

describe("a draft to a thousand whose senders are killed again and again", () => {
  it("reaches everybody at most once, and leaves no more in doubt than there were kills", async () => {
    const home = newHome();
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = home;
    await using store = await connectDocumentStore({ uri, database, appName: "e-mail tests" });
    await using drop = new AsyncDisposableStack();
    drop.defer(async () => void (await store.database.dropDatabase()));
    // A slow answer, so that kills come between a message and its answer, too.
    await using sink = await MailSink.start({ beforeAnswer: () => pause(3) });
    await createIndexes(store, contentIndexes);
    const { emailDrafts, deliveries } = createStores(store);
    const { draft, planned, sending } = abandonedDraft();
    const { organisationId, id } = draft;
    await withTransaction(store, async (session) => {
      await emailDrafts.insert(organisationId, draft, session);
      await emailDrafts.beginSending(organisationId, draft, sending, session);
      await deliveries.insertAll(organisationId, planned, session);
    });
    const env = {
      ...environmentOf(home, { ...sink.settings, EMAIL_LEASE_MS: "300" }),
      PATH: process.env["PATH"] ?? "",
    };
    const start = () => spawn(process.execPath, [entry], { env, stdio: ["ignore", "ignore", "inherit"] });
    const isOver = async () => (await emailDrafts.find(organisationId, id))?.status !== "sending";

    let kills = 0;
    const until = Date.now() + killingMs;
    while (Date.now() < until && !(await isOver())) {
      const child = start();
      const enough = sink.mails.length + randomInt(1, 25);
      await eventually(() => sink.mails.length >= enough || sink.mails.length >= recipients - 2 * kills - 30);
      await pause(randomInt(0, 12));
      await kill(child);
      kills++;
      if (sink.mails.length >= recipients - 2 * kills - 30) break;
    }
    const last = start();
    await eventually(isOver);
    await kill(last);

    const counts = await deliveries.counts({ organisationId, draftId: id });
    const arrived = sink.mails.map(({ to }) => to[0]);
    expect(new Set(arrived).size).toBe(arrived.length);
    expect(counts.sent + counts.failed + counts.skipped + counts.unknown).toBe(recipients);
    expect(counts.unknown).toBeLessThanOrEqual(kills);
    expect(arrived.length).toBeGreaterThanOrEqual(counts.sent);
    expect(arrived.length).toBeLessThanOrEqual(counts.sent + counts.unknown);
    expect(counts).toMatchObject({ failed: 0, skipped: 0 });
    expect(kills).toBeGreaterThanOrEqual(10);
  }, 150_000);
});

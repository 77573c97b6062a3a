import type { ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { AbandonedDraft } from "./abandoned-draft.ts";
import { eventually } from "./eventually.ts";
import { MailSink } from "./mail-sink.ts";

const recipients = 1_000;
/** What is left to send after these is sent in peace. */
const wantedKills = 20;

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  if (child.signalCode !== "SIGKILL") throw new Error("the sender ended before it was killed");
}

describe("a draft to a thousand whose senders are killed again and again", () => {
  it("reaches everybody at most once, and leaves no more in doubt than there were kills", async () => {
    // A slow answer, so that kills come between a message and its answer, too.
    await using sink = await MailSink.start({ beforeAnswer: () => pause(3) });
    await using abandoned = await AbandonedDraft.of(recipients, { ...sink.settings, EMAIL_LEASE_MS: "300" });
    for (let kills = 0; kills < wantedKills; kills++) {
      const child = abandoned.send();
      const enough = sink.mails.length + randomInt(1, recipients / wantedKills / 2);
      await eventually(() => sink.mails.length >= enough);
      await pause(randomInt(0, 12));
      await kill(child);
    }
    const last = abandoned.send();
    await eventually(() => abandoned.isOver());
    await kill(last);

    const counts = await abandoned.counts();
    const arrived = sink.mails.map(({ to }) => to[0]);
    expect(new Set(arrived).size).toBe(arrived.length);
    expect(counts.sent + counts.failed + counts.skipped + counts.unknown).toBe(recipients);
    expect(counts.unknown).toBeLessThanOrEqual(wantedKills);
    expect(arrived.length).toBeGreaterThanOrEqual(counts.sent);
    expect(arrived.length).toBeLessThanOrEqual(counts.sent + counts.unknown);
    expect(counts).toMatchObject({ failed: 0, skipped: 0 });
  }, 300_000);
});

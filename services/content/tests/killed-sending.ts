import type { ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { eventually } from "@aiplatform/testkit";
import type { DeliveryCounts } from "../src/email-drafts/delivery.ts";
import { AbandonedDraft } from "./abandoned-draft.ts";
import { MailSink } from "./mail-sink.ts";

/** What became of a draft whose senders were killed again and again. */
export interface KilledSending {
  kills: number;
  counts: DeliveryCounts;
  /** Mails that arrived, and those of them whose recipient had one before. */
  arrived: number;
  duplicates: number;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  if (child.signalCode !== "SIGKILL") throw new Error("the sender ended before it was killed");
}

/** Sends a draft by processes that are killed so often while they send; what is left after that is sent in peace. */
export async function sendWithKills(recipients: number, wantedKills: number): Promise<KilledSending> {
  // A slow answer, so that kills come between a message and its answer, too.
  await using sink = await MailSink.start({ beforeAnswer: () => pause(3) });
  const settings = { ...sink.settings, EMAIL_LEASE_MS: "300", EMAIL_GIVE_UP_MS: "1080000" };
  await using abandoned = await AbandonedDraft.of(recipients, settings);
  // Half of what a kill may take: the rest of it is sent while the kill is on its way.
  const share = Math.max(Math.floor(recipients / wantedKills / 2), 2);
  let kills = 0;
  while (kills < wantedKills && !(await abandoned.isOver())) {
    const child = abandoned.send();
    const enough = sink.mails.length + randomInt(1, share);
    const hasEnded = () => child.exitCode !== null;
    await eventually(async () => sink.mails.length >= enough || hasEnded() || (await abandoned.isOver()));
    await pause(randomInt(0, Math.min(share * 3, 12)));
    await kill(child);
    kills++;
  }
  const last = abandoned.send();
  await eventually(() => abandoned.isOver());
  await kill(last);
  const arrived = sink.mails.map(({ to }) => to[0]);
  const duplicates = arrived.length - new Set(arrived).size;
  return { kills, counts: await abandoned.counts(), arrived: arrived.length, duplicates };
}

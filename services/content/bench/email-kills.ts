/**
 * What kills do to the sending of a draft: senders are killed with SIGKILL again and again while they send it to a real
 * SMTP server. Ends with 1 if a recipient got the mail twice or was forgotten, or if more are in doubt than kills.
 *
 *     node services/content/bench/email-kills.ts [kills, default 200] [recipients, default 1000]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startInfra } from "@aiplatform/local-platform";
import { sendWithKills } from "../tests/killed-sending.ts";

const wantedKills = Number(process.argv[2] ?? 200);
const recipients = Number(process.argv[3] ?? 1_000);
const directory = await mkdtemp(join(tmpdir(), "email-kills-"));
await using parts = new AsyncDisposableStack();
parts.defer(() => rm(directory, { recursive: true, force: true }));
const { mongodbUri, natsUrl, stop } = await startInfra({ directory });
parts.defer(() => stop());
process.env["TEST_MONGODB_URI"] = mongodbUri;
process.env["TEST_NATS_URL"] = natsUrl;

const startedAt = performance.now();
const { kills, counts, arrived, duplicates } = await sendWithKills(recipients, wantedKills);
const { sent, failed, skipped, unknown } = counts;
const seconds = Math.round((performance.now() - startedAt) / 1_000);
console.log(`recipients ${recipients}, kills ${kills}, in ${seconds} s`);
console.log(
  `sent ${sent}, failed ${failed}, skipped ${skipped}, unknown ${unknown}, arrived ${arrived}, twice ${duplicates}`,
);
const isWhole = sent + failed + skipped + unknown === recipients;
if (duplicates > 0 || !isWhole || unknown > kills) process.exitCode = 1;

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { inspectEventStream, platformReaders } from "@aiplatform/event-stream";
import { type LocalPlatform, until } from "@aiplatform/local-platform";
import { expect, it } from "vitest";
import { ownPlatform } from "../infra/own-platform.ts";

let platform: LocalPlatform;
ownPlatform((started) => {
  platform = started;
});

/** The stream as the operator sees it. */
async function stream() {
  const nkey = await readFile(platform.natsNkeyFile, "utf8");
  const look = { servers: platform.natsUrl, streamName: "aiplatform", timeoutMs: 5_000, user: "operator" };
  return (await inspectEventStream({ ...look, login: { nkey } })).stream;
}

/** The durable consumers that are there. */
const readers = (found: Awaited<ReturnType<typeof stream>>) =>
  (found?.consumers ?? []).map(({ name }) => name).filter((name) => platformReaders.some((reader) => reader === name));

it("NATS that lost its disk gets its streams from identity, and consumers and events from each service", async () => {
  await platform.kill("nats");
  await rm(join(platform.directory, "nats", "data"), { recursive: true });
  await platform.restart("nats");
  let seen: Awaited<ReturnType<typeof stream>>;
  const restored = async () => {
    seen = await stream().catch(() => undefined);
    return (readers(seen).length === platformReaders.length && (seen?.events ?? 0) > 0) || undefined;
  };
  const otherwise = () => new Error(`the stream did not come back as it was: ${JSON.stringify(seen)}`);
  expect(await until(restored, { withinMs: 60_000, everyMs: 500, otherwise })).toBe(true);
}, 120_000);

import { readFileSync } from "node:fs";
import { connectEventStream } from "./event-stream.ts";

/**
 * Tries dead letters again: `NATS_URL`, and `NATS_STREAM` where it is not `aiplatform`; `NATS_NKEY_FILE` has the operator's seed,
 * where the server wants a login. Ends with 1 where some are left.
 */
const { NATS_URL: servers, NATS_STREAM: streamName = "aiplatform", NATS_NKEY_FILE, NATS_CA_FILE } = process.env;
if (!servers) {
  process.stderr.write("NATS_URL has to be set: nats://host:port of the server that the services use\n");
  process.exit(1);
}
const login = { nkey: NATS_NKEY_FILE && readFileSync(NATS_NKEY_FILE, "utf8"), caFile: NATS_CA_FILE };
const stream = await connectEventStream({ servers, name: "redrive", streamName, login });
const ready = Promise.withResolvers<void>();
stream.onReady(ready.resolve);
const impatience = setTimeout(() => {
  process.stderr.write("NATS does not answer\n");
  process.exit(1);
}, 10_000);
await ready.promise;
clearTimeout(impatience);
const outcomes = await stream.redriveAll();
for (const { consumer, found, handled, failed } of outcomes) {
  const became =
    handled === undefined ? "no service that handles them answers" : `${handled} handled, ${failed} failed again`;
  process.stdout.write(`${consumer}: ${found} dead letters, ${became}\n`);
}
if (outcomes.length === 0) process.stdout.write("there are no dead letters\n");
await stream.close();
process.exitCode = outcomes.every(({ found, handled }) => handled === found) ? 0 : 1;

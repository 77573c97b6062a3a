import { readFileSync } from "node:fs";
import { operatorName, ServiceKeyError, ServiceKeys } from "@aiplatform/service-keys";
import { connectEventStream } from "./event-stream.ts";

/**
 * Tries dead letters again, which the operator has to ask for: `SERVICE_KEY_FILE` has the operator's private key, and
 * `SERVICE_KEYS_FILE` the public ones. `NATS_URL`, and `NATS_STREAM` where it is not `aiplatform`; `NATS_NKEY_FILE` has the
 * operator's seed, where the server wants a login. Ends with 1 where some are left.
 */
const { env } = process;
const { NATS_URL: servers, NATS_STREAM: streamName = "aiplatform", NATS_NKEY_FILE, NATS_CA_FILE } = env;
const { SERVICE_KEY_FILE, SERVICE_KEYS_FILE } = env;

function giveUp(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

if (!servers) giveUp("NATS_URL has to be set: nats://host:port of the server that the services use");
if (!SERVICE_KEY_FILE || !SERVICE_KEYS_FILE) {
  giveUp(
    "SERVICE_KEY_FILE and SERVICE_KEYS_FILE have to be set: the operator's private key, and the public keys of all services, " +
      "such as .local/secrets/service-keys/operator.pem and service-keys.json beside it",
  );
}

function openKeys(files: ConstructorParameters<typeof ServiceKeys>[0]): ServiceKeys {
  try {
    return new ServiceKeys(files, { service: operatorName });
  } catch (error) {
    if (error instanceof ServiceKeyError) giveUp(error.message);
    throw error;
  }
}

const keys = openKeys({ SERVICE_KEY_FILE, SERVICE_KEYS_FILE });
const login = { nkey: NATS_NKEY_FILE && readFileSync(NATS_NKEY_FILE, "utf8"), caFile: NATS_CA_FILE };
const stream = await connectEventStream({ servers, name: "redrive", streamName, login, keys });
const ready = Promise.withResolvers<void>();
stream.onReady(ready.resolve);
const connectTimer = setTimeout(() => giveUp("NATS does not answer"), 10_000);
await ready.promise;
clearTimeout(connectTimer);
const outcomes = await stream.redriveAll();
for (const { consumer, found, handled, failed, refused } of outcomes) {
  const done =
    handled === undefined ? "no service that handles them answers" : `${handled} handled, ${failed} failed again`;
  process.stdout.write(`${consumer}: ${found} dead letters, ${refused ?? done}\n`);
}
if (outcomes.length === 0) process.stdout.write("there are no dead letters\n");
await stream.close();
keys[Symbol.dispose]();
process.exitCode = outcomes.every(({ found, handled }) => handled === found) ? 0 : 1;

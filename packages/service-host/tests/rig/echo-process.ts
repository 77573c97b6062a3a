// A service as a process of its own: says `ready` with its addresses, and takes its time for each call.
import { setTimeout as delay } from "node:timers/promises";
import { callerOf, createContextVerifier } from "@aiplatform/caller-identity";
import { ServiceKeys } from "@aiplatform/service-keys";
import { hostSettings, readSettings, runUntilSignal, startService } from "../../src/index.ts";
import { EchoService } from "./echo-service.ts";

const clockOffsetMs = Number(process.env["TEST_CLOCK_OFFSET_MS"] ?? 0);
const now = () => new Date(Date.now() + clockOffsetMs);
const jwks = process.env["TEST_JWKS"] ?? "";
const { SERVICE_KEY_FILE, SERVICE_KEYS_FILE } = process.env;
const keys =
  SERVICE_KEY_FILE && SERVICE_KEYS_FILE
    ? { keys: new ServiceKeys({ SERVICE_KEY_FILE, SERVICE_KEYS_FILE }, { service: "training" }) }
    : {};

await runUntilSignal(async () =>
  startService({
    name: "echo",
    ...keys,
    // Callers in tests are no services.
    acceptsMissingAssertions: true,
    config: readSettings(hostSettings, process.env),
    services: [EchoService],
    errors: new Map(),
    callers: { verifier: createContextVerifier({ jwks: async () => jwks, now }) },
    start: async ({ signal, logger }) => ({
      checks: {},
      close: [],
      routes: (router) =>
        router.service(EchoService, {
          async echo({ value }, context) {
            callerOf(context);
            if (value === "crash") setImmediate(() => Promise.reject(new Error("this is never caught")));
            if (value === "slow") logger.info("begun");
            await delay(value === "slow" ? 200 : 20);
            return { value };
          },
          async whisper({ value }) {
            await delay(20);
            return { value };
          },
          hold: async ({ value }) => {
            await delay(60_000);
            return { value };
          },
          // Like an attached trainer: stays until it is told to go elsewhere.
          async *count() {
            yield { value: 0 };
            while (!signal.aborted) await delay(10);
            yield { value: -1 };
          },
        }),
    }),
  }),
);

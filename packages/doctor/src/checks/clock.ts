import { inspectEventStream } from "@aiplatform/event-stream";
import { type Check, either, type Finding, fine, type Look, shared, warning } from "../check.ts";
import { isStoring, type Service } from "../services.ts";
import { reach } from "./mongodb-reach.ts";

/** Caller contexts last a minute, and tokens are checked with less leeway than this. */
const mostSkewMs = 5_000;

/** This machine's clock against those of MongoDB, NATS and the identity providers. Who cannot be asked says nothing here. */
export const clock: Check = {
  name: "clock",
  looks: (services) => [...mongodbLooks(services), ...natsLooks(services), ...issuerLooks(services)],
};

const remedy = "let every machine keep its clock by NTP: caller contexts last a minute";

function mongodbLooks(services: readonly Service[]): Look[] {
  const targets = services
    .filter(isStoring)
    .map(({ name, config }) => ({ of: name, key: config.MONGODB_URI, value: config.MONGODB_URI }));
  return shared(targets).map(({ of, value: uri }) => ({
    of,
    remedy,
    run: async (signal) => {
      const reached = await reach(uri, signal);
      if (!("client" in reached)) return [];
      try {
        const [asked, { localTime }, answered] = [
          Date.now(),
          await reached.client.db("admin").command({ hello: 1 }),
          Date.now(),
        ];
        return [skew("MongoDB", Number(localTime), { asked, answered, resolutionMs: 1 })];
      } finally {
        await reached.client.close();
      }
    },
  }));
}

function natsLooks(services: readonly Service[]): Look[] {
  const targets = services.map(({ name, config: { NATS_URL: servers, NATS_STREAM: streamName } }) => ({
    of: name,
    key: servers,
    value: { servers, streamName, timeoutMs: 10_000 },
  }));
  return shared(targets).map(({ of, value }) => ({
    of,
    remedy,
    run: async () => {
      const asked = Date.now();
      const { now } = await inspectEventStream(value).catch(() => ({ now: undefined }));
      return now ? [skew("NATS", now.getTime(), { asked, answered: Date.now(), resolutionMs: 1 })] : [];
    },
  }));
}

function issuerLooks(services: readonly Service[]): Look[] {
  const targets = services.flatMap((service) =>
    service.kind === "identity"
      ? service.config.OIDC_ISSUERS.map(({ issuer, jwksUri = issuer }) => ({
          of: service.name,
          key: issuer,
          value: { issuer, jwksUri },
        }))
      : [],
  );
  return shared(targets).map(({ of, value: { issuer, jwksUri } }) => ({
    of,
    remedy,
    run: async (signal) => {
      const asked = Date.now();
      const response = await fetch(jwksUri, { method: "HEAD", signal, redirect: "manual" }).catch(() => undefined);
      const date = Date.parse(response?.headers.get("date") ?? "");
      return Number.isNaN(date) ? [] : [skew(issuer, date, { asked, answered: Date.now(), resolutionMs: 1_000 })];
    },
  }));
}

/** A clock is wrong by at least so much: it may have been read at any moment between question and answer. */
function skew(whose: string, then: number, o: { asked: number; answered: number; resolutionMs: number }): Finding {
  const ahead = then - o.answered;
  const behind = o.asked - (then + o.resolutionMs);
  const ms = Math.max(0, ahead, behind);
  if (ms === 0) return fine(`${whose} has the same time`);
  const says = `${whose} is ${ms} ms ${ahead > 0 ? "ahead of" : "behind"} this machine`;
  return either(ms <= mostSkewMs, says, warning(says, remedy));
}

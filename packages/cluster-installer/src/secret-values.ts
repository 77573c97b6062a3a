import { randomBytes } from "node:crypto";
import { newNkey, publicNkey } from "@aiplatform/event-stream";
import { natsUsers } from "@aiplatform/event-stream/nats-permissions";
import { newPrivateKey } from "@aiplatform/service-keys";
import type { NeededKey } from "./manifest.ts";

const randomText = () => randomBytes(32).toString("base64url");

const dataKeys = () => JSON.stringify([{ id: "first", key: randomBytes(32).toString("base64") }]);

/** Key of a Secret → what a cluster of one's own gets for it where it has none. */
export const secretValues: Readonly<Record<string, () => string>> = {
  "mongodb-uri": () => "mongodb://mongodb-0.mongodb.aiplatform:27017/?replicaSet=rs0",
  "mongodb-password": randomText,
  "admin-password": randomText,
  // MongoDB takes no other characters than those of base64 in it.
  "replica-set-key": () => randomBytes(96).toString("base64"),
  "nats-nkey": () => newNkey().seed,
  "context-signing-key": newPrivateKey,
  "api-key-hash-secret": randomText,
  "delegation-secret": randomText,
  "operator-key": randomText,
  "secrets-keys": dataKeys,
  "service-key": newPrivateKey,
};

/** Keys that have one value in whichever Secret they stand. */
export const sharedKeys: ReadonlySet<string> = new Set(["delegation-secret"]);

/** What a key is made of that another Secret has, because a server knows the services by it. */
export interface DerivedKey {
  from: NeededKey;
  derive: (value: string) => string;
}

const databases = ["identity", "training", "content", "deployments", "data"];

/** Key of a server's Secret → the service's key that it follows from. */
export const derivedKeys: ReadonlyMap<string, DerivedKey> = new Map([
  ...natsUsers.map((user): [string, DerivedKey] => [
    `${user}-public-nkey`,
    { from: { secret: `aiplatform-${user}`, key: "nats-nkey" }, derive: publicNkey },
  ]),
  ...databases.map((service): [string, DerivedKey] => [
    `${service}-password`,
    { from: { secret: `aiplatform-${service}`, key: "mongodb-password" }, derive: (password) => password },
  ]),
]);

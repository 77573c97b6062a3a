import { generateKeyPairSync, randomBytes } from "node:crypto";

const randomText = () => randomBytes(32).toString("base64url");

function signingKeyPem(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

const dataKeys = () => JSON.stringify([{ id: "first", key: randomBytes(32).toString("base64") }]);

/** Key of a Secret → what a cluster of one's own gets for it where it has none. */
export const secretValues: Readonly<Record<string, () => string>> = {
  "mongodb-uri": () => "mongodb://mongodb-0.mongodb.aiplatform:27017/?replicaSet=rs0",
  "context-signing-key": signingKeyPem,
  "api-key-hash-secret": randomText,
  "delegation-secret": randomText,
  "operator-key": randomText,
  "secrets-keys": dataKeys,
};

/** Keys that have one value in whichever Secret they stand. */
export const sharedKeys: ReadonlySet<string> = new Set(["delegation-secret"]);

import { randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { authorizationText, type NatsUser, natsUsers } from "@aiplatform/event-stream/nats-permissions";
import { newNkey, publicNkey } from "@aiplatform/event-stream/nkey";
import type { InfraLogins } from "../infra/servers/logins.ts";
import { keep } from "./secrets.ts";

/** Services with a database of their name, each with a user of that name who reaches no other. */
const databases = ["identity", "training", "content", "deployments", "data"] as const;
const administrator = "admin";

/** How this installation's processes sign in at the servers that are started here. */
export interface StoreLogins {
  /** What the servers are told. */
  servers: InfraLogins;
  /** File with the seed of a user's NKey. */
  nkeyFile: (user: string) => string;
  /** File with the password of a service's user in MongoDB. */
  passwordFile: (service: string) => string;
  /** The address with the login of MongoDB's administrator, who may do everything. */
  asAdministrator: (mongodbUri: string) => string;
}

/** Makes the logins of an installation in `directory`, or finds them there. */
export async function keepStoreLogins(directory: string): Promise<StoreLogins> {
  const nats = join(directory, "nats");
  const mongodb = join(directory, "mongodb");
  await mkdir(nats, { recursive: true, mode: 0o700 });
  await mkdir(mongodb, { recursive: true, mode: 0o700 });
  const nkeyFile = (user: string) => join(nats, `${user}.nk`);
  const passwordFile = (user: string) => join(mongodb, user);
  const keys = new Map<NatsUser, string>();
  for (const user of natsUsers) {
    const seed = await readFile(await keep(nkeyFile(user), () => newNkey().seed), "utf8");
    keys.set(user, publicNkey(seed));
  }
  const password = async (user: string) =>
    readFile(await keep(passwordFile(user), () => randomBytes(32).toString("base64url")), "utf8");
  const services = databases.map(async (db) => ({
    name: db,
    password: await password(db),
    roles: [{ role: "readWrite", db }],
  }));
  const root = await password(administrator);
  const users = [{ name: administrator, password: root, roles: [{ role: "root", db: "admin" }] }];
  // MongoDB takes no other characters than those of base64 in it.
  const keyFile = await keep(join(mongodb, "replica-set-key"), () => randomBytes(96).toString("base64"));
  return {
    servers: {
      mongodb: { keyFile, users: [...users, ...(await Promise.all(services))] },
      nats: authorizationText((user) => keys.get(user) ?? ""),
    },
    nkeyFile,
    passwordFile,
    asAdministrator: (uri) => uri.replace("mongodb://", `mongodb://${administrator}:${root}@`),
  };
}

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Db, MongoClient, type MongoClientOptions } from "mongodb";
import type { MongodbLogins, MongodbUser } from "./logins.ts";

/**
 * A client of one server, whatever its state. With logins it signs in as a member of the replica set does: that needs no
 * user, so it works on data that never had one, and where passwords were lost.
 */
export async function memberClient(
  port: number,
  logins: MongodbLogins | undefined,
  options: MongoClientOptions,
): Promise<MongoClient> {
  return new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    ...options,
    ...(logins && {
      auth: { username: "__system", password: (await readFile(logins.keyFile, "utf8")).trim() },
      authSource: "local",
      authMechanism: "SCRAM-SHA-256" as const,
    }),
  });
}

/** Makes the users that are missing, and changes those whose password or roles are others now. */
export async function ensureUsers(admin: Db, users: readonly MongodbUser[]): Promise<void> {
  const asked = users.map(({ name }) => ({ user: name, db: "admin" }));
  const { users: found }: { users?: { user: string; customData?: { login?: string } }[] } = await admin.command({
    usersInfo: asked,
  });
  const present = new Map(found?.map(({ user, customData }) => [user, customData?.login]));
  const others = users.filter((user) => present.get(user.name) !== fingerprint(user));
  await Promise.all(
    others.map((user) =>
      admin.command({
        [present.has(user.name) ? "updateUser" : "createUser"]: user.name,
        pwd: user.password,
        roles: user.roles,
        mechanisms: ["SCRAM-SHA-256"],
        customData: { login: fingerprint(user) },
        writeConcern: { w: "majority" },
      }),
    ),
  );
}

/** Tells one login from another, and gives nothing of a random password away. */
function fingerprint({ password, roles }: MongodbUser): string {
  return createHash("sha256").update(JSON.stringify({ password, roles })).digest("base64url");
}

import { type Document, MongoClient, type MongoClientOptions, MongoServerError } from "mongodb";
import { type Finding, failed, reasonOf } from "../finding.ts";

/** How a service reaches its data. */
export interface MongodbAddress {
  MONGODB_URI: string;
  /** Of the user that is called like the database; unset: the login in the address, or none. */
  MONGODB_PASSWORD?: string | undefined;
  MONGODB_DATABASE: string;
}

/** How long a server is waited for, ms. */
const selectionTimeoutMs = 8_000;
/** The server refuses a login with one of these. */
const loginRefused: ReadonlySet<unknown> = new Set([13, 18]);

/** A connection to a primary, which the caller closes, or why there is none. */
export async function reach(
  { MONGODB_URI: uri, MONGODB_PASSWORD: password, MONGODB_DATABASE: username }: MongodbAddress,
  signal: AbortSignal,
): Promise<{ client: MongoClient; hello: Document } | Finding> {
  const options: MongoClientOptions = {
    ...(password !== undefined && { auth: { username, password }, authSource: "admin" }),
    appName: "doctor",
    serverSelectionTimeoutMS: selectionTimeoutMs,
    connectTimeoutMS: selectionTimeoutMs,
  };
  let client: MongoClient;
  try {
    client = new MongoClient(uri, options);
  } catch {
    // Without its text, which may repeat the password.
    return failed(
      "MONGODB_URI is no address of MongoDB",
      "write it as mongodb://user:password@host:port/?replicaSet=name",
    );
  }
  signal.addEventListener("abort", () => void client.close().catch(() => {}), { once: true });
  try {
    const admin = client.db("admin");
    const hello = await admin.command({ hello: 1 });
    await admin.command({ ping: 1 });
    if (hello["setName"]) return { client, hello };
    await client.close();
    return withoutSet(hello);
  } catch (error) {
    await client.close().catch(() => {});
    if (error instanceof MongoServerError && loginRefused.has(error.code))
      return failed(
        "MongoDB refuses the login",
        `MONGODB_PASSWORD_FILE has the password of the user ${username}; or MONGODB_URI has a login, with ?authSource= if need be`,
      );
    return whyAway(uri, options, error);
  }
}

function withoutSet({ isreplicaset }: Document): Finding {
  return isreplicaset
    ? failed("the replica set was never initiated", "initiate it once: mongosh --eval 'rs.initiate()'")
    : failed("the server is no member of a replica set", "start mongod with --replSet, and initiate it: rs.initiate()");
}

/** There is no primary: asks each of the servers by itself what it is. */
async function whyAway(uri: string, options: MongoClientOptions, why: unknown): Promise<Finding> {
  const { hosts } = new MongoClient(uri, options).options;
  const said = await Promise.all(hosts.map(async (host) => helloOf(String(host)).catch(() => undefined)));
  const answering = said.filter((hello) => hello !== undefined);
  const names = hosts.map(String).join(", ");
  const bare = answering.find((hello) => !hello["setName"]);
  if (bare) return withoutSet(bare);
  if (answering.length > 0) {
    const sets = [...new Set(answering.map((hello) => hello["setName"]))].join(", ");
    return failed(
      `no primary of the set that MONGODB_URI names answers at ${names}, which belong to ${sets}`,
      "MONGODB_URI's replicaSet= is the set's name; a set without a majority has no primary: start its members",
    );
  }
  return failed(`no answer from ${names}: ${reasonOf(why)}`, "start MongoDB, or correct the hosts in MONGODB_URI");
}

async function helloOf(host: string): Promise<Document> {
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`, { serverSelectionTimeoutMS: 1_500 });
  try {
    return await client.db("admin").command({ hello: 1 });
  } finally {
    await client.close();
  }
}

import type { Migration } from "@aiplatform/document-store";
import type { Document, MongoClient } from "mongodb";
import type { Check } from "../check.ts";
import { either, type Finding, failed, fine, warning } from "../finding.ts";
import { remedy as clockRemedy, skew } from "./clock.ts";
import { type MongodbAddress, reach } from "./mongodb-reach.ts";
import { schema } from "./schema.ts";

const minVersion = 6;
/** Hours of writes that the oplog should hold: what a member may be away. */
const minOplogHours = 24;
/** How long a killed transaction may hold others up, s. */
const maxTransactionSeconds = 60;
/** What a service does in its own database. */
const neededActions = ["find", "insert", "update", "remove", "createIndex", "createCollection"];

/** The replica set, what the service may do in its own database and how far its documents are migrated, and the primary's clock. */
export function mongodb(config: MongodbAddress, migrations: readonly Migration[] = []): Check[] {
  const remedy = "MONGODB_URI names the replica set: mongodb://user:password@host:port,host:port/?replicaSet=name";
  return [
    { name: "mongodb", remedy, run: (signal) => look(config, migrations, signal) },
    { name: "clock", remedy: clockRemedy, run: (signal) => lookAtClock(config, signal) },
  ];
}

/** Finds nothing where MongoDB cannot be asked: that is another check's finding. */
async function lookAtClock(config: MongodbAddress, signal: AbortSignal): Promise<Finding[]> {
  const reached = await reach(config, signal);
  if (!("client" in reached)) return [];
  try {
    const asked = Date.now();
    const { localTime } = await reached.client.db("admin").command({ hello: 1 });
    return [skew("MongoDB", Number(localTime), { asked, answered: Date.now(), resolutionMs: 1 })];
  } finally {
    await reached.client.close();
  }
}

async function look(config: MongodbAddress, migrations: readonly Migration[], signal: AbortSignal): Promise<Finding[]> {
  const reached = await reach(config, signal);
  if (!("client" in reached)) return [reached];
  const { client, hello } = reached;
  try {
    const admin = client.db("admin");
    const asked = (command: Document) => admin.command(command).catch(() => undefined);
    const [build, status, parameters, oplogHours, allowed] = await Promise.all([
      admin.command({ buildInfo: 1 }),
      asked({ replSetGetStatus: 1 }),
      asked({ getParameter: 1, transactionLifetimeLimitSeconds: 1, featureCompatibilityVersion: 1 }),
      oplogWindow(client).catch(() => undefined),
      rights(client, config.MONGODB_DATABASE),
    ]);
    const server = [versions(build, parameters), members(hello, status), oplog(oplogHours), transactions(parameters)];
    return [...server, allowed, await schema(client.db(config.MONGODB_DATABASE), migrations)];
  } finally {
    await client.close();
  }
}

function versions({ version }: Document, parameters: Document | undefined): Finding {
  const compatible: unknown = parameters?.["featureCompatibilityVersion"]?.version;
  const remedy = `the platform needs MongoDB ${minVersion}.0 or newer, and featureCompatibilityVersion alike`;
  const old = [version, compatible].filter(
    (each) => each !== undefined && Number.parseInt(String(each), 10) < minVersion,
  );
  const says = `version ${version}${compatible === undefined ? "" : `, compatible with ${compatible}`}`;
  return either(old.length === 0, says, failed(says, remedy));
}

function members(hello: Document, status: Document | undefined): Finding {
  const name = `replica set ${hello["setName"]}`;
  if (!status) return fine(`${name}, primary ${hello["primary"]} (its members may not be looked at with this login)`);
  const all: Document[] = status["members"] ?? [];
  const healthy = all.filter(({ health }) => health === 1).length;
  const says = `${name}, primary ${hello["primary"]}, ${healthy} of ${all.length} members healthy`;
  const majority = Number(status["writeMajorityCount"] ?? Math.floor(all.length / 2) + 1);
  if (healthy < majority)
    return failed(says, `writes need ${majority} members: start the others (rs.status() names them)`);
  return either(healthy === all.length, says, warning(says, "start the members that are away: rs.status() names them"));
}

async function oplogWindow(client: MongoClient): Promise<number | undefined> {
  const entries = client.db("local").collection("oplog.rs");
  const [first, last] = await Promise.all(
    [1, -1].map((order) => entries.findOne({}, { sort: { $natural: order === 1 ? 1 : -1 }, projection: { wall: 1 } })),
  );
  const hours = (Number(last?.["wall"]) - Number(first?.["wall"])) / 3_600_000;
  const stats = await client.db("local").command({ collStats: "oplog.rs" });
  // An oplog that is not full yet will hold more than it does.
  return stats["size"] < 0.9 * stats["maxSize"] ? Number.POSITIVE_INFINITY : hours;
}

function oplog(hours: number | undefined): Finding {
  if (hours === undefined) return fine("the oplog may not be looked at with this login");
  if (hours === Number.POSITIVE_INFINITY) return fine("the oplog has never been full");
  const says = `the oplog holds ${hours.toFixed(1)} hours`;
  const remedy = `give it ${minOplogHours} hours, or a member that was away has to copy everything: replSetResizeOplog`;
  return either(hours >= minOplogHours, says, warning(says, remedy));
}

function transactions(parameters: Document | undefined): Finding {
  const seconds: unknown = parameters?.["transactionLifetimeLimitSeconds"];
  if (typeof seconds !== "number") return fine("transactionLifetimeLimitSeconds may not be looked at with this login");
  const says = `transactions last ${seconds} s at most`;
  const remedy = "no transaction of ours lasts a second: set transactionLifetimeLimitSeconds to 60 or less";
  return either(seconds <= maxTransactionSeconds, says, warning(says, remedy));
}

async function rights(client: MongoClient, database: string): Promise<Finding> {
  const { authInfo } = await client.db(database).command({ connectionStatus: 1, showPrivileges: true });
  if (authInfo.authenticatedUsers.length === 0) {
    const isLocal = client.options.hosts.every(({ host = "" }) => /^(127\.|localhost$|::1$)/.test(host));
    const open = warning(
      `${database} can be written without a login`,
      "turn MongoDB's access control on, and set MONGODB_PASSWORD_FILE",
    );
    return either(isLocal, `may write to ${database}; on this machine no login is asked for`, open);
  }
  const privileges: Document[] = authInfo.authenticatedUserPrivileges;
  const allowed = new Set(
    privileges.filter(({ resource }) => covers(resource, database)).flatMap(({ actions }) => actions),
  );
  const missing = neededActions.filter((action) => !allowed.has(action) && !allowed.has("anyAction"));
  const remedy = `give the service's user the role readWrite on ${database}`;
  return either(
    missing.length === 0,
    `may write to ${database}`,
    failed(`may not ${missing.join(", ")} in ${database}`, remedy),
  );
}

/** Whether a privilege holds in all of a database. */
function covers({ db, collection, anyResource }: Document, database: string): boolean {
  return anyResource === true || ((db === database || db === "") && collection === "");
}

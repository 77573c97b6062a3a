import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Document, MongoClient } from "mongodb";
import { listens } from "../ports/listens.ts";
import { until } from "../wait.ts";
import type { MongodbLogins } from "./logins.ts";
import { type ServerProcess, superviseServer } from "./server-process.ts";

const replicaSet = "rs0";
/** How long one look waits for a primary. */
const lookMs = 2_000;
/** Writes that are to be in the journal put it there at once; an idle mongod that looks for others as often as its own default takes CPU. */
const defaultJournalMs = 500;

/** Where mongod keeps its things. */
export interface MongodOptions {
  binary: string;
  directory: string;
  port: number;
  /** Default: it asks for none. Data that was written without logins gets them. */
  logins?: MongodbLogins | undefined;
  /** How often it looks for writes that no caller waits for, ms, and then puts them into its journal. Default 500. */
  journalMs?: number | undefined;
  /** Hears in one line each that it ended, or is running again. */
  log: (line: string) => void;
}

/**
 * A mongod as a replica set of one on 127.0.0.1, which is ready when it is primary. Data in `directory` is used again.
 * The cache is 0.5 GiB, for machines that run everything at once.
 */
export async function prepareMongod(options: MongodOptions): Promise<ServerProcess> {
  const { binary, directory, port, logins, journalMs = defaultJournalMs, log } = options;
  const dbpath = join(directory, "data");
  await mkdir(dbpath, { recursive: true });
  const args = ["--replSet", replicaSet, "--bind_ip", "127.0.0.1", "--port", String(port), "--dbpath", dbpath];
  args.push("--wiredTigerCacheSizeGB", "0.5", "--oplogSize", "512", "--nounixsocket");
  args.push("--setParameter", "diagnosticDataCollectionEnabled=false");
  args.push("--journalCommitInterval", String(journalMs));
  // What a killed process left open holds others up for so long; no transaction of ours lasts a second.
  args.push("--setParameter", "transactionLifetimeLimitSeconds=10");
  args.push(...loginArguments(logins?.keyFile));
  const logFile = join(directory, "mongod.log");
  const ready = () => isPrimary(port, logins);
  return {
    uri: `mongodb://127.0.0.1:${port}/?replicaSet=${replicaSet}`,
    process: superviseServer({ name: "mongod", command: binary, args, logFile, ready, log }),
  };
}

/** What makes mongod ask for logins, from its first moment on. */
export function loginArguments(keyFile: string | undefined): string[] {
  return keyFile === undefined ? [] : ["--keyFile", keyFile, "--setParameter", "enableLocalhostAuthBypass=false"];
}

/** Helps it to become primary, too, where it has no configuration yet, and makes the users that it lacks. */
export async function isPrimary(port: number, logins: MongodbLogins | undefined): Promise<boolean> {
  // The driver takes as long to load as mongod to open its files: it is loaded meanwhile.
  const { ensureUsers, memberClient } = await import("./mongod-users.ts");
  // The driver looks again only every half second, so it is asked once there is something to find.
  if (!(await listens(port))) return false;
  const client = await memberClient(port, logins, { serverSelectionTimeoutMS: lookMs });
  const otherwise = () => new Error("no primary yet");
  try {
    await until(() => primaryOrNext(client, port), { withinMs: lookMs, otherwise });
    if (logins) await ensureUsers(client.db("admin"), logins.users);
    return true;
  } finally {
    await client.close();
  }
}

/** Does the next thing that is missing; answers true once there is a primary. */
async function primaryOrNext(client: MongoClient, port: number): Promise<true | undefined> {
  const admin = client.db("admin");
  const hello = await admin.command({ hello: 1 }).catch(() => undefined);
  if (hello?.isWritablePrimary) return true;
  if (!hello?.isreplicaset) return undefined;
  // Without a usable configuration: none was ever given, or the one stored names another port.
  const next = await nextConfiguration(admin.command({ replSetGetConfig: 1 }), { _id: 0, host: `127.0.0.1:${port}` });
  if (next) await admin.command(next).catch(() => undefined);
  return undefined;
}

/** First start: initiate. Another port than last time: the stored configuration names the old one, so replace it. */
async function nextConfiguration(answer: Promise<Document>, member: Document): Promise<Document | undefined> {
  try {
    const { config } = await answer;
    if (config.members[0]?.host === member.host) return undefined;
    return {
      replSetReconfig: { ...config, version: config.version + 1, members: [{ ...config.members[0], ...member }] },
      force: true,
    };
  } catch {
    return { replSetInitiate: { _id: replicaSet, members: [member] } };
  }
}

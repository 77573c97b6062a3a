import type { ChildProcess } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { type Document, MongoClient } from "mongodb";
import { isRunning, lastLines, spawnGuarded, stopProcess } from "../guarded-process.ts";
import { until } from "../until.ts";
import { PartError } from "./part-error.ts";

const replicaSet = "rs0";
const startTimeoutMs = 60_000;

/** A running mongod. */
export interface StartedPart {
  uri: string;
  process: ChildProcess;
}

/** Where mongod keeps its things. */
export interface MongodOptions {
  binary: string;
  directory: string;
  port: number;
}

/**
 * Starts mongod as a replica set of one on 127.0.0.1 and waits until it is primary. Data in `directory` is used again.
 * The cache is 0.5 GiB, for machines that run everything at once.
 */
export async function startMongod({ binary, directory, port }: MongodOptions): Promise<StartedPart> {
  const dbpath = join(directory, "data");
  await mkdir(dbpath, { recursive: true });
  const logFile = join(directory, "mongod.log");
  const args = ["--replSet", replicaSet, "--bind_ip", "127.0.0.1", "--port", String(port), "--dbpath", dbpath];
  args.push("--wiredTigerCacheSizeGB", "0.5", "--oplogSize", "512", "--nounixsocket");
  args.push("--setParameter", "diagnosticDataCollectionEnabled=false");
  // What a killed process left open holds others up for so long; no transaction of ours lasts a second.
  args.push("--setParameter", "transactionLifetimeLimitSeconds=10");
  const process = spawnGuarded({ command: binary, args, logFile });
  try {
    await becomePrimary(port, process, logFile);
  } catch (error) {
    await stopProcess(process);
    throw error;
  }
  return { uri: `mongodb://127.0.0.1:${port}/?replicaSet=${replicaSet}`, process };
}

async function becomePrimary(port: number, process: ChildProcess, logFile: string): Promise<void> {
  const patience = {
    withinMs: startTimeoutMs,
    otherwise: () => new PartError("mongodb", `mongod did not become primary within a minute; its log is ${logFile}.`),
  };
  const whileRunning = async <T>(look: () => Promise<T | undefined>) => {
    if (!isRunning(process)) throw new PartError("mongodb", `mongod ended while starting: ${reasonIn(logFile)}`);
    return look();
  };
  // The driver looks again only every half second, so it is asked once there is something to find.
  await until(() => whileRunning(() => listens(port)), patience);
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 5_000,
  });
  try {
    await until(() => whileRunning(() => primaryOrNext(client, port)), patience);
  } finally {
    await client.close();
  }
}

function listens(port: number): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port }, () => socket.destroy());
    socket.on("error", () => resolve(undefined)).on("close", (failed) => resolve(failed ? undefined : true));
  });
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

/** mongod logs JSON; the last fatal or error line is why it ended. */
function reasonIn(logFile: string): string {
  const lines = lastLines(logFile, 200);
  const said = lines.flatMap((line) => {
    try {
      const { s, msg, attr } = JSON.parse(line);
      return s === "E" || s === "F" ? [`${msg} ${attr?.error ? JSON.stringify(attr.error) : ""}`.trim()] : [];
    } catch {
      return [line];
    }
  });
  return `${said[0] ?? "no reason given"} (log: ${logFile}).`;
}

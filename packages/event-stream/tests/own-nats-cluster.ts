import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBinary, freePorts, natsServerBinary } from "@aiplatform/local-platform";

/** Three nats-servers that are one cluster with JetStream. */
export interface NatsCluster extends AsyncDisposable {
  /** Addresses of all of them, separated by commas. */
  servers: string;
  /** Kills one, by its index. */
  kill(index: number): Promise<void>;
}

function configuration(index: number, { clients, routes, directory }: Places): string {
  return `server_name: "nats-${index}"
listen: "127.0.0.1:${clients[index]}"
jetstream { store_dir: ${JSON.stringify(join(directory, String(index)))}, max_file_store: 2GB }
cluster {
  name: "tests"
  listen: "127.0.0.1:${routes[index]}"
  routes: [${routes.map((port) => `"nats://127.0.0.1:${port}"`).join(", ")}]
}
`;
}

interface Places {
  clients: readonly number[];
  routes: readonly number[];
  directory: string;
}

/** Starts them; they find each other by themselves. */
export async function startNatsCluster(): Promise<NatsCluster> {
  const found = await findBinary(natsServerBinary);
  if (found.path === undefined) throw new Error(`no nats-server: ${found.obstacles.join("; ")}`);
  const ports = await freePorts([0, 0, 0, 0, 0, 0]);
  const directory = await mkdtemp(join(tmpdir(), "nats-cluster-"));
  const places = { clients: ports.slice(0, 3), routes: ports.slice(3), directory };
  const children: ChildProcess[] = [];
  for (const index of [0, 1, 2]) {
    const file = join(directory, `${index}.conf`);
    await writeFile(file, configuration(index, places));
    children.push(spawn(found.path, ["--config", file], { stdio: "ignore" }));
  }
  const kill = async (index: number) => {
    const child = children[index];
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  return {
    servers: places.clients.map((port) => `nats://127.0.0.1:${port}`).join(","),
    kill,
    async [Symbol.asyncDispose]() {
      await Promise.all([0, 1, 2].map(kill));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

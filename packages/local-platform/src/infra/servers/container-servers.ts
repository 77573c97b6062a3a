import { readFile } from "node:fs/promises";
import { GenericContainer, type StartedTestContainer, Wait } from "testcontainers";
import { until } from "../wait.ts";
import type { MongodbLogins } from "./logins.ts";
import { isPrimary, loginArguments } from "./mongod.ts";

const mongodbImage = "mongo:7.0";
const natsImage = "nats:2.12";
const primaryWithinMs = 60_000;

/** A server that runs in a container. Its data goes with it. */
export interface ContainerServer {
  uri: string;
  container: StartedTestContainer;
}

/** Starts mongod in a container as a replica set of one, on the same port inside and outside. */
export async function startMongodbContainer(port: number, logins?: MongodbLogins): Promise<ContainerServer> {
  const given = "/tmp/replica-set-key";
  const keyFile = logins && "/data/replica-set-key";
  const args = ["--replSet", "rs0", "--bind_ip_all", "--port", String(port), ...loginArguments(keyFile)];
  // The server reads its key only from a file of its own.
  const script = `install --owner mongodb --mode 400 ${given} ${keyFile} && exec docker-entrypoint.sh mongod "$@"`;
  const container = await new GenericContainer(mongodbImage)
    // The member's address has to be true on both sides of the container's wall.
    .withCommand(logins ? ["bash", "-c", script, "mongod", ...args] : args)
    .withCopyContentToContainer(logins ? [{ content: await readFile(logins.keyFile), target: given }] : [])
    .withExposedPorts({ container: port, host: port })
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  const otherwise = () => new Error("mongod in its container did not become primary");
  const primary = async () => (await isPrimary(port, logins).catch(() => false)) || undefined;
  await until(primary, { withinMs: primaryWithinMs, everyMs: 250, otherwise });
  return { uri: `mongodb://127.0.0.1:${port}/?replicaSet=rs0`, container };
}

export async function startNatsContainer(port: number, logins = ""): Promise<ContainerServer> {
  const target = "/etc/nats/platform.conf";
  const content = `listen: "0.0.0.0:${port}"\nmax_payload: 8MB\njetstream {}\n${logins}`;
  const container = await new GenericContainer(natsImage)
    .withCommand(["--config", target])
    .withCopyContentToContainer([{ content, target }])
    .withExposedPorts({ container: port, host: port })
    // The image has no shell to look at ports with.
    .withWaitStrategy(Wait.forLogMessage("Server is ready"))
    .start();
  return { uri: `nats://127.0.0.1:${port}`, container };
}

import { MongoClient } from "mongodb";
import { GenericContainer, type StartedTestContainer, Wait } from "testcontainers";

const mongodbImage = "mongo:7.0";
const natsImage = "nats:2.12";

/** A server that runs in a container. Its data goes with it. */
export interface ContainerServer {
  uri: string;
  container: StartedTestContainer;
}

/** Starts mongod in a container as a replica set of one, on the same port inside and outside. */
export async function startMongodbContainer(port: number): Promise<ContainerServer> {
  const container = await new GenericContainer(mongodbImage)
    // The member's address has to be true on both sides of the container's wall.
    .withCommand(["--replSet", "rs0", "--bind_ip_all", "--port", String(port)])
    .withExposedPorts({ container: port, host: port })
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  try {
    const config = { _id: "rs0", members: [{ _id: 0, host: `127.0.0.1:${port}` }] };
    await client.db("admin").command({ replSetInitiate: config });
  } finally {
    await client.close();
  }
  return { uri: `mongodb://127.0.0.1:${port}/?replicaSet=rs0`, container };
}

/** Starts nats-server with JetStream in a container. */
export async function startNatsContainer(port: number): Promise<ContainerServer> {
  const container = await new GenericContainer(natsImage)
    .withCommand(["--jetstream", "--port", String(port)])
    .withExposedPorts({ container: port, host: port })
    // The image has no shell to look at ports with.
    .withWaitStrategy(Wait.forLogMessage("Server is ready"))
    .start();
  return { uri: `nats://127.0.0.1:${port}`, container };
}

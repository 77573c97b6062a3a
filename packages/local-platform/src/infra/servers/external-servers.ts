import { MongoClient } from "mongodb";
import { InfraError } from "./infra-error.ts";
import { natsGreeting } from "./nats-server.ts";

const answersWithinMs = 5_000;

/** Checks the server that MONGODB_URI names. @throws InfraError when it is away or not a replica set */
export async function checkExternalMongodb(uri: string): Promise<void> {
  let client: MongoClient | undefined;
  try {
    client = new MongoClient(uri, { serverSelectionTimeoutMS: answersWithinMs });
    const hello = await client.db("admin").command({ hello: 1 });
    if (hello.setName || hello.msg === "isdbgrid") return;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new InfraError(
      "mongodb",
      `MONGODB_URI does not answer (${why}): correct it, or unset it to have a mongod started here.`,
      { cause },
    );
  } finally {
    await client?.close();
  }
  throw new InfraError(
    "mongodb",
    "MONGODB_URI names a standalone mongod, which has no transactions: start it with --replSet and initiate it, or unset the variable.",
  );
}

/** Checks the server that NATS_URL names. @throws InfraError when it is away or has no JetStream */
export async function checkExternalNats(servers: string): Promise<void> {
  const greeting = await natsGreeting(servers).catch((cause: Error) => {
    throw new InfraError(
      "nats",
      `NATS_URL does not answer (${cause.message}): correct it, or unset it to have a nats-server started here.`,
      { cause },
    );
  });
  if (greeting.jetstream) return;
  throw new InfraError(
    "nats",
    "NATS_URL names a server without JetStream: start it with --jetstream, or unset the variable.",
  );
}

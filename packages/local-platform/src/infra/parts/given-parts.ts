import { MongoClient } from "mongodb";
import { natsGreeting } from "./nats-server.ts";
import { PartError } from "./part-error.ts";

const answersWithinMs = 5_000;

/** Checks the server that MONGODB_URI names. @throws PartError when it is away or not a replica set */
export async function checkGivenMongodb(uri: string): Promise<void> {
  let client: MongoClient | undefined;
  try {
    client = new MongoClient(uri, { serverSelectionTimeoutMS: answersWithinMs });
    const hello = await client.db("admin").command({ hello: 1 });
    if (hello.setName || hello.msg === "isdbgrid") return;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new PartError(
      "mongodb",
      `MONGODB_URI does not answer (${why}): correct it, or unset it to have a mongod started here.`,
      { cause },
    );
  } finally {
    await client?.close();
  }
  throw new PartError(
    "mongodb",
    "MONGODB_URI names a standalone mongod, which has no transactions: start it with --replSet and initiate it, or unset the variable.",
  );
}

/** Checks the server that NATS_URL names. @throws PartError when it is away or has no JetStream */
export async function checkGivenNats(servers: string): Promise<void> {
  const greeting = await natsGreeting(servers).catch((cause: Error) => {
    throw new PartError(
      "nats",
      `NATS_URL does not answer (${cause.message}): correct it, or unset it to have a nats-server started here.`,
      { cause },
    );
  });
  if (greeting.jetstream) return;
  throw new PartError(
    "nats",
    "NATS_URL names a server without JetStream: start it with --jetstream, or unset the variable.",
  );
}

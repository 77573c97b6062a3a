import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { MongoClient } from "mongodb";
import { nkeys } from "nats";

/** Bytes that were seen somewhere, by where. */
export interface Tap extends AsyncDisposable {
  readonly url: string;
  bytes(): Buffer;
}

/** Collects the traces that are sent to it (OTLP over HTTP). */
export async function tapTraces(): Promise<Tap> {
  const chunks: Buffer[] = [];
  const server = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => response.writeHead(200).end("{}"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    bytes: () => Buffer.concat(chunks),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Listens to every message of a NATS server, with headers, from any sender to any receiver, as its operator. */
export async function tapMessages({ natsUrl, natsNkeyFile }: LocalPlatform): Promise<Tap> {
  const operator = nkeys.fromSeed(await readFile(natsNkeyFile));
  const { hostname, port } = new URL(natsUrl);
  const chunks: Buffer[] = [];
  const socket = connect(Number(port), hostname);
  const listening = Promise.withResolvers<void>();
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    const text = chunk.toString("latin1");
    const nonce = /"nonce":"([^"]+)"/.exec(text)?.[1];
    if (nonce) {
      const sig = Buffer.from(operator.sign(Buffer.from(nonce))).toString("base64url");
      const login = { verbose: false, headers: true, nkey: operator.getPublicKey(), sig };
      socket.write(`CONNECT ${JSON.stringify(login)}\r\nSUB > 1\r\nPING\r\n`);
    }
    if (text.includes("PONG\r\n")) listening.resolve();
    if (text.endsWith("PING\r\n")) socket.write("PONG\r\n");
  });
  socket.on("error", listening.reject);
  await listening.promise;
  return {
    url: natsUrl,
    bytes: () => Buffer.concat(chunks),
    async [Symbol.asyncDispose]() {
      socket.destroy();
    },
  };
}

/** The bytes of every document of every database, the log of all that was ever written included, by collection. */
export async function readDatabases(mongodbUri: string): Promise<Map<string, Buffer>> {
  const client = await MongoClient.connect(mongodbUri);
  try {
    await allowReadingAll(client);
    const found = new Map<string, Buffer>();
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
    for (const { name } of databases) {
      for (const collection of await client
        .db(name)
        .listCollections({ type: "collection" }, { nameOnly: true })
        .toArray()) {
        const documents = client.db(name).collection<Buffer>(collection.name).find({}, { raw: true });
        found.set(`${name}.${collection.name}`, Buffer.concat(await documents.toArray()));
      }
    }
    return found;
  } finally {
    await client.close();
  }
}

/** Lets the administrator read what even that role may not: collections of the server itself. */
async function allowReadingAll(client: MongoClient): Promise<void> {
  const admin = client.db("admin");
  const user = client.options.credentials?.username;
  if (!user) throw new Error("the address of the database names no user");
  const role = "reads-all";
  const { roles } = await admin.command({ rolesInfo: role });
  if (roles.length > 0) return;
  const privileges = [{ resource: { anyResource: true }, actions: ["find"] }];
  await admin.command({ createRole: role, privileges, roles: [] });
  await admin.command({ grantRolesToUser: user, roles: [role] });
}

/**
 * A mesh as textbooks have it, which `command-cpu.ts` compares with: a gateway over node:http that reads JSON and calls a service by gRPC,
 * and a service that counts, inserts and writes an outbox record in one transaction. No credentials, no limits, no telemetry, no consumers.
 *
 *     node bench/rows/textbook-mesh.ts service MONGODB_URI DATABASE
 *     node bench/rows/textbook-mesh.ts gateway SERVICE_URL
 *
 * Each tells its port by its channel.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttp2Server, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import {
  ControlCommandService,
  CreateTrainingControlCommandRequestSchema,
  CreateTrainingControlCommandResponseSchema,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { fromJson, toJson } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { connectNodeAdapter, createGrpcTransport } from "@connectrpc/connect-node";
import { type Db, MongoClient } from "mongodb";

const callTimeoutMs = 10_000;

/** Counter, command and outbox record in one transaction. Answers the command's place in its job. */
async function store(database: Db, { job, action }: { job: string; action: number }): Promise<number> {
  return database.client.withSession((session) =>
    session.withTransaction(async () => {
      const counter = await database
        .collection<{ _id: string; sequence: number }>("counters")
        .findOneAndUpdate({ _id: job }, { $inc: { sequence: 1 } }, { upsert: true, returnDocument: "after", session });
      const sequence = counter?.sequence ?? 0;
      const command = { _id: randomUUID(), job, sequence, action, created_at: new Date() };
      await database.collection<typeof command>("commands").insertOne(command, { session });
      await database.collection<{ _id: string }>("outbox").insertOne({ _id: command._id }, { session });
      return sequence;
    }),
  );
}

async function startService(uri: string, name: string): Promise<Http2Server> {
  const client = await MongoClient.connect(uri, { writeConcern: { w: "majority", journal: true } });
  const database = client.db(name);
  return createHttp2Server(
    connectNodeAdapter({
      routes: (router) =>
        router.service(ControlCommandService, {
          async createTrainingControlCommand({ runId, jobName, action, idempotencyKey }) {
            const sequence = await store(database, { job: `${runId} ${jobName}`, action });
            return { command: { id: randomUUID(), sequence, action, idempotencyKey } };
          },
        }),
    }),
  );
}

function startGateway(baseUrl: string): Server {
  const commands = createClient(ControlCommandService, createGrpcTransport({ baseUrl }));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [, , pipelineId, , runId, , jobName] = (request.url ?? "").split("/");
    const body = JSON.parse((await buffer(request)).toString("utf8"));
    const message = fromJson(CreateTrainingControlCommandRequestSchema, { ...body, pipelineId, runId, jobName });
    const answered = await commands.createTrainingControlCommand(message, { timeoutMs: callTimeoutMs });
    const text = JSON.stringify(toJson(CreateTrainingControlCommandResponseSchema, answered));
    response.writeHead(201, { "content-type": "application/json" }).end(text);
  };
  return createHttpServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
}

const [role, address = "", database = ""] = process.argv.slice(2);
const server = role === "service" ? await startService(address, database) : startGateway(address);
server.listen(0, "127.0.0.1");
await once(server, "listening");
process.send?.((server.address() as AddressInfo).port);
process.once("disconnect", () => process.exit());

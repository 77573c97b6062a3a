import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspectEventStream } from "@aiplatform/event-stream";
import { type LocalPlatform, startInfra, startPlatform } from "@aiplatform/local-platform";
import { MongoClient } from "mongodb";
import { AuditEnvironment } from "../audit/audit-environment.ts";
import { neverOverloaded } from "../infra/own-platform.ts";
import { type Answer, type Ask, type Json, until } from "../mesh/rest.ts";
import { FaultPoints } from "./fault-points.ts";
import { startMongodbProxy } from "./mongodb-proxy.ts";
import { startNatsProxy } from "./nats-proxy.ts";
import { askPersistently } from "./persistent-client.ts";

const withStore = ["identity", "training", "content", "deployments"] as const;

/** A whole platform whose services reach MongoDB and NATS through proxies, and the points that their calls pass. */
export class FaultyPlatform implements AsyncDisposable {
  readonly points: FaultPoints;
  readonly platform: LocalPlatform;
  /** Calls RPCs, and reads the audit log. */
  readonly audit: AuditEnvironment;
  /** Past the proxies. */
  readonly mongodb: MongoClient;
  readonly #parts: AsyncDisposableStack;

  private constructor(found: {
    points: FaultPoints;
    platform: LocalPlatform;
    audit: AuditEnvironment;
    mongodb: MongoClient;
    parts: AsyncDisposableStack;
  }) {
    this.points = found.points;
    this.platform = found.platform;
    this.audit = found.audit;
    this.mongodb = found.mongodb;
    this.#parts = found.parts;
  }

  static async start(signal: AbortSignal): Promise<FaultyPlatform> {
    await using parts = new AsyncDisposableStack();
    const directory = await mkdtemp(join(tmpdir(), "fault-points-"));
    parts.defer(() => rm(directory, { recursive: true, force: true }));
    const { mongodbUri, natsUrl } = parts.use(await startInfra({ directory, env: {}, signal }));
    const points = new FaultPoints();
    const settings: Record<string, Record<string, string>> = {};
    for (const service of [...withStore, "gateway"]) {
      const nats = parts.use(await startNatsProxy(service, { port: portOf(natsUrl), points }));
      settings[service] = { NATS_URL: nats.url };
    }
    for (const service of withStore) {
      const mongodb = parts.use(await startMongodbProxy(service, { port: portOf(mongodbUri), points }));
      settings[service] = { ...settings[service], MONGODB_URI: mongodb.uri };
    }
    settings["gateway"] = { ...settings["gateway"], ...neverOverloaded };
    const env = { MONGODB_URI: mongodbUri, NATS_URL: natsUrl };
    const platform = parts.use(
      await startPlatform({ directory, trainer: false, separate: "services", settings, env, signal }),
    );
    const mongodb = new MongoClient(mongodbUri);
    parts.defer(() => mongodb.close());
    const audit = await AuditEnvironment.of(platform, directory);
    return new FaultyPlatform({ points, platform, audit, mongodb, parts: parts.move() });
  }

  /** Calls an RPC that has to succeed. */
  made(rpc: string, input: Json): Promise<Json> {
    return this.audit.made(rpc, input);
  }

  /** Reads, or makes, what has to be there in the end. */
  async asked(request: Ask): Promise<Answer> {
    const { last } = await askPersistently(this.platform, request);
    if (last.status >= 300) throw new Error(`${request.path} was answered ${last.status}: ${last.text}`);
    return last;
  }

  async read(path: string): Promise<Json> {
    return (await this.asked({ path })).body;
  }

  /** The types of the events that a request has caused, as the service's outbox has them; published or not. */
  async eventsOf(database: string, requestId: string): Promise<{ type: string; published: boolean }[]> {
    const outbox = this.mongodb.db(database).collection("outbox");
    const found = await outbox.find({ "cause.requestId": requestId }).toArray();
    return found.map(({ type, published }) => ({ type: String(type), published: published === true }));
  }

  /** What the audit log has of a request, one line for each record. */
  async recordsOf(requestId: string): Promise<string[]> {
    const records = this.mongodb.db("identity").collection("audit_records");
    const found = await records.find({ request_id: requestId }).toArray();
    return found.map(({ action, outcome, reason, rpc }) => [action, outcome, reason, rpc].filter(Boolean).join(" "));
  }

  /** How often a service has announced that of something. */
  countEvents(database: string, { type, entityId }: { type: string; entityId: string }): Promise<number> {
    return this.mongodb.db(database).collection("outbox").countDocuments({ type, entity_id: entityId });
  }

  /** Resolves when everything that was announced has been handled. */
  async settled(): Promise<void> {
    const outboxes = withStore.map((name) => this.mongodb.db(name).collection("outbox"));
    const look = async () => {
      const unpublished = await Promise.all(outboxes.map((outbox) => outbox.countDocuments({ published: false })));
      const { stream } = await inspectEventStream({
        servers: this.platform.natsUrl,
        streamName: "aiplatform",
        timeoutMs: 5_000,
      });
      const waiting = stream?.consumers.filter((each) => each.pending + each.unacknowledged > 0) ?? [];
      return { unpublished, waiting, deadLetters: stream?.deadLetters };
    };
    const isSettled = ({ unpublished, waiting }: Awaited<ReturnType<typeof look>>) =>
      unpublished.every((count) => count === 0) && waiting.length === 0;
    const { deadLetters } = await until("every event to be handled", 90, look, isSettled);
    if (deadLetters) throw new Error(`${deadLetters} events have become dead letters`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.disposeAsync();
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

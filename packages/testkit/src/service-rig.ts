import { randomUUID } from "node:crypto";
import { connectDocumentStore, type DocumentStore } from "@aiplatform/document-store";
import type { Callers, RunningService } from "@aiplatform/service-host";
import { dropDatabase } from "./drop-database.ts";
import { callers, type TestCaller, TestClient } from "./test-callers.ts";
import { environmentOf, type TestEnvironment } from "./test-environment.ts";

/** How replicas are started. */
export interface RigOptions {
  clock?: () => Date;
  /** Default 1. */
  replicas?: number;
  settings?: Record<string, string>;
}

/** Replicas of a service in this process, and the database that they share. */
export interface RigParts<H extends TestEnvironment> {
  readonly home: H;
  readonly store: DocumentStore;
  readonly services: RunningService[];
}

type Start = (
  env: Record<string, string>,
  overrides: { callers: Callers; clock?: () => Date },
) => Promise<RunningService>;

export async function startReplicas<H extends TestEnvironment>(
  home: H,
  { clock, replicas = 1, settings = {} }: RigOptions,
  start: Start,
): Promise<RigParts<H>> {
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = home;
  const store = await connectDocumentStore({ uri, database, appName: "tests" });
  const services: RunningService[] = [];
  const env = environmentOf(home, settings);
  for (let replica = 0; replica < replicas; replica++) {
    services.push(await start(env, { callers, ...(clock ? { clock } : {}) }));
  }
  return { home, store, services };
}

/** One or more replicas of a service, with a database and a stream of their own, and two organisations. */
export class ServiceRig<H extends TestEnvironment = TestEnvironment> implements AsyncDisposable {
  readonly home: H;
  readonly store: DocumentStore;
  readonly services: RunningService[];
  /** The organisation of callers that name none. */
  readonly acme: string = randomUUID();
  readonly globex: string = randomUUID();
  readonly #permissions: readonly string[];
  readonly #clients = new Map<string, TestClient>();

  /** `permissions`: those of callers that name none. */
  protected constructor({ home, store, services }: RigParts<H>, permissions: readonly string[]) {
    this.home = home;
    this.store = store;
    this.services = services;
    this.#permissions = permissions;
  }

  /** A client of an API key of acme; of another caller where something else is said. */
  as(caller: TestCaller = {}, replica = 0): TestClient {
    const address = this.services[replica]?.addresses.grpc ?? "";
    // One set of connections for each caller, however often a test asks for it.
    const key = `${address} ${JSON.stringify(caller)}`;
    const client = this.#clients.get(key) ?? this.clientAt(address, caller);
    this.#clients.set(key, client);
    return client;
  }

  /** A client of a member of acme; of another caller where something else is said. */
  member(caller: TestCaller = {}, replica = 0): TestClient {
    return this.as({ memberId: randomUUID(), ...caller }, replica);
  }

  /** A client of an API key of acme at a service of the test's own. */
  clientAt(address: string, caller: TestCaller = {}): TestClient {
    return new TestClient(address, { organisationId: this.acme, permissions: this.#permissions, ...caller });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients.values()) client[Symbol.dispose]();
    await Promise.all(this.services.map((service) => service.stop()));
    await dropDatabase(this.store);
    await this.store.close();
  }
}

import { generateKeyPairSync, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callerContextHeader, createContextSigner, createContextVerifier } from "@aiplatform/caller-identity";
import { access } from "@aiplatform/contract/aiplatform/access/v1/access";
import { BadRequestSchema, ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { services } from "@aiplatform/contract/services";
import { connectDocumentStore, type DocumentStore } from "@aiplatform/document-store";
import { createMeshTransport, type MeshTransport, type RunningService } from "@aiplatform/service-host";
import { type DescService, getOption } from "@bufbuild/protobuf";
import { type Client, type Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { readConfig, startDeploymentsService } from "../src/index.ts";

const prefix = "aiplatform.deployments.v1.";

/** Everything that deployments's own surface offers, read from the contract. */
export const everyPermission: readonly string[] = [
  ...new Set(
    services
      .filter(({ typeName }) => typeName.startsWith(prefix))
      .flatMap(({ methods }) => methods)
      .flatMap((method) => {
        const { rule, conditionalPermissions } = getOption(method, access);
        return [...(rule.case === "permission" ? [rule.value] : []), ...conditionalPermissions];
      }),
  ),
];

const keys = generateKeyPairSync("ed25519");
/** Key with which callers are signed, for an identity that is to believe them. */
export const contextSigningKey: string = keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const signer = createContextSigner({ privateKeyPem: contextSigningKey, now: () => new Date() });

/** Callers as every service verifies them, without an identity service. */
export const callers = { verifier: createContextVerifier({ jwks: async () => signer.jwks(), now: () => new Date() }) };

/** Identity's public keys, as the verifier reads them: for a service that runs as a process. */
export function verificationKeys(): string {
  return signer.jwks();
}

/** Where a service keeps its data: shared by replicas. */
export interface Home {
  MONGODB_URI: string;
  MONGODB_DATABASE: string;
  NATS_URL: string;
  NATS_STREAM: string;
  ARTIFACTS_DIRECTORY: string;
  SERVING_DIRECTORY: string;
}

/** A database and a stream of this test's own, on the parts that the whole run shares. */
export function newHome(): Home {
  const name = `t_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  return {
    MONGODB_URI: process.env["TEST_MONGODB_URI"] ?? "",
    MONGODB_DATABASE: name,
    NATS_URL: process.env["TEST_NATS_URL"] ?? "",
    NATS_STREAM: name,
    ARTIFACTS_DIRECTORY: join(tmpdir(), name, "artifacts"),
    SERVING_DIRECTORY: join(tmpdir(), name, "serving"),
  };
}

/** Settings of a service on any free ports. */
export function environmentOf(home: Home, settings: Record<string, string> = {}): Record<string, string> {
  const ports = { HOST: "127.0.0.1", GRPC_PORT: "0", HTTP_PORT: "0", ADMIN_PORT: "0" };
  return { ...ports, LOG_LEVEL: "error", SHUTDOWN_GRACE_MS: "1000", ...home, ...settings };
}

/** Who calls. */
export interface TestCaller {
  organisationId?: string;
  /** Absent: an API key that acts for itself. */
  memberId?: string;
  /** Default: all there are. */
  permissions?: readonly string[];
  credentialId?: string;
}

/** Calls services at an address as one caller. */
export class CallerHands implements Disposable {
  readonly organisationId: string;
  readonly #transport: MeshTransport;

  constructor(address: string, caller: TestCaller & { organisationId: string }) {
    this.organisationId = caller.organisationId;
    this.#transport = createMeshTransport({ addresses: address, interceptors: [showing(caller)] });
  }

  /** A client of one of the services. */
  client<S extends DescService>(service: S): Client<S> {
    return createClient(service, this.#transport);
  }

  [Symbol.dispose](): void {
    this.#transport.close();
  }
}

function showing(caller: TestCaller & { organisationId: string }): Interceptor {
  const { organisationId, memberId, permissions = everyPermission, credentialId = "test" } = caller;
  const identity = { organisationId, permissions: new Set(permissions), credentialId };
  const signed = memberId === undefined ? identity : { ...identity, memberId };
  return (next) => async (request) => {
    const { signedContext } = await signer.sign(signed);
    request.header.set(callerContextHeader, signedContext);
    return next(request);
  };
}

/** One or more replicas of deployments, in this process, with a database and a stream of their own, and two organisations. */
export class DeploymentsRig implements AsyncDisposable {
  readonly home: Home;
  readonly store: DocumentStore;
  readonly services: RunningService[] = [];
  /** The organisation of callers that name none. */
  readonly acme: string = randomUUID();
  readonly globex: string = randomUUID();
  readonly #hands = new Map<string, CallerHands>();

  private constructor(home: Home, store: DocumentStore) {
    this.home = home;
    this.store = store;
  }

  static async start(o: { clock?: () => Date; replicas?: number; settings?: Record<string, string> } = {}) {
    const home = newHome();
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = home;
    const rig = new DeploymentsRig(home, await connectDocumentStore({ uri, database, appName: "deployments tests" }));
    const config = readConfig(environmentOf(home, o.settings));
    for (let replica = 0; replica < (o.replicas ?? 1); replica++) {
      rig.services.push(await startDeploymentsService(config, { callers, ...(o.clock ? { clock: o.clock } : {}) }));
    }
    return rig;
  }

  /** The hands of an API key of acme; of another caller where something else is said. */
  as(caller: TestCaller = {}, replica = 0): CallerHands {
    const address = this.services[replica]?.addresses.grpc ?? "";
    // One set of connections for each caller, however often a test asks for it.
    const key = `${address} ${JSON.stringify(caller)}`;
    const hands = this.#hands.get(key) ?? this.handsAt(address, caller);
    this.#hands.set(key, hands);
    return hands;
  }

  /** The hands of an API key of acme at a service of the test's own. */
  handsAt(address: string, caller: TestCaller = {}): CallerHands {
    return new CallerHands(address, { ...caller, organisationId: caller.organisationId ?? this.acme });
  }

  /** The hands of a member of acme; of another caller where something else is said. */
  member(caller: TestCaller = {}, replica = 0): CallerHands {
    return this.as({ memberId: randomUUID(), ...caller }, replica);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const hands of this.#hands.values()) hands[Symbol.dispose]();
    await Promise.all(this.services.map((service) => service.stop()));
    await this.store.database.dropDatabase();
    await this.store.close();
    await rm(join(this.home.ARTIFACTS_DIRECTORY, ".."), { recursive: true, force: true });
  }
}

/** How a call failed, as a program sees it. */
export interface Failure {
  code: Code;
  reason: string | undefined;
  message: string;
  metadata: Record<string, string>;
  /** Paths of the fields that are wrong, each with its reason. */
  fields: [path: string, reason: string][];
}

/** Waits for a call to fail. Throws when it does not. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => ConnectError.from(thrown),
  );
  if (!error) throw new Error("the call succeeded");
  const [info] = error.findDetails(ErrorInfoSchema);
  const [badRequest] = error.findDetails(BadRequestSchema);
  return {
    code: error.code,
    reason: info?.reason,
    message: error.rawMessage,
    metadata: info?.metadata ?? {},
    fields: (badRequest?.fieldViolations ?? []).map(({ field, reason }) => [field, reason]),
  };
}

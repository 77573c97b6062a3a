import { generateKeyPairSync } from "node:crypto";
import { Writable } from "node:stream";
import { type Caller, type CredentialExchange, createContextSigner } from "@aiplatform/caller-identity";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type ErrorTable,
  hostSettings,
  type Platform,
  type RunningService,
  readSettings,
  startService,
} from "../../src/index.ts";
import { type EchoRecord, EchoTooLoudError, echoRecord, echoRpc } from "./echo-rpc.ts";
import { EchoService } from "./echo-service.ts";

const errors: ErrorTable = new Map([
  [EchoTooLoudError, { code: Code.FailedPrecondition, reason: "ECHO_TOO_LOUD", metadata: () => ({ hint: "whisper" }) }],
]);

export const localSettings = { HOST: "127.0.0.1", GRPC_PORT: "0", HTTP_PORT: "0", ADMIN_PORT: "0" };

export interface Log {
  readonly lines: Record<string, unknown>[];
  readonly text: () => string;
  readonly destination: Writable;
}

export function captureLog(): Log {
  const chunks: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      for (const line of String(chunk).split("\n").filter(Boolean)) lines.push(JSON.parse(line));
      done();
    },
  });
  return { lines, text: () => chunks.join(""), destination };
}

/** A real identity in front of a real service, both on loopback. */
export interface MeshRig extends AsyncDisposable {
  readonly identity: RunningService;
  readonly service: RunningService;
  readonly record: EchoRecord;
  readonly log: Log;
  readonly privateKeyPem: string;
  /** Credentials identity accepts, and what they stand for; tests change it. */
  readonly credentials: Map<string, { organisationId: string; memberId?: string; permissions: string[] }>;
  readonly exchanges: string[];
  readonly exchange: CredentialExchange;
  readonly checks: Map<string, () => Promise<void>>;
  sign(caller?: Partial<Omit<Caller, "permissions">> & { permissions?: string[] }): Promise<Headers>;
}

export async function startMeshRig(env: Record<string, string> = {}): Promise<MeshRig> {
  const privateKeyPem = generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  const signer = createContextSigner({ privateKeyPem, now: () => new Date() });
  const credentials: MeshRig["credentials"] = new Map();
  const exchanges: string[] = [];
  const identity = await startService({
    name: "identity",
    config: readSettings(hostSettings, { ...localSettings, LOG_LEVEL: "silent" }),
    services: [CredentialService],
    errors: new Map(),
    callers: {
      verifier: { verify: () => Promise.reject(new ConnectError("no caller is known here", Code.Unauthenticated)) },
    },
    start: async () => ({
      checks: {},
      close: [],
      routes: (router) =>
        router.service(CredentialService, {
          getVerificationKeys: () => ({ jwks: signer.jwks() }),
          async exchangeCredential({ bearer, apiKey }) {
            const credentialId = bearer || apiKey;
            exchanges.push(credentialId);
            const known = credentials.get(credentialId);
            if (!known) throw new ConnectError("unknown credential", Code.Unauthenticated);
            const caller = { ...known, credentialId, permissions: new Set(known.permissions) };
            const { signedContext, expiresAt } = await signer.sign(caller);
            return { signedContext, caller: { ...known, credentialId, expiresAt: timestampFromDate(expiresAt) } };
          },
        }),
    }),
  });

  const [record, log, checks] = [echoRecord(), captureLog(), new Map<string, () => Promise<void>>()];
  let platform: Platform | undefined;
  const service = await startService({
    name: "echo",
    config: readSettings(hostSettings, {
      ...localSettings,
      IDENTITY_ADDRESS: identity.addresses.grpc,
      LOG_LEVEL: "debug",
      CHECK_TIMEOUT_MS: "200",
      SHUTDOWN_GRACE_MS: "500",
      ...env,
    }),
    services: [EchoService],
    errors,
    log: log.destination,
    start: async (given) => {
      platform = given;
      return {
        routes: (router) => router.service(EchoService, echoRpc(record)),
        refusals: (refused) => void record.refusals.push(refused),
        checks: { store: () => checks.get("store")?.() ?? Promise.resolve() },
        dependencies: { stream: () => checks.get("stream")?.() ?? Promise.resolve() },
        close: [],
      };
    },
  });
  if (!platform?.exchange) throw new Error("the host gave no exchange");
  const { exchange } = platform;
  return {
    ...{ identity, service, record, log, privateKeyPem, credentials, exchanges, exchange, checks },
    async sign({ permissions = ["echo:use"], ...caller } = {}) {
      const whole = { organisationId: "o1", credentialId: "k1", ...caller, permissions: new Set(permissions) };
      return new Headers({ "x-caller-context": (await signer.sign(whole)).signedContext });
    },
    async [Symbol.asyncDispose]() {
      record.release();
      await service.stop();
      await identity.stop();
    },
  };
}

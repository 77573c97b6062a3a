import { generateKeyPairSync } from "node:crypto";
import { callerContextHeader, createContextSigner, createContextVerifier } from "@aiplatform/caller-identity";
import { access } from "@aiplatform/contract/aiplatform/access/v1/access";
import { services } from "@aiplatform/contract/services";
import { createMeshTransport, type MeshTransport } from "@aiplatform/service-host";
import { type DescService, getOption } from "@bufbuild/protobuf";
import { type Client, createClient, type Interceptor } from "@connectrpc/connect";
import { assertedAs } from "./service-keys.ts";

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

/** Every permission that RPCs of a package of the contract ask for, such as `aiplatform.content.v1`. */
export function permissionsOf(packageName: string): readonly string[] {
  const methods = services
    .filter(({ typeName }) => typeName.startsWith(`${packageName}.`))
    .flatMap((service) => service.methods);
  const permissions = methods.flatMap((method) => {
    const { rule, conditionalPermissions } = getOption(method, access);
    return [...(rule.case === "permission" ? [rule.value] : []), ...conditionalPermissions];
  });
  return [...new Set(permissions)];
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
export class TestClient implements Disposable {
  readonly organisationId: string;
  readonly transport: MeshTransport;

  constructor(address: string, caller: TestCaller & { organisationId: string; permissions: readonly string[] }) {
    this.organisationId = caller.organisationId;
    const interceptors = [signedAs(caller), assertedAs("gateway")];
    this.transport = createMeshTransport({ addresses: address, interceptors });
  }

  /** A client of one of the services. */
  client<S extends DescService>(service: S): Client<S> {
    return createClient(service, this.transport);
  }

  [Symbol.dispose](): void {
    this.transport.close();
  }
}

/** Signs each call as identity would for this caller, and the gateway would pass on. */
function signedAs(caller: TestCaller & { organisationId: string; permissions: readonly string[] }): Interceptor {
  const { organisationId, memberId, permissions, credentialId = "test" } = caller;
  const identity = { organisationId, permissions: new Set(permissions), credentialId };
  const signed = memberId === undefined ? identity : { ...identity, memberId };
  return (next) => async (request) => {
    const [, audience = ""] = request.service.typeName.split(".");
    const { signedContext } = await signer.sign(signed, { audience });
    request.header.set(callerContextHeader, signedContext);
    return next(request);
  };
}

import {
  type ContextVerifier,
  type CredentialExchange,
  createContextVerifier,
  createCredentialExchange,
} from "@aiplatform/caller-identity";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { createClient } from "@connectrpc/connect";
import { context, ROOT_CONTEXT } from "@opentelemetry/api";
import type { MeshTransport } from "./mesh/mesh-transport.ts";
import { SettingsError } from "./settings/read-settings.ts";

/** How a service finds out who calls. */
export interface Callers {
  readonly verifier: ContextVerifier;
  readonly exchange?: CredentialExchange;
}

/** Callers verified with identity's keys, credentials exchanged at identity. @throws SettingsError without an address. */
export function callersFromIdentity(o: {
  addresses: readonly string[];
  peers: (addresses: readonly string[]) => MeshTransport;
  now: () => Date;
}): Required<Callers> {
  if (o.addresses.length === 0) throw new SettingsError(["IDENTITY_ADDRESS is not set (list)"]);
  const client = createClient(CredentialService, o.peers(o.addresses));
  // Answers are shared by many calls, so none of them runs under the deadline of the call that happened to ask first.
  const detached = <T>(ask: () => Promise<T>) => context.with(ROOT_CONTEXT, ask);
  return {
    verifier: createContextVerifier({
      jwks: () => detached(async () => (await client.getVerificationKeys({}, { timeoutMs: 5_000 })).jwks),
      now: o.now,
    }),
    exchange: createCredentialExchange({
      client: { exchangeCredential: (request, options) => detached(() => client.exchangeCredential(request, options)) },
      now: o.now,
    }),
  };
}

import type { SealedSecrets } from "@aiplatform/sealed-secrets";
import type { SecretHasher } from "../credentials/secret-hasher.ts";
import type { ExternalLink } from "./external-link.ts";
import type { ProviderTokens } from "./oauth-provider.ts";

type Owner = Pick<ExternalLink, "id" | "organisationId">;

const placeOf = ({ id, organisationId }: Owner, purpose: string) => ({ organisationId, recordId: id, purpose });

/** Seals the PKCE verifier of an attempt. */
export function sealVerifier(secrets: SealedSecrets, owner: Owner, verifier: string): Promise<string> {
  return secrets.seal(Buffer.from(verifier), placeOf(owner, "verifier"));
}

/** @throws UnsealError */
export async function openVerifier(secrets: SealedSecrets, owner: Owner, sealed: string): Promise<string> {
  return Buffer.from(await secrets.open(sealed, placeOf(owner, "verifier"))).toString();
}

/** Seals what the provider gave. */
export function sealTokens(secrets: SealedSecrets, owner: Owner, tokens: ProviderTokens): Promise<string> {
  return secrets.seal(Buffer.from(JSON.stringify(tokens)), placeOf(owner, "tokens"));
}

/** @throws UnsealError */
export async function openTokens(secrets: SealedSecrets, owner: Owner, sealed: string): Promise<ProviderTokens> {
  return JSON.parse(Buffer.from(await secrets.open(sealed, placeOf(owner, "tokens"))).toString());
}

/** What is kept of a state: with a copy of the database, an attacker cannot come back in a member's place. */
export function stateHashOf(hasher: SecretHasher, state: string): string {
  return hasher.hash(`external link state ${state}`);
}

/** What is kept of a code that was exchanged. */
export function codeHashOf(hasher: SecretHasher, code: string): string {
  return hasher.hash(`external link code ${code}`);
}

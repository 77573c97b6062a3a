import type { ClientSession, IdempotencyStore, Outbox } from "@aiplatform/document-store";
import type { GuardedFetch } from "@aiplatform/guarded-fetch";
import type { SealedSecrets } from "@aiplatform/sealed-secrets";
import type { ServiceKeys } from "@aiplatform/service-keys";
import type { OrganisationPurges } from "@aiplatform/service-kit";
import type { RandomBytes } from "./api-keys/api-key.ts";
import type { Issuer } from "./credentials/issuer.ts";
import type { SecretHasher } from "./credentials/secret-hasher.ts";
import type { OAuthProvider } from "./external-links/oauth-provider.ts";
import type { IdentityQuotas } from "./organisations/identity-quotas.ts";
import type { SessionSettings } from "./sessions/session-settings.ts";
import type { SealedAttempts } from "./sign-in/sign-in-attempt.ts";
import type { SignInProvider } from "./sign-in/sign-in-provider.ts";
import type { IdentityStores } from "./stores.ts";

/** Everything that the wiring makes; each operation picks its own part. */
export interface IdentityDependencies extends IdentityStores, SessionSettings {
  outbox: Pick<Outbox, "stage">;
  /** Answers of the requests that carried an idempotency key; see `idempotent`. */
  idempotency: Pick<IdempotencyStore, "run">;
  /** Runs the work in one transaction, again from its start when the database asks for that. */
  transaction: <R>(work: (session: ClientSession) => Promise<R>) => Promise<R>;
  /** Of organisations that are deleted. */
  purges: Pick<OrganisationPurges, "begin">;
  /** Tells which services the installation has. */
  serviceKeys: Pick<ServiceKeys, "knows">;
  /** Every permission there is. */
  catalogue: ReadonlySet<string>;
  quotas: IdentityQuotas;
  hasher: SecretHasher;
  /** Under which delegations are proved. Absent: there are none. */
  delegationSecret: string | undefined;
  /** Asks others over HTTP: 10 s at most, 1 MiB at most, and in the allowed networks over plain http too. */
  outbound: GuardedFetch;
  /** What can be read again, and is kept encrypted. */
  secrets: SealedSecrets;
  /** Account platforms that members may link, by name. */
  oauthProviders: ReadonlyMap<string, OAuthProvider>;
  /** Where those send browsers back to. */
  redirectUri: string | undefined;
  /** What members open before they go there. */
  reviewUri: string | undefined;
  /** Identity providers whose tokens are believed. */
  issuers: readonly Issuer[];
  /** Identity providers that people sign in to the console with, by their ids. */
  signInProviders: ReadonlyMap<string, SignInProvider>;
  /** What browsers keep while they are at a provider. */
  sealedAttempts: SealedAttempts;
  /** Where browsers reach the console, without a slash at the end. */
  consoleUrl: string;
  clock: () => Date;
  newId: () => string;
  randomBytes: RandomBytes;
}

/** The caller of an operation that grants permissions or records who made something. */
export interface GrantingCaller {
  organisationId: string;
  /** Absent when a key acts for itself. */
  memberId?: string;
  permissions: ReadonlySet<string>;
}

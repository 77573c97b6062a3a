import { type Caller, newSignInCode } from "@aiplatform/caller-identity";
import { holderNow } from "../credentials/holder.ts";
import type { IdentityDependencies } from "../dependencies.ts";
import { assertHoldsAll, type OpenSessionDependencies } from "./open-session.ts";
import { CredentialOpensNoSessionError, openingOf, SignInCodesOffError } from "./session.ts";
import { signInCodeCreated } from "./session-events.ts";
import { signInCodeHashOf } from "./session-secrets.ts";

type Dependencies = Pick<
  IdentityDependencies,
  | "signInCodes"
  | "outbox"
  | "transaction"
  | "hasher"
  | "clock"
  | "newId"
  | "randomBytes"
  | "sessionCookie"
  | "consoleUrl"
> &
  Pick<OpenSessionDependencies, "members" | "roles" | "apiKeys">;

/** How long a code can be used, ms. */
const codeLifetimeMs = 5 * 60_000;

/** A code that opens one session for the caller. It is shown this once. */
export interface NewSignInCode {
  code: string;
  url: string;
  expiresAt: Date;
}

/** @throws SignInCodesOffError, CredentialOpensNoSessionError, CredentialRefusedError */
export async function createSignInCode(dependencies: Dependencies, caller: Caller): Promise<NewSignInCode> {
  const { signInCodes, outbox, transaction, hasher, clock, newId, randomBytes, sessionCookie, consoleUrl } =
    dependencies;
  if (!sessionCookie?.isLoopback) throw new SignInCodesOffError();
  const opening = openingOf(caller, undefined);
  // A code must not make another: it would have no end.
  if (!("holder" in opening)) throw new CredentialOpensNoSessionError();
  const { organisationId } = caller;
  const { holder } = opening;
  const { permissions } = await holderNow(dependencies, organisationId, holder);
  assertHoldsAll(caller, permissions);
  const now = clock();
  const expiresAt = new Date(now.getTime() + codeLifetimeMs);
  const code = newSignInCode(randomBytes);
  const stored = { id: newId(), organisationId, holder, expiresAt };
  await transaction(async (session) => {
    await signInCodes.insert(organisationId, stored, signInCodeHashOf(hasher, code), session);
    await outbox.stage(session, signInCodeCreated(stored, now));
  });
  return { code, url: `${consoleUrl}/sign-in#code=${code}`, expiresAt };
}

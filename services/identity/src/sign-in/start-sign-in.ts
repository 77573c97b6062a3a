import type { IdentityDependencies } from "../dependencies.ts";
import { SessionsOffError } from "../sessions/session.ts";
import { returnPath } from "./return-path.ts";
import { attemptLifetimeMs } from "./sign-in-attempt.ts";
import { SignInCookie } from "./sign-in-cookie.ts";
import { problemAddress, problemOf, redirect, type SignInPage } from "./sign-in-page.ts";
import type { SignInReport } from "./sign-in-report.ts";

export type StartSignInDependencies = Pick<
  IdentityDependencies,
  "signInProviders" | "sealedAttempts" | "consoleUrl" | "sessionCookie" | "clock" | "randomBytes"
> & { report: SignInReport };

/** With which provider, where to afterwards, and the browser's cookies. */
export interface SignInStart {
  provider: string;
  to: string;
  cookie: string;
}

/** 256 bits, of each of state, nonce and verifier. */
const secretBytes = 32;

/** Sends a browser to its identity provider. @throws SessionsOffError, ReturnPathError */
export async function startSignIn(
  dependencies: StartSignInDependencies,
  { provider: id, to: wanted, cookie }: SignInStart,
): Promise<SignInPage> {
  const { signInProviders, sealedAttempts, consoleUrl, sessionCookie, clock, randomBytes, report } = dependencies;
  if (!sessionCookie) throw new SessionsOffError();
  const to = returnPath(wanted);
  const provider = signInProviders.get(id);
  if (!provider) return redirect(problemAddress(consoleUrl, "provider_unknown", { provider: id, to }));
  const secret = () => Buffer.from(randomBytes(secretBytes)).toString("base64url");
  const secrets = { state: secret(), nonce: secret(), codeVerifier: secret() };
  const expiresAt = new Date(clock().getTime() + attemptLifetimeMs);
  try {
    const location = await provider.authorizationUrl(secrets);
    const sealed = await sealedAttempts.seal({ ...secrets, provider: id, to, expiresAt });
    return redirect(location, new SignInCookie(sessionCookie).keep(cookie, sealed));
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    report({ provider: id, outcome: problem, error });
    return redirect(problemAddress(consoleUrl, problem, { provider: id, to }));
  }
}

import type { IdentityDependencies } from "../dependencies.ts";
import { type OpenSessionDependencies, openMemberSession } from "../sessions/open-session.ts";
import { SessionsOffError } from "../sessions/session.ts";
import { type FindSignInMemberDependencies, findSignInMember } from "./find-sign-in-member.ts";
import type { SignInAttempt } from "./sign-in-attempt.ts";
import { SignInCookie, type SignInSlot } from "./sign-in-cookie.ts";
import { problemAddress, problemOf, redirect, type SignInPage, type SignInProblem } from "./sign-in-page.ts";
import type { SignInProvider } from "./sign-in-provider.ts";
import type { SignInReport } from "./sign-in-report.ts";

export type CompleteSignInDependencies = Pick<
  IdentityDependencies,
  "signInProviders" | "sealedAttempts" | "usedSignIns" | "consoleUrl" | "sessionCookie" | "hasher" | "clock"
> &
  FindSignInMemberDependencies &
  OpenSessionDependencies & { report: SignInReport };

/** What the provider put into the URL of its redirect, and what the browser says. */
export interface SignInAnswer {
  provider: string;
  code: string;
  state: string;
  iss: string;
  error: string;
  cookie: string;
  userAgent: string;
}

/** Ends a person's way to the provider and back: opens a session, or says why not. @throws SessionsOffError */
export async function completeSignIn(
  dependencies: CompleteSignInDependencies,
  answer: SignInAnswer,
): Promise<SignInPage> {
  const { sessionCookie, consoleUrl, report } = dependencies;
  if (!sessionCookie) throw new SessionsOffError();
  const cookies = new SignInCookie(sessionCookie);
  const found = await findAttempt(dependencies, cookies, answer);
  const { provider } = answer;
  const to = found?.attempt.to ?? "/";
  const fail = (problem: SignInProblem, error?: unknown) => {
    report({ provider, outcome: problem, error });
    return redirect(problemAddress(consoleUrl, problem, { provider, to }), found && cookies.remove(found.slot));
  };
  // Nothing is asked of the provider, and nothing written, for a browser that has not begun here.
  if (!found) return fail("sign_in_unknown");
  if (found.attempt.expiresAt <= dependencies.clock()) return fail("sign_in_expired");
  if (!(await takeOnce(dependencies, found.attempt))) return fail("sign_in_used");
  const asked = dependencies.signInProviders.get(provider);
  if (!asked) return fail("provider_unknown");
  try {
    const setCookie = await signIn(dependencies, { provider: asked, attempt: found.attempt, answer });
    // The sign-in's own cookie would take the place of another tab's until it ends.
    return { ...redirect(consoleUrl + to, setCookie), furtherCookies: [cookies.remove(found.slot)] };
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    return fail(problem, error);
  }
}

/** What this browser has begun with the state, at this provider. */
async function findAttempt(
  { sealedAttempts }: CompleteSignInDependencies,
  cookies: SignInCookie,
  { provider, state, cookie }: SignInAnswer,
): Promise<{ attempt: SignInAttempt; slot: SignInSlot } | undefined> {
  for (const [slot, sealed] of cookies.valuesIn(cookie)) {
    const attempt = await sealedAttempts.open(sealed);
    if (attempt?.state === state && attempt.provider === provider) return { attempt, slot };
  }
  return undefined;
}

function takeOnce(
  { usedSignIns, hasher }: CompleteSignInDependencies,
  { state, expiresAt }: SignInAttempt,
): Promise<boolean> {
  return usedSignIns.take(hasher.hash(`sign-in state ${state}`), expiresAt);
}

/** `Set-Cookie` with a new session. @throws what the provider's exchange throws; CredentialRefusedError, OrganisationSuspendedError */
async function signIn(
  dependencies: CompleteSignInDependencies,
  { provider, attempt, answer }: { provider: SignInProvider; attempt: SignInAttempt; answer: SignInAnswer },
): Promise<string | undefined> {
  const { code, iss, error, userAgent } = answer;
  const identity = await provider.exchange({ code, iss, error }, attempt);
  const member = await findSignInMember(dependencies, identity);
  const { session, token } = await openMemberSession(dependencies, member, userAgent);
  const maxAgeSeconds = Math.ceil((session.expiresAt.getTime() - session.createdAt.getTime()) / 1_000);
  return dependencies.sessionCookie?.keep(token, maxAgeSeconds);
}

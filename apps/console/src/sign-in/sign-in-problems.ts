/** What to say of a sign-in that failed: what happened, and what to do. */
export interface SignInProblemText {
  text: string;
  remedy: string;
}

const again = "Sign in again. If it fails again, tell your administrator: the log of the platform has the reason.";

/** By the name that identity puts into the address. */
export const signInProblems: Readonly<Record<string, SignInProblemText>> = {
  access_denied: {
    text: "You declined at the identity provider.",
    remedy: "Sign in again if that was a mistake.",
  },
  provider_refused: { text: "The identity provider refused the sign-in.", remedy: again },
  response_invalid: { text: "The answer of the identity provider is not valid.", remedy: again },
  code_refused: { text: "The identity provider did not accept its own code.", remedy: "Sign in again." },
  provider_timeout: { text: "The identity provider takes too long to answer.", remedy: "Try again in a moment." },
  provider_unavailable: { text: "The identity provider does not answer as it should.", remedy: again },
  provider_unknown: {
    text: "This identity provider is not set up for signing in.",
    remedy: "Choose another way to sign in.",
  },
  sign_in_unknown: {
    text: "This sign-in did not begin in this browser, or it is over.",
    remedy: "Sign in again. The browser has to accept cookies of this site.",
  },
  sign_in_expired: { text: "The sign-in took longer than 15 minutes.", remedy: "Sign in again." },
  sign_in_used: { text: "This sign-in was used before.", remedy: "Sign in again." },
  member_unknown: {
    text: "You are no member of the organisation.",
    remedy: "Ask an administrator of the organisation to invite you.",
  },
  member_inactive: {
    text: "Your membership was deactivated.",
    remedy: "Ask an administrator of the organisation to reactivate it.",
  },
  organisation_undecided: {
    text: "The identity provider names no organisation, and you are a member of none.",
    remedy: "Ask an administrator to invite you with the address that the identity provider has verified.",
  },
  organisation_suspended: {
    text: "The organisation is suspended.",
    remedy: "Ask the operator of the platform.",
  },
};

/** The texts for a problem, also for one that a later version of the platform has added. */
export function signInProblemText(problem: string): SignInProblemText {
  const known = Object.hasOwn(signInProblems, problem) ? signInProblems[problem] : undefined;
  return known ?? { text: "You could not be signed in.", remedy: again };
}

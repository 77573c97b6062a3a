import type { SecretHasher } from "../credentials/secret-hasher.ts";

/** What is kept of a session's token: with a copy of the database, an attacker cannot make the cookie. */
export function sessionHashOf(hasher: SecretHasher, token: string): string {
  return hasher.hash(`session ${token}`);
}

/** What is kept of a one-time sign-in code. */
export function signInCodeHashOf(hasher: SecretHasher, code: string): string {
  return hasher.hash(`sign-in code ${code}`);
}

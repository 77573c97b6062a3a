import type { SecretHasher } from "../credentials/secret-hasher.ts";

/** What is kept of a state: with a copy of the database, an attacker cannot come back in a member's place. */
export function stateHashOf(hasher: SecretHasher, state: string): string {
  return hasher.hash(`external link state ${state}`);
}

/** What is kept of a code that was exchanged. */
export function codeHashOf(hasher: SecretHasher, code: string): string {
  return hasher.hash(`external link code ${code}`);
}

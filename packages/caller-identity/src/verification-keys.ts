import { createLocalJWKSet, errors, type JWTVerifyGetKey } from "jose";
import { refusal } from "./refusal.ts";

/** Least time between two fetches that unknown key ids cause, so that forged contexts cannot hammer identity. */
const refetchAfterMs = 10_000;
/** Age at which keys are fetched again in the background, so that a key identity withdrew stops being trusted. */
const refreshAfterMs = 5 * 60_000;

/** Identity's public keys, cached: one fetch at a time, and the last good ones serve on while identity is away. */
export function createVerificationKeys({ jwks, now }: { jwks: () => Promise<string>; now: () => Date }): {
  find: JWTVerifyGetKey;
} {
  let current: JWTVerifyGetKey | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | undefined;

  const fetchKeys = async () => {
    askedAt = now().getTime();
    const text = await jwks();
    current = createLocalJWKSet(JSON.parse(text));
  };
  const fetchOnce = () => {
    fetching ??= fetchKeys().finally(() => {
      fetching = undefined;
    });
    return fetching;
  };
  const age = () => now().getTime() - askedAt;

  return {
    async find(header, token) {
      if (!current) await fetchOnce().catch((cause: unknown) => Promise.reject(refusal("IDENTITY_UNAVAILABLE", cause)));
      else if (age() > refreshAfterMs) fetchOnce().catch(() => {});
      const keys = current;
      if (!keys) throw refusal("IDENTITY_UNAVAILABLE");
      try {
        return await keys(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        // Only the fetch may fail silently: the keys at hand refuse a token signed with an unknown key.
        if (fetching) await fetching.catch(() => {});
        else if (age() >= refetchAfterMs) await fetchOnce().catch(() => {});
        return (current ?? keys)(header, token);
      }
    },
  };
}

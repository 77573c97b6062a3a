import { createHash, timingSafeEqual } from "node:crypto";
import { PredictionError } from "./errors.ts";

/** Holds `Authorization` to a token, in a time that tells nothing of either. */
export function createTokenCheck(token: string): (authorization: string | null | undefined) => void {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const wanted = digest(`Bearer ${token}`);
  return (authorization) => {
    const shown = digest(authorization ?? "");
    if (!timingSafeEqual(shown, wanted)) {
      throw new PredictionError("unauthenticated", "The token of this instance is needed");
    }
  };
}

import { OutboundTimeoutError } from "@aiplatform/guarded-fetch";
import { AuthorizationResponseError, ResponseBodyError } from "openid-client";

/** Why the provider, or the member there, said no. Never the provider's own words. */
export type ProviderRefusal = "access_denied" | "provider_refused" | "response_invalid" | "code_refused";

/** Why nothing came of a way to a provider and back. */
export type ProviderFailure = ProviderRefusal | "provider_timeout" | "provider_unavailable";

/** The provider, or the member there, said no. */
export class ProviderRefusedError extends Error {
  override name = "ProviderRefusedError";
  readonly failure: ProviderRefusal;
  constructor(failure: ProviderRefusal) {
    super("The provider refused");
    this.failure = failure;
  }
}

/** The provider does not answer as it should. */
export class ProviderUnavailableError extends Error {
  override name = "ProviderUnavailableError";
  constructor(cause?: unknown) {
    super("The provider does not answer as it should; try again later", { cause });
  }
}

export class ProviderTimeoutError extends Error {
  override name = "ProviderTimeoutError";
  constructor(cause?: unknown) {
    super("The provider takes too long to answer; try again later", { cause });
  }
}

/** The failure that an error tells of; undefined where it is none of a provider's. */
export function providerFailureOf(error: unknown): ProviderFailure | undefined {
  if (error instanceof ProviderRefusedError) return error.failure;
  if (error instanceof ProviderTimeoutError) return "provider_timeout";
  if (error instanceof ProviderUnavailableError) return "provider_unavailable";
  return undefined;
}

/** Turns the many ways to fail into three. @throws ProviderRefusedError, ProviderUnavailableError, ProviderTimeoutError */
export async function answering<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderRefusedError) throw error;
    if (error instanceof AuthorizationResponseError) throw new ProviderRefusedError("response_invalid");
    if (error instanceof ResponseBodyError && error.error === "invalid_grant")
      throw new ProviderRefusedError("code_refused");
    throw isTimeout(error) ? new ProviderTimeoutError(error) : new ProviderUnavailableError(error);
  }
}

function isTimeout(error: unknown): boolean {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof OutboundTimeoutError || each.name === "TimeoutError") return true;
    if ("code" in each && each.code === "OAUTH_TIMEOUT") return true;
  }
  return false;
}

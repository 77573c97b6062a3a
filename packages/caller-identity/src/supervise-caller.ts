import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { assertAllowed } from "./access-rule.ts";
import type { Caller } from "./caller.ts";
import { concerns } from "./credential-change.ts";
import type { CredentialExchange, PresentedCredential } from "./credential-exchange.ts";

/** What a new call with the same credential would be refused with; everything else is identity's trouble, not the caller's. */
const finalCodes = new Set([Code.Unauthenticated, Code.PermissionDenied]);

/** Least time between two checks of a stream while identity cannot be asked. */
const minRecheckMs = 1_000;

/**
 * A signal that aborts with `signal`, or with the refusal a new call would meet. While identity cannot be asked the
 * stream lives on: the caller could not open another one.
 */
export function superviseCaller(o: {
  exchange: CredentialExchange;
  credential: PresentedCredential;
  caller: Caller;
  method: DescMethod;
  signal: AbortSignal;
  everyMs: number;
}): AbortSignal {
  const controller = new AbortController();
  const paired = o.credential.bearer !== "" && o.credential.apiKey !== "";
  let caller = o.caller;

  const recheck = async () => {
    try {
      caller = await o.exchange.exchange(o.credential);
      assertAllowed(o.method, caller);
    } catch (error) {
      const refused = ConnectError.from(error);
      if (finalCodes.has(refused.code)) end(refused);
    }
  };
  // Never on an expired context: what the stream goes by is then at most as old as a context may become.
  const recheckLater = () => {
    const heldForMs = caller.expiresAt.getTime() - Date.now();
    return setTimeout(() => recheck().then(again), Math.max(Math.min(o.everyMs, heldForMs), minRecheckMs)).unref();
  };
  const again = () => {
    if (!controller.signal.aborted) timer = recheckLater();
  };
  let timer = recheckLater();
  const evictions = o.exchange.onEvict((change) => {
    if (concerns(change, { caller, paired })) void recheck();
  });
  const end = (reason: unknown) => {
    clearTimeout(timer);
    evictions.close();
    controller.abort(reason);
  };
  const follow = () => end(o.signal.reason);
  if (o.signal.aborted) follow();
  else o.signal.addEventListener("abort", follow, { once: true });
  return controller.signal;
}

import type { Interceptor } from "@connectrpc/connect";
import { accessRule, assertAllowed } from "./access-rule.ts";
import { callerKey } from "./caller.ts";
import { refusal } from "./refusal.ts";

/** Enforces the permission the contract declares on each RPC; stands after authentication. */
export function accessInterceptor(): Interceptor {
  return (next) => (request) => {
    if (accessRule(request.method).kind === "public") return next(request);
    const caller = request.contextValues.get(callerKey);
    if (!caller) throw refusal("CREDENTIAL_MISSING");
    assertAllowed(request.method, caller);
    return next(request);
  };
}

export { AddressGuard, assertNetwork } from "./address-guard.ts";
export { AddressRefusedError, OutboundTimeoutError, ResponseTooLargeError } from "./errors.ts";
export { createGuardedFetch, type GuardedFetch, type GuardedFetchOptions } from "./guarded-fetch.ts";
export { guardedLookup, type Permits } from "./guarded-lookup.ts";

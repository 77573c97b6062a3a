export { accessInterceptor } from "./access-interceptor.ts";
export {
  type AccessRule,
  AccessUndeclaredError,
  accessRule,
  assertAccessDeclared,
  assertAllowed,
  permissionCatalogue,
} from "./access-rule.ts";
export { authenticationInterceptor } from "./authentication-interceptor.ts";
export {
  type Caller,
  CallerUnknownError,
  callerContextHeader,
  callerKey,
  callerOf,
  credentialHeaders,
  sourceAddressHeader,
} from "./caller.ts";
export { type ContextSigner, createContextSigner, SigningKeyError, type Statement } from "./context-signer.ts";
export { type ContextVerifier, createContextVerifier } from "./context-verifier.ts";
export type { CredentialChange } from "./credential-change.ts";
export {
  type CredentialExchange,
  createCredentialExchange,
  type ExchangeGuard,
  type PresentedCredential,
  type RememberingExchange,
} from "./credential-exchange.ts";
export {
  type DelegationRef,
  delegationCredential,
  delegationCredentialId,
  isDelegated,
  looksLikeDelegation,
  verifiedDelegation,
} from "./delegation-credential.ts";
export { assertEffectsDeclared, auditedEvents, EffectUndeclaredError, hasEffect } from "./effect-record.ts";
export { endOnAbort } from "./end-on-abort.ts";
export { errorDomain, isOutOfTime, permissionMissing, type RefusalReason, refusal } from "./refusal.ts";
export type { OutsideAudience } from "./signed-context.ts";
export { superviseCaller } from "./supervise-caller.ts";

export { accessInterceptor } from "./access-interceptor.ts";
export {
  AccessUndeclaredError,
  accessRule,
  assertAccessDeclared,
  assertAllowed,
  isInternal,
  permissionCatalogue,
  servicesThatMayCall,
} from "./access-rule.ts";
export { authenticationInterceptor } from "./authentication-interceptor.ts";
export {
  type Caller,
  callerContextHeader,
  callerKey,
  callerOf,
  contextFor,
  credentialHeaders,
  type ForwardedCaller,
  sourceAddressHeader,
} from "./caller.ts";
export { type ContextSigner, createContextSigner } from "./context-signer.ts";
export { type ContextVerifier, createContextVerifier } from "./context-verifier.ts";
export type { CredentialChange } from "./credential-change.ts";
export {
  type CredentialExchange,
  type CredentialSource,
  createCredentialExchange,
  type PresentedCredential,
  type RememberingExchange,
} from "./credential-exchange.ts";
export {
  delegationCredential,
  delegationCredentialId,
  isDelegated,
  looksLikeDelegation,
  verifiedDelegation,
} from "./delegation-credential.ts";
export { assertEffectsDeclared, auditedEvents, EffectUndeclaredError } from "./effect-record.ts";
export { endOnAbort } from "./end-on-abort.ts";
export { FailedCredentialLimiter, failureWindowSeconds } from "./failed-credential-limiter.ts";
export { hubTokenOf, isOfNotebook, looksLikeNotebook, notebookCredentialId } from "./notebook-credential.ts";
export { rateLimitError } from "./rate-limit-error.ts";
export { errorDomain, isOutOfTime, isSuspension, permissionMissing, reasonOf, refusal, withReason } from "./refusal.ts";
export { ServiceAssertions, serviceAssertionHeader } from "./service-assertion.ts";
export {
  audiencesOf,
  callingServiceInterceptor,
  callingServiceKey,
  contextAudiences,
  type ServiceTrust,
} from "./service-interceptor.ts";
export { SessionCookie } from "./session-cookie.ts";
export {
  hasSessionShape,
  looksLikeSession,
  looksLikeSignInCode,
  newSessionToken,
  newSignInCode,
  sessionCredentialId,
  signInCodeCredentialId,
  signInCodeIdOf,
} from "./session-credential.ts";
export { meshAudience } from "./signed-context.ts";
export { type Count, countOf, SourceCounter, type SourceCounts } from "./source-counter.ts";
export { networkOf } from "./source-network.ts";
export { superviseCaller } from "./supervise-caller.ts";

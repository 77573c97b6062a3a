import { anotherId, askForPermission, type ErrorText, newCredential, operator, retry } from "../error-text.ts";
import { sharedTexts } from "../shared-texts.ts";

/** Reasons that any operation may have. */
export const requestCodes: Readonly<Record<string, ErrorText>> = {
  // Credentials and permissions
  credential_missing: { meaning: "No credential was sent.", remedy: "Send `Authorization: Bearer <key or token>`." },
  credential_malformed: {
    meaning: "The credential is no API key and no valid token: cut, mistyped, or not yet valid.",
    remedy: "Copy the key again, or ask your identity provider for an access token.",
  },
  credential_unknown: { meaning: "No API key, delegation or running notebook server has it.", remedy: newCredential },
  credential_expired: { meaning: "The key or token has expired.", remedy: "Make a new key, or get a new token." },
  credential_revoked: {
    meaning: "The key was revoked, the delegation has ended, or the notebook's user lost `notebooks:use`.",
    remedy: newCredential,
  },
  credentials_disagree: {
    meaning: "Token and API key belong to different organisations.",
    remedy: "Send two of one organisation, or only one.",
  },
  token_audience: {
    meaning: "The token is for another audience.",
    remedy: "Ask the identity provider for a token with the audience of the platform.",
  },
  token_issuer: {
    meaning: "The token's issuer is not trusted here.",
    remedy: "The operator adds it to `OIDC_ISSUERS`.",
  },
  token_signature: {
    meaning: "The token's signature does not verify.",
    remedy: "Get a new token. If it stays, the issuer's keys and its configured address do not fit.",
  },
  member_unknown: {
    meaning: "The token's subject is no member of its organisation.",
    remedy: "An administrator invites the member.",
  },
  member_inactive: { meaning: "The member was deactivated.", remedy: "An administrator reactivates the member." },
  organisation_undecided: {
    meaning: "The token names no organisation, and none follows from the address.",
    remedy: "Have the identity provider put the organisation into the token.",
    raised: { grpc: "Unauthenticated", by: "identity" },
  },
  organisation_suspended: {
    meaning: "The operator of the installation has suspended the organisation: none of its credentials is accepted.",
    remedy: "Ask the operator to restore it. Credentials and data are still there, unless it is being deleted.",
  },
  organisation_not_suspended: {
    meaning: "The organisation is active, and only a suspended organisation can be deleted.",
    remedy: "Suspend it with `POST /platform/organisations/{organisation_id}/suspend`, then delete it.",
  },
  organisation_deleted: {
    meaning: "The organisation is being deleted, or was. That cannot be undone.",
    remedy: "Create another organisation. Its slug is free once the deletion has ended.",
  },
  permission_missing: {
    meaning: "The credential lacks the permission that `detail` names.",
    remedy: askForPermission,
    raised: { grpc: "PermissionDenied", by: "every service" },
  },
  quota_exceeded: {
    meaning: "The organisation would have more than its quota. `detail` names the quota, its limit and what is used.",
    remedy: "Make room as `detail` says, or ask the operator for a higher quota.",
  },
  quotas_unavailable: {
    meaning: "A service that counts some of the quotas does not answer; over gRPC, the message names it.",
    remedy: retry,
  },
  context_malformed: { meaning: "The caller context between services cannot be read.", remedy: operator },
  context_signature: { meaning: "The caller context's signature does not hold.", remedy: operator },
  context_issuer: { meaning: "The caller context comes from another issuer.", remedy: operator },
  context_audience: { meaning: "The caller context is for another audience.", remedy: operator },
  service_assertion_missing: {
    meaning: "Only services of the platform may call this, and the caller has not proved to be one.",
    remedy:
      "Send a credential in place of a caller context. Between services of two versions: set `SERVICE_ASSERTIONS=accept-missing`.",
  },
  service_assertion_invalid: {
    meaning: "The calling service's assertion is not signed for this service by a key in `SERVICE_KEYS_FILE`.",
    remedy: "The operator gives all services the same `SERVICE_KEYS_FILE`.",
  },
  service_assertion_out_of_time: {
    meaning: "The calling service's assertion is out of its time: the clocks of two services differ.",
    remedy: "Send it again. The operator checks the clocks.",
  },
  service_not_allowed: {
    meaning: "The calling service may not call this RPC: the contract does not name it among `callers`.",
    remedy: "Name the service in the contract, or call the RPC with the caller's own credential.",
  },
  context_expired: {
    meaning: "The caller context expired on its way: clocks differ, or the call took too long.",
    remedy: "Send it again. The operator checks the clocks.",
  },
  context_not_yet_valid: {
    meaning: "The caller context is not valid yet: clocks differ.",
    remedy: "Send it again. The operator checks the clocks.",
  },
  foreign_origin: {
    meaning: "A page of another origin asked for the notebooks, or used a browser's session.",
    remedy: "Open the platform at its own address. A program shows an API key in place of the session.",
  },

  // Busy or away
  rate_limited: { meaning: "The rate of your organisation or address is used up.", remedy: retry },
  too_many_concurrent: {
    meaning: "Too many predictions of your organisation, or requests of your address, are under way.",
    remedy: "Wait until some have ended.",
  },
  too_many_streams: {
    meaning: "Too many streams, long polls and notebook connections of your organisation are open.",
    remedy: "End some. One stream tells what many would.",
  },
  streams_full: { meaning: "The gateway has as many streams and long polls open as it may have.", remedy: retry },
  too_many_failed_credentials: {
    meaning: "Too many bad credentials came from your address.",
    remedy: "Wait for the time in `Retry-After`, then send a valid credential.",
  },
  overloaded: { meaning: "The platform is too busy. Nothing was done.", remedy: retry },
  worker_queue_full: { meaning: "Too many computations of your organisation wait.", remedy: retry },
  shutting_down: {
    meaning: "The replica that was asked is stopping.",
    remedy: "Send it again: another replica answers.",
  },
  reconnect: {
    meaning: "The replica that streams is stopping.",
    remedy: "Open the stream again, from the last event on.",
  },
  follower_overrun: {
    meaning: "The stream's reader is too slow.",
    remedy: "Open the stream again, from the last event on.",
  },
  store_unavailable: { meaning: "The database does not answer.", remedy: retry },
  identity_unavailable: { meaning: "Identity does not answer, so the caller cannot be verified.", remedy: retry },
  issuer_unavailable: { meaning: "The token's issuer does not answer with its keys.", remedy: operator },
  unavailable: { meaning: "The service does not answer.", remedy: retry },
  deadline_exceeded: { meaning: "The answer took too long.", remedy: "Send it again if it may be repeated." },
  canceled: { meaning: "The client closed the request.", remedy: "Nothing: no client receives it." },
  internal: {
    meaning: "An unexpected failure. The cause is only in the log.",
    remedy: "Tell the operator the `X-Request-Id`.",
  },
  unimplemented: {
    meaning: "The service does not know the operation: it is older than the gateway.",
    remedy: "Wait until the upgrade has ended.",
  },

  service_not_installed: {
    meaning: "The installation has no service for this operation; `detail` names it.",
    remedy: "Do without, or ask the operator to install the service and to set its address at the gateway.",
  },

  // The request
  not_found: { meaning: "The path, or an id in it, does not exist in your organisation.", remedy: anotherId },
  method_not_allowed: { meaning: "The path has no such method.", remedy: "Use one of the methods in `Allow`." },
  invalid_argument: {
    meaning: "The request is wrong; `detail` lists what, in [two rounds](api/README.md#what-a-422-lists).",
    remedy: "See the types of 422 below.",
  },
  fields_invalid: {
    meaning: "Fields of the request are wrong; `BadRequest` lists them. Over REST this is the 422.",
    remedy: "See the types of 422 below.",
  },
  body_unreadable: { meaning: "The body is not JSON in UTF-8.", remedy: "Correct the encoding." },
  body_too_large: { meaning: "The body is larger than allowed.", remedy: "Send less, or in several requests." },
  body_timeout: { meaning: "The body did not arrive in time.", remedy: "Send it again on a faster connection." },
  request_timeout: { meaning: "Headers or request did not arrive in time.", remedy: "Send it again." },
  unsupported_media_type: {
    meaning: "`Content-Type` is missing or not JSON, under `/platform/`.",
    remedy: "Send `Content-Type: application/json`.",
  },
  unsupported_encoding: {
    meaning: "`Content-Encoding` is not supported.",
    remedy: "Use `gzip`, `br`, or none.",
  },
  malformed_request: {
    meaning: "The request is no valid or no unambiguous HTTP.",
    remedy: "Use an ordinary HTTP client; see [what is no valid request](api/http-edge.md).",
  },
  headers_too_large: { meaning: "Address and headers are too large.", remedy: "Send fewer or shorter headers." },
  expectation_failed: { meaning: "`Expect` is not `100-continue`.", remedy: "Leave the header out." },
  etag_mismatch: {
    meaning: "`If-Match` does not name the current version.",
    remedy: "Read it again, then decide again.",
  },
  precondition_required: {
    meaning: "Publishing needs `If-Match`.",
    remedy: "Read the draft, then publish it with its `ETag` as `If-Match`.",
  },
  cursor_invalid: sharedTexts.cursor_invalid,
  idempotency_key_reused: sharedTexts.idempotency_key_reused,
  request_in_flight: {
    meaning: "A request with this `Idempotency-Key` is being served.",
    remedy: "Wait a moment, then send the same request again.",
  },
  write_conflict: {
    meaning: "The record changed at the same time. Nothing was done.",
    remedy: "Send it again; for an edit, read first.",
  },
};

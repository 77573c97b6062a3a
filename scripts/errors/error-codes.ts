import { sharedTexts } from "./shared-texts.ts";

/** What a code means and what its receiver does. */
export interface ErrorText {
  readonly meaning: string;
  readonly remedy: string;
  /** The gRPC code and the raising service of a reason that is put together at run time, so that no literal in the sources shows them. */
  readonly raised?: { readonly grpc: string; readonly by: string };
}

const retry = "Wait as `Retry-After` says, then send the request again.";
const newCredential = "Send a valid credential.";
const askForPermission = "Ask an administrator for a role, or use an API key, that has the permission.";
const anotherId = "Check the id and the organisation of your credential.";
const operator = "Send it again later. Tell the operator if it stays.";
const deleteSome = "Delete what you no longer need.";

/** Every reason of a refusal, as REST writes it; over gRPC it is the same word in capitals. */
export const errorCodes: Readonly<Record<string, ErrorText>> = {
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
    meaning: "Only services of the platform may call this, and the caller proves to be none.",
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
    meaning: "A page of another origin asked for the notebooks.",
    remedy: "Open the notebooks from the platform's own address.",
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

  // Organisations, members, roles, keys
  slug_taken: { meaning: "The slug is taken.", remedy: "Use another slug." },
  slug_like_id: sharedTexts.slug_like_id,
  slug_not_confirmed: sharedTexts.slug_not_confirmed,
  member_taken: { meaning: "The address or the subject belongs to another member.", remedy: "Use that member." },
  subject_incomplete: {
    meaning: "Only one of issuer and subject was sent.",
    remedy: "Send both, or neither for an invitation.",
  },
  last_administrator: {
    meaning: "No active administrator would be left.",
    remedy: "Make another member administrator first.",
  },
  caller_is_no_member: { meaning: "An API key that acts for itself is no member.", remedy: "Use a member's token." },
  role_is_system: { meaning: "A role of the system cannot be changed.", remedy: "Create a role of your own." },
  role_in_use: { meaning: "A member holds the role.", remedy: "Take the role from its members first." },
  role_limit: { meaning: "The organisation has 1,000 roles.", remedy: deleteSome },
  api_key_expired: { meaning: "The key to rotate has expired.", remedy: "Make a new key." },
  api_key_revoked: { meaning: "The key to rotate was revoked.", remedy: "Make a new key." },
  api_key_rotated: { meaning: "The key was rotated before.", remedy: "Rotate the key that replaced it." },
  delegation_taken: { meaning: "The id belongs to another delegation.", remedy: "Use a new id." },
  delegations_off: {
    meaning: "The installation has no `DELEGATION_SECRET`, so steps cannot act and triggers cannot read for a member.",
    remedy: "The operator [sets it](operations/install.md#what-automations-need).",
  },
  caller_is_delegated: {
    meaning: "A delegated caller or a notebook cannot delegate.",
    remedy: "Publish as a member or with an API key.",
  },

  // Workspaces and assets
  asset_owned: { meaning: "A service of the platform manages the asset.", remedy: "Change it in that service." },
  asset_limit: { meaning: "The organisation has as many assets as it may have.", remedy: deleteSome },
  workspace_limit: { meaning: "The organisation has as many workspaces as it may have.", remedy: deleteSome },
  workspaces_disabled: {
    meaning: "Workspaces are not enabled.",
    remedy: "[Accept a proposal](api/workspaces.md), which may be empty.",
  },

  // Linked accounts and notebooks
  secret_name_linked: { meaning: "The name is linked.", remedy: "Add `relink=true`, or use another name." },
  link_changed: { meaning: "The link changed at the same time.", remedy: "Read it again, then decide again." },
  provider_unavailable: { meaning: "The account platform does not answer.", remedy: "Try again later." },
  provider_timeout: { meaning: "The account platform takes too long.", remedy: "Try again later." },
  notebook_hub_unavailable: { meaning: "The JupyterHub does not answer.", remedy: operator },
  notebook_hub_timeout: { meaning: "The JupyterHub takes too long.", remedy: operator },

  // Training
  lease_held: {
    meaning: "Another supervision lease is live.",
    remedy: "Wait until it ends: `GET supervisions/current` says when.",
  },
  lease_lost: { meaning: "The lease has ended, or the token is not its own.", remedy: "Acquire a new lease." },
  command_resolved: {
    meaning: "(trainer) The command was decided before.",
    remedy: "Do not act on it; undo what was done.",
  },
  command_out_of_order: {
    meaning: "(trainer) A command of lower sequence is not acknowledged.",
    remedy: "Acknowledge commands in their order.",
  },
  report_out_of_order: {
    meaning: "(trainer) A report of a higher counter was stored first, and this one was not.",
    remedy: "Send its points again with a counter above that, one report after the other.",
  },
  pipeline_active: {
    meaning:
      "Jobs of the pipeline's runs are active: a trainer has taken them, and they are not at their end. `detail` names some.",
    remedy: "Abort them, or wait for their end. A dry run of the deletion lists them.",
  },
  run_active: {
    meaning:
      "Jobs of the run are active: a trainer has taken them, and they are not at their end. `detail` names some.",
    remedy: "Abort them, or wait for their end.",
  },
  run_archived: {
    meaning: "The run is archived: no trainer takes its jobs.",
    remedy: "Restore it with `POST /platform/pipelines/{pipeline_id}/runs/{run_id}/restore`.",
  },
  pipeline_archived: {
    meaning: "The pipeline is archived: it takes no new runs, and no trainer takes a job of its runs.",
    remedy: "Restore it with `POST /platform/pipelines/{pipeline_id}/restore`.",
  },
  attachment_lost: { meaning: "(trainer) Another process is the job's trainer.", remedy: "Stop, and save nothing." },
  illegal_move: {
    meaning: "(trainer) A job cannot move between these states.",
    remedy: "Report the states in their order.",
  },

  // Data, automations, e-mails, features
  dataset_in_use: {
    meaning: "Published automations or deployments use the dataset; `detail` names them.",
    remedy: "Delete them, or publish and roll out versions without the dataset.",
  },
  deployments_unavailable: {
    meaning: "Which deployments use the dataset is not known at the moment. Nothing was changed.",
    remedy: retry,
  },
  assets_unavailable: {
    meaning: "Whether the asset exists is not known at the moment. Nothing was changed.",
    remedy: retry,
  },
  dataset_limit: { meaning: "The organisation has as many datasets as it may have.", remedy: deleteSome },
  dictionary_limit: { meaning: "The dictionary would hold too much.", remedy: "Delete or shorten entries." },
  text_of_a_person: {
    meaning: "A program would delete what a person wrote.",
    remedy: "Add `override=true` if that is intended.",
  },
  automation_limit: { meaning: "The organisation has 10,000 automations.", remedy: deleteSome },
  automation_run_limit: { meaning: "Too many automation runs are under way.", remedy: "Wait, or cancel some." },
  automation_disabled: {
    meaning: "The automation is disabled.",
    remedy: "Read `disabled_reason`, correct the cause, then enable it in its settings.",
  },
  nothing_published: { meaning: "The automation has no published version.", remedy: "Publish one." },
  draft_missing: { meaning: "The automation has no draft.", remedy: "Save a draft before publishing." },
  delegation_missing: { meaning: "The published version has no delegation.", remedy: "Publish it again." },
  features_unavailable: {
    meaning: "The version uses features that are missing or deprecated; `detail` names them.",
    remedy: "Restore them, or use others.",
  },
  email_draft_sending: { meaning: "The draft is being sent.", remedy: "Follow `progress`; call again after its end." },
  email_draft_sent: { meaning: "The draft was sent and cannot be changed.", remedy: "Make a new draft." },
  no_recipients: { meaning: "The draft has no recipients.", remedy: "Add some." },
  template_failed: {
    meaning: "A template cannot be filled in for this member.",
    remedy: "Correct the template at the place that `detail` names.",
  },
  mail_server_unavailable: { meaning: "No mail server can be reached. Nothing was sent.", remedy: operator },
  feature_limit: { meaning: "The organisation has 10,000 features.", remedy: deleteSome },
  feature_deprecated: { meaning: "The feature is deprecated.", remedy: "Use the replacement that `detail` names." },

  // Models, deployments, predictions
  model_limit: {
    meaning: "The organisation has as many models as it may have.",
    remedy: "Make versions of a model that there is.",
  },
  model_name_taken: { meaning: "A model has this name.", remedy: "Use another name, or make a version of that model." },
  model_not_ready: {
    meaning: "The model has no ready version.",
    remedy: "Wait for the training run, or make a version.",
  },
  artifact_missing: { meaning: "No artifact has this SHA-256.", remedy: "Upload it first." },
  artifact_digest: {
    meaning: "The bytes do not have the announced SHA-256.",
    remedy: "Upload again from the beginning.",
  },
  artifact_too_large: { meaning: "The artifact is larger than `MAX_ARTIFACT_BYTES`.", remedy: "Make it smaller." },
  artifacts_unavailable: { meaning: "The store of artifacts does not answer.", remedy: operator },
  length_required: {
    meaning: "The request does not say how many bytes its body has.",
    remedy: "Send `Content-Length`, or upload in [parts](api/models.md#uploading-in-parts).",
  },
  range_not_satisfiable: {
    meaning: "The range begins behind the last byte; `Content-Range` says how many bytes there are.",
    remedy: "Ask for a range within them, or without `Range`.",
  },
  upload_offset: {
    meaning: "The piece does not follow on.",
    remedy: "Ask `GetUpload` where to go on.",
  },
  upload_unfinished: {
    meaning: "The stream ended early; what arrived is kept for a day.",
    remedy: "Ask `GetUpload` where to go on.",
  },
  upload_limit: { meaning: "The organisation has 20 unfinished uploads.", remedy: "Finish some, or wait a day." },
  deployment_move: {
    meaning: "The deployment is stopped or being deleted.",
    remedy: "Start it first, or make another one.",
  },
  deployment_unavailable: { meaning: "No instance takes the prediction now.", remedy: retry },
  nothing_runs: {
    meaning: "The deployment does not serve: `detail` names its status.",
    remedy: "Start it, or wait until it is `Running`.",
  },
  nothing_serves: { meaning: "No version has served yet.", remedy: "Wait until it is `Running`." },
  nothing_to_roll_back_to: {
    meaning: "There is no version before the current one.",
    remedy: "Name one with `deployment_version_id`.",
  },
  version_serves: { meaning: "The version serves already.", remedy: "Nothing to do." },
  rollout_move: { meaning: "The rollout changed at the same time.", remedy: "Read the deployment again." },
  no_bundle: { meaning: "The deployment has no serving bundle.", remedy: "Use `POST rollouts`." },
  environment_not_higher: {
    meaning: "The environment is not higher than the deployment's.",
    remedy: "Name a higher one.",
  },
  instance_untrusted: {
    meaning: "The instance did not prove by its certificate that it is one. It has been sent nothing.",
    remedy: "Tell the operator, whose gateway logs the instance and the reason.",
  },
  prediction_broken_off: {
    meaning: "The instance ended in the middle of the prediction.",
    remedy: "Send it again if computing twice does no harm.",
  },
  prediction_timeout: {
    meaning: "The prediction took longer than `timeout_seconds`.",
    remedy: "Send less, or raise the limit.",
  },

  // What an answer says where the reason is unknown
  already_exists: { meaning: "It exists already.", remedy: "Use another name." },
  failed_precondition: { meaning: "The current state forbids it.", remedy: "Read `detail`." },
  aborted: { meaning: "Another request was faster.", remedy: "Send it again." },
  resource_exhausted: { meaning: "A limit is reached.", remedy: retry },
  permission_denied: { meaning: "The caller may not do this.", remedy: askForPermission },
  unauthenticated: { meaning: "The credential is not accepted.", remedy: newCredential },
};

import { type ErrorText, operator, retry } from "../error-text.ts";

/** Reasons of models, deployments and predictions. */
export const deploymentsCodes: Readonly<Record<string, ErrorText>> = {
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
  media_mismatch: {
    meaning: "The file of a medium is not what its trainer said.",
    remedy: "Report it again as what it is.",
  },
  artifact_removal: {
    meaning: "The artifact was unused for long and is being removed at this moment.",
    remedy: "Ask again in a moment, and upload it if it is gone.",
  },
  collection_off: {
    meaning: "The installation removes no artifacts.",
    remedy: "The operator sets `ARTIFACT_RETENTION_DAYS` and `TRAINING_ADDRESS` of deployments.",
  },
  collection_under_way: {
    meaning: "Artifacts of the organisation are being removed at this moment.",
    remedy: "Ask again in a moment.",
  },
  training_unavailable: {
    meaning:
      "Training does not answer, which knows runs, their media and the artifacts that they need. Nothing was changed.",
    remedy:
      "Wait as `Retry-After` says, then send the request again. If it stays, the operator sets `TRAINING_ADDRESS` of deployments.",
  },
  artifact_digest: {
    meaning: "The bytes do not have the announced SHA-256.",
    remedy: "Upload again from the beginning.",
  },
  artifact_too_large: { meaning: "The artifact is larger than `MAX_ARTIFACT_BYTES`.", remedy: "Make it smaller." },
  run_files_limit: {
    meaning: "The run has 10,000 files, which is the most.",
    remedy: "Pack further files into an archive.",
  },
  signed_urls_unavailable: {
    meaning: "The installation gives out no addresses of its artifact store.",
    remedy: "Download from `GET /platform/artifacts/{artifact_sha256}`.",
  },
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
};

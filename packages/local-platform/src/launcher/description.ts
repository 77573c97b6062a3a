/** What a program needs to know of a running platform: the object that `npm start -- --json` prints. */
export interface Description {
  /** URL of the REST API. */
  gateway: string;
  /** Where the e-mails can be read that the platform sends: a page; its `/mails` is JSON. */
  mail: string;
  /** gRPC addresses, host:port. */
  grpc: { identity: string; training: string; content: string; deployments: string; data: string };
  organisation_id: string;
  pipeline_id: string;
  run_id: string;
  job_name: string;
  /** A dataset with a data dictionary. */
  dataset_id: string;
  /** An automation that is published, and uses the feature. */
  automation_id: string;
  /** An e-mail draft to the organisation's administrator, not sent yet. */
  draft_id: string;
  /** A feature that is active, and in use. */
  feature_key: string;
  /** A model with a version that can be deployed: it names handwritten digits. Empty where the demo was started without. */
  model_id: string;
  /** Holds every permission of an administrator of the organisation. */
  api_key: string;
  /** Access token of the organisation's administrator, good for a day. */
  bearer: string;
  /** The same of a second organisation, which must not see the first. */
  foreign: { api_key: string; bearer: string; pipeline_id: string; run_id: string };
}

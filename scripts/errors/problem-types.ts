import type { ErrorText } from "./error-text.ts";
import { sharedTexts } from "./shared-texts.ts";

interface TypeText extends Pick<ErrorText, "meaning" | "remedy"> {
  /** The service that answers it, where no literal in the sources shows it. */
  readonly by?: string;
}

const asTyped = "Send a value of the type that the description names.";
const withinBounds = "Send a value within the bounds in `ctx` or `msg`.";
const remove = "Remove one of the two.";

/** Types of the entries of a 422 that come from the value alone, in the words of pydantic v2. */
const ofValues: Readonly<Record<string, TypeText>> = {
  missing: { meaning: "A required field is missing.", remedy: "Send it." },
  required: { meaning: "A field is needed in this case; `msg` says when.", remedy: "Send it." },
  json_invalid: { meaning: "The body is not JSON; `loc` has the position.", remedy: "Correct the JSON." },
  model_attributes_type: {
    meaning: "Not a JSON object. Often `Content-Type: application/json` is missing.",
    remedy: asTyped,
  },
  dict_type: { meaning: "Not a JSON object.", remedy: asTyped },
  list_type: { meaning: "Not an array.", remedy: asTyped },
  string_type: { meaning: "Not a string.", remedy: asTyped },
  bytes_type: { meaning: "Not base64 text.", remedy: asTyped },
  uuid_type: { meaning: "Not a UUID.", remedy: asTyped },
  uuid_parsing: { meaning: "The text is not a UUID.", remedy: "Copy the id again." },
  int_type: { meaning: "Not an integer.", remedy: asTyped },
  int_parsing: { meaning: "The text is not an integer.", remedy: asTyped },
  int_parsing_size: { meaning: "The integer is too long.", remedy: withinBounds },
  int_from_float: { meaning: "A number with a fraction, where an integer is expected.", remedy: asTyped },
  float_type: { meaning: "Not a number.", remedy: asTyped },
  float_parsing: { meaning: "The text is not a number.", remedy: asTyped },
  finite_number: { meaning: "NaN or infinity.", remedy: "Send a finite number." },
  bool_type: { meaning: "Not a boolean.", remedy: asTyped },
  bool_parsing: { meaning: "The text is not a boolean.", remedy: asTyped },
  datetime_type: { meaning: "Not a date-time.", remedy: asTyped },
  datetime_parsing: {
    meaning: "The text is not a date-time.",
    remedy: "Use RFC 3339, such as `2026-03-02T09:00:00Z`.",
  },
  datetime_from_date_parsing: {
    meaning: "The text is neither a date nor a date-time.",
    remedy: "Use RFC 3339, such as `2026-03-02T09:00:00Z`.",
  },
  timezone_aware: {
    meaning: "The date-time has no zone, which operations under `/platform/` need.",
    remedy: "Add `Z` or an offset, such as `2026-03-02T09:00:00Z`.",
  },
  extra_forbidden: {
    meaning: "There is no such field or query parameter; operations under `/platform/` refuse what they do not know.",
    remedy: "Use a name that `msg` lists, or leave it out.",
  },
  enum: { meaning: "Not one of the allowed values.", remedy: "Use one that `msg` lists." },
  literal_error: { meaning: "Not one of the allowed values.", remedy: "Use one that `msg` lists." },
  greater_than_equal: { meaning: "Too small.", remedy: withinBounds },
  greater_than: { meaning: "Too small.", remedy: withinBounds },
  less_than_equal: { meaning: "Too large.", remedy: withinBounds },
  less_than: { meaning: "Too large.", remedy: withinBounds },
  string_too_short: { meaning: "The text is too short.", remedy: withinBounds },
  string_too_long: { meaning: "The text is too long.", remedy: withinBounds },
  string_pattern_mismatch: { meaning: "The text does not match the pattern in `msg`.", remedy: "Correct the text." },
  too_short: { meaning: "Too few items.", remedy: withinBounds },
  too_long: { meaning: "Too many items.", remedy: withinBounds },
  value_error: { meaning: "Another rule is broken; `msg` says which.", remedy: "Correct the value." },
  too_many_errors: {
    meaning: "There are more problems than are listed.",
    remedy: "Correct those, then send it again.",
  },
};

/** Types that say which rule of the platform is broken. */
const ofRules: Readonly<Record<string, TypeText>> = {
  idempotency_key_reused: sharedTexts.idempotency_key_reused,
  cursor_invalid: { ...sharedTexts.cursor_invalid, by: "every service" },
  filter_invalid: {
    meaning:
      "The filter cannot be read, or compares a field in a way that this list does not offer. `msg` names the character and the rule.",
    remedy: "Correct the filter at the character: [filters](api/README.md#filters-and-order).",
    by: "every service",
  },
  order_by_invalid: {
    meaning: "The list cannot be ordered so. `msg` names the character and the rule.",
    remedy: "Order by one of the fields that `msg` names, and `asc` or `desc`.",
    by: "every service",
  },
  permission_unknown: {
    meaning: "There is no such permission.",
    remedy: "See [permissions](api/permissions.md).",
    by: "identity",
  },
  slug_like_id: sharedTexts.slug_like_id,
  slug_not_confirmed: sharedTexts.slug_not_confirmed,
  return_path_invalid: sharedTexts.return_path_invalid,
  subject_incomplete: { meaning: "Only one of issuer and subject was sent.", remedy: "Send both or neither." },
  expiry_in_past: { meaning: "`expires_at` is in the past.", remedy: "Send a time in the future." },
  expiry_out_of_range: {
    meaning: "`expires_at` is not before the year 10000.",
    remedy: "Leave it out for a key without end.",
  },
  expiry_too_late: {
    meaning: "`expires_at` is beyond the longest life that the organisation gives its keys.",
    remedy: "Send an earlier time, or leave it out: the key then ends as late as it may.",
  },
  draft_id_repeated: { meaning: "Two workspaces have one `draft_id`.", remedy: remove },
  asset_repeated: { meaning: "An asset is in one workspace twice.", remedy: remove },
  seed_asset_absent: { meaning: "The seed is not among the assets.", remedy: "Add it to the assets." },
  assets_too_many: { meaning: "The request has more than 5,000 assets.", remedy: "Send several requests." },
  json_object_expected: {
    meaning: "(gRPC) The text is no JSON object.",
    remedy: "Send the text of a JSON object.",
    by: "every service",
  },
  json_expected: { meaning: "(gRPC) The text is no JSON.", remedy: "Send JSON text.", by: "every service" },
  jupyter_permissions_invalid: {
    meaning: "`permissions` is no JSON object of lists.",
    remedy: "See [the example](api/notebook-session.md#example).",
  },
  checkpoint_id_must_be_null: {
    meaning: "The action takes no checkpoint.",
    remedy: "Leave `checkpoint_id` out.",
    by: "training",
  },
  runtime_overrides_must_be_empty: {
    meaning: "The action takes no overrides.",
    remedy: "Leave `runtime_overrides` out.",
  },
  runtime_overrides_not_an_object: { meaning: "The overrides are no JSON object.", remedy: "Send a JSON object." },
  runtime_overrides_too_long: { meaning: "The overrides are too long.", remedy: "Send less." },
  supervision_id_missing: {
    meaning: "A lease token without `supervision_id`.",
    remedy: "Send both or neither.",
    by: "training",
  },
  supervision_lease_token_missing: {
    meaning: "`supervision_id` without a lease token.",
    remedy: "Send both or neither.",
    by: "training",
  },
  unknown_event_id: { meaning: "`Last-Event-ID` is not an id of this stream.", remedy: "Open the stream without it." },
  duplicate_name: { meaning: "A name is there twice.", remedy: remove },
  parameters_too_long: { meaning: "The parameters have more than 64 KiB.", remedy: "Send less." },
  runs_too_many: { meaning: "The filter finds more than 100 runs.", remedy: "Narrow it, for example by `created_at`." },
  job_name_without_filter: {
    meaning: "`job_name` stands beside `jobs`.",
    remedy: "Name the job within `jobs`, or send `filter`.",
  },
  pause_end_twice: { meaning: "The pause has two ends.", remedy: "Send `until` or `resume_after_seconds`." },
  pause_too_long: { meaning: "`until` is more than a year away.", remedy: "Send an earlier time." },
  tags_too_many: { meaning: "The run would have more than 100 tags.", remedy: "Remove some." },
  tag_too_long: {
    meaning: "(MLflow) The tag has more characters than `msg` names.",
    remedy: "Shorten it, or store the text as a file.",
  },
  tag_required: { meaning: "(MLflow) The tag is the run's name, which every run has.", remedy: "Rename the run." },
  parameter_changed: {
    meaning: "(MLflow) The run has the parameter with another value.",
    remedy: "Log it under another name, or in a new run.",
  },
  search_unsupported: {
    meaning: "(MLflow) The filter or the order asks for what lists cannot answer; `msg` says what.",
    remedy: "Search by [what is covered](api/mlflow.md#searching).",
  },
  size_differs: {
    meaning: "(gRPC) There are more or fewer bytes than were announced.",
    remedy: "Send the file again.",
  },
  uuid_invalid: { meaning: "The text is not a UUID.", remedy: "Copy the id again." },
  unknown_checkpoint: {
    meaning: "The job has no such checkpoint.",
    remedy: "Take an id from the list of its checkpoints. A trainer records a checkpoint before it names it.",
  },
  primary_metric_missing: {
    meaning: "The job was declared without a primary metric, and the field needs one.",
    remedy: "Use `keep_newest`, or choose by `filter`.",
  },
  segment_unknown: {
    meaning: "(trainer) No such segment has begun.",
    remedy: "Acknowledge the command that opens it first.",
  },
  columns_invalid: {
    meaning: "(trainer) The columns of the batch do not fit together.",
    remedy: "Send as many values as steps.",
    by: "training",
  },
  media_invalid: {
    meaning: "(trainer) The content of a medium is not what its kind may have.",
    remedy: "Correct the field that is named.",
    by: "training",
  },
  media_names_too_many: {
    meaning: "(trainer) The job would have media under more than 100 names.",
    remedy: "Keep steps and ids out of the names of media.",
  },
  metrics_too_many: {
    meaning: "(trainer) The job would have more than 2,000 metrics.",
    remedy: "Keep steps and ids out of metric names.",
  },
  name_repeated: { meaning: "A name is there twice.", remedy: remove },
  search_words_invalid: {
    meaning: "`q` has no word of letters or digits, or more than eight.",
    remedy: "Send one to eight words.",
  },
  sample_unreadable: {
    meaning: "The sample is no CSV or Parquet that can be read; `msg` says why.",
    remedy: "Correct the file.",
  },
  artifact_unknown: { meaning: "No artifact of this digest is stored.", remedy: "Upload the file first." },
  column_unknown: { meaning: "The version has no column of this name.", remedy: "Use names of its `columns`." },
  query_invalid: {
    meaning:
      "The query is not one SELECT over its views, or DuckDB refuses it; `msg` has line and character, and what helps.",
    remedy: "Correct the query.",
  },
  dataset_version_not_found: {
    meaning: "The dataset has no such version.",
    remedy: "Name a version that the list of its versions has.",
  },
  dataset_version_not_ready: {
    meaning: "The version of the dataset cannot be read.",
    remedy: "Name a version that is `ready`.",
  },
  source_missing: {
    meaning: "Nothing says what the version is made of.",
    remedy: "Send one of `files`, `query` and `rows`.",
  },
  search_missing: {
    meaning: "Nothing is looked for.",
    remedy: "Send one of `row`, `vector`, `text` and `tensor`.",
  },
  input_missing: {
    meaning: "The recipe does not say what is sent for a row.",
    remedy: "Send a `template`, or a `column` of lists of numbers.",
  },
  column_unfit: {
    meaning: "The column has no lists of numbers.",
    remedy: "Use a template, or a column whose `kind` is a list of numbers.",
  },
  column_sensitive: {
    meaning: "The template names a column that is marked sensitive, and an endpoint would be sent it.",
    remedy: "Leave the column out, or let a deployment make the vectors.",
  },
  location_unknown: {
    meaning: "The organisation may read no location of this name; `msg` lists those that it may read.",
    remedy: "Name one of them, or ask the operator of the platform.",
  },
  key_invalid: {
    meaning: 'The key of the object has a part that is empty, "." or "..".',
    remedy: "Send the key as it is below the location's folder, such as `orders/2026-03.csv`.",
  },
  object_unknown: { meaning: "The location has no object of this key.", remedy: "Correct the key." },
  object_too_large: {
    meaning: "The object has more bytes than this installation reads; `msg` has the bound.",
    remedy: "Split it into several objects, which are files of one version.",
  },
  endpoint_unknown: {
    meaning: "The organisation may send to no endpoint of this name; `msg` lists those that it may send to.",
    remedy: "Name one of them, or ask the operator of the platform.",
  },
  model_unknown: {
    meaning: "The endpoint has no such model; `msg` lists those that it has.",
    remedy: "Name one of them.",
  },
  number_too_large: {
    meaning: "A number does not fit into the 32 bits that numbers of vectors have.",
    remedy: "Send numbers from -3.4e38 to 3.4e38.",
  },
  vector_zero: {
    meaning: "A vector of zeros has no angle to others, which `cosine` compares.",
    remedy: "Look for another vector, or embed with `l2`.",
  },
  input_unfit: {
    meaning: "The embedding is made of texts and not of numbers, or the reverse; `msg` says which.",
    remedy: "Look for a text, a tensor, a vector or a row, as `msg` says.",
  },
  row_unknown: {
    meaning: "The version has no such row.",
    remedy: "Send a row from 0 to the last one, which `msg` has.",
  },
  dimensions_differ: {
    meaning: "The vector has another number of dimensions than those of the embedding.",
    remedy: "Send as many numbers as `msg` says.",
  },
  not_together: { meaning: "Two parameters exclude each other; `msg` names them.", remedy: "Leave one of them out." },
  annotations_too_long: { meaning: "The annotations have more than 16 KiB.", remedy: "Send less." },
  replaces_itself: { meaning: "`replacement_key` is the feature's own key.", remedy: "Name another feature." },
  template_invalid: {
    meaning: "The Liquid template is wrong; `msg` has line and column.",
    remedy: "Correct the template.",
  },
  json_too_deep: { meaning: "The step's JSON is nested too deeply.", remedy: "Nest less." },
  version_too_large: {
    meaning: "The version has too many features or too much template text.",
    remedy: "Split the automation.",
  },
  duplicate_key: { meaning: "Two steps have one key.", remedy: "Rename one." },
  duplicate_label: { meaning: "Two transitions of a step have one label.", remedy: "Rename one." },
  unknown_step: { meaning: "No step has this key.", remedy: "Correct `source` or `target`." },
  self_loop: { meaning: "A transition leads to the step it leaves.", remedy: "Name another `target`." },
  unreachable_step: {
    meaning: "No transitions lead to the step from the first one.",
    remedy: "Add a transition, or remove the step.",
  },
  cycle: { meaning: "The transition closes a cycle.", remedy: "Remove it." },
  cron_invalid: {
    meaning: "Not a cron expression of five fields; `msg` says why.",
    remedy: "Correct it: minute, hour, day of the month, month, day of the week, such as `30 6 * * MON-FRI`.",
  },
  schedule_never_due: { meaning: "No day has such a time.", remedy: "Name a day that there is, such as the 28th." },
  time_zone_unknown: {
    meaning: "There is no time zone of this name.",
    remedy: "Use a name of the IANA database, such as `Europe/Berlin` or `UTC`.",
  },
  unknown_event: { meaning: "There is no such event.", remedy: "See [the events](asyncapi.json)." },
  input_too_large: { meaning: "The input has more than 64 KiB.", remedy: "Send less." },
  asset_unknown: {
    meaning: "What is said to use the feature does not exist in your organisation.",
    remedy: "Check the type and the id.",
  },
  runtime_unknown: { meaning: "There is no such runtime.", remedy: "Use `onnx` or `node`." },
  schema_invalid: {
    meaning: "Not a JSON Schema 2020-12 that can be used here; `msg` says why.",
    remedy: "Correct the schema.",
  },
  network_not_allowed: {
    meaning: "Handlers get no network on this installation.",
    remedy: "Leave `network` out, or ask the operator for `SERVING_NETWORK`.",
  },
  path_invalid: {
    meaning: "The path is not allowed in a bundle, or for a file of a run.",
    remedy: "Use a relative path of plain names.",
  },
  path_repeated: { meaning: "Two files have one path.", remedy: "Rename one." },
  content_missing: { meaning: "An artifact of the bundle has no content.", remedy: "Add it to `artifacts`." },
  content_invalid: { meaning: "Not base64, or not a SHA-256.", remedy: "Correct the content." },
  artifact_undeclared: {
    meaning: "The bundle has no artifact of this name.",
    remedy: "Declare it in `serving_bundle.artifacts`.",
  },
  artifact_digest: {
    meaning: "(gRPC) The bytes do not have the announced SHA-256.",
    remedy: "Upload again from the beginning.",
  },
  alias_invalid: {
    meaning: "The alias has characters that are not allowed.",
    remedy: "Use letters, digits, `_`, `.` and `-`.",
  },
  alias_repeated: { meaning: "An alias is there twice.", remedy: "Rename one.", by: "deployments" },
  handler_missing: { meaning: "The runtime `node` needs `handler.mjs`.", remedy: "Add an artifact with this path." },
  model_ambiguous: {
    meaning: "The runtime `onnx` needs exactly one model.",
    remedy: "Name one artifact `.onnx`, or one model.",
  },
  environment_unknown: { meaning: "The installation has no such environment.", remedy: "Use one that `msg` lists." },
  exactly_one: { meaning: "Exactly one of two fields is needed.", remedy: "Send one of the two that `msg` names." },
};

/** What an entry's `type` means: of values first, then of rules. */
export const problemTypes = { ofValues, ofRules };

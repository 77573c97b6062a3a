// Generated from docs/openapi.json. Do not edit.
export const operations = [
 {
  "id": "listAutomations",
  "method": "GET",
  "path": "/automations/",
  "tag": "automations",
  "summary": "List automations",
  "description": "Lists the organisation's automations by creation, each with its published version.",
  "parameters": [
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Automations at most, 1 to 1,000. Default 1,000.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which automations, such as `updated_at >= 2026-03-02T09:00:00Z`. Empty: all.\n\nFields:\n- `name` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `name`.\n\nOne of `name`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "createAutomation",
  "method": "POST",
  "path": "/platform/automations",
  "tag": "automations",
  "summary": "Create automation",
  "description": "Creates an automation without a version.",
  "parameters": [
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "name",
     "required": true,
     "description": "Name for people.",
     "type": "string"
    },
    {
     "name": "description",
     "required": false,
     "description": "What it is for.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getAutomation",
  "method": "GET",
  "path": "/platform/automations/{automation_id}",
  "tag": "automations",
  "summary": "Get automation",
  "description": "Answers one automation with its published version.",
  "parameters": [
   {
    "name": "automation_id",
    "in": "path",
    "required": true,
    "description": "The automation's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "deleteAutomation",
  "method": "DELETE",
  "path": "/platform/automations/{automation_id}",
  "tag": "automations",
  "summary": "Delete automation",
  "description": "Deletes an automation with its versions.",
  "parameters": [
   {
    "name": "automation_id",
    "in": "path",
    "required": true,
    "description": "The automation's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getAutomationDraft",
  "method": "GET",
  "path": "/platform/automations/{automation_id}/draft",
  "tag": "automations",
  "summary": "Get automation draft",
  "description": "Answers the draft, with the permissions that publishing it delegates.",
  "parameters": [
   {
    "name": "automation_id",
    "in": "path",
    "required": true,
    "description": "The automation's id.",
    "type": "string"
   },
   {
    "name": "If-None-Match",
    "in": "header",
    "required": false,
    "description": "An `ETag` of an earlier answer: 304 while it still holds.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "saveAutomationDraft",
  "method": "PUT",
  "path": "/platform/automations/{automation_id}/draft",
  "tag": "automations",
  "summary": "Save automation draft",
  "description": "Replaces the draft version, and never what is published. Fails with `template_invalid`,\n`unknown_step`, `self_loop`, `duplicate_key`, `duplicate_label`, `unreachable_step` or `cycle` at the place of each mistake,\nand with `etag_mismatch` when `if_match` is not the draft's.",
  "parameters": [
   {
    "name": "automation_id",
    "in": "path",
    "required": true,
    "description": "The automation's id.",
    "type": "string"
   },
   {
    "name": "If-Match",
    "in": "header",
    "required": false,
    "description": "Changes nothing unless the draft still has this ETag.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "steps",
     "required": true,
     "description": "The steps; the first is where a run begins.",
     "type": "array"
    },
    {
     "name": "step_transitions",
     "required": false,
     "description": "The transitions.",
     "type": "array"
    },
    {
     "name": "trigger",
     "required": false,
     "description": "What starts it by itself. Absent: it runs on demand only.",
     "type": "object"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "publishAutomation",
  "method": "POST",
  "path": "/platform/automations/{automation_id}/publish",
  "tag": "automations",
  "summary": "Publish automation",
  "description": "Makes the draft that was read the published version, and lets it use the permissions it needs in the caller's name: those of its\nsteps, and the one to read the events that start it. Fails with `permission_missing` when the caller lacks one, which it names,\nwith `precondition_required` without `if_match`, with `etag_mismatch` when the draft has changed since it was read,\nwith `draft_missing` when there is no draft, and with `features_unavailable` when it uses a feature that is not there or\ndeprecated.",
  "parameters": [
   {
    "name": "automation_id",
    "in": "path",
    "required": true,
    "description": "The automation's id.",
    "type": "string"
   },
   {
    "name": "If-Match",
    "in": "header",
    "required": true,
    "description": "The ETag of the draft that you read. Another draft is not published.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listAutomationVersions",
  "method": "GET",
  "path": "/platform/automations/{automation_id}/versions",
  "tag": "automations",
  "summary": "List automation versions",
  "description": "Lists an automation's versions, newest first.",
  "parameters": [
   {
    "name": "automation_id",
    "in": "path",
    "required": true,
    "description": "The automation's id.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Versions at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which versions, such as `status = superseded`. Empty: all.\n\nFields:\n- `status` (`=` `!=`): one of `draft`, `published`, `superseded`\n- `feature_keys` (`=` `:`): a text; any of them\n- `published_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `created_at asc`.\n\nOne of `created_at`, and `asc` or `desc`. Default: `created_at desc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "listAutomationRuns",
  "method": "GET",
  "path": "/platform/automations/{automation_id}/runs",
  "tag": "automations",
  "summary": "List automation runs",
  "description": "Lists an automation's runs, newest first, without what their steps wrote.",
  "parameters": [
   {
    "name": "automation_id",
    "in": "path",
    "required": true,
    "description": "The automation's id.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Runs at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which runs, such as `status = failed`. Empty: all.\n\nFields:\n- `status` (`=` `!=`): one of `queued`, `running`, `waiting`, `succeeded`, `failed`, `cancelled`\n- `version_id` (`=` `!=`): an id\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `ended_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `created_at asc`.\n\nOne of `created_at`, and `asc` or `desc`. Default: `created_at desc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "startAutomationRun",
  "method": "POST",
  "path": "/platform/automations/{automation_id}/runs",
  "tag": "automations",
  "summary": "Start automation run",
  "description": "Starts a run of the published version on demand. Fails with `nothing_published` when nothing is published, and with\n`automation_disabled` when the automation is disabled.",
  "parameters": [
   {
    "name": "automation_id",
    "in": "path",
    "required": true,
    "description": "The automation's id.",
    "type": "string"
   },
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "input",
     "required": false,
     "description": "What its templates read as `input`.",
     "type": "object"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getAutomationRun",
  "method": "GET",
  "path": "/platform/automation-runs/{run_id}",
  "tag": "automations",
  "summary": "Get automation run",
  "description": "Answers one run with what became of each step.",
  "parameters": [
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "cancelAutomationRun",
  "method": "POST",
  "path": "/platform/automation-runs/{run_id}/cancel",
  "tag": "automations",
  "summary": "Cancel automation run",
  "description": "Ends a run: the step under way is given up, no further one begins. A run that has ended stays as it is.",
  "parameters": [
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getAutomationSettings",
  "method": "GET",
  "path": "/platform/automations/{automation_id}/settings",
  "tag": "automations",
  "summary": "Get automation settings",
  "description": "Answers how an automation is run.",
  "parameters": [
   {
    "name": "automation_id",
    "in": "path",
    "required": true,
    "description": "The automation's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "updateAutomationSettings",
  "method": "PATCH",
  "path": "/platform/automations/{automation_id}/settings",
  "tag": "automations",
  "summary": "Update automation settings",
  "description": "Changes how an automation is run; what is absent stays as it is. Enabling forgets the failures in a row.",
  "parameters": [
   {
    "name": "automation_id",
    "in": "path",
    "required": true,
    "description": "The automation's id.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "enabled",
     "required": false,
     "description": "Whether it runs.",
     "type": "boolean"
    },
    {
     "name": "failures_until_disabled",
     "required": false,
     "description": "Failures in a row after which it is disabled; 0: never.",
     "type": "integer"
    },
    {
     "name": "owner_member_id",
     "required": false,
     "description": "The member who is told of deprecations.",
     "type": "string"
    },
    {
     "name": "drafts_for_owner",
     "required": false,
     "description": "Whether the owner is told by an e-mail draft besides the event.",
     "type": "boolean"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "patchDataDictionary",
  "method": "PATCH",
  "path": "/data-dictionary/{dataset_id}/",
  "tag": "data-dictionary",
  "summary": "Patch data dictionary",
  "description": "Creates or replaces the listed entries by exact name, leaves all others, and answers the whole dictionary.\nA text that a person wrote stays when the writer is not a person, unless `override` is set. Fails with\n`etag_mismatch` when `if_match` is not the dictionary's, and with `dictionary_limit` when it would hold more than it can.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   },
   {
    "name": "override",
    "in": "query",
    "required": false,
    "description": "Whether a program may replace what a person wrote.",
    "type": "boolean"
   },
   {
    "name": "dry_run",
    "in": "query",
    "required": false,
    "description": "Whether to answer what would be, and change nothing.",
    "type": "boolean"
   },
   {
    "name": "If-Match",
    "in": "header",
    "required": false,
    "description": "Changes nothing unless the dictionary still has this ETag.",
    "type": "string"
   }
  ],
  "body": {
   "type": "array",
   "fields": []
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getDataDictionary",
  "method": "GET",
  "path": "/platform/data-dictionary/{dataset_id}",
  "tag": "data-dictionary",
  "summary": "Get data dictionary",
  "description": "Answers the whole dictionary.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   },
   {
    "name": "If-None-Match",
    "in": "header",
    "required": false,
    "description": "An `ETag` of an earlier answer: 304 while it still holds.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listDataDictionaryHistory",
  "method": "GET",
  "path": "/platform/data-dictionary/{dataset_id}/history",
  "tag": "data-dictionary",
  "summary": "List data dictionary history",
  "description": "Lists what was written to a dictionary, newest first, and by whom.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   },
   {
    "name": "name",
    "in": "query",
    "required": false,
    "description": "Only those of this entry.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Changes at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which changes, such as `changed_at >= 2026-03-02T09:00:00Z`. Empty: all.\n\nFields:\n- `name` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `author_member_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `version` (`=` `!=` `<` `<=` `>` `>=`): a number\n- `changed_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `version asc`.\n\nOne of `version`, and `asc` or `desc`. Default: `version desc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "deleteDataDictionaryEntry",
  "method": "DELETE",
  "path": "/platform/data-dictionary/{dataset_id}/entries/{name}",
  "tag": "data-dictionary",
  "summary": "Delete data dictionary entry",
  "description": "Deletes one entry. Fails with `text_of_a_person` when a program would delete what a person wrote, unless `override` is set,\nand with `etag_mismatch` when `if_match` is not the dictionary's.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   },
   {
    "name": "name",
    "in": "path",
    "required": true,
    "description": "The entry's name.",
    "type": "string"
   },
   {
    "name": "override",
    "in": "query",
    "required": false,
    "description": "Whether a program may delete what a person wrote.",
    "type": "boolean"
   },
   {
    "name": "If-Match",
    "in": "header",
    "required": false,
    "description": "Changes nothing unless the dictionary still has this ETag.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listDatasets",
  "method": "GET",
  "path": "/platform/datasets",
  "tag": "datasets",
  "summary": "List datasets",
  "description": "Lists the organisation's datasets by creation. A page ends early where its datasets have very many columns.",
  "parameters": [
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Datasets at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which datasets, such as `name = \"Digits\"`. Empty: all.\n\nFields:\n- `name` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `name`.\n\nOne of `name`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "createDataset",
  "method": "POST",
  "path": "/platform/datasets",
  "tag": "datasets",
  "summary": "Create dataset",
  "description": "Registers a dataset. Its columns become entries of its data dictionary, without a description.",
  "parameters": [
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "name",
     "required": true,
     "description": "Name for people.",
     "type": "string"
    },
    {
     "name": "description",
     "required": false,
     "description": "What it is.",
     "type": "string"
    },
    {
     "name": "columns",
     "required": false,
     "description": "Its columns, in their order in the data.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getDataset",
  "method": "GET",
  "path": "/platform/datasets/{dataset_id}",
  "tag": "datasets",
  "summary": "Get dataset",
  "description": "Answers one dataset with its columns.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "deleteDataset",
  "method": "DELETE",
  "path": "/platform/datasets/{dataset_id}",
  "tag": "datasets",
  "summary": "Delete dataset",
  "description": "Forgets a dataset with its dictionary and the dictionary's history, unless something uses it.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "inferDatasetColumns",
  "method": "POST",
  "path": "/platform/datasets/{dataset_id}/columns",
  "tag": "datasets",
  "summary": "Infer dataset columns",
  "description": "Reads names and guessed types of columns from the beginning of a file, and makes them the dataset's: columns that are\nthere keep their entries, new ones get one. Fails with `sample_unreadable` when the file cannot be read as what it is said to\nbe.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "format",
     "required": true,
     "description": "What the sample is.",
     "type": "string"
    },
    {
     "name": "sample",
     "required": true,
     "description": "The beginning of the file: of CSV the header and some rows, of Parquet a whole file. In JSON as base64.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "setDatasetSensitiveColumns",
  "method": "PUT",
  "path": "/platform/datasets/{dataset_id}/sensitive-columns",
  "tag": "datasets",
  "summary": "Set dataset sensitive columns",
  "description": "Says which columns are sensitive: their values are sent to no service outside of the platform. The names take the place of those before, and are compared\nwithout regard to case. A column may be named before there is one.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "columns",
     "required": true,
     "description": "Names of columns, each once, 500 at most. Empty: none is sensitive.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "sendEmailDraft",
  "method": "POST",
  "path": "/email-drafts/{draft_id}/send/",
  "tag": "email-drafts",
  "summary": "Send email draft",
  "description": "Sends a draft, or what of it failed before, and says what became of each recipient. Fails with `no_recipients` when the\ndraft has none, and with `email_draft_sending` when it is being sent or the sending takes longer than 25 seconds: it goes on,\nand calling again once it has ended answers its result. Fails with `mail_server_unavailable` when no mail server can be\nreached before the first recipient: nothing was sent.\nNeeds `emails:write` besides, because it looks up the recipients.",
  "parameters": [
   {
    "name": "draft_id",
    "in": "path",
    "required": true,
    "description": "The draft's id.",
    "type": "string"
   },
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listEmailDrafts",
  "method": "GET",
  "path": "/platform/email-drafts",
  "tag": "email-drafts",
  "summary": "List email drafts",
  "description": "Lists the organisation's drafts by creation.",
  "parameters": [
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Drafts at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which drafts, such as `status = sent`. Empty: all.\n\nFields:\n- `subject` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `status` (`=` `!=`): one of `draft`, `sending`, `sent`, `partially_sent`, `failed`\n- `recipient_member_ids` (`=` `:`): an id; any of them\n- `created_by_member_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `sent_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `created_at desc`.\n\nOne of `created_at`, and `asc` or `desc`. Default: `created_at asc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "createEmailDraft",
  "method": "POST",
  "path": "/platform/email-drafts",
  "tag": "email-drafts",
  "summary": "Create email draft",
  "description": "Creates a draft. Fails with `template_invalid`, which names the place, when a template cannot be read.",
  "parameters": [
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "subject",
     "required": true,
     "description": "Subject, a Liquid template; what it makes is one line.",
     "type": "string"
    },
    {
     "name": "text",
     "required": false,
     "description": "Text, a Liquid template.",
     "type": "string"
    },
    {
     "name": "html",
     "required": false,
     "description": "HTML, a Liquid template; values are escaped. Empty: text only.",
     "type": "string"
    },
    {
     "name": "recipient_member_ids",
     "required": false,
     "description": "Recipients: members of the organisation, in this order.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getEmailDraft",
  "method": "GET",
  "path": "/platform/email-drafts/{draft_id}",
  "tag": "email-drafts",
  "summary": "Get email draft",
  "description": "Answers one draft.",
  "parameters": [
   {
    "name": "draft_id",
    "in": "path",
    "required": true,
    "description": "The draft's id.",
    "type": "string"
   },
   {
    "name": "If-None-Match",
    "in": "header",
    "required": false,
    "description": "An `ETag` of an earlier answer: 304 while it still holds.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "updateEmailDraft",
  "method": "PUT",
  "path": "/platform/email-drafts/{draft_id}",
  "tag": "email-drafts",
  "summary": "Update email draft",
  "description": "Replaces a draft that was not sent yet. Fails with `email_draft_sending` or `email_draft_sent` otherwise, and with `etag_mismatch` when\n`if_match` is not the draft's. What is so already is no change, and is answered whatever `if_match` says.",
  "parameters": [
   {
    "name": "draft_id",
    "in": "path",
    "required": true,
    "description": "The draft's id.",
    "type": "string"
   },
   {
    "name": "If-Match",
    "in": "header",
    "required": false,
    "description": "Changes nothing unless the draft still has this ETag.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "subject",
     "required": true,
     "description": "Subject, a Liquid template; what it makes is one line.",
     "type": "string"
    },
    {
     "name": "text",
     "required": false,
     "description": "Text, a Liquid template.",
     "type": "string"
    },
    {
     "name": "html",
     "required": false,
     "description": "HTML, a Liquid template; values are escaped. Empty: text only.",
     "type": "string"
    },
    {
     "name": "recipient_member_ids",
     "required": false,
     "description": "Recipients: members of the organisation, in this order.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "deleteEmailDraft",
  "method": "DELETE",
  "path": "/platform/email-drafts/{draft_id}",
  "tag": "email-drafts",
  "summary": "Delete email draft",
  "description": "Deletes a draft that was not sent. Fails with `email_draft_sending` or `email_draft_sent` otherwise.",
  "parameters": [
   {
    "name": "draft_id",
    "in": "path",
    "required": true,
    "description": "The draft's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "previewEmailDraft",
  "method": "GET",
  "path": "/platform/email-drafts/{draft_id}/preview",
  "tag": "email-drafts",
  "summary": "Preview email draft",
  "description": "Shows what a recipient would get.",
  "parameters": [
   {
    "name": "draft_id",
    "in": "path",
    "required": true,
    "description": "The draft's id.",
    "type": "string"
   },
   {
    "name": "member_id",
    "in": "query",
    "required": false,
    "description": "A recipient. Absent: the first.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listEmailDeliveries",
  "method": "GET",
  "path": "/platform/email-drafts/{draft_id}/deliveries",
  "tag": "email-drafts",
  "summary": "List email deliveries",
  "description": "Lists what became of each recipient, in the order of the recipients.",
  "parameters": [
   {
    "name": "draft_id",
    "in": "path",
    "required": true,
    "description": "The draft's id.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Deliveries at most, 1 to 1,000. Default 1,000.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which deliveries, such as `status = failed`. Empty: all.\n\nFields:\n- `recipient_member_id` (`=` `!=`): an id\n- `recipient_email` (`=` `!=` `<` `<=` `>` `>=`): a text, empty where the address is not known\n- `status` (`=` `!=`): one of `sent`, `failed`, `skipped`, `unknown`, `pending`\n- `position` (`=` `!=` `<` `<=` `>` `>=`): a number, the place among the recipients, from 0",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `position desc`.\n\nOne of `position`, and `asc` or `desc`. Default: `position asc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "watchEmailSending",
  "method": "GET",
  "path": "/platform/email-drafts/{draft_id}/progress",
  "tag": "email-drafts",
  "summary": "Watch email sending",
  "description": "Streams how the sending of a draft goes: the counts as they are, and again as they change, until the draft is not being sent.",
  "parameters": [
   {
    "name": "draft_id",
    "in": "path",
    "required": true,
    "description": "The draft's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": true,
  "json": false,
  "paged": false
 },
 {
  "id": "deleteFeature",
  "method": "DELETE",
  "path": "/feature-memory/{feature_key}/",
  "tag": "feature-memory",
  "summary": "Delete feature",
  "description": "Deletes a feature if nothing uses it, deprecates it if something does, and says what does. See docs/api/feature-memory.md.",
  "parameters": [
   {
    "name": "feature_key",
    "in": "path",
    "required": true,
    "description": "The feature's key.",
    "type": "string"
   },
   {
    "name": "dry_run",
    "in": "query",
    "required": false,
    "description": "Whether to answer what would be, and change nothing.",
    "type": "boolean"
   },
   {
    "name": "keep",
    "in": "query",
    "required": false,
    "description": "Whether to deprecate even if nothing uses it.",
    "type": "boolean"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getFeature",
  "method": "GET",
  "path": "/platform/features/{feature_key}",
  "tag": "feature-memory",
  "summary": "Get feature",
  "description": "Answers one feature.",
  "parameters": [
   {
    "name": "feature_key",
    "in": "path",
    "required": true,
    "description": "The feature's key.",
    "type": "string"
   },
   {
    "name": "If-None-Match",
    "in": "header",
    "required": false,
    "description": "An `ETag` of an earlier answer: 304 while it still holds.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "putFeature",
  "method": "PUT",
  "path": "/platform/features/{feature_key}",
  "tag": "feature-memory",
  "summary": "Put feature",
  "description": "Creates a feature, or a new version of it. After a deletion its versions go on above the old ones. Fails with `etag_mismatch` when\n`if_match` is not the feature's. What is so already is no change, and is answered whatever `if_match` says.",
  "parameters": [
   {
    "name": "feature_key",
    "in": "path",
    "required": true,
    "description": "The feature's key.",
    "type": "string"
   },
   {
    "name": "If-Match",
    "in": "header",
    "required": false,
    "description": "Changes nothing unless the feature still has this ETag. `\"0\"`: unless there is none.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "description",
     "required": false,
     "description": "What it is.",
     "type": "string"
    },
    {
     "name": "usage_notes",
     "required": false,
     "description": "How to use it.",
     "type": "string"
    },
    {
     "name": "owner_member_id",
     "required": false,
     "description": "Who owns it.",
     "type": "string"
    },
    {
     "name": "replacement_key",
     "required": false,
     "description": "The key to use instead.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listFeatures",
  "method": "GET",
  "path": "/platform/features",
  "tag": "feature-memory",
  "summary": "List features",
  "description": "Lists the organisation's features by key.",
  "parameters": [
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Features at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which features, such as `status = deprecated`. Empty: all.\n\nFields:\n- `key` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `status` (`=` `!=`): one of `active`, `deprecated`, `deleted`\n- `owner_member_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `key desc`.\n\nOne of `key`, and `asc` or `desc`. Default: `key asc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "restoreFeature",
  "method": "POST",
  "path": "/platform/features/{feature_key}/restore",
  "tag": "feature-memory",
  "summary": "Restore feature",
  "description": "Makes a deprecated feature active again.",
  "parameters": [
   {
    "name": "feature_key",
    "in": "path",
    "required": true,
    "description": "The feature's key.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listFeatureUsages",
  "method": "GET",
  "path": "/platform/features/{feature_key}/usages",
  "tag": "feature-memory",
  "summary": "List feature usages",
  "description": "Lists what uses a feature, by name.",
  "parameters": [
   {
    "name": "feature_key",
    "in": "path",
    "required": true,
    "description": "The feature's key.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Uses at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which uses, such as `asset_type = automation`. Empty: all.\n\nFields:\n- `asset_type` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `asset_id` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `asset_name` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `created_by_member_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `asset_name desc`.\n\nOne of `asset_name`, and `asc` or `desc`. Default: `asset_name asc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "putFeatureUsage",
  "method": "PUT",
  "path": "/platform/features/{feature_key}/usages/{asset_type}/{asset_id}",
  "tag": "feature-memory",
  "summary": "Put feature usage",
  "description": "Says that something uses a feature. What the platform itself knows to use it needs no saying. A deployment, model or workspace\nhas to exist, and the caller needs the permission to read it.",
  "parameters": [
   {
    "name": "feature_key",
    "in": "path",
    "required": true,
    "description": "The feature's key.",
    "type": "string"
   },
   {
    "name": "asset_type",
    "in": "path",
    "required": true,
    "description": "What uses it: `deployment`, `model`, `workspace`, `notebook` or `email_template`. Of automations the platform knows.",
    "type": "string"
   },
   {
    "name": "asset_id",
    "in": "path",
    "required": true,
    "description": "The id of what uses it.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "asset_name",
     "required": true,
     "description": "Its name for people.",
     "type": "string"
    },
    {
     "name": "usage_notes",
     "required": false,
     "description": "How it uses the feature.",
     "type": "string"
    },
    {
     "name": "annotations",
     "required": false,
     "description": "Anything else.",
     "type": "object"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "deleteFeatureUsage",
  "method": "DELETE",
  "path": "/platform/features/{feature_key}/usages/{asset_type}/{asset_id}",
  "tag": "feature-memory",
  "summary": "Delete feature usage",
  "description": "Says that something uses a feature no more.",
  "parameters": [
   {
    "name": "feature_key",
    "in": "path",
    "required": true,
    "description": "The feature's key.",
    "type": "string"
   },
   {
    "name": "asset_type",
    "in": "path",
    "required": true,
    "description": "What uses it: `deployment`, `model`, `workspace`, `notebook` or `email_template`. Of automations the platform knows.",
    "type": "string"
   },
   {
    "name": "asset_id",
    "in": "path",
    "required": true,
    "description": "The id of what uses it.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listQuotas",
  "method": "GET",
  "path": "/platform/quotas",
  "tag": "quotas",
  "summary": "List quotas",
  "description": "Lists every quota of the caller's organisation: its limit, and how much of it is used. Each service counts what it\nkeeps; while one of them does not answer, the operation fails with `quotas_unavailable`.",
  "parameters": [],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "search",
  "method": "GET",
  "path": "/platform/search",
  "tag": "search",
  "summary": "Search",
  "description": "Finds what the caller may read by the words of its names and texts, the newest first. Each word of `q` has to be the beginning of a\nword of what is found; capitals and accents make no difference. The 100 first words of something count. Each service searches what\nit keeps. Kinds of a service that does not answer are named in `missing_kinds`.",
  "parameters": [
   {
    "name": "q",
    "in": "query",
    "required": true,
    "description": "One to eight words.",
    "type": "string"
   },
   {
    "name": "kinds",
    "in": "query",
    "required": false,
    "description": "Only these kinds; none: all that the caller may read.",
    "type": "array"
   },
   {
    "name": "include_archived",
    "in": "query",
    "required": false,
    "description": "Whether archived pipelines and runs, and members who are not active, are found, too.",
    "type": "boolean"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Results at most, 1 to 100. Default 20.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "listDatasetEmbeddings",
  "method": "GET",
  "path": "/platform/datasets/{dataset_id}/versions/{version_id}/embeddings",
  "tag": "datasets",
  "summary": "List dataset embeddings",
  "description": "Lists the embeddings of a version, the newest first.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   },
   {
    "name": "version_id",
    "in": "path",
    "required": true,
    "description": "The version's id.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Embeddings at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which embeddings, such as `state = ready`. Empty: all.\n\nFields:\n- `state` (`=` `!=`): one of `pending`, `embedding`, `ready`, `failed`, `cancelled`, `purging`\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `created_at`.\n\nOne of `created_at`, and `asc` or `desc`. Default: `created_at desc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "createDatasetEmbedding",
  "method": "POST",
  "path": "/platform/datasets/{dataset_id}/versions/{version_id}/embeddings",
  "tag": "datasets",
  "summary": "Create dataset embedding",
  "description": "Begins to embed a version: each row is sent to a deployment, as a text or as a tensor, and answered with a vector. The embedding is `pending`, then\n`embedding` until all rows have vectors, then `ready`. Rows whose input an earlier embedding of the dataset has had are not sent again. The caller also\nneeds `deployments:predict`. An endpoint that the operator has set up may take the place of the deployment: the texts then leave the platform, for which the\ncaller needs `data:export`, and columns that are marked sensitive are refused. Fails with `dataset_version_not_ready`, `embedding_limit`,\n`deployments_unavailable` and `datasets_unavailable`.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   },
   {
    "name": "version_id",
    "in": "path",
    "required": true,
    "description": "The version's id.",
    "type": "string"
   },
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "recipe",
     "required": true,
     "description": "How rows become vectors.",
     "type": "object"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getDatasetEmbedding",
  "method": "GET",
  "path": "/platform/datasets/{dataset_id}/versions/{version_id}/embeddings/{embedding_id}",
  "tag": "datasets",
  "summary": "Get dataset embedding",
  "description": "Answers one embedding with its state and its progress.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   },
   {
    "name": "version_id",
    "in": "path",
    "required": true,
    "description": "The version's id.",
    "type": "string"
   },
   {
    "name": "embedding_id",
    "in": "path",
    "required": true,
    "description": "The embedding's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "cancelDatasetEmbedding",
  "method": "POST",
  "path": "/platform/datasets/{dataset_id}/versions/{version_id}/embeddings/{embedding_id}/cancel",
  "tag": "datasets",
  "summary": "Cancel dataset embedding",
  "description": "Ends an embedding before it is ready: nothing more is sent, and the vectors that there are go. One that was cancelled\nstays so. Fails with `embedding_move` for one that is ready or has failed.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   },
   {
    "name": "version_id",
    "in": "path",
    "required": true,
    "description": "The version's id.",
    "type": "string"
   },
   {
    "name": "embedding_id",
    "in": "path",
    "required": true,
    "description": "The embedding's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listDatasetVectors",
  "method": "GET",
  "path": "/platform/datasets/{dataset_id}/embeddings",
  "tag": "datasets",
  "summary": "List dataset vectors",
  "description": "Answers vectors with the rows that they are of, in the order of the rows: of the dataset's newest embedding that is ready, or of another\none. A page of long vectors ends early. With `Accept: application/vnd.apache.arrow.stream` it is a stream of Arrow IPC with the columns `row` and\n`vector`. Fails with `embedding_not_ready`, `data_busy`.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   },
   {
    "name": "embedding_id",
    "in": "query",
    "required": false,
    "description": "Which embedding. Absent: the newest of the dataset that is ready.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Vectors at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "searchDatasetVectors",
  "method": "POST",
  "path": "/platform/datasets/{dataset_id}/embeddings/search",
  "tag": "datasets",
  "summary": "Search dataset vectors",
  "description": "Finds the rows whose vectors are nearest to a vector, to that of a row, or to that of a text or a tensor, which the embedding's deployment makes. Up to\n100,000 rows all vectors are compared, so nothing is missed; in an embedding with more, those near to what is looked for are. A text or a tensor also needs\n`deployments:predict`; a text for an endpoint needs `data:export`. Fails with `embedding_not_ready`, `data_busy`, `data_limit`, for a text or a tensor with\n`nothing_runs`, `deployment_version_gone`, `prediction_refused`, `prediction_failed` and `deployments_unavailable`, and for a text that an endpoint is asked\nabout with `endpoint_refused`, `endpoint_gone` and `endpoint_unavailable`. The platform does not repeat it by itself: an endpoint is sent a text once.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "embedding_id",
     "required": false,
     "description": "Which embedding. Absent: the newest of the dataset that is ready.",
     "type": "string"
    },
    {
     "name": "row",
     "required": false,
     "description": "Place of a row, from 0; it is not found itself.",
     "type": "integer"
    },
    {
     "name": "vector",
     "required": false,
     "description": "A vector.",
     "type": "array"
    },
    {
     "name": "text",
     "required": false,
     "description": "A text, for an embedding with a template; it is sent as it is.",
     "type": "string"
    },
    {
     "name": "tensor",
     "required": false,
     "description": "Numbers, for an embedding with a column; they are multiplied by `scale` as those of the column are.",
     "type": "array"
    },
    {
     "name": "filter",
     "required": false,
     "description": "Which rows are looked at, by the columns of the version, such as `label != 3`. Empty: all.",
     "type": "string"
    },
    {
     "name": "limit",
     "required": false,
     "description": "Rows at most, 1 to 100. Default 10.",
     "type": "integer"
    },
    {
     "name": "columns",
     "required": false,
     "description": "Columns of the found rows that are answered. Empty: none.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "queryDatasets",
  "method": "POST",
  "path": "/platform/datasets/query",
  "tag": "datasets",
  "summary": "Query datasets",
  "description": "Answers the first rows of one SELECT over versions, each of which has a name in it. The query reads these versions and nothing else, and changes nothing.\nValues are as in the list of rows, also as Arrow: then the metadata of the schema says in `has_more` whether more rows follow. Fails with `dataset_version_not_ready`, `data_busy` and `data_limit`.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "views",
     "required": true,
     "description": "The versions that it reads. Their names differ in more than upper and lower case.",
     "type": "array"
    },
    {
     "name": "sql",
     "required": true,
     "description": "One SELECT of DuckDB's SQL, such as `SELECT country, count(*) FROM orders GROUP BY country`.",
     "type": "string"
    },
    {
     "name": "limit",
     "required": false,
     "description": "Rows at most, 1 to 1,000. Default 100.",
     "type": "integer"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listDatasetVersions",
  "method": "GET",
  "path": "/platform/datasets/{dataset_id}/versions",
  "tag": "datasets",
  "summary": "List dataset versions",
  "description": "Lists the versions of a dataset, the newest first. A page ends early where its versions have very many columns.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Versions at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which versions, such as `state = ready`. Empty: all.\n\nFields:\n- `number` (`=` `!=` `<` `<=` `>` `>=`): a number\n- `state` (`=` `!=`): one of `pending`, `reading`, `ready`, `failed`, `purging`, `purged`\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `number`.\n\nOne of `number`, `created_at`, and `asc` or `desc`. Default: `number desc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "createDatasetVersion",
  "method": "POST",
  "path": "/platform/datasets/{dataset_id}/versions",
  "tag": "datasets",
  "summary": "Create dataset version",
  "description": "Creates a version of a dataset from files, which are read in this order: uploaded ones, and objects of locations that the operator has set up; from what a query\nover versions answers; or from rows in the request: exactly one of these. The version is `pending` until its rows are written, then it is `ready` or\n`failed`. The caller also needs `dictionary:read`, as the dataset is looked up in the caller's name, `models:read` for uploaded files and `data:read` for a query.\nFails with `dataset_version_not_ready` for a version that the query reads, `dataset_version_limit`, `quota_exceeded`, `datasets_unavailable`,\n`artifacts_unavailable` and `location_unavailable`.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   },
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "files",
     "required": false,
     "description": "Its files, in the order in which they are read: their rows follow on one another, and their columns are the same. Empty: `query` or `rows` says what it is made of.",
     "type": "array"
    },
    {
     "name": "description",
     "required": false,
     "description": "What it is.",
     "type": "string"
    },
    {
     "name": "query",
     "required": false,
     "description": "A query whose answer becomes its rows, in place of `files`.",
     "type": "object"
    },
    {
     "name": "rows",
     "required": false,
     "description": "Its rows, each as an object of its columns, in place of `files`. They are stored as an artifact, as a file of JSON lines.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "createDatasetSuccessor",
  "method": "POST",
  "path": "/platform/datasets/{dataset_id}/versions/{version_id}/successors",
  "tag": "datasets",
  "summary": "Create dataset successor",
  "description": "Creates a version from the rows of another version of the dataset: those that a filter finds, or all others. It is `pending` until they are written,\nthen `ready` or `failed`, and names its `predecessor`. The caller also needs `data:read`. Fails with `dataset_version_not_ready` for the predecessor,\n`dataset_version_limit` and `quota_exceeded`.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   },
   {
    "name": "version_id",
    "in": "path",
    "required": true,
    "description": "The id of the predecessor.",
    "type": "string"
   },
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "filter",
     "required": true,
     "description": "Which rows, as in the list of rows: `customer_id = 17`. A row for which the filter is neither true nor false, such as one without the value, is not found.",
     "type": "string"
    },
    {
     "name": "matching_rows",
     "required": true,
     "description": "What becomes of the rows that the filter finds.",
     "type": "string"
    },
    {
     "name": "description",
     "required": false,
     "description": "What the new version is.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getDatasetVersion",
  "method": "GET",
  "path": "/platform/datasets/{dataset_id}/versions/{version_id}",
  "tag": "datasets",
  "summary": "Get dataset version",
  "description": "Answers one version with its state and columns.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   },
   {
    "name": "version_id",
    "in": "path",
    "required": true,
    "description": "The version's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listDatasetRows",
  "method": "GET",
  "path": "/platform/datasets/{dataset_id}/versions/{version_id}/rows",
  "tag": "datasets",
  "summary": "List dataset rows",
  "description": "Answers rows of a version, in the order of its files. Pages are stable, as a version never changes. Whole numbers beyond 2^53, decimals,\nnot-a-number and infinity are texts, so that no digit is lost; bytes are base64. A page of large rows ends early. With\n`Accept: application/vnd.apache.arrow.stream` it is a stream of Arrow IPC, in which values have the types of their columns. Fails with\n`dataset_version_not_ready`, `data_busy`, `data_limit`.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   },
   {
    "name": "version_id",
    "in": "path",
    "required": true,
    "description": "The version's id.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Rows at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "offset",
    "in": "query",
    "required": false,
    "description": "Rows before the first one that is answered, of those that the filter finds. Not together with `cursor`. Default 0.",
    "type": "integer"
   },
   {
    "name": "columns",
    "in": "query",
    "required": false,
    "description": "Names of the columns that are answered, in this order. Empty: all.",
    "type": "array"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which rows, by the names of columns, such as `price > 10 AND country = \"NO\"`. Empty: all. Dates are written as 2026-03-02, times with their\nzone; a name with special characters stands in quotes; `:*` asks whether there is a value.",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "Order by one column, such as `price desc`. Missing values come last. Empty: the order of the files.",
    "type": "string"
   },
   {
    "name": "sample",
    "in": "query",
    "required": false,
    "description": "Rows that are picked at random instead of a page, among those that the filter finds. Not together with `cursor`, `offset` or `order_by`.",
    "type": "integer"
   },
   {
    "name": "seed",
    "in": "query",
    "required": false,
    "description": "Makes a sample repeatable: the same seed picks the same rows. Default 0.",
    "type": "integer"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "getDatasetStatistics",
  "method": "GET",
  "path": "/platform/datasets/{dataset_id}/versions/{version_id}/statistics",
  "tag": "datasets",
  "summary": "Get dataset statistics",
  "description": "Answers what the columns of a version hold: missing and distinct values, extremes, quantiles, a histogram, and the most frequent values. They\nare computed by the first request and kept. Fails with `dataset_version_not_ready`.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   },
   {
    "name": "version_id",
    "in": "path",
    "required": true,
    "description": "The version's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "downloadDatasetVersion",
  "method": "GET",
  "path": "/platform/datasets/{dataset_id}/versions/{version_id}/content",
  "tag": "datasets",
  "summary": "Download dataset version",
  "description": "Streams the version as one Parquet file, or a range of it. Fails with `dataset_version_not_ready`, and `range_not_satisfiable` when the range\nbegins behind the last byte.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   },
   {
    "name": "version_id",
    "in": "path",
    "required": true,
    "description": "The version's id.",
    "type": "string"
   },
   {
    "name": "Range",
    "in": "header",
    "required": false,
    "description": "Bytes that are wanted, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-512`. Default: all.",
    "type": "string"
   },
   {
    "name": "If-Range",
    "in": "header",
    "required": false,
    "description": "An `ETag`: where it is another one by now, `Range` does not count.",
    "type": "string"
   },
   {
    "name": "If-None-Match",
    "in": "header",
    "required": false,
    "description": "An `ETag` of an earlier answer: 304 while it still holds.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": false,
  "paged": false
 },
 {
  "id": "purgeDatasetVersion",
  "method": "POST",
  "path": "/platform/datasets/{dataset_id}/versions/{version_id}/purge",
  "tag": "datasets",
  "summary": "Purge dataset version",
  "description": "Removes the data of a version for good. The version is `purging` until its bytes are removed, then `purged`: its number, its columns and the digests\nof its files stay, and its `uses` name the runs and models that used the data. Files and data that something else refers to stay as well. Repeating the\nrequest changes nothing. A dry run answers the version with its `uses`, and changes nothing.",
  "parameters": [
   {
    "name": "dataset_id",
    "in": "path",
    "required": true,
    "description": "The dataset's id.",
    "type": "string"
   },
   {
    "name": "version_id",
    "in": "path",
    "required": true,
    "description": "The version's id.",
    "type": "string"
   },
   {
    "name": "dry_run",
    "in": "query",
    "required": false,
    "description": "Whether to answer what would be, and change nothing.",
    "type": "boolean"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "downloadArtifact",
  "method": "GET",
  "path": "/platform/artifacts/{artifact_sha256}",
  "tag": "artifacts",
  "summary": "Download artifact",
  "description": "Streams the bytes of an artifact, or a range of them. Fails with `range_not_satisfiable` when the range begins behind the last byte.",
  "parameters": [
   {
    "name": "artifact_sha256",
    "in": "path",
    "required": true,
    "description": "SHA-256 of the artifact, hexadecimal.",
    "type": "string"
   },
   {
    "name": "Range",
    "in": "header",
    "required": false,
    "description": "Bytes that are wanted, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-512`. Default: all.",
    "type": "string"
   },
   {
    "name": "If-Range",
    "in": "header",
    "required": false,
    "description": "An `ETag`: where it is another one by now, `Range` does not count.",
    "type": "string"
   },
   {
    "name": "If-None-Match",
    "in": "header",
    "required": false,
    "description": "An `ETag` of an earlier answer: 304 while it still holds.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": false,
  "paged": false
 },
 {
  "id": "putArtifact",
  "method": "PUT",
  "path": "/platform/artifacts/{artifact_sha256}",
  "tag": "artifacts",
  "summary": "Put artifact",
  "description": "Stores an artifact from a body that is all of it. What has arrived of an earlier upload is kept, and the artifact that is stored\nalready stays as it is. Fails with `artifact_digest` when the bytes are not those of the digest, `artifact_too_large`,\n`quota_exceeded`, and `upload_unfinished` when the body ends early.",
  "parameters": [
   {
    "name": "artifact_sha256",
    "in": "path",
    "required": true,
    "description": "SHA-256 of the artifact, hexadecimal. In the first message; ignored in others.",
    "type": "string"
   }
  ],
  "takesBytes": true,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getDownloadUrl",
  "method": "GET",
  "path": "/platform/artifacts/{artifact_sha256}/download-url",
  "tag": "artifacts",
  "summary": "Get download url",
  "description": "Answers a URL at which the bytes of an artifact are read from the bucket's own server, without a credential and not through the\ngateway, until it expires. Fails with `signed_urls_unavailable` where the installation has none.",
  "parameters": [
   {
    "name": "artifact_sha256",
    "in": "path",
    "required": true,
    "description": "SHA-256 of the artifact, hexadecimal.",
    "type": "string"
   },
   {
    "name": "expires_in_seconds",
    "in": "query",
    "required": false,
    "description": "Seconds until the URL expires, 1 to 3,600. Default 300.",
    "type": "integer"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getUpload",
  "method": "GET",
  "path": "/platform/artifacts/{artifact_sha256}/upload",
  "tag": "artifacts",
  "summary": "Get upload",
  "description": "Says how many bytes of an upload have arrived, so that it goes on from there.",
  "parameters": [
   {
    "name": "artifact_sha256",
    "in": "path",
    "required": true,
    "description": "SHA-256 of the artifact, hexadecimal.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "appendToUpload",
  "method": "PATCH",
  "path": "/platform/artifacts/{artifact_sha256}/upload",
  "tag": "artifacts",
  "summary": "Append to upload",
  "description": "Takes the next bytes of an upload, as many as the body has, and stores the artifact once it is whole. Fails with `upload_offset` when they\ndo not follow on what has arrived, and as `PutArtifact` does. What has arrived stays for a day.",
  "parameters": [
   {
    "name": "artifact_sha256",
    "in": "path",
    "required": true,
    "description": "SHA-256 of the whole artifact, hexadecimal. In the first message; ignored in others.",
    "type": "string"
   },
   {
    "name": "Upload-Offset",
    "in": "header",
    "required": true,
    "description": "Where the body's first byte stands in the artifact: what `GetUpload` answers as `received_bytes`.",
    "type": "integer"
   },
   {
    "name": "Upload-Length",
    "in": "header",
    "required": true,
    "description": "Bytes of the whole artifact.",
    "type": "integer"
   }
  ],
  "takesBytes": true,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "collectArtifacts",
  "method": "POST",
  "path": "/platform/artifacts/garbage-collection",
  "tag": "artifacts",
  "summary": "Collect artifacts",
  "description": "Removes artifacts of the organisation that nothing has referred to or used for longer than the installation keeps them: 100 at most, the\nlongest unused first. With `dry_run`, says what would go, of the first 1,000 that may. The platform does the same by itself now and then. Fails with\n`collection_off` where the installation removes none, `collection_under_way`, and `training_unavailable`.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "dry_run",
     "required": false,
     "description": "Whether to answer what would go, and remove nothing.",
     "type": "boolean"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "downloadModelVersion",
  "method": "GET",
  "path": "/platform/model-versions/{model_version_id}/artifact",
  "tag": "artifacts",
  "summary": "Download model version",
  "description": "Streams the artifact of a model version, or a range of it. Fails with `artifact_missing` while the artifact is not stored.",
  "parameters": [
   {
    "name": "model_version_id",
    "in": "path",
    "required": true,
    "description": "The version's id.",
    "type": "string"
   },
   {
    "name": "Range",
    "in": "header",
    "required": false,
    "description": "Bytes that are wanted, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-512`. Default: all.",
    "type": "string"
   },
   {
    "name": "If-Range",
    "in": "header",
    "required": false,
    "description": "An `ETag`: where it is another one by now, `Range` does not count.",
    "type": "string"
   },
   {
    "name": "If-None-Match",
    "in": "header",
    "required": false,
    "description": "An `ETag` of an earlier answer: 304 while it still holds.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": false,
  "paged": false
 },
 {
  "id": "downloadJobResult",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/result",
  "tag": "artifacts",
  "summary": "Download job result",
  "description": "Streams the result of a completed job, or a range of it: the artifact of the model version that it became. Fails with\n`artifact_missing` while the artifact is not stored.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job within the run.",
    "type": "string"
   },
   {
    "name": "Range",
    "in": "header",
    "required": false,
    "description": "Bytes that are wanted, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-512`. Default: all.",
    "type": "string"
   },
   {
    "name": "If-Range",
    "in": "header",
    "required": false,
    "description": "An `ETag`: where it is another one by now, `Range` does not count.",
    "type": "string"
   },
   {
    "name": "If-None-Match",
    "in": "header",
    "required": false,
    "description": "An `ETag` of an earlier answer: 304 while it still holds.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": false,
  "paged": false
 },
 {
  "id": "downloadMedia",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/media/{media_id}/content",
  "tag": "artifacts",
  "summary": "Download media",
  "description": "Streams what a trainer has shown at a step, or a range of it: the file that was uploaded, or what was reported inline. Fails with\n`artifact_missing` while the file is not uploaded, and with `media_mismatch` when it is not what the trainer said.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "media_id",
    "in": "path",
    "required": true,
    "description": "Its id, as the list of the run's media says it.",
    "type": "string"
   },
   {
    "name": "Range",
    "in": "header",
    "required": false,
    "description": "Bytes that are wanted, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-512`. Default: all.",
    "type": "string"
   },
   {
    "name": "If-Range",
    "in": "header",
    "required": false,
    "description": "An `ETag`: where it is another one by now, `Range` does not count.",
    "type": "string"
   },
   {
    "name": "If-None-Match",
    "in": "header",
    "required": false,
    "description": "An `ETag` of an earlier answer: 304 while it still holds.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": false,
  "paged": false
 },
 {
  "id": "downloadRunDataset",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/datasets/{version_id}/content",
  "tag": "artifacts",
  "summary": "Download run dataset",
  "description": "Streams a version of a dataset that a run reads, as the Parquet file that it is, or a range of it. For trainers: their key needs no `data:read`, and\nreads what the run names and nothing else. Fails with `not_found` where the run does not name the version, and with `artifact_missing` when it was purged.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "version_id",
    "in": "path",
    "required": true,
    "description": "The version, as the run names it.",
    "type": "string"
   },
   {
    "name": "Range",
    "in": "header",
    "required": false,
    "description": "Bytes that are wanted, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-512`. Default: all.",
    "type": "string"
   },
   {
    "name": "If-Range",
    "in": "header",
    "required": false,
    "description": "An `ETag`: where it is another one by now, `Range` does not count.",
    "type": "string"
   },
   {
    "name": "If-None-Match",
    "in": "header",
    "required": false,
    "description": "An `ETag` of an earlier answer: 304 while it still holds.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": false,
  "paged": false
 },
 {
  "id": "createDeployment",
  "method": "POST",
  "path": "/deployments/",
  "tag": "deployments",
  "summary": "Create deployment",
  "description": "Deploys the newest ready version of a model. Fails with `model_not_ready` when the model has none.",
  "parameters": [
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "model_id",
     "required": true,
     "description": "The model.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "createCustomServingDeployment",
  "method": "POST",
  "path": "/deployments/custom-serving/",
  "tag": "deployments",
  "summary": "Create custom serving deployment",
  "description": "Deploys a serving bundle. Everything about it is checked before it is queued, with an entry at each mistake. Fails with\n`not_found` when a model or dataset that it names is not in the organisation, and with `model_not_ready` when a model has\nno ready version.",
  "parameters": [
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "name",
     "required": true,
     "description": "Name for people.",
     "type": "string"
    },
    {
     "name": "serving_bundle",
     "required": true,
     "description": "What serves, and by which rules.",
     "type": "object"
    },
    {
     "name": "description",
     "required": false,
     "description": "What it is for.",
     "type": "string"
    },
    {
     "name": "model_refs",
     "required": false,
     "description": "Models that the bundle uses.",
     "type": "array"
    },
    {
     "name": "artifacts",
     "required": false,
     "description": "Contents of the bundle's files.",
     "type": "array"
    },
    {
     "name": "serverless_run_config",
     "required": false,
     "description": "How it runs: `min_instances`, `max_instances`, `idle_seconds`, `concurrency`, `timeout_seconds`, `memory_mb`, `network`.",
     "type": "object"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listDeployments",
  "method": "GET",
  "path": "/platform/deployments",
  "tag": "deployments",
  "summary": "List deployments",
  "description": "Lists the organisation's deployments by creation.",
  "parameters": [
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Entries at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which deployments, such as `status = Running AND name >= \"Digits\"`. Empty: all.\n\nFields:\n- `name` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `service_name` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `status` (`=` `!=`): one of `Pending`, `Deploying`, `Running`, `Updating`, `Unhealthy`, `Stopped`, `Failed`, `Deleting`\n- `model_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `model_version_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `name`.\n\nOne of `name`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "getDeployment",
  "method": "GET",
  "path": "/platform/deployments/{deployment_id}",
  "tag": "deployments",
  "summary": "Get deployment",
  "description": "Answers one deployment.",
  "parameters": [
   {
    "name": "deployment_id",
    "in": "path",
    "required": true,
    "description": "The deployment's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "deleteDeployment",
  "method": "DELETE",
  "path": "/platform/deployments/{deployment_id}",
  "tag": "deployments",
  "summary": "Delete deployment",
  "description": "Deletes a deployment: what serves is ended, then it is gone.",
  "parameters": [
   {
    "name": "deployment_id",
    "in": "path",
    "required": true,
    "description": "The deployment's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "watchDeployment",
  "method": "GET",
  "path": "/platform/deployments/{deployment_id}/stream",
  "tag": "deployments",
  "summary": "Watch deployment",
  "description": "Streams a deployment: as it is, and again whenever it is another.",
  "parameters": [
   {
    "name": "deployment_id",
    "in": "path",
    "required": true,
    "description": "The deployment's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": true,
  "json": false,
  "paged": false
 },
 {
  "id": "getServingState",
  "method": "GET",
  "path": "/platform/deployments/{deployment_id}/serving",
  "tag": "deployments",
  "summary": "Get serving state",
  "description": "Says what serves at this moment: the shares of the versions, and the instances of each.",
  "parameters": [
   {
    "name": "deployment_id",
    "in": "path",
    "required": true,
    "description": "The deployment's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listDeploymentVersions",
  "method": "GET",
  "path": "/platform/deployments/{deployment_id}/versions",
  "tag": "deployments",
  "summary": "List deployment versions",
  "description": "Lists a deployment's versions, newest first.",
  "parameters": [
   {
    "name": "deployment_id",
    "in": "path",
    "required": true,
    "description": "The deployment's id.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Entries at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which versions, such as `number > 3`. Empty: all.\n\nFields:\n- `number` (`=` `!=` `<` `<=` `>` `>=`): a number\n- `runtime` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `model_version_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `number asc`.\n\nOne of `number`, and `asc` or `desc`. Default: `number desc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "listRollouts",
  "method": "GET",
  "path": "/platform/deployments/{deployment_id}/rollouts",
  "tag": "deployments",
  "summary": "List rollouts",
  "description": "Lists a deployment's rollouts, newest first.",
  "parameters": [
   {
    "name": "deployment_id",
    "in": "path",
    "required": true,
    "description": "The deployment's id.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Entries at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which rollouts, such as `status = Failed`. Empty: all.\n\nFields:\n- `status` (`=` `!=`): one of `Queued`, `InProgress`, `Succeeded`, `Failed`, `RolledBack`, `Superseded`\n- `deployment_version_id` (`=` `!=`): an id\n- `queued_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `started_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one\n- `ended_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `queued_at asc`.\n\nOne of `queued_at`, and `asc` or `desc`. Default: `queued_at desc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "startRollout",
  "method": "POST",
  "path": "/platform/deployments/{deployment_id}/rollouts",
  "tag": "deployments",
  "summary": "Start rollout",
  "description": "Rolls out another version of the model, the newest ready one unless it is named. What runs goes on until the new version is\nhealthy; a rollout under way is superseded. Fails with `model_not_ready` when there is no such version, and with\n`deployment_move` while it is being deleted.",
  "parameters": [
   {
    "name": "deployment_id",
    "in": "path",
    "required": true,
    "description": "The deployment's id.",
    "type": "string"
   },
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "model_version_id",
     "required": false,
     "description": "The version of the model; the newest ready one when absent.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "updateCustomServingDeployment",
  "method": "PUT",
  "path": "/platform/deployments/{deployment_id}/custom-serving",
  "tag": "deployments",
  "summary": "Update custom serving deployment",
  "description": "Rolls out another serving bundle of a custom serving deployment.",
  "parameters": [
   {
    "name": "deployment_id",
    "in": "path",
    "required": true,
    "description": "The deployment's id.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "serving_bundle",
     "required": true,
     "description": "What serves, and by which rules.",
     "type": "object"
    },
    {
     "name": "model_refs",
     "required": false,
     "description": "Models that the bundle uses.",
     "type": "array"
    },
    {
     "name": "artifacts",
     "required": false,
     "description": "Contents of the bundle's files.",
     "type": "array"
    },
    {
     "name": "serverless_run_config",
     "required": false,
     "description": "How it runs; as it ran when absent.",
     "type": "object"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "rollBackDeployment",
  "method": "POST",
  "path": "/platform/deployments/{deployment_id}/rollback",
  "tag": "deployments",
  "summary": "Roll back deployment",
  "description": "Goes back to the version that served before the current one, or to the one that is named.",
  "parameters": [
   {
    "name": "deployment_id",
    "in": "path",
    "required": true,
    "description": "The deployment's id.",
    "type": "string"
   },
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "deployment_version_id",
     "required": false,
     "description": "The version of the deployment; the one that served before when absent.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "setCanary",
  "method": "PUT",
  "path": "/platform/deployments/{deployment_id}/canary",
  "tag": "deployments",
  "summary": "Set canary",
  "description": "Lets a version of the deployment answer a share of the predictions beside the current one, once it is healthy.",
  "parameters": [
   {
    "name": "deployment_id",
    "in": "path",
    "required": true,
    "description": "The deployment's id.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "model_version_id",
     "required": false,
     "description": "The version of the model that is tried. Exactly one of the two ids is given.",
     "type": "string"
    },
    {
     "name": "deployment_version_id",
     "required": false,
     "description": "The version of the deployment that is tried.",
     "type": "string"
    },
    {
     "name": "percent",
     "required": true,
     "description": "Its share of the predictions, 1 to 99.",
     "type": "integer"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "endCanary",
  "method": "DELETE",
  "path": "/platform/deployments/{deployment_id}/canary",
  "tag": "deployments",
  "summary": "End canary",
  "description": "Ends the canary: the current version answers everything again.",
  "parameters": [
   {
    "name": "deployment_id",
    "in": "path",
    "required": true,
    "description": "The deployment's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "promoteDeployment",
  "method": "POST",
  "path": "/platform/deployments/{deployment_id}/promote",
  "tag": "deployments",
  "summary": "Promote deployment",
  "description": "Deploys what serves here in the next higher environment too, and links the two. Again: rolls it out there.",
  "parameters": [
   {
    "name": "deployment_id",
    "in": "path",
    "required": true,
    "description": "The deployment's id.",
    "type": "string"
   },
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "environment",
     "required": false,
     "description": "The environment; the next higher one when absent.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "stopDeployment",
  "method": "POST",
  "path": "/platform/deployments/{deployment_id}/stop",
  "tag": "deployments",
  "summary": "Stop deployment",
  "description": "Stops what serves. The deployment stays, and can be started again.",
  "parameters": [
   {
    "name": "deployment_id",
    "in": "path",
    "required": true,
    "description": "The deployment's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "startDeployment",
  "method": "POST",
  "path": "/platform/deployments/{deployment_id}/start",
  "tag": "deployments",
  "summary": "Start deployment",
  "description": "Starts a stopped deployment with the version it had.",
  "parameters": [
   {
    "name": "deployment_id",
    "in": "path",
    "required": true,
    "description": "The deployment's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getLineage",
  "method": "GET",
  "path": "/platform/lineage",
  "tag": "lineage",
  "summary": "Get lineage",
  "description": "Answers what a thing was made of (`upstream`), what was made of it (`downstream`), or both. It begins at a version of a dataset, an embedding,\na run, a version of a model or a deployment, and follows each step in its direction alone: what else was made of the same source is not\nanswered. A kind needs the permission to read it: `data:read`, `metrics:read`, `models:read` or `deployments:read`. Without that of the start the\nrequest is refused; things of other kinds are counted in `hidden`, and not followed. Fails with `training_unavailable` and\n`datasets_unavailable` while a service that keeps a part does not answer.",
  "parameters": [
   {
    "name": "kind",
    "in": "query",
    "required": true,
    "description": "What the thing is.",
    "type": "string"
   },
   {
    "name": "id",
    "in": "query",
    "required": true,
    "description": "Its id.",
    "type": "string"
   },
   {
    "name": "direction",
    "in": "query",
    "required": false,
    "description": "Which way. Default `both`.",
    "type": "string"
   },
   {
    "name": "depth",
    "in": "query",
    "required": false,
    "description": "Steps at most, 1 to 20. Default 10.",
    "type": "integer"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Things at most, 1 to 500. Default 200.",
    "type": "integer"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listModels",
  "method": "GET",
  "path": "/platform/models",
  "tag": "models",
  "summary": "List models",
  "description": "Lists the organisation's models by creation.",
  "parameters": [
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Models at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which models, such as `newest_ready_version_id:*`. Empty: all.\n\nFields:\n- `name` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `pipeline_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `newest_ready_version_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `name`.\n\nOne of `name`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "createModel",
  "method": "POST",
  "path": "/platform/models",
  "tag": "models",
  "summary": "Create model",
  "description": "Creates a model without a version. Fails with `model_name_taken` when the organisation has one of that name.",
  "parameters": [
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "name",
     "required": true,
     "description": "Name for people, unique in the organisation.",
     "type": "string"
    },
    {
     "name": "description",
     "required": false,
     "description": "What it is for.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getModel",
  "method": "GET",
  "path": "/platform/models/{model_id}",
  "tag": "models",
  "summary": "Get model",
  "description": "Answers one model.",
  "parameters": [
   {
    "name": "model_id",
    "in": "path",
    "required": true,
    "description": "The model's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listModelVersions",
  "method": "GET",
  "path": "/platform/models/{model_id}/versions",
  "tag": "models",
  "summary": "List model versions",
  "description": "Lists a model's versions, newest first.",
  "parameters": [
   {
    "name": "model_id",
    "in": "path",
    "required": true,
    "description": "The model's id.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Versions at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which versions, such as `status = ready AND format = onnx`. Empty: all.\n\nFields:\n- `number` (`=` `!=` `<` `<=` `>` `>=`): a number\n- `status` (`=` `!=`): one of `pending`, `ready`, `failed`\n- `format` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `artifact_sha256` (`=` `!=`): an id\n- `source.pipeline_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `source.run_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `number asc`.\n\nOne of `number`, and `asc` or `desc`. Default: `number desc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "createModelVersion",
  "method": "POST",
  "path": "/platform/models/{model_id}/versions",
  "tag": "models",
  "summary": "Create model version",
  "description": "Registers a version of a model from an artifact that was uploaded. Fails with `artifact_missing` when there is no artifact\nof that digest. The same digest again answers the version that has it.",
  "parameters": [
   {
    "name": "model_id",
    "in": "path",
    "required": true,
    "description": "The model's id.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "format",
     "required": true,
     "description": "Format of the artifact: `onnx`.",
     "type": "string"
    },
    {
     "name": "artifact_sha256",
     "required": true,
     "description": "SHA-256 of an artifact that was uploaded, hexadecimal.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getModelVersion",
  "method": "GET",
  "path": "/platform/model-versions/{model_version_id}",
  "tag": "models",
  "summary": "Get model version",
  "description": "Answers one version with its lineage: the run and checkpoint it came from, and the deployments that serve it.",
  "parameters": [
   {
    "name": "model_version_id",
    "in": "path",
    "required": true,
    "description": "The version's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "retryModelVersion",
  "method": "POST",
  "path": "/platform/model-versions/{model_version_id}/retry",
  "tag": "models",
  "summary": "Retry model version",
  "description": "Has the artifact of a failed version fetched again: from where the run said it lies, or from the store where it was uploaded\nsince. A version that has not failed stays as it is.",
  "parameters": [
   {
    "name": "model_version_id",
    "in": "path",
    "required": true,
    "description": "The version's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listRunFiles",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/files",
  "tag": "pipelines",
  "summary": "List run files",
  "description": "Lists the files of a run, by path.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Files at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which files, such as `path >= model/ AND size_bytes > 1000000`. Empty: all.\n\nFields:\n- `path` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `size_bytes` (`=` `!=` `<` `<=` `>` `>=`): a number\n- `sha256` (`=` `!=` `<` `<=` `>` `>=`): a text",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `created_at desc`.\n\nOne of `path`, `created_at`, `size_bytes`, and `asc` or `desc`. Default: `path`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "downloadRunFile",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/files/{path}",
  "tag": "pipelines",
  "summary": "Download run file",
  "description": "Streams a file of a run, or a range of it. Fails with `range_not_satisfiable` when the range begins behind the last byte.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "path",
    "in": "path",
    "required": true,
    "description": "Path of the file.",
    "type": "string"
   },
   {
    "name": "Range",
    "in": "header",
    "required": false,
    "description": "Bytes that are wanted, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-512`. Default: all.",
    "type": "string"
   },
   {
    "name": "If-Range",
    "in": "header",
    "required": false,
    "description": "An `ETag`: where it is another one by now, `Range` does not count.",
    "type": "string"
   },
   {
    "name": "If-None-Match",
    "in": "header",
    "required": false,
    "description": "An `ETag` of an earlier answer: 304 while it still holds.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": false,
  "paged": false
 },
 {
  "id": "listMlflowArtifacts",
  "method": "GET",
  "path": "/platform/mlflow/api/2.0/mlflow-artifacts/artifacts",
  "tag": "mlflow",
  "summary": "List mlflow artifacts",
  "description": "Lists a folder of a run's files. A path that is no folder has nothing in it.",
  "parameters": [
   {
    "name": "path",
    "in": "query",
    "required": true,
    "description": "Pipeline, run and folder, such as `019c6b7e-23bf-70d2-a44a-4cb62c85fc3a/019c6b7e-acba-7255-a121-00f80b56fc3c/model`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "downloadMlflowArtifact",
  "method": "GET",
  "path": "/platform/mlflow/api/2.0/mlflow-artifacts/artifacts/{pipeline_id}/{run_id}/{path}",
  "tag": "mlflow",
  "summary": "Download mlflow artifact",
  "description": "Streams a file of a run.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "path",
    "in": "path",
    "required": true,
    "description": "Path of the file.",
    "type": "string"
   },
   {
    "name": "If-None-Match",
    "in": "header",
    "required": false,
    "description": "An `ETag` of an earlier answer: 304 while it still holds.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": false,
  "paged": false
 },
 {
  "id": "putMlflowArtifact",
  "method": "PUT",
  "path": "/platform/mlflow/api/2.0/mlflow-artifacts/artifacts/{pipeline_id}/{run_id}/{path}",
  "tag": "mlflow",
  "summary": "Put mlflow artifact",
  "description": "Stores a file of a run, in place of the one of its path. The run has to be there, which is asked of training in the caller's name:\nthat needs `metrics:read`. Fails with `quota_exceeded`, `artifact_too_large` and `run_files_limit`.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run. In the first message; ignored in others.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run. In the first message; ignored in others.",
    "type": "string"
   },
   {
    "name": "path",
    "in": "path",
    "required": true,
    "description": "Path of the file, such as `model/weights.bin`. In the first message; ignored in others.",
    "type": "string"
   }
  ],
  "takesBytes": true,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listApiKeys",
  "method": "GET",
  "path": "/platform/api-keys",
  "tag": "api-keys",
  "summary": "List api keys",
  "description": "Lists the organisation's keys by creation; never the keys themselves.",
  "parameters": [
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Keys at most, 1 to 1,000. Default 1,000.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "created_by_member_id",
    "in": "query",
    "required": false,
    "description": "Only keys that this member made.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which keys, such as `NOT last_used_at:*`. Empty: all.\n\nFields:\n- `name` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `permission_ids` (`=` `:`): a text; any of them\n- `created_by_member_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `expires_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one\n- `last_used_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one\n- `revoked_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `name`.\n\nOne of `name`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "createApiKey",
  "method": "POST",
  "path": "/platform/api-keys",
  "tag": "api-keys",
  "summary": "Create api key",
  "description": "Creates a key. Fails with `permission_missing` when it would hold what the caller lacks.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "name",
     "required": true,
     "description": "Name for people.",
     "type": "string"
    },
    {
     "name": "permission_ids",
     "required": true,
     "description": "What it may do; the caller must hold all of it.",
     "type": "array"
    },
    {
     "name": "expires_at",
     "required": false,
     "description": "When it stops working. Absent: never.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getApiKey",
  "method": "GET",
  "path": "/platform/api-keys/{api_key_id}",
  "tag": "api-keys",
  "summary": "Get api key",
  "description": "Answers one key; never the key itself.",
  "parameters": [
   {
    "name": "api_key_id",
    "in": "path",
    "required": true,
    "description": "The key's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "revokeApiKey",
  "method": "DELETE",
  "path": "/platform/api-keys/{api_key_id}",
  "tag": "api-keys",
  "summary": "Revoke api key",
  "description": "Revokes a key, everywhere within a second. Repeating it changes nothing. Fails with `permission_missing` when\nthe key holds what the caller lacks.",
  "parameters": [
   {
    "name": "api_key_id",
    "in": "path",
    "required": true,
    "description": "The key's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "rotateApiKey",
  "method": "POST",
  "path": "/platform/api-keys/{api_key_id}/rotate",
  "tag": "api-keys",
  "summary": "Rotate api key",
  "description": "Makes a key that takes over from this one, with its name, permissions and expiry; this one ends after the overlap.\nFails with `api_key_revoked`, `api_key_expired` or `api_key_rotated` when it has ended or was rotated before, and with\n`permission_missing` when it holds what the caller lacks.",
  "parameters": [
   {
    "name": "api_key_id",
    "in": "path",
    "required": true,
    "description": "The key's id.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "overlap_seconds",
     "required": false,
     "description": "Seconds for which the old key works on, 0 to 604,800 (a week). Default 86,400.",
     "type": "integer"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getApiKeyPolicy",
  "method": "GET",
  "path": "/platform/api-key-policy",
  "tag": "api-keys",
  "summary": "Get api key policy",
  "description": "Answers how long the organisation's keys may live.",
  "parameters": [],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "setApiKeyPolicy",
  "method": "PUT",
  "path": "/platform/api-key-policy",
  "tag": "api-keys",
  "summary": "Set api key policy",
  "description": "Sets how long the organisation's keys may live. Keys that would live longer end that long after they were created, but not within the\nnext day.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "max_lifetime_seconds",
     "required": false,
     "description": "Longest time from the creation of a key to its end, s: an hour to ten years. Absent: no maximum.",
     "type": "integer"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listAuditRecords",
  "method": "GET",
  "path": "/platform/audit",
  "tag": "audit",
  "summary": "List audit records",
  "description": "Lists the organisation's records, newest first.",
  "parameters": [
   {
    "name": "member_id",
    "in": "query",
    "required": false,
    "description": "Only those of this member.",
    "type": "string"
   },
   {
    "name": "credential_id",
    "in": "query",
    "required": false,
    "description": "Only those of this credential.",
    "type": "string"
   },
   {
    "name": "action",
    "in": "query",
    "required": false,
    "description": "Only those of this action.",
    "type": "string"
   },
   {
    "name": "outcome",
    "in": "query",
    "required": false,
    "description": "Only those that ended so.",
    "type": "string"
   },
   {
    "name": "entity_id",
    "in": "query",
    "required": false,
    "description": "Only those about this entity.",
    "type": "string"
   },
   {
    "name": "request_id",
    "in": "query",
    "required": false,
    "description": "Only those of this request.",
    "type": "string"
   },
   {
    "name": "since",
    "in": "query",
    "required": false,
    "description": "Only those at this time or later.",
    "type": "string"
   },
   {
    "name": "until",
    "in": "query",
    "required": false,
    "description": "Only those before this time.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Records at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which of those, such as `action = identity.role.created OR action = identity.role.deleted`. Empty: all.\n\nFields:\n- `actor.member_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `actor.credential_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `action` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `outcome` (`=` `!=`): one of `done`, `refused`\n- `entity_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `request_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `at asc`.\n\nOne of `at`, and `asc` or `desc`. Default: `at desc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "listInstallationAuditRecords",
  "method": "GET",
  "path": "/platform/installation/audit",
  "tag": "audit",
  "summary": "List installation audit records",
  "description": "Lists the records that belong to no organisation, newest first: what the operator did, and refusals of callers of whom\nnothing is known.",
  "parameters": [
   {
    "name": "outcome",
    "in": "query",
    "required": false,
    "description": "Only those that ended so.",
    "type": "string"
   },
   {
    "name": "since",
    "in": "query",
    "required": false,
    "description": "Only those at this time or later.",
    "type": "string"
   },
   {
    "name": "until",
    "in": "query",
    "required": false,
    "description": "Only those before this time.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Records at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which of those, such as `action = identity.organisation.created`. Empty: all.\n\nFields:\n- `organisation_id` (`=` `!=`): an id\n- `actor.member_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `actor.credential_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `action` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `outcome` (`=` `!=`): one of `done`, `refused`\n- `entity_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `request_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `at asc`.\n\nOne of `at`, and `asc` or `desc`. Default: `at desc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "startSocialnetLink",
  "method": "POST",
  "path": "/external-oauth/socialnet/start",
  "tag": "oauth",
  "summary": "Start socialnet link",
  "description": "Begins to link an account of the provider `socialnet`: the member opens the authorization URL within 15 minutes. It is a page of the\nplatform, which says what is linked and leads on to the provider. Fails\nwith `not_found` when no such provider is configured, and with `secret_name_linked` when the name is linked and `relink`\nis not set.",
  "parameters": [
   {
    "name": "relink",
    "in": "query",
    "required": false,
    "description": "Whether a linked name may be linked again: the tokens are replaced once the new ones are there.",
    "type": "boolean"
   },
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "secret_name",
     "required": true,
     "description": "Name for the tokens; unique in the organisation.",
     "type": "string"
    },
    {
     "name": "secret_description",
     "required": false,
     "description": "What they are for.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "startExternalLink",
  "method": "POST",
  "path": "/platform/external-oauth/{provider}/start",
  "tag": "oauth",
  "summary": "Start external link",
  "description": "Begins to link an account of any configured provider, as StartSocialnetLink does for one.",
  "parameters": [
   {
    "name": "provider",
    "in": "path",
    "required": true,
    "description": "The provider, as configured.",
    "type": "string"
   },
   {
    "name": "relink",
    "in": "query",
    "required": false,
    "description": "Whether a linked name may be linked again: the tokens are replaced once the new ones are there.",
    "type": "boolean"
   },
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "secret_name",
     "required": true,
     "description": "Name for the tokens; unique in the organisation.",
     "type": "string"
    },
    {
     "name": "secret_description",
     "required": false,
     "description": "What they are for.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "reviewExternalLink",
  "method": "GET",
  "path": "/platform/external-oauth/authorize",
  "tag": "oauth",
  "summary": "Review external link",
  "description": "The page that a member opens first: it says which organisation gets access to an account, and who asks for it.",
  "parameters": [
   {
    "name": "state",
    "in": "query",
    "required": false,
    "description": "Of the attempt.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": false,
  "paged": false
 },
 {
  "id": "continueExternalLink",
  "method": "GET",
  "path": "/platform/external-oauth/authorize/continue",
  "tag": "oauth",
  "summary": "Continue external link",
  "description": "Where that page leads: on to the provider, for the browser that has shown the page.",
  "parameters": [
   {
    "name": "state",
    "in": "query",
    "required": false,
    "description": "Of the attempt.",
    "type": "string"
   },
   {
    "name": "confirmation",
    "in": "query",
    "required": false,
    "description": "From the page.",
    "type": "string"
   },
   {
    "name": "Cookie",
    "in": "header",
    "required": false,
    "description": "What the page before has set.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": false,
  "paged": false
 },
 {
  "id": "completeExternalLink",
  "method": "GET",
  "path": "/platform/external-oauth/callback",
  "tag": "oauth",
  "summary": "Complete external link",
  "description": "Where the provider sends the member's browser back to: exchanges the code, keeps the tokens, answers a page.",
  "parameters": [
   {
    "name": "code",
    "in": "query",
    "required": false,
    "description": "Exchanged for tokens.",
    "type": "string"
   },
   {
    "name": "state",
    "in": "query",
    "required": false,
    "description": "As it was given to the provider.",
    "type": "string"
   },
   {
    "name": "iss",
    "in": "query",
    "required": false,
    "description": "Who the provider says it is (RFC 9207).",
    "type": "string"
   },
   {
    "name": "error",
    "in": "query",
    "required": false,
    "description": "Why the provider said no.",
    "type": "string"
   },
   {
    "name": "error_description",
    "in": "query",
    "required": false,
    "description": "The provider's words; not repeated.",
    "type": "string"
   },
   {
    "name": "Cookie",
    "in": "header",
    "required": false,
    "description": "What the platform's own page has set when its user went on.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": false,
  "paged": false
 },
 {
  "id": "listExternalLinks",
  "method": "GET",
  "path": "/platform/external-oauth/links",
  "tag": "oauth",
  "summary": "List external links",
  "description": "Lists the organisation's links by creation.",
  "parameters": [
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Links at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which links, such as `provider = socialnet`. Empty: all.\n\nFields:\n- `provider` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `secret_name` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `member_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `secret_name`.\n\nOne of `secret_name`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "getExternalLink",
  "method": "GET",
  "path": "/platform/external-oauth/links/{link_id}",
  "tag": "oauth",
  "summary": "Get external link",
  "description": "Answers one link.",
  "parameters": [
   {
    "name": "link_id",
    "in": "path",
    "required": true,
    "description": "The link's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "revokeExternalLink",
  "method": "DELETE",
  "path": "/platform/external-oauth/links/{link_id}",
  "tag": "oauth",
  "summary": "Revoke external link",
  "description": "Revokes the tokens at the provider where it offers that, then erases them. Repeating it changes nothing.",
  "parameters": [
   {
    "name": "link_id",
    "in": "path",
    "required": true,
    "description": "The link's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listMembers",
  "method": "GET",
  "path": "/platform/members",
  "tag": "members",
  "summary": "List members",
  "description": "Lists the members of the caller's organisation by creation.",
  "parameters": [
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Members at most, 1 to 1,000. Default 1,000.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which members, such as `status = active`. Empty: all.\n\nFields:\n- `display_name` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `email` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `status` (`=` `!=`): one of `invited`, `active`, `inactive`\n- `role_ids` (`=` `:`): an id; any of them\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `last_seen_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `display_name`.\n\nOne of `display_name`, `email`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "createMember",
  "method": "POST",
  "path": "/platform/members",
  "tag": "members",
  "summary": "Create member",
  "description": "Adds a member. Without issuer and subject it is an invitation: the first access token with the member's verified e-mail\naddress, of an issuer that is believed for members' addresses, makes it theirs. Fails with `member_taken` when issuer and\nsubject, or the e-mail address, are taken in the organisation, and with `permission_missing` when a role grants what the\ncaller lacks.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "member",
     "required": true,
     "description": "The member.",
     "type": "object"
    },
    {
     "name": "role_ids",
     "required": false,
     "description": "Roles to hold. They stand beside the member: in it they would be an unknown field, and ignored as every such field is.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getMember",
  "method": "GET",
  "path": "/platform/members/{member_id}",
  "tag": "members",
  "summary": "Get member",
  "description": "Answers one member.",
  "parameters": [
   {
    "name": "member_id",
    "in": "path",
    "required": true,
    "description": "The member.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "setMemberRoles",
  "method": "PUT",
  "path": "/platform/members/{member_id}/roles",
  "tag": "members",
  "summary": "Set member roles",
  "description": "Replaces the roles of a member. Fails with `last_administrator` when no active member would hold the role `administrator`.",
  "parameters": [
   {
    "name": "member_id",
    "in": "path",
    "required": true,
    "description": "The member.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "role_ids",
     "required": true,
     "description": "All roles to hold from now on.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "deactivateMember",
  "method": "POST",
  "path": "/platform/members/{member_id}/deactivate",
  "tag": "members",
  "summary": "Deactivate member",
  "description": "Takes a member's access away, and revokes the API keys that they made, everywhere within a second. Repeating it changes\nnothing. Fails with `last_administrator` when no active member would hold the role `administrator`, or no invited one\nwhere none is active.",
  "parameters": [
   {
    "name": "member_id",
    "in": "path",
    "required": true,
    "description": "The member.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "keep_api_keys",
     "required": false,
     "description": "Whether the API keys that the member made stay valid. Default: they are revoked.",
     "type": "boolean"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "reactivateMember",
  "method": "POST",
  "path": "/platform/members/{member_id}/reactivate",
  "tag": "members",
  "summary": "Reactivate member",
  "description": "Gives a deactivated member's access back. Repeating it changes nothing. Fails with `permission_missing` when a\nrole the member holds grants what the caller lacks.",
  "parameters": [
   {
    "name": "member_id",
    "in": "path",
    "required": true,
    "description": "The member.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getOwnMember",
  "method": "GET",
  "path": "/platform/members/me",
  "tag": "members",
  "summary": "Get own member",
  "description": "Answers the calling member. Fails with `caller_is_no_member` for a caller that is no member, such as an API key of a program.",
  "parameters": [],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "setOwnEmailPreference",
  "method": "PUT",
  "path": "/platform/members/me/email-preference",
  "tag": "members",
  "summary": "Set own email preference",
  "description": "Says whether the calling member wants the e-mails that are sent to members. Fails with `caller_is_no_member` for\na caller that is none.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "email_opted_out",
     "required": true,
     "description": "Whether the member wants no e-mails.",
     "type": "boolean"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getNotebookSession",
  "method": "GET",
  "path": "/notebooks/services/session/api/me",
  "tag": "notebooks",
  "summary": "Get notebook session",
  "description": "Answers who the caller is, what the caller may do and where the caller's notebook server stands, in the shape of\nJupyter Server's `/api/me`. Reading never starts or extends a session.",
  "parameters": [
   {
    "name": "permissions",
    "in": "query",
    "required": false,
    "description": "Permissions to look at, as Jupyter writes them: a JSON object of resource to list of actions.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "createOrganisation",
  "method": "POST",
  "path": "/platform/organisations",
  "tag": "organisations",
  "summary": "Create organisation",
  "description": "Creates an organisation with its first administrator and an API key that holds every permission.\nFails with `slug_taken` when the slug is taken. For the operator of the installation.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "slug",
     "required": true,
     "description": "Unique in the installation.",
     "type": "string"
    },
    {
     "name": "name",
     "required": true,
     "description": "Name for people.",
     "type": "string"
    },
    {
     "name": "administrator",
     "required": true,
     "description": "The first member; gets the system role `administrator`.",
     "type": "object"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "suspendOrganisation",
  "method": "POST",
  "path": "/platform/organisations/{organisation_id}/suspend",
  "tag": "organisations",
  "summary": "Suspend organisation",
  "description": "Suspends an organisation: no credential of it is accepted, and its automations and e-mails wait, until it is restored.\nWhat it has stays. Suspending it again changes nothing. For the operator of the installation.",
  "parameters": [
   {
    "name": "organisation_id",
    "in": "path",
    "required": true,
    "description": "The organisation's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "restoreOrganisation",
  "method": "POST",
  "path": "/platform/organisations/{organisation_id}/restore",
  "tag": "organisations",
  "summary": "Restore organisation",
  "description": "Restores a suspended organisation: its credentials are accepted again, and its automations and e-mails go on. Restoring it\nagain changes nothing. For the operator of the installation.",
  "parameters": [
   {
    "name": "organisation_id",
    "in": "path",
    "required": true,
    "description": "The organisation's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "inspectOrganisation",
  "method": "GET",
  "path": "/platform/organisations/{organisation_id}",
  "tag": "organisations",
  "summary": "Inspect organisation",
  "description": "Answers any organisation with its state, and how far its deletion is. For the operator of the installation.",
  "parameters": [
   {
    "name": "organisation_id",
    "in": "path",
    "required": true,
    "description": "The organisation's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "deleteOrganisation",
  "method": "DELETE",
  "path": "/platform/organisations/{organisation_id}",
  "tag": "organisations",
  "summary": "Delete organisation",
  "description": "Deletes a suspended organisation with everything that it has, for ever. Each service removes what it keeps; `deletion` of\nthe answer, and of `inspectOrganisation`, tells how far that is. Deleting it again changes nothing. Fails with\n`organisation_not_suspended` while it is active. For the operator of the installation.",
  "parameters": [
   {
    "name": "organisation_id",
    "in": "path",
    "required": true,
    "description": "The organisation's id.",
    "type": "string"
   },
   {
    "name": "confirm_slug",
    "in": "query",
    "required": true,
    "description": "The organisation's slug, so that no other organisation is deleted by mistake. Of one that is deleted already, any.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getOrganisation",
  "method": "GET",
  "path": "/platform/organisation",
  "tag": "organisations",
  "summary": "Get organisation",
  "description": "Answers the caller's own organisation.",
  "parameters": [],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getOrganisationQuotas",
  "method": "GET",
  "path": "/platform/organisations/{organisation_id}/quotas",
  "tag": "organisations",
  "summary": "Get organisation quotas",
  "description": "Answers the limits that are set for an organisation, without those of the settings. For the operator of the installation.",
  "parameters": [
   {
    "name": "organisation_id",
    "in": "path",
    "required": true,
    "description": "The organisation's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "setOrganisationQuotas",
  "method": "PUT",
  "path": "/platform/organisations/{organisation_id}/quotas",
  "tag": "organisations",
  "summary": "Set organisation quotas",
  "description": "Sets limits of an organisation's quotas, in place of those that were set before. They take precedence over the settings of the\nservices; a quota without a limit here is as the settings say. A lower limit takes nothing away. For the operator of the installation.",
  "parameters": [
   {
    "name": "organisation_id",
    "in": "path",
    "required": true,
    "description": "The organisation's id.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "members",
     "required": false,
     "description": "Members who are active or invited.",
     "type": "integer"
    },
    {
     "name": "api_keys",
     "required": false,
     "description": "API keys that are neither revoked nor expired.",
     "type": "integer"
    },
    {
     "name": "pipelines",
     "required": false,
     "description": "Pipelines that were ever made.",
     "type": "integer"
    },
    {
     "name": "runs",
     "required": false,
     "description": "Training runs that were ever made.",
     "type": "integer"
    },
    {
     "name": "run_configuration_bytes",
     "required": false,
     "description": "Bytes of the jobs that runs declare.",
     "type": "integer"
    },
    {
     "name": "email_drafts",
     "required": false,
     "description": "E-mail drafts that were not sent.",
     "type": "integer"
    },
    {
     "name": "deployments",
     "required": false,
     "description": "Deployments that are not being deleted.",
     "type": "integer"
    },
    {
     "name": "instance_memory_mb",
     "required": false,
     "description": "MiB of memory that all instances may take.",
     "type": "integer"
    },
    {
     "name": "artifact_bytes",
     "required": false,
     "description": "Bytes of artifacts.",
     "type": "integer"
    },
    {
     "name": "dataset_versions",
     "required": false,
     "description": "Versions of datasets that are not forgotten.",
     "type": "integer"
    },
    {
     "name": "dataset_bytes",
     "required": false,
     "description": "Bytes of the data of versions of datasets.",
     "type": "integer"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listPermissions",
  "method": "GET",
  "path": "/platform/permissions",
  "tag": "organisations",
  "summary": "List permissions",
  "description": "Lists every permission that a role or a key can hold, and what it opens. The list follows from the contract.",
  "parameters": [],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "createRole",
  "method": "POST",
  "path": "/organisations/roles/",
  "tag": "organisations",
  "summary": "Create role",
  "description": "Creates a custom role in the caller's organisation. Fails with `slug_taken` when the slug is taken, with `permission_missing`\nwhen the role grants what the caller lacks, and with `role_limit` when the organisation has 1,000 custom roles.",
  "parameters": [
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "name",
     "required": true,
     "description": "Name for people; blanks around it are cut off.",
     "type": "string"
    },
    {
     "name": "slug",
     "required": true,
     "description": "Unique in the organisation and not a system role's.",
     "type": "string"
    },
    {
     "name": "permission_ids",
     "required": true,
     "description": "What it grants; repeats collapse, order is kept.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listRoles",
  "method": "GET",
  "path": "/platform/roles",
  "tag": "organisations",
  "summary": "List roles",
  "description": "Lists system roles, then the organisation's own by creation.",
  "parameters": [
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Roles at most, 1 to 1,000. Default 1,000.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which roles, such as `permission_ids:\"training:command\"`. Empty: all.\n\nFields:\n- `name` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `slug` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `is_system` (`=` `!=`): `true` or `false`\n- `permission_ids` (`=` `:`): a text; any of them\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`, system roles come before all others",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `name`.\n\nOne of `name`, `slug`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "getRole",
  "method": "GET",
  "path": "/platform/roles/{role_id}",
  "tag": "organisations",
  "summary": "Get role",
  "description": "Answers one role.",
  "parameters": [
   {
    "name": "role_id",
    "in": "path",
    "required": true,
    "description": "The role's id.",
    "type": "string"
   },
   {
    "name": "If-None-Match",
    "in": "header",
    "required": false,
    "description": "An `ETag` of an earlier answer: 304 while it still holds.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "updateRole",
  "method": "PUT",
  "path": "/platform/roles/{role_id}",
  "tag": "organisations",
  "summary": "Update role",
  "description": "Replaces a custom role's name and permissions; its holders' access follows within a second. The slug stays. Fails with\n`role_is_system` for a system role, with `permission_missing` when a permission is added that the caller lacks, and with\n`etag_mismatch` when `if_match` is not the role's. What is so already is no change, and is answered whatever `if_match` says.",
  "parameters": [
   {
    "name": "role_id",
    "in": "path",
    "required": true,
    "description": "The role's id.",
    "type": "string"
   },
   {
    "name": "If-Match",
    "in": "header",
    "required": false,
    "description": "Changes nothing unless the role still has this ETag.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "name",
     "required": true,
     "description": "Name for people; blanks around it are cut off.",
     "type": "string"
    },
    {
     "name": "permission_ids",
     "required": true,
     "description": "All that it grants from now on; repeats collapse, order is kept.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "deleteRole",
  "method": "DELETE",
  "path": "/platform/roles/{role_id}",
  "tag": "organisations",
  "summary": "Delete role",
  "description": "Deletes a custom role. Fails with `role_in_use` while a member holds it, and with `role_is_system` for a system role.",
  "parameters": [
   {
    "name": "role_id",
    "in": "path",
    "required": true,
    "description": "The role's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listSessions",
  "method": "GET",
  "path": "/platform/sessions",
  "tag": "sessions",
  "summary": "List sessions",
  "description": "Lists the caller's sessions, newest first, or with `everyone` all of the organisation, which needs `members:manage`.",
  "parameters": [
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Sessions at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "everyone",
    "in": "query",
    "required": false,
    "description": "Whether all sessions of the organisation are listed.",
    "type": "boolean"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "createSession",
  "method": "POST",
  "path": "/platform/sessions",
  "tag": "sessions",
  "summary": "Create session",
  "description": "Exchanges the request's credential for a session, and sets its cookie. The credential is an API key, an access token, a\none-time sign-in code, or the session itself with `organisation_id` to switch to another organisation. Fails with\n`credential_opens_no_session` for any other credential, and with `sessions_off` where the installation has no `PUBLIC_URL`.",
  "parameters": [
   {
    "name": "User-Agent",
    "in": "header",
    "required": false,
    "description": "Shown in the list of sessions, so that people can tell their browsers apart.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "organisation_id",
     "required": false,
     "description": "The organisation that a session switches to. Absent: the organisation of the credential.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getSession",
  "method": "GET",
  "path": "/platform/session",
  "tag": "sessions",
  "summary": "Get session",
  "description": "Answers who calls, with which credential, and what the caller may do. For a session also when it ends.",
  "parameters": [],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "endSession",
  "method": "DELETE",
  "path": "/platform/session",
  "tag": "sessions",
  "summary": "End session",
  "description": "Signs the browser out: ends its session and removes the cookie. Without a session it only removes the cookie.",
  "parameters": [],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "revokeSession",
  "method": "DELETE",
  "path": "/platform/sessions/{session_id}",
  "tag": "sessions",
  "summary": "Revoke session",
  "description": "Ends a session, everywhere within a second: one of the caller's own, or with `members:manage` any of the organisation.",
  "parameters": [
   {
    "name": "session_id",
    "in": "path",
    "required": true,
    "description": "The session's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "createSignInCode",
  "method": "POST",
  "path": "/platform/sign-in-codes",
  "tag": "sessions",
  "summary": "Create sign in code",
  "description": "Makes a code that opens one session for the caller within five minutes. It works once. Fails with `sign_in_codes_off` unless\nbrowsers reach the installation on this machine only.",
  "parameters": [],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listSignInProviders",
  "method": "GET",
  "path": "/platform/sign-in/providers",
  "tag": "sessions",
  "summary": "List sign in providers",
  "description": "Lists the identity providers that people can sign in with. Empty where none is set up for it.",
  "parameters": [],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "startSignIn",
  "method": "GET",
  "path": "/platform/sign-in/{provider}/start",
  "tag": "sessions",
  "summary": "Start sign in",
  "description": "Sends a browser to the identity provider, and sets the cookie by which it is known when it comes back within 15 minutes. When the\nprovider cannot be reached, the browser goes to the console's sign-in page, which says why.",
  "parameters": [
   {
    "name": "provider",
    "in": "path",
    "required": true,
    "description": "The provider's id.",
    "type": "string"
   },
   {
    "name": "to",
    "in": "query",
    "required": false,
    "description": "Page of the console to show afterwards: a path inside the console, such as `/runs`. Empty: its start page.",
    "type": "string"
   },
   {
    "name": "Cookie",
    "in": "header",
    "required": false,
    "description": "Says which sign-ins the browser has under way.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": false,
  "paged": false
 },
 {
  "id": "completeSignIn",
  "method": "GET",
  "path": "/platform/sign-in/{provider}/callback",
  "tag": "sessions",
  "summary": "Complete sign in",
  "description": "Where the identity provider sends the browser back to: exchanges the code, opens a session of the member, sets its cookie, and sends\nthe browser on to the console. When there is no session, the console's sign-in page says why and what to do.",
  "parameters": [
   {
    "name": "provider",
    "in": "path",
    "required": true,
    "description": "The provider's id.",
    "type": "string"
   },
   {
    "name": "code",
    "in": "query",
    "required": false,
    "description": "Exchanged for an id token.",
    "type": "string"
   },
   {
    "name": "state",
    "in": "query",
    "required": false,
    "description": "As it was given to the provider.",
    "type": "string"
   },
   {
    "name": "iss",
    "in": "query",
    "required": false,
    "description": "Who the provider says it is (RFC 9207).",
    "type": "string"
   },
   {
    "name": "error",
    "in": "query",
    "required": false,
    "description": "Why the provider said no.",
    "type": "string"
   },
   {
    "name": "Cookie",
    "in": "header",
    "required": false,
    "description": "What the start of the sign-in has set.",
    "type": "string"
   },
   {
    "name": "User-Agent",
    "in": "header",
    "required": false,
    "description": "Shown in the list of sessions, so that people can tell their browsers apart.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": false,
  "paged": false
 },
 {
  "id": "enableFromProposal",
  "method": "POST",
  "path": "/workspaces/enable-from-proposal/",
  "tag": "workspaces",
  "summary": "Enable from proposal",
  "description": "Accepts a proposal as a whole or not at all: creates its workspaces, or updates those of the same draft, and enables\nworkspaces. Fails with `not_found` when an asset is not the organisation's, and with `workspace_limit` when the organisation\nwould have more workspaces, or more assets in them, than there may be.",
  "parameters": [
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "algorithm_version",
     "required": true,
     "description": "Version of the algorithm that made it.",
     "type": "string"
    },
    {
     "name": "workspaces",
     "required": true,
     "description": "The workspaces; none enables only.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getWorkspaceSettings",
  "method": "GET",
  "path": "/platform/workspaces/settings",
  "tag": "workspaces",
  "summary": "Get workspace settings",
  "description": "Answers the organisation's settings.",
  "parameters": [],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "updateWorkspaceSettings",
  "method": "PATCH",
  "path": "/platform/workspaces/settings",
  "tag": "workspaces",
  "summary": "Update workspace settings",
  "description": "Changes the settings that are given; what is absent stays.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "workspaces_enabled",
     "required": false,
     "description": "Whether workspaces are in use.",
     "type": "boolean"
    },
    {
     "name": "auto_grouping_enabled",
     "required": false,
     "description": "Whether assets in no workspace are grouped by themselves.",
     "type": "boolean"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "startGrouping",
  "method": "POST",
  "path": "/platform/workspaces/grouping-runs",
  "tag": "workspaces",
  "summary": "Start grouping",
  "description": "Asks for the assets that are in no workspace to be grouped; `grouping_status` tells how far that is.\nFails with `workspaces_disabled` when workspaces are not enabled. While a run is queued or running nothing is added.",
  "parameters": [],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listWorkspaces",
  "method": "GET",
  "path": "/platform/workspaces",
  "tag": "workspaces",
  "summary": "List workspaces",
  "description": "Lists the organisation's workspaces by creation.",
  "parameters": [
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Workspaces at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which workspaces, such as `asset_count > 10`. Empty: all.\n\nFields:\n- `name` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `draft_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `asset_count` (`=` `!=` `<` `<=` `>` `>=`): a number\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `name`.\n\nOne of `name`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "getWorkspace",
  "method": "GET",
  "path": "/platform/workspaces/{workspace_id}",
  "tag": "workspaces",
  "summary": "Get workspace",
  "description": "Answers one workspace.",
  "parameters": [
   {
    "name": "workspace_id",
    "in": "path",
    "required": true,
    "description": "The workspace's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "deleteWorkspace",
  "method": "DELETE",
  "path": "/platform/workspaces/{workspace_id}",
  "tag": "workspaces",
  "summary": "Delete workspace",
  "description": "Deletes a workspace; its assets are in none afterwards.",
  "parameters": [
   {
    "name": "workspace_id",
    "in": "path",
    "required": true,
    "description": "The workspace's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listWorkspaceAssets",
  "method": "GET",
  "path": "/platform/workspaces/{workspace_id}/assets",
  "tag": "workspaces",
  "summary": "List workspace assets",
  "description": "Lists a workspace's assets with the evidence for each.",
  "parameters": [
   {
    "name": "workspace_id",
    "in": "path",
    "required": true,
    "description": "The workspace's id.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Assets at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which assets, such as `confidence >= 0.9 AND source = auto`. Empty: all.\n\nFields:\n- `asset_id` (`=` `!=`): an id\n- `role` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `source` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `confidence` (`=` `!=` `<` `<=` `>` `>=`): a number\n- `accepted_by_member_id` (`=` `!=` `:`): an id; `:*` where there is one\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `created_at desc`.\n\nOne of `created_at`, and `asc` or `desc`. Default: `created_at asc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "listAssets",
  "method": "GET",
  "path": "/platform/assets",
  "tag": "assets",
  "summary": "List assets",
  "description": "Lists the organisation's assets by registration.",
  "parameters": [
   {
    "name": "ungrouped",
    "in": "query",
    "required": false,
    "description": "Only those in no workspace.",
    "type": "boolean"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Assets at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which assets, such as `kind = pipeline`. Empty: all.\n\nFields:\n- `name` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `kind` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `dataset_ids` (`=` `:`): an id; any of them\n- `workspace_ids` (`=` `:`): an id; any of them\n- `owner` (`=` `!=` `<` `<=` `>` `>=` `:`): a text; `:*` where there is one\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `name`.\n\nOne of `name`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "registerAsset",
  "method": "POST",
  "path": "/platform/assets",
  "tag": "assets",
  "summary": "Register asset",
  "description": "Makes an asset known, or changes what is known of it. What the platform itself makes is known without this. Fails with\n`asset_owned` for an asset that a service of the platform tells of, and with `asset_limit` when there are as many as\nthere may be.",
  "parameters": [
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "asset_id",
     "required": false,
     "description": "The asset's id; absent: a new one is made. One that is known already is changed.",
     "type": "string"
    },
    {
     "name": "name",
     "required": true,
     "description": "Name for people.",
     "type": "string"
    },
    {
     "name": "kind",
     "required": true,
     "description": "What it is, such as `dataset` or `report`.",
     "type": "string"
    },
    {
     "name": "dataset_ids",
     "required": false,
     "description": "Datasets that it has to do with: texts that only have to be equal.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "deleteAsset",
  "method": "DELETE",
  "path": "/platform/assets/{asset_id}",
  "tag": "assets",
  "summary": "Delete asset",
  "description": "Forgets an asset that was registered here; it leaves its workspaces. Fails with `asset_owned` for an asset that a service\nof the platform tells of.",
  "parameters": [
   {
    "name": "asset_id",
    "in": "path",
    "required": true,
    "description": "The asset's id.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listCheckpoints",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/checkpoints",
  "tag": "pipelines",
  "summary": "List checkpoints",
  "description": "Lists a job's checkpoints, newest first. Fails with `not_found` when pipeline, run and job do not belong together in the\ncaller's organisation.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job within the run.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Checkpoints at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which checkpoints, such as `step >= 1000 AND metrics.loss < 0.1`. Empty: all.\n\nFields:\n- `id` (`=` `!=`): an id\n- `step` (`=` `!=` `<` `<=` `>` `>=`): a number\n- `segment_index` (`=` `!=` `<` `<=` `>` `>=`): a number\n- `metrics.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a number; `:*` where there is one\n- `sha256` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `size_bytes` (`=` `!=` `<` `<=` `>` `>=`): a number\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `pruned_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one\n- `verified_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one\n- `verification` (`=` `!=` `:`): one of `intact`, `damaged`, `missing`, `running`; `:*` where there is one\n- `position` (`=` `!=` `<` `<=` `>` `>=`): a number, the place among the checkpoints of the job as they became known, from 0",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `metrics.loss`.\n\nOne of `step`, `metrics.<key>`, `size_bytes`, `created_at`, `position`, and `asc` or `desc`. Default: `position desc`. What has no value of the key, or none that is a number, is left out.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "registerCheckpoint",
  "method": "POST",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/checkpoints",
  "tag": "training",
  "summary": "Register checkpoint",
  "description": "Records a checkpoint that is durable where the trainer keeps it. Repeating an id changes nothing.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run. Absent: not compared.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "attachment_id",
     "required": true,
     "description": "This process's attachment.",
     "type": "string"
    },
    {
     "name": "checkpoint",
     "required": true,
     "description": "The checkpoint.",
     "type": "object"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "pruneCheckpoints",
  "method": "POST",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/checkpoints/prune",
  "tag": "pipelines",
  "summary": "Prune checkpoints",
  "description": "Prunes checkpoints of a job: those that are named, or those that a rule leaves over, 1,000 at most. No command can name a pruned\ncheckpoint, and the trainer deletes its files. It stays in the list, with `pruned_at`. Checkpoints that the job needs are kept, and the\nanswer says why. Repeating the request changes nothing. Fails with `not_found` when pipeline, run and job do not belong together in the\ncaller's organisation.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job within the run.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "checkpoint_ids",
     "required": false,
     "description": "The checkpoints, 1,000 at most. Absent: those that the rule leaves over.",
     "type": "array"
    },
    {
     "name": "keep_newest",
     "required": false,
     "description": "Instead of `checkpoint_ids`: keeps so many of the newest.",
     "type": "integer"
    },
    {
     "name": "keep_best",
     "required": false,
     "description": "Instead of `checkpoint_ids`: keeps so many of the best by the job's primary metric.",
     "type": "integer"
    },
    {
     "name": "filter",
     "required": false,
     "description": "Instead of `checkpoint_ids`: the checkpoints that the rule is about, as `filter` of the list finds them. Empty: all.",
     "type": "string"
    },
    {
     "name": "dry_run",
     "required": false,
     "description": "Whether to answer what would be, and change nothing.",
     "type": "boolean"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "verifyCheckpoint",
  "method": "POST",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/checkpoints/{checkpoint_id}/verify",
  "tag": "pipelines",
  "summary": "Verify checkpoint",
  "description": "Reads a checkpoint that lies in the platform's artifact store (`artifact:sha256:…`), and records whether its bytes are there and have\nthe recorded digest. One that takes long is answered as `running`; the list then shows what came of it. Fails with\n`checkpoint_elsewhere` for one that only its trainer can read, `checkpoint_pruned`, and `not_found`.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job within the run.",
    "type": "string"
   },
   {
    "name": "checkpoint_id",
    "in": "path",
    "required": true,
    "description": "The checkpoint.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "createTrainingControlCommand",
  "method": "POST",
  "path": "/pipelines/{pipeline_id}/runs/{run_id}/training/{job_name}/commands",
  "tag": "training",
  "summary": "Create training control command",
  "description": "Records a command for a job. It is answered as `rejected`, with a detail, when the job's state forbids it.\nFails with `not_found` when pipeline, run and job do not belong together in the caller's organisation, and with\n`idempotency_key_reused` at `idempotency_key` when the key was used for another command.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job within the run.",
    "type": "string"
   },
   {
    "name": "Api-key",
    "in": "header",
    "required": false,
    "description": "An API key; alone it is a sufficient credential.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "action",
     "required": true,
     "description": "What to do.",
     "type": "string"
    },
    {
     "name": "checkpoint_id",
     "required": false,
     "description": "The checkpoint to use; must be null for continue, pause and abort.",
     "type": "string"
    },
    {
     "name": "runtime_overrides",
     "required": false,
     "description": "Settings to change with it; only keys that the job declares.",
     "type": "object"
    },
    {
     "name": "idempotency_key",
     "required": true,
     "description": "Makes repeats of this request harmless: unique per job, for ever.",
     "type": "string"
    },
    {
     "name": "supervision_id",
     "required": false,
     "description": "The supervision under which the command is issued; only together with its token.",
     "type": "string"
    },
    {
     "name": "supervision_lease_token",
     "required": false,
     "description": "The token that was given out when the lease was acquired.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "commandJobs",
  "method": "POST",
  "path": "/platform/job-commands",
  "tag": "training",
  "summary": "Command jobs",
  "description": "Sends one command to many jobs, or says what it would lead to in each. Each job has an outcome of its own, and none keeps another from\nhaving one. Repeating the request with its key gives each job the command at most once, and reaches the jobs that a filter found first.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "jobs",
     "required": false,
     "description": "The jobs, 1 to 100. Absent: those that `filter` finds.",
     "type": "array"
    },
    {
     "name": "action",
     "required": true,
     "description": "What to do.",
     "type": "string"
    },
    {
     "name": "runtime_overrides",
     "required": false,
     "description": "Settings to change with it; only keys that a job declares.",
     "type": "object"
    },
    {
     "name": "idempotency_key",
     "required": true,
     "description": "Makes repeats of this request harmless: the key of the command in each job.",
     "type": "string"
    },
    {
     "name": "dry_run",
     "required": false,
     "description": "Whether to answer what would be, and change nothing.",
     "type": "boolean"
    },
    {
     "name": "filter",
     "required": false,
     "description": "Instead of `jobs`: runs, 100 at most, found as by `filter` of all runs. Needs `metrics:read`.",
     "type": "string"
    },
    {
     "name": "job_name",
     "required": false,
     "description": "With `filter`: the job within each run. Absent: the one declared first.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "pauseJob",
  "method": "POST",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/pause",
  "tag": "training",
  "summary": "Pause job",
  "description": "Records a pause that may end by itself: the job is resumed at that time, once, unless a command for it is taken before. A job that is paused\nalready gets the new end, or none.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job within the run.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "until",
     "required": false,
     "description": "When the job goes on by itself, at most a year from now. Absent, and without `resume_after_seconds`: never.",
     "type": "string"
    },
    {
     "name": "resume_after_seconds",
     "required": false,
     "description": "Seconds from now after which it goes on by itself, instead of `until`.",
     "type": "integer"
    },
    {
     "name": "idempotency_key",
     "required": true,
     "description": "Makes repeats of this request harmless: unique per job, for ever.",
     "type": "string"
    },
    {
     "name": "supervision_id",
     "required": false,
     "description": "The supervision under which the command is issued; only together with its token.",
     "type": "string"
    },
    {
     "name": "supervision_lease_token",
     "required": false,
     "description": "The token that was given out when the lease was acquired.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listControlCommands",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/commands",
  "tag": "training",
  "summary": "List control commands",
  "description": "Lists a job's commands by sequence.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job within the run.",
    "type": "string"
   },
   {
    "name": "after_sequence",
    "in": "query",
    "required": false,
    "description": "Only commands of a higher sequence.",
    "type": "integer"
   },
   {
    "name": "status",
    "in": "query",
    "required": false,
    "description": "Only commands that stand so.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "At most so many.",
    "type": "integer"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getControlCommand",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/commands/{command_id}",
  "tag": "training",
  "summary": "Get control command",
  "description": "Answers one command; waits for its final status if asked to.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job within the run.",
    "type": "string"
   },
   {
    "name": "command_id",
    "in": "path",
    "required": true,
    "description": "The command.",
    "type": "string"
   },
   {
    "name": "wait_seconds",
    "in": "query",
    "required": false,
    "description": "Seconds to wait for a final status; what stands then is answered.",
    "type": "integer"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "previewControlCommand",
  "method": "POST",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/commands/preview",
  "tag": "training",
  "summary": "Preview control command",
  "description": "Says what a command would lead to, and changes nothing.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job within the run.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "action",
     "required": true,
     "description": "What to do.",
     "type": "string"
    },
    {
     "name": "checkpoint_id",
     "required": false,
     "description": "The checkpoint to use.",
     "type": "string"
    },
    {
     "name": "runtime_overrides",
     "required": false,
     "description": "Settings to change with it.",
     "type": "object"
    },
    {
     "name": "supervision_id",
     "required": false,
     "description": "The supervision under which it would be issued.",
     "type": "string"
    },
    {
     "name": "supervision_lease_token",
     "required": false,
     "description": "The lease token that goes with it.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "watchControlCommands",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/commands/stream",
  "tag": "training",
  "summary": "Watch control commands",
  "description": "Follows a job's commands: first those recorded after a sequence, then each one as it is recorded or decided.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job within the run.",
    "type": "string"
   },
   {
    "name": "after_sequence",
    "in": "query",
    "required": false,
    "description": "Start after this sequence; absent: from the first command.",
    "type": "integer"
   },
   {
    "name": "Last-Event-ID",
    "in": "header",
    "required": false,
    "description": "Id of the last event received; the stream goes on after it.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": true,
  "json": false,
  "paged": false
 },
 {
  "id": "getJob",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}",
  "tag": "pipelines",
  "summary": "Get job",
  "description": "Answers a job as it stands, with its segments. Fails with `not_found` when pipeline, run and job do not belong together in the\ncaller's organisation.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job within the run.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "readLogLines",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/logs",
  "tag": "pipelines",
  "summary": "Read log lines",
  "description": "Answers lines that a job's trainers have logged, in the order of their reports. A page of long lines holds fewer than asked for.\nFails with `not_found` when pipeline, run and job do not belong together in the caller's organisation.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job within the run.",
    "type": "string"
   },
   {
    "name": "source",
    "in": "query",
    "required": false,
    "description": "Only lines of these sources.",
    "type": "array"
   },
   {
    "name": "since",
    "in": "query",
    "required": false,
    "description": "Only lines of this time or later.",
    "type": "string"
   },
   {
    "name": "until",
    "in": "query",
    "required": false,
    "description": "Only lines before this time.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Lines at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "watchLogLines",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/logs/stream",
  "tag": "pipelines",
  "summary": "Watch log lines",
  "description": "Follows what a job's trainers log: first the lines that are stored, then those of each report as it arrives.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job within the run.",
    "type": "string"
   },
   {
    "name": "source",
    "in": "query",
    "required": false,
    "description": "Only lines of these sources.",
    "type": "array"
   },
   {
    "name": "since",
    "in": "query",
    "required": false,
    "description": "Only lines of this time or later.",
    "type": "string"
   },
   {
    "name": "Last-Event-ID",
    "in": "header",
    "required": false,
    "description": "Id of the last event received; the stream goes on after it.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": true,
  "json": false,
  "paged": false
 },
 {
  "id": "listMediaNames",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/media-names",
  "tag": "pipelines",
  "summary": "List media names",
  "description": "Lists the names under which a run has media, by job and kind, in the order of their names. Fails with `not_found` when the run\nis not of that pipeline in the caller's organisation.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "include_archived",
    "in": "query",
    "required": false,
    "description": "Also media that a rollback or a warm restart archived.",
    "type": "boolean"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listMedia",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/media",
  "tag": "pipelines",
  "summary": "List media",
  "description": "Lists the media of a run by their steps. What was reported inline comes with its content; of a file, its digest. A page of large\nones holds fewer than asked for. Fails with `not_found` when the run is not of that pipeline in the caller's organisation.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "include_archived",
    "in": "query",
    "required": false,
    "description": "Also media that a rollback or a warm restart archived.",
    "type": "boolean"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Media at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which media, such as `name = samples AND step >= 1000`. Empty: all.\n\nFields:\n- `job_name` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `name` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `kind` (`=` `!=`): one of `histogram`, `image`, `table`, `text`\n- `step` (`=` `!=` `<` `<=` `>` `>=`): a number\n- `segment_index` (`=` `!=` `<` `<=` `>` `>=`): a number",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order: `step` or `step desc`.\n\nOne of `step`, and `asc` or `desc`. Default: `step asc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "createMlflowExperiment",
  "method": "POST",
  "path": "/platform/mlflow/api/2.0/mlflow/experiments/create",
  "tag": "mlflow",
  "summary": "Create mlflow experiment",
  "description": "Creates an experiment: a pipeline. Fails with `experiment_exists` when the organisation has one of that name, a deleted one too.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "name",
     "required": true,
     "description": "Its name.",
     "type": "string"
    },
    {
     "name": "tags",
     "required": false,
     "description": "Its tags.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "searchMlflowExperiments",
  "method": "POST",
  "path": "/platform/mlflow/api/2.0/mlflow/experiments/search",
  "tag": "mlflow",
  "summary": "Search mlflow experiments",
  "description": "Finds experiments: pipelines, newest first.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "max_results",
     "required": false,
     "description": "Experiments at most, 1 to 50,000; a page has 1,000 at most. Default 1,000.",
     "type": "integer"
    },
    {
     "name": "page_token",
     "required": false,
     "description": "`next_page_token` of the page before.",
     "type": "string"
    },
    {
     "name": "filter",
     "required": false,
     "description": "Such as `name = 'mnist' AND tags.team = 'vision'`.",
     "type": "string"
    },
    {
     "name": "order_by",
     "required": false,
     "description": "One order at most, such as `name ASC`.",
     "type": "array"
    },
    {
     "name": "view_type",
     "required": false,
     "description": "`ACTIVE_ONLY`, `DELETED_ONLY` or `ALL`. Default: `ACTIVE_ONLY`.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getMlflowExperiment",
  "method": "GET",
  "path": "/platform/mlflow/api/2.0/mlflow/experiments/get",
  "tag": "mlflow",
  "summary": "Get mlflow experiment",
  "description": "Answers an experiment by its id. `0` is the one called `Default`.",
  "parameters": [
   {
    "name": "experiment_id",
    "in": "query",
    "required": true,
    "description": "Id of the pipeline, or `0`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getMlflowExperimentByName",
  "method": "GET",
  "path": "/platform/mlflow/api/2.0/mlflow/experiments/get-by-name",
  "tag": "mlflow",
  "summary": "Get mlflow experiment by name",
  "description": "Answers an experiment by its name: of several, the oldest that is not deleted.",
  "parameters": [
   {
    "name": "experiment_name",
    "in": "query",
    "required": true,
    "description": "Its name.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "updateMlflowExperiment",
  "method": "POST",
  "path": "/platform/mlflow/api/2.0/mlflow/experiments/update",
  "tag": "mlflow",
  "summary": "Update mlflow experiment",
  "description": "Renames an experiment. Fails with `experiment_exists` when there is another one of that name.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "experiment_id",
     "required": true,
     "description": "Id of the pipeline, or `0`.",
     "type": "string"
    },
    {
     "name": "new_name",
     "required": true,
     "description": "Its name from now on.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "deleteMlflowExperiment",
  "method": "POST",
  "path": "/platform/mlflow/api/2.0/mlflow/experiments/delete",
  "tag": "mlflow",
  "summary": "Delete mlflow experiment",
  "description": "Deletes an experiment as MLflow does: its pipeline is archived. Fails with `pipeline_active` while a run of it runs.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "experiment_id",
     "required": true,
     "description": "Id of the pipeline, or `0`.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "restoreMlflowExperiment",
  "method": "POST",
  "path": "/platform/mlflow/api/2.0/mlflow/experiments/restore",
  "tag": "mlflow",
  "summary": "Restore mlflow experiment",
  "description": "Restores a deleted experiment.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "experiment_id",
     "required": true,
     "description": "Id of the pipeline, or `0`.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "setMlflowExperimentTag",
  "method": "POST",
  "path": "/platform/mlflow/api/2.0/mlflow/experiments/set-experiment-tag",
  "tag": "mlflow",
  "summary": "Set mlflow experiment tag",
  "description": "Sets a tag of an experiment: an annotation of its pipeline.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "experiment_id",
     "required": true,
     "description": "Id of the pipeline, or `0`.",
     "type": "string"
    },
    {
     "name": "key",
     "required": true,
     "description": "Its name.",
     "type": "string"
    },
    {
     "name": "value",
     "required": false,
     "description": "Its text.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "createMlflowRun",
  "method": "POST",
  "path": "/platform/mlflow/api/2.0/mlflow/runs/create",
  "tag": "mlflow",
  "summary": "Create mlflow run",
  "description": "Creates a run with one job, which is running from then on. Experiment `0` is the one called `Default`, which is created if there is none.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "experiment_id",
     "required": false,
     "description": "Id of the pipeline, or `0`.",
     "type": "string"
    },
    {
     "name": "run_name",
     "required": false,
     "description": "Its name. Default: what its tag `mlflow.runName` says, or one that is made.",
     "type": "string"
    },
    {
     "name": "tags",
     "required": false,
     "description": "Its tags.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getMlflowRun",
  "method": "GET",
  "path": "/platform/mlflow/api/2.0/mlflow/runs/get",
  "tag": "mlflow",
  "summary": "Get mlflow run",
  "description": "Answers a run with its parameters, its tags and the newest value of each metric.",
  "parameters": [
   {
    "name": "run_id",
    "in": "query",
    "required": true,
    "description": "The run.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "updateMlflowRun",
  "method": "POST",
  "path": "/platform/mlflow/api/2.0/mlflow/runs/update",
  "tag": "mlflow",
  "summary": "Update mlflow run",
  "description": "Says where a run stands: `FINISHED`, `FAILED` and `KILLED` end its job, `RUNNING` goes on with it. Or renames the run, which needs `training:write`.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "run_id",
     "required": true,
     "description": "The run.",
     "type": "string"
    },
    {
     "name": "status",
     "required": false,
     "description": "`RUNNING`, `FINISHED`, `FAILED` or `KILLED`. Empty: as it is.",
     "type": "string"
    },
    {
     "name": "run_name",
     "required": false,
     "description": "Its name from now on. Empty: as it is.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "deleteMlflowRun",
  "method": "POST",
  "path": "/platform/mlflow/api/2.0/mlflow/runs/delete",
  "tag": "mlflow",
  "summary": "Delete mlflow run",
  "description": "Deletes a run as MLflow does: it is archived. Fails with `run_active` while it runs.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "run_id",
     "required": true,
     "description": "The run.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "restoreMlflowRun",
  "method": "POST",
  "path": "/platform/mlflow/api/2.0/mlflow/runs/restore",
  "tag": "mlflow",
  "summary": "Restore mlflow run",
  "description": "Restores a deleted run.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "run_id",
     "required": true,
     "description": "The run.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "searchMlflowRuns",
  "method": "POST",
  "path": "/platform/mlflow/api/2.0/mlflow/runs/search",
  "tag": "mlflow",
  "summary": "Search mlflow runs",
  "description": "Finds runs by their metrics, parameters, tags and attributes. A filter that cannot be answered is refused, and the refusal says why.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "experiment_ids",
     "required": true,
     "description": "Ids of pipelines; `0` is the experiment `Default`.",
     "type": "array"
    },
    {
     "name": "filter",
     "required": false,
     "description": "Such as `metrics.loss < 0.1 AND params.lr = '0.01' AND attributes.status = 'FINISHED'`.",
     "type": "string"
    },
    {
     "name": "run_view_type",
     "required": false,
     "description": "`ACTIVE_ONLY`, `DELETED_ONLY` or `ALL`. Default: `ACTIVE_ONLY`.",
     "type": "string"
    },
    {
     "name": "max_results",
     "required": false,
     "description": "Runs at most, 1 to 50,000; a page has 1,000 at most. Default 1,000.",
     "type": "integer"
    },
    {
     "name": "order_by",
     "required": false,
     "description": "One order at most, such as `metrics.loss ASC`. Newest first without.",
     "type": "array"
    },
    {
     "name": "page_token",
     "required": false,
     "description": "`next_page_token` of the page before.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "searchMlflowLoggedModels",
  "method": "POST",
  "path": "/platform/mlflow/api/2.0/mlflow/logged-models/search",
  "tag": "mlflow",
  "summary": "Search mlflow logged models",
  "description": "Finds the logged models of experiments, of which there are none: nothing creates one here. MLflow's client asks when it lists the\nfiles of a run.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "experiment_ids",
     "required": false,
     "description": "Ids of pipelines.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "logMlflowMetric",
  "method": "POST",
  "path": "/platform/mlflow/api/2.0/mlflow/runs/log-metric",
  "tag": "mlflow",
  "summary": "Log mlflow metric",
  "description": "Stores a value of a metric. The same value again is stored once.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "run_id",
     "required": true,
     "description": "The run.",
     "type": "string"
    },
    {
     "name": "key",
     "required": true,
     "description": "The metric.",
     "type": "string"
    },
    {
     "name": "value",
     "required": true,
     "description": "The value; NaN and infinities are values.",
     "type": "number"
    },
    {
     "name": "timestamp",
     "required": false,
     "description": "When it was taken, milliseconds since 1970. 0: not said.",
     "type": "integer"
    },
    {
     "name": "step",
     "required": false,
     "description": "The step.",
     "type": "integer"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "logMlflowParameter",
  "method": "POST",
  "path": "/platform/mlflow/api/2.0/mlflow/runs/log-parameter",
  "tag": "mlflow",
  "summary": "Log mlflow parameter",
  "description": "Stores a parameter. Fails with `parameter_changed` when the run has it with another value.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "run_id",
     "required": true,
     "description": "The run.",
     "type": "string"
    },
    {
     "name": "key",
     "required": true,
     "description": "Its name.",
     "type": "string"
    },
    {
     "name": "value",
     "required": false,
     "description": "Its value.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "setMlflowTag",
  "method": "POST",
  "path": "/platform/mlflow/api/2.0/mlflow/runs/set-tag",
  "tag": "mlflow",
  "summary": "Set mlflow tag",
  "description": "Sets a tag.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "run_id",
     "required": true,
     "description": "The run.",
     "type": "string"
    },
    {
     "name": "key",
     "required": true,
     "description": "Its name. `mlflow.runName` is the run's name, `mlflow.note.content` are its notes.",
     "type": "string"
    },
    {
     "name": "value",
     "required": true,
     "description": "Its text: 1,000 characters at most, of notes 10,000.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "deleteMlflowTag",
  "method": "POST",
  "path": "/platform/mlflow/api/2.0/mlflow/runs/delete-tag",
  "tag": "mlflow",
  "summary": "Delete mlflow tag",
  "description": "Removes a tag.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "run_id",
     "required": true,
     "description": "The run.",
     "type": "string"
    },
    {
     "name": "key",
     "required": true,
     "description": "Its name.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "logMlflowBatch",
  "method": "POST",
  "path": "/platform/mlflow/api/2.0/mlflow/runs/log-batch",
  "tag": "mlflow",
  "summary": "Log mlflow batch",
  "description": "Stores metrics, parameters and tags together. Parameters and tags need `training:write`.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "run_id",
     "required": true,
     "description": "The run.",
     "type": "string"
    },
    {
     "name": "metrics",
     "required": false,
     "description": "Values of metrics.",
     "type": "array"
    },
    {
     "name": "params",
     "required": false,
     "description": "Parameters.",
     "type": "array"
    },
    {
     "name": "tags",
     "required": false,
     "description": "Tags.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getMlflowMetricHistory",
  "method": "GET",
  "path": "/platform/mlflow/api/2.0/mlflow/metrics/get-history",
  "tag": "mlflow",
  "summary": "Get mlflow metric history",
  "description": "Answers the values of a metric, oldest first, page by page.",
  "parameters": [
   {
    "name": "run_id",
    "in": "query",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "metric_key",
    "in": "query",
    "required": true,
    "description": "The metric.",
    "type": "string"
   },
   {
    "name": "max_results",
    "in": "query",
    "required": false,
    "description": "Values at most, 1 to 50,000. Default 25,000. A page may hold fewer, and ends with a whole report.",
    "type": "integer"
   },
   {
    "name": "page_token",
    "in": "query",
    "required": false,
    "description": "`next_page_token` of the page before.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "compareRuns",
  "method": "GET",
  "path": "/platform/run-comparison",
  "tag": "pipelines",
  "summary": "Compare runs",
  "description": "Answers the curves of one metric in several runs, on one axis, and what differs in what the runs were started with.\nFails with `not_found` when one of the runs, or the job in one of them, is not the organisation's.",
  "parameters": [
   {
    "name": "run_id",
    "in": "query",
    "required": true,
    "description": "The runs, 1 to 10; they may be of different pipelines.",
    "type": "array"
   },
   {
    "name": "metric",
    "in": "query",
    "required": true,
    "description": "The metric.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "query",
    "required": false,
    "description": "The job in each of the runs. Absent: the one declared first.",
    "type": "string"
   },
   {
    "name": "axis",
    "in": "query",
    "required": false,
    "description": "What the x of a point is. Default `step`.",
    "type": "string"
   },
   {
    "name": "max_points",
    "in": "query",
    "required": false,
    "description": "Most points of each curve, 1 to 1,000. Default 200.",
    "type": "integer"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getRunMetrics",
  "method": "GET",
  "path": "/pipelines/{pipeline_id}/runs/{run_id}/metrics/",
  "tag": "training",
  "summary": "Get run metrics",
  "description": "Answers a run's live metrics; with `after_sequence` only what is newer, with `wait_seconds` as soon as there is any.\nFails with `not_found` when pipeline, run and job do not belong together in the caller's organisation.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "after_sequence",
    "in": "query",
    "required": false,
    "description": "Only what is newer than this sequence.",
    "type": "integer"
   },
   {
    "name": "max_points",
    "in": "query",
    "required": false,
    "description": "Most points of each metric; 0: no series. Absent: 200, or less where all metrics would have more than 20,000 together, so that\nthe points of an answer take less than 1 MB.",
    "type": "integer"
   },
   {
    "name": "metric",
    "in": "query",
    "required": false,
    "description": "Only these metrics.",
    "type": "array"
   },
   {
    "name": "segment",
    "in": "query",
    "required": false,
    "description": "Only points of this segment.",
    "type": "integer"
   },
   {
    "name": "job_name",
    "in": "query",
    "required": false,
    "description": "The job; absent: the one declared first.",
    "type": "string"
   },
   {
    "name": "include_archived",
    "in": "query",
    "required": false,
    "description": "Also points that a rollback or a warm restart archived.",
    "type": "boolean"
   },
   {
    "name": "wait_seconds",
    "in": "query",
    "required": false,
    "description": "Seconds to wait until the sequence passes `after_sequence`.",
    "type": "integer"
   },
   {
    "name": "If-None-Match",
    "in": "header",
    "required": false,
    "description": "An `ETag` of an earlier answer: 304 while it still holds.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "watchRunMetrics",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/metrics/stream",
  "tag": "training",
  "summary": "Watch run metrics",
  "description": "Follows a run's live metrics: the whole first (or what is newer than the last event received), then each change.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "after_sequence",
    "in": "query",
    "required": false,
    "description": "Only what is newer than this sequence.",
    "type": "integer"
   },
   {
    "name": "max_points",
    "in": "query",
    "required": false,
    "description": "Most points of each metric and event; 0: no series. Absent: 200, or less where all metrics would have more than 20,000 together.",
    "type": "integer"
   },
   {
    "name": "metric",
    "in": "query",
    "required": false,
    "description": "Only these metrics.",
    "type": "array"
   },
   {
    "name": "job_name",
    "in": "query",
    "required": false,
    "description": "The job; absent: the one declared first.",
    "type": "string"
   },
   {
    "name": "Last-Event-ID",
    "in": "header",
    "required": false,
    "description": "Id of the last event received; the stream goes on after it.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": true,
  "json": false,
  "paged": false
 },
 {
  "id": "listPipelines",
  "method": "GET",
  "path": "/platform/pipelines",
  "tag": "pipelines",
  "summary": "List pipelines",
  "description": "Lists the organisation's pipelines, newest first.",
  "parameters": [
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Pipelines at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "Where the previous page ended.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which pipelines, such as `created_at >= 2026-03-02T09:00:00Z`. Empty: all.\n\nFields:\n- `name` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `archived_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one\n- `annotations.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a number, `true`, `false` or a text; `:*` where there is one, keys within keys are joined by dots. A pipeline is found by the first 100 values that are no lists, and texts of at most 255 characters",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `name`.\n\nOne of `name`, `created_at`, and `asc` or `desc`. Default: `created_at desc`.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "createPipeline",
  "method": "POST",
  "path": "/platform/pipelines",
  "tag": "pipelines",
  "summary": "Create pipeline",
  "description": "Creates a pipeline.",
  "parameters": [
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "name",
     "required": true,
     "description": "Name for people.",
     "type": "string"
    },
    {
     "name": "description",
     "required": false,
     "description": "What it is for.",
     "type": "string"
    },
    {
     "name": "annotations",
     "required": false,
     "description": "Anything else, up to 16 KiB.",
     "type": "object"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getPipeline",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}",
  "tag": "pipelines",
  "summary": "Get pipeline",
  "description": "Answers one pipeline.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "updatePipeline",
  "method": "PATCH",
  "path": "/platform/pipelines/{pipeline_id}",
  "tag": "pipelines",
  "summary": "Update pipeline",
  "description": "Changes a pipeline's name, description or annotations; what is absent stays as it is.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "name",
     "required": false,
     "description": "Name for people.",
     "type": "string"
    },
    {
     "name": "description",
     "required": false,
     "description": "What it is for.",
     "type": "string"
    },
    {
     "name": "annotations",
     "required": false,
     "description": "Anything else, up to 16 KiB, in place of what there is.",
     "type": "object"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "deletePipeline",
  "method": "DELETE",
  "path": "/platform/pipelines/{pipeline_id}",
  "tag": "pipelines",
  "summary": "Delete pipeline",
  "description": "Deletes a pipeline with its runs and all their data, or says what that would be. Model versions made from its runs stay.\nFails with `pipeline_active` while a job of its runs is active.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline.",
    "type": "string"
   },
   {
    "name": "dry_run",
    "in": "query",
    "required": false,
    "description": "Whether to answer what would be, and change nothing.",
    "type": "boolean"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "archivePipeline",
  "method": "POST",
  "path": "/platform/pipelines/{pipeline_id}/archive",
  "tag": "pipelines",
  "summary": "Archive pipeline",
  "description": "Archives a pipeline: it takes no new runs, and no trainer takes a job of its runs. Fails with `pipeline_active` while a job of\nits runs is active: taken by a trainer, and not at its end.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "restorePipeline",
  "method": "POST",
  "path": "/platform/pipelines/{pipeline_id}/restore",
  "tag": "pipelines",
  "summary": "Restore pipeline",
  "description": "Takes a pipeline out of the archive.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listRuns",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}/runs",
  "tag": "pipelines",
  "summary": "List runs",
  "description": "Lists the runs of a pipeline. A page holds fewer than asked for where jobs are large, and fewer or none where a filter finds few among\nmany: go on while there is a next page.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline.",
    "type": "string"
   },
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Runs at most. 0: 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "`next_cursor` of the page before; empty: from the start.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which runs, such as `configuration.learning_rate <= 0.01 AND metrics.test_accuracy > 0.95`. Empty: all.\n\nFields:\n- `name` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `jobs.state` (`=` `:`): one of `queued`, `preparing`, `running`, `held`, `pausing`, `paused`, `restoring`, `finishing`, `aborting`, `completed`, `failed`, `aborted`; any of them\n- `tags.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a text; `:*` where there is one\n- `datasets.version_id` (`=` `:`): an id; any of them\n- `archived_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one\n- `metrics.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a number; `:*` where there is one, the value that any job of the run reported last, a few seconds after the report. A run is found by the 100 metrics that it reported first\n- `parameters.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a number, `true`, `false` or a text; `:*` where there is one, what the run was started with. Keys within keys are joined by dots. A run is found by the first 100 values that are no lists, and texts of at most 255 characters\n- `configuration.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a number, `true`, `false` or a text; `:*` where there is one, of any job. Keys within keys are joined by dots. A run is found by the first 100 values that are no lists, and texts of at most 255 characters",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `metrics.test_accuracy desc`.\n\nOne of `name`, `created_at`, `metrics.<key>`, `parameters.<key>`, `configuration.<key>`, and `asc` or `desc`. Default: `created_at desc`. What has no value of the key, or none that is a number, is left out.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "createRun",
  "method": "POST",
  "path": "/platform/pipelines/{pipeline_id}/runs",
  "tag": "pipelines",
  "summary": "Create run",
  "description": "Creates a run of a pipeline with its jobs, all `queued`. Fails with `not_found` when the pipeline is not the organisation's,\nand with `pipeline_archived` when it is archived. A caller who names datasets also needs `data:read`, as their versions are looked up in the\ncaller's name; fails with `datasets_unavailable` when they cannot be.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline.",
    "type": "string"
   },
   {
    "name": "Idempotency-Key",
    "in": "header",
    "required": false,
    "description": "Repeating a request with its key repeats the answer to the same credential, for 24 hours.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "name",
     "required": true,
     "description": "Name for people.",
     "type": "string"
    },
    {
     "name": "jobs",
     "required": true,
     "description": "Jobs; names are unique in the run.",
     "type": "array"
    },
    {
     "name": "tags",
     "required": false,
     "description": "Texts to find it by, by their names.",
     "type": "object"
    },
    {
     "name": "notes",
     "required": false,
     "description": "What people say of it.",
     "type": "string"
    },
    {
     "name": "parameters",
     "required": false,
     "description": "What it is started with, up to 64 KiB: to find it by and to compare it with others. Trainers get `configuration`.",
     "type": "object"
    },
    {
     "name": "datasets",
     "required": false,
     "description": "Versions of datasets that it is to read.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getRun",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}",
  "tag": "pipelines",
  "summary": "Get run",
  "description": "Answers a run with the state of each job.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline that it has to belong to. Absent: any; over REST the path names it.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "updateRun",
  "method": "PATCH",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}",
  "tag": "pipelines",
  "summary": "Update run",
  "description": "Changes a run's name, notes or tags; what is absent stays as it is. Its jobs and the values of its parameters never change.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "name",
     "required": false,
     "description": "Name for people.",
     "type": "string"
    },
    {
     "name": "notes",
     "required": false,
     "description": "What people say of it.",
     "type": "string"
    },
    {
     "name": "tags",
     "required": false,
     "description": "Tags to set; an empty text removes a tag, and tags that are not named stay. A run has 100 at most.",
     "type": "object"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "deleteRun",
  "method": "DELETE",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}",
  "tag": "pipelines",
  "summary": "Delete run",
  "description": "Deletes a run with its jobs, their commands, checkpoints and metrics, or says what that would be. Model versions made from it\nstay. Fails with `run_active` while one of its jobs is active.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "dry_run",
    "in": "query",
    "required": false,
    "description": "Whether to answer what would be, and change nothing.",
    "type": "boolean"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "listAllRuns",
  "method": "GET",
  "path": "/platform/runs",
  "tag": "pipelines",
  "summary": "List all runs",
  "description": "Lists the runs of all pipelines. A page holds fewer than asked for where jobs are large, and fewer or none where a filter finds few among\nmany: go on while there is a next page.",
  "parameters": [
   {
    "name": "limit",
    "in": "query",
    "required": false,
    "description": "Runs at most, 1 to 1,000. Default 100.",
    "type": "integer"
   },
   {
    "name": "cursor",
    "in": "query",
    "required": false,
    "description": "`next_cursor` of the page before; empty: from the start.",
    "type": "string"
   },
   {
    "name": "filter",
    "in": "query",
    "required": false,
    "description": "Which runs, such as `jobs.state = running AND metrics.loss < 0.1`. Empty: all.\n\nFields:\n- `pipeline_id` (`=` `!=`): an id\n- `name` (`=` `!=` `<` `<=` `>` `>=`): a text\n- `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`\n- `jobs.state` (`=` `:`): one of `queued`, `preparing`, `running`, `held`, `pausing`, `paused`, `restoring`, `finishing`, `aborting`, `completed`, `failed`, `aborted`; any of them\n- `tags.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a text; `:*` where there is one\n- `datasets.version_id` (`=` `:`): an id; any of them\n- `archived_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one\n- `metrics.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a number; `:*` where there is one, the value that any job of the run reported last, a few seconds after the report. A run is found by the 100 metrics that it reported first\n- `parameters.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a number, `true`, `false` or a text; `:*` where there is one, what the run was started with. Keys within keys are joined by dots. A run is found by the first 100 values that are no lists, and texts of at most 255 characters\n- `configuration.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a number, `true`, `false` or a text; `:*` where there is one, of any job. Keys within keys are joined by dots. A run is found by the first 100 values that are no lists, and texts of at most 255 characters",
    "type": "string"
   },
   {
    "name": "order_by",
    "in": "query",
    "required": false,
    "description": "In which order, such as `metrics.test_accuracy desc`.\n\nOne of `name`, `created_at`, `metrics.<key>`, `parameters.<key>`, `configuration.<key>`, and `asc` or `desc`. Default: `created_at desc`. What has no value of the key, or none that is a number, is left out.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": true
 },
 {
  "id": "archiveRun",
  "method": "POST",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/archive",
  "tag": "pipelines",
  "summary": "Archive run",
  "description": "Archives a run: no trainer takes its jobs. Fails with `run_active` while one of them is active: taken by a trainer, and not at\nits end.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "restoreRun",
  "method": "POST",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/restore",
  "tag": "pipelines",
  "summary": "Restore run",
  "description": "Takes a run out of the archive.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "acquireSupervisionLease",
  "method": "POST",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/supervisions",
  "tag": "supervision-leases",
  "summary": "Acquire supervision lease",
  "description": "Acquires the lease. Fails with `lease_held` while another is active, unless it is taken over.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job within the run.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "ttl_seconds",
     "required": false,
     "description": "How long, in seconds.",
     "type": "integer"
    },
    {
     "name": "take_over",
     "required": false,
     "description": "Whether a lease that another holds ends with this. For members with `training:override`.",
     "type": "boolean"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "getSupervisionLease",
  "method": "GET",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/supervisions/current",
  "tag": "supervision-leases",
  "summary": "Get supervision lease",
  "description": "Answers the active lease, without its token. Fails with `not_found` when none is active.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job within the run.",
    "type": "string"
   }
  ],
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "renewSupervisionLease",
  "method": "POST",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/supervisions/{supervision_id}/renew",
  "tag": "supervision-leases",
  "summary": "Renew supervision lease",
  "description": "Prolongs a live lease. Fails with `lease_lost` when it is not the live one or the token is not its own.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job within the run.",
    "type": "string"
   },
   {
    "name": "supervision_id",
    "in": "path",
    "required": true,
    "description": "The lease.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "supervision_lease_token",
     "required": true,
     "description": "Its token.",
     "type": "string"
    },
    {
     "name": "ttl_seconds",
     "required": false,
     "description": "How long from now, in seconds.",
     "type": "integer"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "releaseSupervisionLease",
  "method": "POST",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/supervisions/{supervision_id}/release",
  "tag": "supervision-leases",
  "summary": "Release supervision lease",
  "description": "Gives a live lease back. Fails with `lease_lost` as renewing does.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job within the run.",
    "type": "string"
   },
   {
    "name": "supervision_id",
    "in": "path",
    "required": true,
    "description": "The lease.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "supervision_lease_token",
     "required": true,
     "description": "Its token.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "attach",
  "method": "POST",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/trainer/commands",
  "tag": "training",
  "summary": "Attach",
  "description": "Makes this process the job's trainer and delivers its commands in sequence order, for as long as the stream lives.\nA newer attachment takes the job over; the older one is told `detached`.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run. Absent: not compared.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "attachment_id",
     "required": true,
     "description": "uuid of this process's attachment. The same id again resumes it; a new id takes the job over.",
     "type": "string"
    },
    {
     "name": "last_sequence",
     "required": false,
     "description": "Sequence of the last command this trainer finished with; later pending ones are delivered.",
     "type": "integer"
    },
    {
     "name": "last_command_id",
     "required": false,
     "description": "Its id, by which a platform that was restored from a backup notices that it does not know it.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": true,
  "json": false,
  "paged": false
 },
 {
  "id": "acknowledgeCommand",
  "method": "PUT",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/commands/{command_id}/outcome",
  "tag": "training",
  "summary": "Acknowledge command",
  "description": "Records what became of a command. Fails with `command_resolved` when another caller decided it first (the trainer must not act, or\nmust undo), `command_out_of_order` while an earlier one has no outcome, `attachment_lost` when another process is the job's trainer now.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run. Absent: not compared.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job.",
    "type": "string"
   },
   {
    "name": "command_id",
    "in": "path",
    "required": true,
    "description": "The command.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "attachment_id",
     "required": true,
     "description": "This process's attachment.",
     "type": "string"
    },
    {
     "name": "applied",
     "required": false,
     "description": "It is done.",
     "type": "object"
    },
    {
     "name": "refused",
     "required": false,
     "description": "The trainer refuses it.",
     "type": "object"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "reportJobState",
  "method": "PUT",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/state",
  "tag": "training",
  "summary": "Report job state",
  "description": "Records a state that the trainer entered by itself: preparing, running, held, pausing, restoring, finishing,\naborting, completed, failed. Fails with `illegal_move` when the job cannot enter it now.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run. Absent: not compared.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "attachment_id",
     "required": true,
     "description": "This process's attachment.",
     "type": "string"
    },
    {
     "name": "state",
     "required": true,
     "description": "The state.",
     "type": "string"
    },
    {
     "name": "detail",
     "required": false,
     "description": "Why, for people.",
     "type": "string"
    },
    {
     "name": "artifact",
     "required": false,
     "description": "The result, with `completed`.",
     "type": "object"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "takeJob",
  "method": "PUT",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/trainer",
  "tag": "training",
  "summary": "Take job",
  "description": "Makes this process the job's trainer without a stream, for one that reports over plain HTTP. It is sent no commands until it\nasks for them by `Attach`, and finds them in the job's command log, too. A newer attachment takes the job over; an id that was replaced fails with `attachment_lost`.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "attachment_id",
     "required": true,
     "description": "uuid of this process's attachment. The same id again changes nothing; a new id takes the job over.",
     "type": "string"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "sendReport",
  "method": "POST",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/reports",
  "tag": "training",
  "summary": "Send report",
  "description": "Takes one report, and answers when it is durable. A report whose counter was stored before is dropped and answered as durable.\nSend one after the other: a counter that was passed by a higher one fails with `report_out_of_order`. A process that is not\nthe job's trainer fails with `attachment_lost`.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "attachment_id",
     "required": true,
     "description": "This process's attachment.",
     "type": "string"
    },
    {
     "name": "counter",
     "required": true,
     "description": "Number of this batch, from 1, strictly increasing over the life of the job.",
     "type": "integer"
    },
    {
     "name": "segment_index",
     "required": false,
     "description": "Index of the segment that the points belong to.",
     "type": "integer"
    },
    {
     "name": "columns",
     "required": false,
     "description": "Points by metric; at most 100,000 in a batch.",
     "type": "array"
    },
    {
     "name": "phases",
     "required": false,
     "description": "Phases entered and left.",
     "type": "array"
    },
    {
     "name": "logs",
     "required": false,
     "description": "Log lines, oldest first.",
     "type": "array"
    },
    {
     "name": "heartbeat",
     "required": false,
     "description": "The process is alive.",
     "type": "object"
    },
    {
     "name": "resources",
     "required": false,
     "description": "What the process uses.",
     "type": "object"
    },
    {
     "name": "media",
     "required": false,
     "description": "Media of this segment; each is stored once, whatever report it comes in.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "sendMetrics",
  "method": "POST",
  "path": "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/metrics",
  "tag": "training",
  "summary": "Send metrics",
  "description": "Takes points by metric and step, for scripts and shells: the whole of what they send is one request. It needs no attachment. A\njob that no process has taken is held under an id of the job's own from then on, and a queued one is running; where a trainer\nholds the job, it fails with `attachment_lost`. The points are of the active segment. The same request again is stored once.",
  "parameters": [
   {
    "name": "pipeline_id",
    "in": "path",
    "required": true,
    "description": "The pipeline of the run.",
    "type": "string"
   },
   {
    "name": "run_id",
    "in": "path",
    "required": true,
    "description": "The run.",
    "type": "string"
   },
   {
    "name": "job_name",
    "in": "path",
    "required": true,
    "description": "The job.",
    "type": "string"
   }
  ],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "metrics",
     "required": false,
     "description": "Value of each metric at `step`, by name; NaN and infinities are values.",
     "type": "object"
    },
    {
     "name": "step",
     "required": false,
     "description": "The step of `metrics`; required with these.",
     "type": "integer"
    },
    {
     "name": "points",
     "required": false,
     "description": "Values at several steps, in the order in which they were taken; at most 100,000 values.",
     "type": "array"
    },
    {
     "name": "media",
     "required": false,
     "description": "Media of the active segment; each is stored once.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": false,
  "json": true,
  "paged": false
 },
 {
  "id": "followStreams",
  "method": "POST",
  "path": "/platform/streams",
  "tag": "streams",
  "summary": "Follow streams",
  "description": "Follows up to 32 streams over one connection. A browser has only six connections to an address over HTTP/1.1. A stream that is refused\nsays so in an event of its own, and the others go on. To follow other streams, close the connection and open it again with the ids of\nthe last events: nothing is missed and nothing comes twice.",
  "parameters": [],
  "body": {
   "type": "object",
   "fields": [
    {
     "name": "streams",
     "required": true,
     "description": "The streams. Each one is opened as if it were asked for alone: with the same credential, permission and limits.",
     "type": "array"
    }
   ]
  },
  "takesBytes": false,
  "streams": true,
  "json": false,
  "paged": false
 }
];

// Generated from docs/openapi.json. Do not edit.
export interface paths {
    "/automations/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List automations
         * @description Lists the organisation's automations by creation, each with its published version.
         */
        get: operations["listAutomations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/automations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create automation
         * @description Creates an automation without a version.
         */
        post: operations["createAutomation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/automations/{automation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get automation
         * @description Answers one automation with its published version.
         */
        get: operations["getAutomation"];
        put?: never;
        post?: never;
        /**
         * Delete automation
         * @description Deletes an automation with its versions.
         */
        delete: operations["deleteAutomation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/automations/{automation_id}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get automation draft
         * @description Answers the draft, with the permissions that publishing it delegates.
         */
        get: operations["getAutomationDraft"];
        /**
         * Save automation draft
         * @description Replaces the draft version, and never what is published. Fails with `template_invalid`,
         *     `unknown_step`, `self_loop`, `duplicate_key`, `duplicate_label`, `unreachable_step` or `cycle` at the place of each mistake,
         *     and with `etag_mismatch` when `if_match` is not the draft's.
         */
        put: operations["saveAutomationDraft"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/automations/{automation_id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish automation
         * @description Makes the draft that was read the published version, and lets it use the permissions it needs in the caller's name: those of its
         *     steps, and the one to read the events that start it. Fails with `permission_missing` when the caller lacks one, which it names,
         *     with `precondition_required` without `if_match`, with `etag_mismatch` when the draft has changed since it was read,
         *     with `draft_missing` when there is no draft, and with `features_unavailable` when it uses a feature that is not there or
         *     deprecated.
         */
        post: operations["publishAutomation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/automations/{automation_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List automation versions
         * @description Lists an automation's versions, newest first.
         */
        get: operations["listAutomationVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/automations/{automation_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List automation runs
         * @description Lists an automation's runs, newest first, without what their steps wrote.
         */
        get: operations["listAutomationRuns"];
        put?: never;
        /**
         * Start automation run
         * @description Starts a run of the published version on demand. Fails with `nothing_published` when nothing is published, and with
         *     `automation_disabled` when the automation is disabled.
         */
        post: operations["startAutomationRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/automation-runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get automation run
         * @description Answers one run with what became of each step.
         */
        get: operations["getAutomationRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/automation-runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel automation run
         * @description Ends a run: the step under way is given up, no further one begins. A run that has ended stays as it is.
         */
        post: operations["cancelAutomationRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/automations/{automation_id}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get automation settings
         * @description Answers how an automation is run.
         */
        get: operations["getAutomationSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update automation settings
         * @description Changes how an automation is run; what is absent stays as it is. Enabling forgets the failures in a row.
         */
        patch: operations["updateAutomationSettings"];
        trace?: never;
    };
    "/data-dictionary/{dataset_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Patch data dictionary
         * @description Creates or replaces the listed entries by exact name, leaves all others, and answers the whole dictionary.
         *     A text that a person wrote stays when the writer is not a person, unless `override` is set. Fails with
         *     `etag_mismatch` when `if_match` is not the dictionary's, and with `dictionary_limit` when it would hold more than it can.
         */
        patch: operations["patchDataDictionary"];
        trace?: never;
    };
    "/platform/data-dictionary/{dataset_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get data dictionary
         * @description Answers the whole dictionary.
         */
        get: operations["getDataDictionary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/data-dictionary/{dataset_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List data dictionary history
         * @description Lists what was written to a dictionary, newest first, and by whom.
         */
        get: operations["listDataDictionaryHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/data-dictionary/{dataset_id}/entries/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete data dictionary entry
         * @description Deletes one entry. Fails with `text_of_a_person` when a program would delete what a person wrote, unless `override` is set,
         *     and with `etag_mismatch` when `if_match` is not the dictionary's.
         */
        delete: operations["deleteDataDictionaryEntry"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/datasets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List datasets
         * @description Lists the organisation's datasets by creation. A page ends early where its datasets have very many columns.
         */
        get: operations["listDatasets"];
        put?: never;
        /**
         * Create dataset
         * @description Registers a dataset. Its columns become entries of its data dictionary, without a description.
         */
        post: operations["createDataset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/datasets/{dataset_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get dataset
         * @description Answers one dataset with its columns.
         */
        get: operations["getDataset"];
        put?: never;
        post?: never;
        /**
         * Delete dataset
         * @description Forgets a dataset with its dictionary and the dictionary's history, unless something uses it.
         */
        delete: operations["deleteDataset"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/datasets/{dataset_id}/columns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Infer dataset columns
         * @description Reads names and guessed types of columns from the beginning of a file, and makes them the dataset's: columns that are
         *     there keep their entries, new ones get one. Fails with `sample_unreadable` when the file cannot be read as what it is said to
         *     be.
         */
        post: operations["inferDatasetColumns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/datasets/{dataset_id}/sensitive-columns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set dataset sensitive columns
         * @description Says which columns are sensitive: their values are sent to no service outside of the platform. The names take the place of those before, and are compared
         *     without regard to case. A column may be named before there is one.
         */
        put: operations["setDatasetSensitiveColumns"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email-drafts/{draft_id}/send/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send email draft
         * @description Sends a draft, or what of it failed before, and says what became of each recipient. Fails with `no_recipients` when the
         *     draft has none, and with `email_draft_sending` when it is being sent or the sending takes longer than 25 seconds: it goes on,
         *     and calling again once it has ended answers its result. Fails with `mail_server_unavailable` when no mail server can be
         *     reached before the first recipient: nothing was sent.
         *     Needs `emails:write` besides, because it looks up the recipients.
         */
        post: operations["sendEmailDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/email-drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List email drafts
         * @description Lists the organisation's drafts by creation.
         */
        get: operations["listEmailDrafts"];
        put?: never;
        /**
         * Create email draft
         * @description Creates a draft. Fails with `template_invalid`, which names the place, when a template cannot be read.
         */
        post: operations["createEmailDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/email-drafts/{draft_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get email draft
         * @description Answers one draft.
         */
        get: operations["getEmailDraft"];
        /**
         * Update email draft
         * @description Replaces a draft that was not sent yet. Fails with `email_draft_sending` or `email_draft_sent` otherwise, and with `etag_mismatch` when
         *     `if_match` is not the draft's. What is so already is no change, and is answered whatever `if_match` says.
         */
        put: operations["updateEmailDraft"];
        post?: never;
        /**
         * Delete email draft
         * @description Deletes a draft that was not sent. Fails with `email_draft_sending` or `email_draft_sent` otherwise.
         */
        delete: operations["deleteEmailDraft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/email-drafts/{draft_id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview email draft
         * @description Shows what a recipient would get.
         */
        get: operations["previewEmailDraft"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/email-drafts/{draft_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List email deliveries
         * @description Lists what became of each recipient, in the order of the recipients.
         */
        get: operations["listEmailDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/email-drafts/{draft_id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch email sending
         * @description Streams how the sending of a draft goes: the counts as they are, and again as they change, until the draft is not being sent.
         */
        get: operations["watchEmailSending"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feature-memory/{feature_key}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete feature
         * @description Deletes a feature if nothing uses it, deprecates it if something does, and says what does. See docs/api/feature-memory.md.
         */
        delete: operations["deleteFeature"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/features/{feature_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get feature
         * @description Answers one feature.
         */
        get: operations["getFeature"];
        /**
         * Put feature
         * @description Creates a feature, or a new version of it. After a deletion its versions go on above the old ones. Fails with `etag_mismatch` when
         *     `if_match` is not the feature's. What is so already is no change, and is answered whatever `if_match` says.
         */
        put: operations["putFeature"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/features": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List features
         * @description Lists the organisation's features by key.
         */
        get: operations["listFeatures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/features/{feature_key}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore feature
         * @description Makes a deprecated feature active again.
         */
        post: operations["restoreFeature"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/features/{feature_key}/usages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List feature usages
         * @description Lists what uses a feature, by name.
         */
        get: operations["listFeatureUsages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/features/{feature_key}/usages/{asset_type}/{asset_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Put feature usage
         * @description Says that something uses a feature. What the platform itself knows to use it needs no saying. A deployment, model or workspace
         *     has to exist, and the caller needs the permission to read it.
         */
        put: operations["putFeatureUsage"];
        post?: never;
        /**
         * Delete feature usage
         * @description Says that something uses a feature no more.
         */
        delete: operations["deleteFeatureUsage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List quotas
         * @description Lists every quota of the caller's organisation: its limit, and how much of it is used. Each service counts what it
         *     keeps; while one of them does not answer, the operation fails with `quotas_unavailable`.
         */
        get: operations["listQuotas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search
         * @description Finds what the caller may read by the words of its names and texts, the newest first. Each word of `q` has to be the beginning of a
         *     word of what is found; capitals and accents make no difference. The 100 first words of something count. Each service searches what
         *     it keeps. Kinds of a service that does not answer are named in `missing_kinds`.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/datasets/{dataset_id}/versions/{version_id}/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dataset embeddings
         * @description Lists the embeddings of a version, the newest first.
         */
        get: operations["listDatasetEmbeddings"];
        put?: never;
        /**
         * Create dataset embedding
         * @description Begins to embed a version: each row is sent to a deployment, as a text or as a tensor, and answered with a vector. The embedding is `pending`, then
         *     `embedding` until all rows have vectors, then `ready`. Rows whose input an earlier embedding of the dataset has had are not sent again. The caller also
         *     needs `deployments:predict`. An endpoint that the operator has set up may take the place of the deployment: the texts then leave the platform, for which the
         *     caller needs `data:export`, and columns that are marked sensitive are refused. Fails with `dataset_version_not_ready`, `embedding_limit`,
         *     `deployments_unavailable` and `datasets_unavailable`.
         */
        post: operations["createDatasetEmbedding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/datasets/{dataset_id}/versions/{version_id}/embeddings/{embedding_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get dataset embedding
         * @description Answers one embedding with its state and its progress.
         */
        get: operations["getDatasetEmbedding"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/datasets/{dataset_id}/versions/{version_id}/embeddings/{embedding_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel dataset embedding
         * @description Ends an embedding before it is ready: nothing more is sent, and the vectors that there are go. One that was cancelled
         *     stays so. Fails with `embedding_move` for one that is ready or has failed.
         */
        post: operations["cancelDatasetEmbedding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/datasets/{dataset_id}/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dataset vectors
         * @description Answers vectors with the rows that they are of, in the order of the rows: of the dataset's newest embedding that is ready, or of another
         *     one. A page of long vectors ends early. With `Accept: application/vnd.apache.arrow.stream` it is a stream of Arrow IPC with the columns `row` and
         *     `vector`. Fails with `embedding_not_ready`, `data_busy`.
         */
        get: operations["listDatasetVectors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/datasets/{dataset_id}/embeddings/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search dataset vectors
         * @description Finds the rows whose vectors are nearest to a vector, to that of a row, or to that of a text or a tensor, which the embedding's deployment makes. Up to
         *     100,000 rows all vectors are compared, so nothing is missed; in an embedding with more, those near to what is looked for are. A text or a tensor also needs
         *     `deployments:predict`; a text for an endpoint needs `data:export`. Fails with `embedding_not_ready`, `data_busy`, `data_limit`, for a text or a tensor with
         *     `nothing_runs`, `deployment_version_gone`, `prediction_refused`, `prediction_failed` and `deployments_unavailable`, and for a text that an endpoint is asked
         *     about with `endpoint_refused`, `endpoint_gone` and `endpoint_unavailable`. The platform does not repeat it by itself: an endpoint is sent a text once.
         */
        post: operations["searchDatasetVectors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/datasets/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query datasets
         * @description Answers the first rows of one SELECT over versions, each of which has a name in it. The query reads these versions and nothing else, and changes nothing.
         *     Values are as in the list of rows, also as Arrow: then the metadata of the schema says in `has_more` whether more rows follow. Fails with `dataset_version_not_ready`, `data_busy` and `data_limit`.
         */
        post: operations["queryDatasets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/datasets/{dataset_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dataset versions
         * @description Lists the versions of a dataset, the newest first. A page ends early where its versions have very many columns.
         */
        get: operations["listDatasetVersions"];
        put?: never;
        /**
         * Create dataset version
         * @description Creates a version of a dataset from files, which are read in this order: uploaded ones, and objects of locations that the operator has set up; from what a query
         *     over versions answers; or from rows in the request: exactly one of these. The version is `pending` until its rows are written, then it is `ready` or
         *     `failed`. The caller also needs `dictionary:read`, as the dataset is looked up in the caller's name, `models:read` for uploaded files and `data:read` for a query.
         *     Fails with `dataset_version_not_ready` for a version that the query reads, `dataset_version_limit`, `quota_exceeded`, `datasets_unavailable`,
         *     `artifacts_unavailable` and `location_unavailable`.
         */
        post: operations["createDatasetVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/datasets/{dataset_id}/versions/{version_id}/successors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create dataset successor
         * @description Creates a version from the rows of another version of the dataset: those that a filter finds, or all others. It is `pending` until they are written,
         *     then `ready` or `failed`, and names its `predecessor`. The caller also needs `data:read`. Fails with `dataset_version_not_ready` for the predecessor,
         *     `dataset_version_limit` and `quota_exceeded`.
         */
        post: operations["createDatasetSuccessor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/datasets/{dataset_id}/versions/{version_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get dataset version
         * @description Answers one version with its state and columns.
         */
        get: operations["getDatasetVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/datasets/{dataset_id}/versions/{version_id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dataset rows
         * @description Answers rows of a version, in the order of its files. Pages are stable, as a version never changes. Whole numbers beyond 2^53, decimals,
         *     not-a-number and infinity are texts, so that no digit is lost; bytes are base64. A page of large rows ends early. With
         *     `Accept: application/vnd.apache.arrow.stream` it is a stream of Arrow IPC, in which values have the types of their columns. Fails with
         *     `dataset_version_not_ready`, `data_busy`, `data_limit`.
         */
        get: operations["listDatasetRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/datasets/{dataset_id}/versions/{version_id}/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get dataset statistics
         * @description Answers what the columns of a version hold: missing and distinct values, extremes, quantiles, a histogram, and the most frequent values. They
         *     are computed by the first request and kept. Fails with `dataset_version_not_ready`.
         */
        get: operations["getDatasetStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/datasets/{dataset_id}/versions/{version_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download dataset version
         * @description Streams the version as one Parquet file, or a range of it. Fails with `dataset_version_not_ready`, and `range_not_satisfiable` when the range
         *     begins behind the last byte.
         */
        get: operations["downloadDatasetVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/datasets/{dataset_id}/versions/{version_id}/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Purge dataset version
         * @description Removes the data of a version for good. The version is `purging` until its bytes are removed, then `purged`: its number, its columns and the digests
         *     of its files stay, and its `uses` name the runs and models that used the data. Files and data that something else refers to stay as well. Repeating the
         *     request changes nothing. A dry run answers the version with its `uses`, and changes nothing.
         */
        post: operations["purgeDatasetVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/artifacts/{artifact_sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download artifact
         * @description Streams the bytes of an artifact, or a range of them. Fails with `range_not_satisfiable` when the range begins behind the last byte.
         */
        get: operations["downloadArtifact"];
        /**
         * Put artifact
         * @description Stores an artifact from a body that is all of it. What has arrived of an earlier upload is kept, and the artifact that is stored
         *     already stays as it is. Fails with `artifact_digest` when the bytes are not those of the digest, `artifact_too_large`,
         *     `quota_exceeded`, and `upload_unfinished` when the body ends early.
         */
        put: operations["putArtifact"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/artifacts/{artifact_sha256}/download-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get download url
         * @description Answers a URL at which the bytes of an artifact are read from the bucket's own server, without a credential and not through the
         *     gateway, until it expires. Fails with `signed_urls_unavailable` where the installation has none.
         */
        get: operations["getDownloadUrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/artifacts/{artifact_sha256}/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get upload
         * @description Says how many bytes of an upload have arrived, so that it goes on from there.
         */
        get: operations["getUpload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Append to upload
         * @description Takes the next bytes of an upload, as many as the body has, and stores the artifact once it is whole. Fails with `upload_offset` when they
         *     do not follow on what has arrived, and as `PutArtifact` does. What has arrived stays for a day.
         */
        patch: operations["appendToUpload"];
        trace?: never;
    };
    "/platform/artifacts/garbage-collection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Collect artifacts
         * @description Removes artifacts of the organisation that nothing has referred to or used for longer than the installation keeps them: 100 at most, the
         *     longest unused first. With `dry_run`, says what would go, of the first 1,000 that may. The platform does the same by itself now and then. Fails with
         *     `collection_off` where the installation removes none, `collection_under_way`, and `training_unavailable`.
         */
        post: operations["collectArtifacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/model-versions/{model_version_id}/artifact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download model version
         * @description Streams the artifact of a model version, or a range of it. Fails with `artifact_missing` while the artifact is not stored.
         */
        get: operations["downloadModelVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download job result
         * @description Streams the result of a completed job, or a range of it: the artifact of the model version that it became. Fails with
         *     `artifact_missing` while the artifact is not stored.
         */
        get: operations["downloadJobResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/media/{media_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download media
         * @description Streams what a trainer has shown at a step, or a range of it: the file that was uploaded, or what was reported inline. Fails with
         *     `artifact_missing` while the file is not uploaded, and with `media_mismatch` when it is not what the trainer said.
         */
        get: operations["downloadMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/datasets/{version_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download run dataset
         * @description Streams a version of a dataset that a run reads, as the Parquet file that it is, or a range of it. For trainers: their key needs no `data:read`, and
         *     reads what the run names and nothing else. Fails with `not_found` where the run does not name the version, and with `artifact_missing` when it was purged.
         */
        get: operations["downloadRunDataset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create deployment
         * @description Deploys the newest ready version of a model. Fails with `model_not_ready` when the model has none.
         */
        post: operations["createDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/custom-serving/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create custom serving deployment
         * @description Deploys a serving bundle. Everything about it is checked before it is queued, with an entry at each mistake. Fails with
         *     `not_found` when a model or dataset that it names is not in the organisation, and with `model_not_ready` when a model has
         *     no ready version.
         */
        post: operations["createCustomServingDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/deployments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deployments
         * @description Lists the organisation's deployments by creation.
         */
        get: operations["listDeployments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/deployments/{deployment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get deployment
         * @description Answers one deployment.
         */
        get: operations["getDeployment"];
        put?: never;
        post?: never;
        /**
         * Delete deployment
         * @description Deletes a deployment: what serves is ended, then it is gone.
         */
        delete: operations["deleteDeployment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/deployments/{deployment_id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch deployment
         * @description Streams a deployment: as it is, and again whenever it is another.
         */
        get: operations["watchDeployment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/deployments/{deployment_id}/serving": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get serving state
         * @description Says what serves at this moment: the shares of the versions, and the instances of each.
         */
        get: operations["getServingState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/deployments/{deployment_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deployment versions
         * @description Lists a deployment's versions, newest first.
         */
        get: operations["listDeploymentVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/deployments/{deployment_id}/rollouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rollouts
         * @description Lists a deployment's rollouts, newest first.
         */
        get: operations["listRollouts"];
        put?: never;
        /**
         * Start rollout
         * @description Rolls out another version of the model, the newest ready one unless it is named. What runs goes on until the new version is
         *     healthy; a rollout under way is superseded. Fails with `model_not_ready` when there is no such version, and with
         *     `deployment_move` while it is being deleted.
         */
        post: operations["startRollout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/deployments/{deployment_id}/custom-serving": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Update custom serving deployment
         * @description Rolls out another serving bundle of a custom serving deployment.
         */
        put: operations["updateCustomServingDeployment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/deployments/{deployment_id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Roll back deployment
         * @description Goes back to the version that served before the current one, or to the one that is named.
         */
        post: operations["rollBackDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/deployments/{deployment_id}/canary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set canary
         * @description Lets a version of the deployment answer a share of the predictions beside the current one, once it is healthy.
         */
        put: operations["setCanary"];
        post?: never;
        /**
         * End canary
         * @description Ends the canary: the current version answers everything again.
         */
        delete: operations["endCanary"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/deployments/{deployment_id}/promote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Promote deployment
         * @description Deploys what serves here in the next higher environment too, and links the two. Again: rolls it out there.
         */
        post: operations["promoteDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/deployments/{deployment_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop deployment
         * @description Stops what serves. The deployment stays, and can be started again.
         */
        post: operations["stopDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/deployments/{deployment_id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start deployment
         * @description Starts a stopped deployment with the version it had.
         */
        post: operations["startDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/lineage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get lineage
         * @description Answers what a thing was made of (`upstream`), what was made of it (`downstream`), or both. It begins at a version of a dataset, an embedding,
         *     a run, a version of a model or a deployment, and follows each step in its direction alone: what else was made of the same source is not
         *     answered. A kind needs the permission to read it: `data:read`, `metrics:read`, `models:read` or `deployments:read`. Without that of the start the
         *     request is refused; things of other kinds are counted in `hidden`, and not followed. Fails with `training_unavailable` and
         *     `datasets_unavailable` while a service that keeps a part does not answer.
         */
        get: operations["getLineage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models
         * @description Lists the organisation's models by creation.
         */
        get: operations["listModels"];
        put?: never;
        /**
         * Create model
         * @description Creates a model without a version. Fails with `model_name_taken` when the organisation has one of that name.
         */
        post: operations["createModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/models/{model_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get model
         * @description Answers one model.
         */
        get: operations["getModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/models/{model_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List model versions
         * @description Lists a model's versions, newest first.
         */
        get: operations["listModelVersions"];
        put?: never;
        /**
         * Create model version
         * @description Registers a version of a model from an artifact that was uploaded. Fails with `artifact_missing` when there is no artifact
         *     of that digest. The same digest again answers the version that has it.
         */
        post: operations["createModelVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/model-versions/{model_version_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get model version
         * @description Answers one version with its lineage: the run and checkpoint it came from, and the deployments that serve it.
         */
        get: operations["getModelVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/model-versions/{model_version_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry model version
         * @description Has the artifact of a failed version fetched again: from where the run said it lies, or from the store where it was uploaded
         *     since. A version that has not failed stays as it is.
         */
        post: operations["retryModelVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List run files
         * @description Lists the files of a run, by path.
         */
        get: operations["listRunFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/files/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download run file
         * @description Streams a file of a run, or a range of it. Fails with `range_not_satisfiable` when the range begins behind the last byte.
         */
        get: operations["downloadRunFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow-artifacts/artifacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List mlflow artifacts
         * @description Lists a folder of a run's files. A path that is no folder has nothing in it.
         */
        get: operations["listMlflowArtifacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow-artifacts/artifacts/{pipeline_id}/{run_id}/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download mlflow artifact
         * @description Streams a file of a run.
         */
        get: operations["downloadMlflowArtifact"];
        /**
         * Put mlflow artifact
         * @description Stores a file of a run, in place of the one of its path. The run has to be there, which is asked of training in the caller's name:
         *     that needs `metrics:read`. Fails with `quota_exceeded`, `artifact_too_large` and `run_files_limit`.
         */
        put: operations["putMlflowArtifact"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List api keys
         * @description Lists the organisation's keys by creation; never the keys themselves.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create api key
         * @description Creates a key. Fails with `permission_missing` when it would hold what the caller lacks.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/api-keys/{api_key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get api key
         * @description Answers one key; never the key itself.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke api key
         * @description Revokes a key, everywhere within a second. Repeating it changes nothing. Fails with `permission_missing` when
         *     the key holds what the caller lacks.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/api-keys/{api_key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate api key
         * @description Makes a key that takes over from this one, with its name, permissions and expiry; this one ends after the overlap.
         *     Fails with `api_key_revoked`, `api_key_expired` or `api_key_rotated` when it has ended or was rotated before, and with
         *     `permission_missing` when it holds what the caller lacks.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/api-key-policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get api key policy
         * @description Answers how long the organisation's keys may live.
         */
        get: operations["getApiKeyPolicy"];
        /**
         * Set api key policy
         * @description Sets how long the organisation's keys may live. Keys that would live longer end that long after they were created, but not within the
         *     next day.
         */
        put: operations["setApiKeyPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit records
         * @description Lists the organisation's records, newest first.
         */
        get: operations["listAuditRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/installation/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List installation audit records
         * @description Lists the records that belong to no organisation, newest first: what the operator did, and refusals of callers of whom
         *     nothing is known.
         */
        get: operations["listInstallationAuditRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external-oauth/socialnet/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start socialnet link
         * @description Begins to link an account of the provider `socialnet`: the member opens the authorization URL within 15 minutes. It is a page of the
         *     platform, which says what is linked and leads on to the provider. Fails
         *     with `not_found` when no such provider is configured, and with `secret_name_linked` when the name is linked and `relink`
         *     is not set.
         */
        post: operations["startSocialnetLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/external-oauth/{provider}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start external link
         * @description Begins to link an account of any configured provider, as StartSocialnetLink does for one.
         */
        post: operations["startExternalLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/external-oauth/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Review external link
         * @description The page that a member opens first: it says which organisation gets access to an account, and who asks for it.
         */
        get: operations["reviewExternalLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/external-oauth/authorize/continue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Continue external link
         * @description Where that page leads: on to the provider, for the browser that has shown the page.
         */
        get: operations["continueExternalLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/external-oauth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Complete external link
         * @description Where the provider sends the member's browser back to: exchanges the code, keeps the tokens, answers a page.
         */
        get: operations["completeExternalLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/external-oauth/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List external links
         * @description Lists the organisation's links by creation.
         */
        get: operations["listExternalLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/external-oauth/links/{link_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get external link
         * @description Answers one link.
         */
        get: operations["getExternalLink"];
        put?: never;
        post?: never;
        /**
         * Revoke external link
         * @description Revokes the tokens at the provider where it offers that, then erases them. Repeating it changes nothing.
         */
        delete: operations["revokeExternalLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description Lists the members of the caller's organisation by creation.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Create member
         * @description Adds a member. Without issuer and subject it is an invitation: the first access token with the member's verified e-mail
         *     address, of an issuer that is believed for members' addresses, makes it theirs. Fails with `member_taken` when issuer and
         *     subject, or the e-mail address, are taken in the organisation, and with `permission_missing` when a role grants what the
         *     caller lacks.
         */
        post: operations["createMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/members/{member_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get member
         * @description Answers one member.
         */
        get: operations["getMember"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/members/{member_id}/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set member roles
         * @description Replaces the roles of a member. Fails with `last_administrator` when no active member would hold the role `administrator`.
         */
        put: operations["setMemberRoles"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/members/{member_id}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deactivate member
         * @description Takes a member's access away, and revokes the API keys that they made, everywhere within a second. Repeating it changes
         *     nothing. Fails with `last_administrator` when no active member would hold the role `administrator`, or no invited one
         *     where none is active.
         */
        post: operations["deactivateMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/members/{member_id}/reactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reactivate member
         * @description Gives a deactivated member's access back. Repeating it changes nothing. Fails with `permission_missing` when a
         *     role the member holds grants what the caller lacks.
         */
        post: operations["reactivateMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/members/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get own member
         * @description Answers the calling member. Fails with `caller_is_no_member` for a caller that is no member, such as an API key of a program.
         */
        get: operations["getOwnMember"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/members/me/email-preference": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set own email preference
         * @description Says whether the calling member wants the e-mails that are sent to members. Fails with `caller_is_no_member` for
         *     a caller that is none.
         */
        put: operations["setOwnEmailPreference"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notebooks/services/session/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get notebook session
         * @description Answers who the caller is, what the caller may do and where the caller's notebook server stands, in the shape of
         *     Jupyter Server's `/api/me`. Reading never starts or extends a session.
         */
        get: operations["getNotebookSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organisations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create organisation
         * @description Creates an organisation with its first administrator and an API key that holds every permission.
         *     Fails with `slug_taken` when the slug is taken. For the operator of the installation.
         */
        post: operations["createOrganisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organisations/{organisation_id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend organisation
         * @description Suspends an organisation: no credential of it is accepted, and its automations and e-mails wait, until it is restored.
         *     What it has stays. Suspending it again changes nothing. For the operator of the installation.
         */
        post: operations["suspendOrganisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organisations/{organisation_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore organisation
         * @description Restores a suspended organisation: its credentials are accepted again, and its automations and e-mails go on. Restoring it
         *     again changes nothing. For the operator of the installation.
         */
        post: operations["restoreOrganisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organisations/{organisation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Inspect organisation
         * @description Answers any organisation with its state, and how far its deletion is. For the operator of the installation.
         */
        get: operations["inspectOrganisation"];
        put?: never;
        post?: never;
        /**
         * Delete organisation
         * @description Deletes a suspended organisation with everything that it has, for ever. Each service removes what it keeps; `deletion` of
         *     the answer, and of `inspectOrganisation`, tells how far that is. Deleting it again changes nothing. Fails with
         *     `organisation_not_suspended` while it is active. For the operator of the installation.
         */
        delete: operations["deleteOrganisation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organisation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get organisation
         * @description Answers the caller's own organisation.
         */
        get: operations["getOrganisation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organisations/{organisation_id}/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get organisation quotas
         * @description Answers the limits that are set for an organisation, without those of the settings. For the operator of the installation.
         */
        get: operations["getOrganisationQuotas"];
        /**
         * Set organisation quotas
         * @description Sets limits of an organisation's quotas, in place of those that were set before. They take precedence over the settings of the
         *     services; a quota without a limit here is as the settings say. A lower limit takes nothing away. For the operator of the installation.
         */
        put: operations["setOrganisationQuotas"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List permissions
         * @description Lists every permission that a role or a key can hold, and what it opens. The list follows from the contract.
         */
        get: operations["listPermissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations/roles/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create role
         * @description Creates a custom role in the caller's organisation. Fails with `slug_taken` when the slug is taken, with `permission_missing`
         *     when the role grants what the caller lacks, and with `role_limit` when the organisation has 1,000 custom roles.
         */
        post: operations["createRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List roles
         * @description Lists system roles, then the organisation's own by creation.
         */
        get: operations["listRoles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/roles/{role_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get role
         * @description Answers one role.
         */
        get: operations["getRole"];
        /**
         * Update role
         * @description Replaces a custom role's name and permissions; its holders' access follows within a second. The slug stays. Fails with
         *     `role_is_system` for a system role, with `permission_missing` when a permission is added that the caller lacks, and with
         *     `etag_mismatch` when `if_match` is not the role's. What is so already is no change, and is answered whatever `if_match` says.
         */
        put: operations["updateRole"];
        post?: never;
        /**
         * Delete role
         * @description Deletes a custom role. Fails with `role_in_use` while a member holds it, and with `role_is_system` for a system role.
         */
        delete: operations["deleteRole"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions
         * @description Lists the caller's sessions, newest first, or with `everyone` all of the organisation, which needs `members:manage`.
         */
        get: operations["listSessions"];
        put?: never;
        /**
         * Create session
         * @description Exchanges the request's credential for a session, and sets its cookie. The credential is an API key, an access token, a
         *     one-time sign-in code, or the session itself with `organisation_id` to switch to another organisation. Fails with
         *     `credential_opens_no_session` for any other credential, and with `sessions_off` where the installation has no `PUBLIC_URL`.
         */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get session
         * @description Answers who calls, with which credential, and what the caller may do. For a session also when it ends.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        /**
         * End session
         * @description Signs the browser out: ends its session and removes the cookie. Without a session it only removes the cookie.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke session
         * @description Ends a session, everywhere within a second: one of the caller's own, or with `members:manage` any of the organisation.
         */
        delete: operations["revokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/sign-in-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create sign in code
         * @description Makes a code that opens one session for the caller within five minutes. It works once. Fails with `sign_in_codes_off` unless
         *     browsers reach the installation on this machine only.
         */
        post: operations["createSignInCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/sign-in/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sign in providers
         * @description Lists the identity providers that people can sign in with. Empty where none is set up for it.
         */
        get: operations["listSignInProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/sign-in/{provider}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Start sign in
         * @description Sends a browser to the identity provider, and sets the cookie by which it is known when it comes back within 15 minutes. When the
         *     provider cannot be reached, the browser goes to the console's sign-in page, which says why.
         */
        get: operations["startSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/sign-in/{provider}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Complete sign in
         * @description Where the identity provider sends the browser back to: exchanges the code, opens a session of the member, sets its cookie, and sends
         *     the browser on to the console. When there is no session, the console's sign-in page says why and what to do.
         */
        get: operations["completeSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/enable-from-proposal/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable from proposal
         * @description Accepts a proposal as a whole or not at all: creates its workspaces, or updates those of the same draft, and enables
         *     workspaces. Fails with `not_found` when an asset is not the organisation's, and with `workspace_limit` when the organisation
         *     would have more workspaces, or more assets in them, than there may be.
         */
        post: operations["enableFromProposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/workspaces/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get workspace settings
         * @description Answers the organisation's settings.
         */
        get: operations["getWorkspaceSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update workspace settings
         * @description Changes the settings that are given; what is absent stays.
         */
        patch: operations["updateWorkspaceSettings"];
        trace?: never;
    };
    "/platform/workspaces/grouping-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start grouping
         * @description Asks for the assets that are in no workspace to be grouped; `grouping_status` tells how far that is.
         *     Fails with `workspaces_disabled` when workspaces are not enabled. While a run is queued or running nothing is added.
         */
        post: operations["startGrouping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workspaces
         * @description Lists the organisation's workspaces by creation.
         */
        get: operations["listWorkspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/workspaces/{workspace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get workspace
         * @description Answers one workspace.
         */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        /**
         * Delete workspace
         * @description Deletes a workspace; its assets are in none afterwards.
         */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/workspaces/{workspace_id}/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workspace assets
         * @description Lists a workspace's assets with the evidence for each.
         */
        get: operations["listWorkspaceAssets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List assets
         * @description Lists the organisation's assets by registration.
         */
        get: operations["listAssets"];
        put?: never;
        /**
         * Register asset
         * @description Makes an asset known, or changes what is known of it. What the platform itself makes is known without this. Fails with
         *     `asset_owned` for an asset that a service of the platform tells of, and with `asset_limit` when there are as many as
         *     there may be.
         */
        post: operations["registerAsset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/assets/{asset_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete asset
         * @description Forgets an asset that was registered here; it leaves its workspaces. Fails with `asset_owned` for an asset that a service
         *     of the platform tells of.
         */
        delete: operations["deleteAsset"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List checkpoints
         * @description Lists a job's checkpoints, newest first. Fails with `not_found` when pipeline, run and job do not belong together in the
         *     caller's organisation.
         */
        get: operations["listCheckpoints"];
        put?: never;
        /**
         * Register checkpoint
         * @description Records a checkpoint that is durable where the trainer keeps it. Repeating an id changes nothing.
         */
        post: operations["registerCheckpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/checkpoints/prune": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prune checkpoints
         * @description Prunes checkpoints of a job: those that are named, or those that a rule leaves over, 1,000 at most. No command can name a pruned
         *     checkpoint, and the trainer deletes its files. It stays in the list, with `pruned_at`. Checkpoints that the job needs are kept, and the
         *     answer says why. Repeating the request changes nothing. Fails with `not_found` when pipeline, run and job do not belong together in the
         *     caller's organisation.
         */
        post: operations["pruneCheckpoints"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/checkpoints/{checkpoint_id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify checkpoint
         * @description Reads a checkpoint that lies in the platform's artifact store (`artifact:sha256:…`), and records whether its bytes are there and have
         *     the recorded digest. One that takes long is answered as `running`; the list then shows what came of it. Fails with
         *     `checkpoint_elsewhere` for one that only its trainer can read, `checkpoint_pruned`, and `not_found`.
         */
        post: operations["verifyCheckpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipelines/{pipeline_id}/runs/{run_id}/training/{job_name}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create training control command
         * @description Records a command for a job. It is answered as `rejected`, with a detail, when the job's state forbids it.
         *     Fails with `not_found` when pipeline, run and job do not belong together in the caller's organisation, and with
         *     `idempotency_key_reused` at `idempotency_key` when the key was used for another command.
         */
        post: operations["createTrainingControlCommand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/job-commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Command jobs
         * @description Sends one command to many jobs, or says what it would lead to in each. Each job has an outcome of its own, and none keeps another from
         *     having one. Repeating the request with its key gives each job the command at most once, and reaches the jobs that a filter found first.
         */
        post: operations["commandJobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause job
         * @description Records a pause that may end by itself: the job is resumed at that time, once, unless a command for it is taken before. A job that is paused
         *     already gets the new end, or none.
         */
        post: operations["pauseJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List control commands
         * @description Lists a job's commands by sequence.
         */
        get: operations["listControlCommands"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/commands/{command_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get control command
         * @description Answers one command; waits for its final status if asked to.
         */
        get: operations["getControlCommand"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/commands/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview control command
         * @description Says what a command would lead to, and changes nothing.
         */
        post: operations["previewControlCommand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/commands/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch control commands
         * @description Follows a job's commands: first those recorded after a sequence, then each one as it is recorded or decided.
         */
        get: operations["watchControlCommands"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get job
         * @description Answers a job as it stands, with its segments. Fails with `not_found` when pipeline, run and job do not belong together in the
         *     caller's organisation.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read log lines
         * @description Answers lines that a job's trainers have logged, in the order of their reports. A page of long lines holds fewer than asked for.
         *     Fails with `not_found` when pipeline, run and job do not belong together in the caller's organisation.
         */
        get: operations["readLogLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/logs/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch log lines
         * @description Follows what a job's trainers log: first the lines that are stored, then those of each report as it arrives.
         */
        get: operations["watchLogLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/media-names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List media names
         * @description Lists the names under which a run has media, by job and kind, in the order of their names. Fails with `not_found` when the run
         *     is not of that pipeline in the caller's organisation.
         */
        get: operations["listMediaNames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List media
         * @description Lists the media of a run by their steps. What was reported inline comes with its content; of a file, its digest. A page of large
         *     ones holds fewer than asked for. Fails with `not_found` when the run is not of that pipeline in the caller's organisation.
         */
        get: operations["listMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/experiments/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create mlflow experiment
         * @description Creates an experiment: a pipeline. Fails with `experiment_exists` when the organisation has one of that name, a deleted one too.
         */
        post: operations["createMlflowExperiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/experiments/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search mlflow experiments
         * @description Finds experiments: pipelines, newest first.
         */
        post: operations["searchMlflowExperiments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/experiments/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get mlflow experiment
         * @description Answers an experiment by its id. `0` is the one called `Default`.
         */
        get: operations["getMlflowExperiment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/experiments/get-by-name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get mlflow experiment by name
         * @description Answers an experiment by its name: of several, the oldest that is not deleted.
         */
        get: operations["getMlflowExperimentByName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/experiments/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update mlflow experiment
         * @description Renames an experiment. Fails with `experiment_exists` when there is another one of that name.
         */
        post: operations["updateMlflowExperiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/experiments/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete mlflow experiment
         * @description Deletes an experiment as MLflow does: its pipeline is archived. Fails with `pipeline_active` while a run of it runs.
         */
        post: operations["deleteMlflowExperiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/experiments/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore mlflow experiment
         * @description Restores a deleted experiment.
         */
        post: operations["restoreMlflowExperiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/experiments/set-experiment-tag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set mlflow experiment tag
         * @description Sets a tag of an experiment: an annotation of its pipeline.
         */
        post: operations["setMlflowExperimentTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/runs/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create mlflow run
         * @description Creates a run with one job, which is running from then on. Experiment `0` is the one called `Default`, which is created if there is none.
         */
        post: operations["createMlflowRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/runs/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get mlflow run
         * @description Answers a run with its parameters, its tags and the newest value of each metric.
         */
        get: operations["getMlflowRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/runs/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update mlflow run
         * @description Says where a run stands: `FINISHED`, `FAILED` and `KILLED` end its job, `RUNNING` goes on with it. Or renames the run, which needs `training:write`.
         */
        post: operations["updateMlflowRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/runs/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete mlflow run
         * @description Deletes a run as MLflow does: it is archived. Fails with `run_active` while it runs.
         */
        post: operations["deleteMlflowRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/runs/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore mlflow run
         * @description Restores a deleted run.
         */
        post: operations["restoreMlflowRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/runs/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search mlflow runs
         * @description Finds runs by their metrics, parameters, tags and attributes. A filter that cannot be answered is refused, and the refusal says why.
         */
        post: operations["searchMlflowRuns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/logged-models/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search mlflow logged models
         * @description Finds the logged models of experiments, of which there are none: nothing creates one here. MLflow's client asks when it lists the
         *     files of a run.
         */
        post: operations["searchMlflowLoggedModels"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/runs/log-metric": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log mlflow metric
         * @description Stores a value of a metric. The same value again is stored once.
         */
        post: operations["logMlflowMetric"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/runs/log-parameter": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log mlflow parameter
         * @description Stores a parameter. Fails with `parameter_changed` when the run has it with another value.
         */
        post: operations["logMlflowParameter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/runs/set-tag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set mlflow tag
         * @description Sets a tag.
         */
        post: operations["setMlflowTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/runs/delete-tag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete mlflow tag
         * @description Removes a tag.
         */
        post: operations["deleteMlflowTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/runs/log-batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log mlflow batch
         * @description Stores metrics, parameters and tags together. Parameters and tags need `training:write`.
         */
        post: operations["logMlflowBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/mlflow/api/2.0/mlflow/metrics/get-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get mlflow metric history
         * @description Answers the values of a metric, oldest first, page by page.
         */
        get: operations["getMlflowMetricHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/run-comparison": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare runs
         * @description Answers the curves of one metric in several runs, on one axis, and what differs in what the runs were started with.
         *     Fails with `not_found` when one of the runs, or the job in one of them, is not the organisation's.
         */
        get: operations["compareRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipelines/{pipeline_id}/runs/{run_id}/metrics/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get run metrics
         * @description Answers a run's live metrics; with `after_sequence` only what is newer, with `wait_seconds` as soon as there is any.
         *     Fails with `not_found` when pipeline, run and job do not belong together in the caller's organisation.
         */
        get: operations["getRunMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/metrics/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch run metrics
         * @description Follows a run's live metrics: the whole first (or what is newer than the last event received), then each change.
         */
        get: operations["watchRunMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pipelines
         * @description Lists the organisation's pipelines, newest first.
         */
        get: operations["listPipelines"];
        put?: never;
        /**
         * Create pipeline
         * @description Creates a pipeline.
         */
        post: operations["createPipeline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get pipeline
         * @description Answers one pipeline.
         */
        get: operations["getPipeline"];
        put?: never;
        post?: never;
        /**
         * Delete pipeline
         * @description Deletes a pipeline with its runs and all their data, or says what that would be. Model versions made from its runs stay.
         *     Fails with `pipeline_active` while a job of its runs is active.
         */
        delete: operations["deletePipeline"];
        options?: never;
        head?: never;
        /**
         * Update pipeline
         * @description Changes a pipeline's name, description or annotations; what is absent stays as it is.
         */
        patch: operations["updatePipeline"];
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive pipeline
         * @description Archives a pipeline: it takes no new runs, and no trainer takes a job of its runs. Fails with `pipeline_active` while a job of
         *     its runs is active: taken by a trainer, and not at its end.
         */
        post: operations["archivePipeline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore pipeline
         * @description Takes a pipeline out of the archive.
         */
        post: operations["restorePipeline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs
         * @description Lists the runs of a pipeline. A page holds fewer than asked for where jobs are large, and fewer or none where a filter finds few among
         *     many: go on while there is a next page.
         */
        get: operations["listRuns"];
        put?: never;
        /**
         * Create run
         * @description Creates a run of a pipeline with its jobs, all `queued`. Fails with `not_found` when the pipeline is not the organisation's,
         *     and with `pipeline_archived` when it is archived. A caller who names datasets also needs `data:read`, as their versions are looked up in the
         *     caller's name; fails with `datasets_unavailable` when they cannot be.
         */
        post: operations["createRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get run
         * @description Answers a run with the state of each job.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        /**
         * Delete run
         * @description Deletes a run with its jobs, their commands, checkpoints and metrics, or says what that would be. Model versions made from it
         *     stay. Fails with `run_active` while one of its jobs is active.
         */
        delete: operations["deleteRun"];
        options?: never;
        head?: never;
        /**
         * Update run
         * @description Changes a run's name, notes or tags; what is absent stays as it is. Its jobs and the values of its parameters never change.
         */
        patch: operations["updateRun"];
        trace?: never;
    };
    "/platform/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all runs
         * @description Lists the runs of all pipelines. A page holds fewer than asked for where jobs are large, and fewer or none where a filter finds few among
         *     many: go on while there is a next page.
         */
        get: operations["listAllRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive run
         * @description Archives a run: no trainer takes its jobs. Fails with `run_active` while one of them is active: taken by a trainer, and not at
         *     its end.
         */
        post: operations["archiveRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore run
         * @description Takes a run out of the archive.
         */
        post: operations["restoreRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/supervisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acquire supervision lease
         * @description Acquires the lease. Fails with `lease_held` while another is active, unless it is taken over.
         */
        post: operations["acquireSupervisionLease"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/supervisions/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get supervision lease
         * @description Answers the active lease, without its token. Fails with `not_found` when none is active.
         */
        get: operations["getSupervisionLease"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/supervisions/{supervision_id}/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew supervision lease
         * @description Prolongs a live lease. Fails with `lease_lost` when it is not the live one or the token is not its own.
         */
        post: operations["renewSupervisionLease"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/supervisions/{supervision_id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release supervision lease
         * @description Gives a live lease back. Fails with `lease_lost` as renewing does.
         */
        post: operations["releaseSupervisionLease"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/trainer/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Attach
         * @description Makes this process the job's trainer and delivers its commands in sequence order, for as long as the stream lives.
         *     A newer attachment takes the job over; the older one is told `detached`.
         */
        post: operations["attach"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/commands/{command_id}/outcome": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Acknowledge command
         * @description Records what became of a command. Fails with `command_resolved` when another caller decided it first (the trainer must not act, or
         *     must undo), `command_out_of_order` while an earlier one has no outcome, `attachment_lost` when another process is the job's trainer now.
         */
        put: operations["acknowledgeCommand"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Report job state
         * @description Records a state that the trainer entered by itself: preparing, running, held, pausing, restoring, finishing,
         *     aborting, completed, failed. Fails with `illegal_move` when the job cannot enter it now.
         */
        put: operations["reportJobState"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/trainer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Take job
         * @description Makes this process the job's trainer without a stream, for one that reports over plain HTTP. It is sent no commands until it
         *     asks for them by `Attach`, and finds them in the job's command log, too. A newer attachment takes the job over; an id that was replaced fails with `attachment_lost`.
         */
        put: operations["takeJob"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send report
         * @description Takes one report, and answers when it is durable. A report whose counter was stored before is dropped and answered as durable.
         *     Send one after the other: a counter that was passed by a higher one fails with `report_out_of_order`. A process that is not
         *     the job's trainer fails with `attachment_lost`.
         */
        post: operations["sendReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send metrics
         * @description Takes points by metric and step, for scripts and shells: the whole of what they send is one request. It needs no attachment. A
         *     job that no process has taken is held under an id of the job's own from then on, and a queued one is running; where a trainer
         *     holds the job, it fails with `attachment_lost`. The points are of the active segment. The same request again is stored once.
         */
        post: operations["sendMetrics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/streams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Follow streams
         * @description Follows up to 32 streams over one connection. A browser has only six connections to an address over HTTP/1.1. A stream that is refused
         *     says so in an event of its own, and the others go on. To follow other streams, close the connection and open it again with the ids of
         *     the last events: nothing is missed and nothing comes twice.
         */
        post: operations["followStreams"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * AcknowledgeCommandRequest
         * @description What became of a command.
         */
        AcknowledgeCommandRequest: {
            /**
             * Format: uuid
             * @description This process's attachment.
             */
            attachment_id: string;
            /** @description It is done. */
            applied?: components["schemas"]["Applied"] | null;
            /** @description The trainer refuses it. */
            refused?: components["schemas"]["Refused"] | null;
        };
        /**
         * AcknowledgeCommandResponse
         * @description As it stands now.
         */
        AcknowledgeCommandResponse: {
            /** @description The command. */
            command: components["schemas"]["TrainingControlCommandRead"] | null;
            /** @description The job's state. */
            state: components["schemas"]["JobState"];
            /** @description Index of the active segment; higher than before when the command opened one. */
            active_segment: number;
        };
        /**
         * AcquireSupervisionLeaseRequest
         * @description The job to supervise, and for how long.
         */
        AcquireSupervisionLeaseRequest: {
            /**
             * @description How long, in seconds.
             * @default 300
             */
            ttl_seconds?: number;
            /**
             * @description Whether a lease that another holds ends with this. For members with `training:override`.
             * @default false
             */
            take_over?: boolean;
        };
        /**
         * AcquireSupervisionLeaseResponse
         * @description The lease, with its token.
         */
        AcquireSupervisionLeaseResponse: {
            /** @description The lease. */
            lease: components["schemas"]["SupervisionLease"] | null;
            /** @description uuid that proves the lease is yours; shown this once. */
            supervision_lease_token: string;
        };
        /**
         * AffectedAsset
         * @description Something that uses a feature.
         */
        AffectedAsset: {
            /** @description What it is, such as `automation`. */
            asset_type: string;
            /** @description Its id. */
            asset_id: string;
            /**
             * Format: uuid
             * @description uuid of the use itself.
             */
            id: string;
            /**
             * Format: uuid
             * @description The feature.
             */
            feature_id: string;
            /** @description The organisation. */
            organisation_id: string;
            /**
             * Format: date-time
             * @description Since when it is known.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When what is known of it last changed.
             */
            updated_at: string;
            /** @description Its name for people. */
            asset_name: string;
            /** @description How it uses the feature. */
            usage_notes: string;
            /** @description Anything else. */
            annotations: {
                [key: string]: unknown;
            };
            /** @description Who said so. Absent when the platform or a key did. */
            created_by_member_id: string | null;
            /** @description Who last changed it. Absent when the platform or a key did. */
            updated_by_member_id: string | null;
        };
        /**
         * ApiKey
         * @description What may be known of a key.
         */
        ApiKey: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description The organisation it belongs to. */
            organisation_id: string;
            /** @description Name for people. */
            name: string;
            /** @description The last four characters of the key. */
            last_four: string;
            /** @description What it may do, `resource:action`. */
            permission_ids: string[];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description When it stops working. Absent: never. */
            expires_at: string | null;
            /** @description When it was last seen, to the minute. */
            last_used_at: string | null;
            /** @description When it was revoked. */
            revoked_at: string | null;
            /** @description What every key begins with. */
            prefix: string;
            /** @description Who made it. Absent when a key or the platform did. */
            created_by_member_id: string | null;
            /** @description The key that takes over from this one. Absent unless it was rotated. */
            replaced_by_id: string | null;
        };
        /**
         * ApiKeyPolicy
         * @description How long keys may live.
         */
        ApiKeyPolicy: {
            /** @description Longest time from the creation of a key to its end, s. Absent: keys may live without an end. */
            max_lifetime_seconds: number | null;
        };
        /**
         * AppendToUploadResponse
         * @description How far the upload has come.
         */
        AppendToUploadResponse: {
            /** @description Bytes that have arrived. */
            received_bytes: number;
            /** @description Whether the whole artifact is stored. */
            complete: boolean;
        };
        /**
         * Applied
         * @description A command whose effect is there: a pause is saved and its devices released, a restored job took its first step, a
         *     finished job's result is published, an aborted job has stopped.
         */
        Applied: {
            /** @description The checkpoint used or, for a pause, the one saved. */
            checkpoint_id?: string | null;
            /** @description The checkpoint saved by a pause, recorded in the same write. */
            checkpoint?: components["schemas"]["Checkpoint-Input"] | null;
            /** @description Step at which the new segment starts (resume, rollback, warm_restart). */
            start_step?: number | null;
            /** @description The result (finish_from_checkpoint). */
            artifact?: components["schemas"]["Artifact"] | null;
            /** @description Anything to say. */
            detail?: string;
        };
        /**
         * Artifact
         * @description What a job leaves.
         */
        Artifact: {
            /** @description Where it lies. */
            uri: string;
            /** @description SHA-256 of it, hexadecimal. */
            sha256: string;
            /** @description Size in bytes. */
            size_bytes?: number;
            /** @description Format, such as `onnx`. */
            format: string;
            /** @description Metrics of it, by name. */
            metrics?: {
                [key: string]: number;
            };
        };
        /**
         * ArtifactContent
         * @description The content of a file.
         */
        ArtifactContent: {
            /** @description Name of the bundle's artifact. */
            name: string;
            /**
             * @description A text is the file's text; `{"base64": …}` its bytes; `{"artifact_sha256": …}` an artifact that was uploaded; any other
             *     value is written as JSON.
             */
            content: unknown;
            /** @description Media type. */
            content_type: string;
        };
        /**
         * Asset
         * @description Something that can be in a workspace.
         */
        Asset: {
            /**
             * Format: uuid
             * @description uuid; of what a service tells of, that thing's own id.
             */
            id: string;
            /** @description The organisation it belongs to. */
            organisation_id: string;
            /** @description Name for people. */
            name: string;
            /** @description What it is, such as `pipeline` or `dataset`. */
            kind: string;
            /** @description Datasets that it has to do with. */
            dataset_ids: string[];
            /** @description The service that tells of it. Absent when it was registered here. */
            owner: string | null;
            /** @description Workspaces that it is in. */
            workspace_ids: string[];
            /**
             * Format: date-time
             * @description When it became known.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When what is known of it last changed.
             */
            updated_at: string;
        };
        /**
         * AttachRequest
         * @description Who attaches.
         */
        AttachRequest: {
            /**
             * Format: uuid
             * @description uuid of this process's attachment. The same id again resumes it; a new id takes the job over.
             */
            attachment_id: string;
            /** @description Sequence of the last command this trainer finished with; later pending ones are delivered. */
            last_sequence?: number;
            /** @description Its id, by which a platform that was restored from a backup notices that it does not know it. */
            last_command_id?: string | null;
        };
        /**
         * AttachResponse
         * @description What a trainer is told.
         */
        AttachResponse: {
            /** @description First, once. */
            attached: components["schemas"]["Attached"] | null;
            /** @description A command to apply. Delivered again after a reconnect until it is acknowledged. */
            command: components["schemas"]["CommandDelivery"] | null;
            /** @description A command delivered earlier that must no longer be applied. */
            withdrawal: components["schemas"]["CommandWithdrawal"] | null;
            /** @description The stream is alive; every 10 seconds when there is nothing else to say. */
            heartbeat: components["schemas"]["StreamHeartbeat"] | null;
            /** @description This replica drains: attach again at once. */
            reconnect: components["schemas"]["Reconnect"] | null;
            /** @description Another process is the job's trainer now: stop. */
            detached: components["schemas"]["Detached"] | null;
            /** @description Checkpoints were pruned: delete their files. Those that were pruned earlier are in `attached`. */
            pruned: components["schemas"]["PrunedCheckpoints"] | null;
        };
        /**
         * Attached
         * @description Where the job stands.
         */
        Attached: {
            /** @description The job as declared, and its state. */
            job: components["schemas"]["JobRead"] | null;
            /** @description Highest report counter that is durable; go on above it. */
            durable_counter: number;
            /** @description Index of the active segment. */
            active_segment: number;
            /** @description Checkpoints of the job, oldest first. Of those with `pruned_at` the trainer deletes the files. */
            checkpoints: components["schemas"]["Checkpoint-Output"][];
            /** @description Highest fencing epoch given out; refuse commands of a lower one. */
            epoch: number;
            /**
             * @description The command that the trainer finished with last is not in the job's log: the platform was restored from a backup. The
             *     trainer forgets its commands, and does as the job's state and the commands that follow say.
             */
            set_back: boolean;
            /**
             * @description Overrides in force: what applied commands have changed of the configuration, the newest value of each key. A rollback or warm
             *     restart goes on from those that were in force at its checkpoint. A trainer that starts with nothing of its own takes them over.
             */
            overrides: {
                [key: string]: unknown;
            } | null;
            /** @description Versions of datasets that the run reads. A trainer downloads them by `DownloadRunDataset`, and compares what it has with `content_sha256`. */
            datasets: components["schemas"]["RunDataset"][];
            /** @description Whether `datasets` are all that the run reads. A platform of an earlier version does not tell: ask again at the next attachment. */
            datasets_told: boolean;
        };
        /**
         * AuditActor
         * @description Who acted.
         */
        AuditActor: {
            /** @description The member. Absent when a key, the platform or an unknown caller acted. */
            member_id: string | null;
            /** @description The credential: an API key's id, `issuer subject` of a token, `notebook:<user>/<server>`, `operator`. Absent when none was accepted. */
            credential_id: string | null;
        };
        /**
         * AuditOutcome
         * @description How what was asked ended.
         * @enum {string}
         */
        AuditOutcome: "done" | "refused";
        /**
         * AuditRecord
         * @description One thing that a caller did, or was refused.
         */
        AuditRecord: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description The organisation concerned. Absent when none is known. */
            organisation_id: string | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description Who. */
            actor: components["schemas"]["AuditActor"];
            /** @description What: `domain.entity.happened` of the event, such as `identity.role.created`; of a refusal `mesh.call.refused`. */
            action: string;
            /** @description How it ended. */
            outcome: components["schemas"]["AuditOutcome"];
            /** @description Of a refusal, why: the reason of the error. */
            reason: string | null;
            /** @description Of a refusal, the RPC that was called, `package.Service/Method`. Absent when the request named none. */
            rpc: string | null;
            /** @description What it was about: the event's entity id. */
            entity_id: string | null;
            /** @description The request, as answered in `X-Request-Id`. */
            request_id: string | null;
            /** @description Where a refused call came from: its IP address. */
            source_address: string | null;
            /**
             * @description Of a refusal, how many calls this record stands for: those that are like the first follow in one record every ten seconds, with
             *     the request id and time of the last.
             */
            count: number | null;
            /** @description Who chose the request id: a caller may send any in `X-Request-Id`, also that of another request. */
            request_id_source: components["schemas"]["RequestIdSource"];
            /** @description What else is kept of it, such as which columns were sent where. Absent of most records. */
            details: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * AuthorKind
         * @description Who writes.
         * @enum {string}
         */
        AuthorKind: "person" | "program";
        /**
         * Automation
         * @description An automation.
         */
        Automation: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description Name for people. */
            name: string;
            /** @description What it is for. */
            description: string;
            /** @description The organisation it belongs to. */
            organisation_id: string;
            /** @description The published version. Absent when there is none. */
            current_version: components["schemas"]["AutomationVersion"] | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /**
         * AutomationRun
         * @description A run of a published version.
         */
        AutomationRun: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /**
             * Format: uuid
             * @description The automation.
             */
            automation_id: string;
            /**
             * Format: uuid
             * @description The version that runs, to its end.
             */
            version_id: string;
            /** @description Where it stands. */
            status: components["schemas"]["AutomationRunStatus"];
            /** @description `demand`, `schedule`, or the name of the event that started it. */
            started_by: string;
            /** @description What it was started with: the caller's input, the event, or the due time. */
            input: {
                [key: string]: unknown;
            };
            /** @description Why it failed or was given up. Absent otherwise. */
            error: string | null;
            /** @description The steps that were begun, in that order. In the answer for one run only. */
            steps: components["schemas"]["AutomationStepRun"][];
            /**
             * Format: date-time
             * @description When it was asked for.
             */
            created_at: string;
            /** @description When it ended. */
            ended_at: string | null;
        };
        /**
         * AutomationRunStatus
         * @description Where a run or a step of it stands.
         * @enum {string}
         */
        AutomationRunStatus: "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled";
        /**
         * AutomationScheduleInput
         * @description Times at which runs start.
         */
        "AutomationSchedule-Input": {
            /** @description Minute, hour, day of the month, month and day of the week as `cron` has them, such as `30 2 * * MON-FRI`. */
            cron: string;
            /**
             * @description The IANA time zone in which the times are, such as `Europe/Berlin`. Empty: `UTC`.
             * @default UTC
             */
            time_zone?: string;
            /**
             * @description What becomes of due times at which no run could start. Unspecified: skip.
             * @default skip
             */
            missed?: components["schemas"]["MissedRunPolicy"];
        };
        /**
         * AutomationScheduleOutput
         * @description Times at which runs start.
         */
        "AutomationSchedule-Output": {
            /** @description Minute, hour, day of the month, month and day of the week as `cron` has them, such as `30 2 * * MON-FRI`. */
            cron: string;
            /**
             * @description The IANA time zone in which the times are, such as `Europe/Berlin`. Empty: `UTC`.
             * @default UTC
             */
            time_zone: string;
            /**
             * @description What becomes of due times at which no run could start. Unspecified: skip.
             * @default skip
             */
            missed: components["schemas"]["MissedRunPolicy"];
        };
        /**
         * AutomationSettings
         * @description How an automation is run.
         */
        AutomationSettings: {
            /**
             * Format: uuid
             * @description The automation.
             */
            automation_id: string;
            /** @description Whether it runs. Nothing runs a disabled automation. */
            enabled: boolean;
            /** @description Why it was disabled by itself. Absent otherwise. */
            disabled_reason: string | null;
            /** @description Failures in a row after which it is disabled; 0: never. */
            failures_until_disabled: number;
            /** @description Failures in a row so far. */
            failures_in_a_row: number;
            /** @description The member who is told when something that the automation uses is deprecated. Absent: no member is. */
            owner_member_id: string | null;
            /** @description Whether the owner is told by an e-mail draft besides the event. */
            drafts_for_owner: boolean;
            /** @description When the schedule of the published version starts the next run. Absent: it has none, or the automation is disabled. */
            next_run_at: string | null;
        };
        /**
         * AutomationStep
         * @description One step.
         */
        AutomationStep: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description Name for people. */
            name: string;
            /** @description What the step does: its `type`, and what that type needs. */
            prompt_template: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /**
         * AutomationStepKey
         * @description By what a step is known within its automation.
         */
        AutomationStepKey: {
            /**
             * Format: uuid
             * @description uuid.
             */
            step_id: string;
            /** @description Its key: drafts name the step by it, and so do templates, such as `steps.<key>.output`. */
            key: string;
            /** @description Keys of the features that the step uses, sorted: those that its draft named, and those that its template reads. */
            feature_keys: string[];
        };
        /**
         * AutomationStepRun
         * @description What became of a step.
         */
        AutomationStepRun: {
            /**
             * Format: uuid
             * @description The step.
             */
            step_id: string;
            /** @description Its name at the time. */
            name: string;
            /** @description Its kind, such as `prompt`. */
            type: string;
            /** @description Where it stands. */
            status: components["schemas"]["AutomationRunStatus"];
            /** @description The word with which it ended; the transition of that label is taken. Absent before. */
            label: string | null;
            /** @description What it made, as its kind says. */
            output: {
                [key: string]: unknown;
            } | null;
            /** @description Why it failed. Absent otherwise. */
            error: string | null;
            /** @description How often it was begun. */
            attempts: number;
            /** @description When it was begun. */
            started_at: string | null;
            /** @description When it ended. */
            ended_at: string | null;
        };
        /**
         * AutomationStepTransition
         * @description What may follow a step.
         */
        AutomationStepTransition: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /**
             * Format: uuid
             * @description From this step.
             */
            source_step_id: string;
            /**
             * Format: uuid
             * @description To this one.
             */
            target_step_id: string;
            /** @description When the step ends with this word. */
            label: string;
        };
        /**
         * AutomationTriggerInput
         * @description What starts a run.
         */
        "AutomationTrigger-Input": {
            /**
             * @description Name of an event of the platform, such as `training.job.completed`, or `schedule`. The publisher needs the permission to read
             *     the event; for `schedule`, `automations:run`.
             */
            event: string;
            /**
             * @description A Liquid condition over the event, such as `event.job_name == "evaluate" and event.metrics.accuracy < 0.9`. Empty: every such
             *     event of the organisation, and every due time. Of a due time, `event` has `due_at` and `time_zone`.
             * @default
             */
            when?: string;
            /** @description When runs start; with the event `schedule`, and with no other. */
            schedule?: components["schemas"]["AutomationSchedule-Input"] | null;
        };
        /**
         * AutomationTriggerOutput
         * @description What starts a run.
         */
        "AutomationTrigger-Output": {
            /**
             * @description Name of an event of the platform, such as `training.job.completed`, or `schedule`. The publisher needs the permission to read
             *     the event; for `schedule`, `automations:run`.
             */
            event: string;
            /**
             * @description A Liquid condition over the event, such as `event.job_name == "evaluate" and event.metrics.accuracy < 0.9`. Empty: every such
             *     event of the organisation, and every due time. Of a due time, `event` has `due_at` and `time_zone`.
             * @default
             */
            when: string;
            /** @description When runs start; with the event `schedule`, and with no other. */
            schedule: components["schemas"]["AutomationSchedule-Output"] | null;
        };
        /**
         * AutomationVersion
         * @description A version of an automation.
         */
        AutomationVersion: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /**
             * Format: uuid
             * @description The automation.
             */
            automation_id: string;
            /** @description In the order in which they were written. */
            steps: components["schemas"]["AutomationStep"][];
            /** @description In the order in which they were written. */
            step_transitions: components["schemas"]["AutomationStepTransition"][];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /**
         * AutomationVersionEntry
         * @description A version, and where it stands.
         */
        AutomationVersionEntry: {
            /** @description The version. */
            version: components["schemas"]["AutomationVersion"];
            /** @description Where it stands. */
            status: components["schemas"]["AutomationVersionStatus"];
            /** @description Keys of the features it uses. */
            feature_keys: string[];
            /** @description Variables that its templates read, sorted. */
            variables: string[];
            /** @description When it was published. */
            published_at: string | null;
            /** @description What starts it by itself. Absent: it runs on demand only. */
            trigger: components["schemas"]["AutomationTrigger-Output"] | null;
            /** @description Rises with each change of the automation's draft. In quotes it is the draft's ETag. */
            revision: number;
            /** @description Permissions that its steps need and reading the events that start it, sorted. Publishing it delegates them, in the publisher's name. */
            permission_ids: string[];
            /** @description The keys of its steps, in their order. With them a version can be written again as a draft. */
            step_keys: components["schemas"]["AutomationStepKey"][];
        };
        /**
         * AutomationVersionStatus
         * @description Where a version stands.
         * @enum {string}
         */
        AutomationVersionStatus: "draft" | "published" | "superseded";
        /**
         * BundleArtifactInput
         * @description A file of a bundle.
         */
        "BundleArtifact-Input": {
            /** @description Name; its content has the same. */
            name: string;
            /** @description Where it lies below the bundle's folder: relative, without `..`. */
            path: string;
            /**
             * @description `file`.
             * @enum {string}
             */
            kind: "file";
        };
        /**
         * BundleArtifactOutput
         * @description A file of a bundle.
         */
        "BundleArtifact-Output": {
            /** @description Name; its content has the same. */
            name: string;
            /** @description Where it lies below the bundle's folder: relative, without `..`. */
            path: string;
            /**
             * @description `file`.
             * @enum {string}
             */
            kind: "file";
        };
        /**
         * BundleDatasetInput
         * @description A dataset of a bundle.
         */
        "BundleDataset-Input": {
            /**
             * Format: uuid
             * @description The dataset.
             */
            dataset_id: string;
            /** @description Name by which the bundle knows it. */
            alias: string;
        };
        /**
         * BundleDatasetOutput
         * @description A dataset of a bundle.
         */
        "BundleDataset-Output": {
            /**
             * Format: uuid
             * @description The dataset.
             */
            dataset_id: string;
            /** @description Name by which the bundle knows it. */
            alias: string;
        };
        /**
         * CheckpointInput
         * @description A saved training state.
         */
        "Checkpoint-Input": {
            /**
             * Format: uuid
             * @description uuid, minted by the trainer.
             */
            id: string;
            /** @description Steps taken when it was saved. */
            step?: number;
            /** @description Index of the segment it was saved in. */
            segment_index?: number;
            /** @description Metrics when it was saved, by name. */
            metrics?: {
                [key: string]: number;
            };
            /** @description Where it lies; means something to the trainer only. */
            uri?: string;
            /** @description SHA-256 of it, hexadecimal. */
            sha256?: string;
            /** @description Size in bytes. */
            size_bytes?: number;
            /** @description When it was saved. */
            created_at?: string | null;
            /** @description When it was pruned; absent while it is kept. The platform says it, like what follows, and takes it from no trainer. */
            pruned_at?: string | null;
            /** @description When it was verified last; absent: never. */
            verified_at?: string | null;
            /** @description What that has shown. */
            verification?: components["schemas"]["CheckpointVerification"] | null;
        };
        /**
         * CheckpointOutput
         * @description A saved training state.
         */
        "Checkpoint-Output": {
            /**
             * Format: uuid
             * @description uuid, minted by the trainer.
             */
            id: string;
            /** @description Steps taken when it was saved. */
            step: number;
            /** @description Index of the segment it was saved in. */
            segment_index: number;
            /** @description Metrics when it was saved, by name. */
            metrics: {
                [key: string]: number;
            };
            /** @description Where it lies; means something to the trainer only. */
            uri: string;
            /** @description SHA-256 of it, hexadecimal. */
            sha256: string;
            /** @description Size in bytes. */
            size_bytes: number;
            /** @description When it was saved. */
            created_at: string | null;
            /** @description When it was pruned; absent while it is kept. The platform says it, like what follows, and takes it from no trainer. */
            pruned_at: string | null;
            /** @description When it was verified last; absent: never. */
            verified_at: string | null;
            /** @description What that has shown. */
            verification: components["schemas"]["CheckpointVerification"] | null;
        };
        /**
         * CheckpointVerification
         * @description What reading a checkpoint has shown.
         * @enum {string}
         */
        CheckpointVerification: "intact" | "damaged" | "missing" | "running";
        /**
         * CollectArtifactsRequest
         * @description Whether to remove.
         */
        CollectArtifactsRequest: {
            /**
             * @description Whether to answer what would go, and remove nothing.
             * @default false
             */
            dry_run?: boolean;
        };
        /**
         * CollectArtifactsResponse
         * @description What was removed, or would be.
         */
        CollectArtifactsResponse: {
            /** @description How many artifacts. */
            artifact_count: number;
            /** @description Bytes of these. */
            size_bytes: number;
            /** @description These, the longest unused first. */
            artifacts: components["schemas"]["UnreferencedArtifact"][];
            /** @description Whether more may be due: repeat the request. */
            has_more: boolean;
        };
        /**
         * ColumnType
         * @description What the values of a column are, as far as a sample tells.
         * @enum {string}
         */
        ColumnType: "string" | "integer" | "number" | "boolean" | "date" | "date_time";
        /**
         * CommandDelivery
         * @description A command for the trainer.
         */
        CommandDelivery: {
            /** @description The command. */
            command: components["schemas"]["TrainingControlCommandRead"] | null;
            /** @description Fencing epoch; refuse one lower than the highest seen. */
            epoch: number;
            /** @description The checkpoint to use, resolved. Absent when the action needs none. */
            resolved_checkpoint_id: string | null;
            /** @description W3C trace context of the request that asked for it, for the trace to go on in the trainer. Absent where there is none. */
            traceparent: string | null;
        };
        /**
         * CommandJobsRequest
         * @description One command for many jobs.
         */
        CommandJobsRequest: {
            /** @description The jobs, 1 to 100. Absent: those that `filter` finds. */
            jobs?: components["schemas"]["CommandedJob"][];
            /** @description What to do. */
            action: components["schemas"]["TrainingControlAction"];
            /**
             * @description Settings to change with it; only keys that a job declares.
             * @default {}
             */
            runtime_overrides?: {
                [key: string]: unknown;
            };
            /**
             * Format: uuid
             * @description Makes repeats of this request harmless: the key of the command in each job.
             */
            idempotency_key: string;
            /**
             * @description Whether to answer what would be, and change nothing.
             * @default false
             */
            dry_run?: boolean;
            /** @description Instead of `jobs`: runs, 100 at most, found as by `filter` of all runs. Needs `metrics:read`. */
            filter?: string;
            /** @description With `filter`: the job within each run. Absent: the one declared first. */
            job_name?: string | null;
        };
        /**
         * CommandWithdrawal
         * @description A command that was superseded, expired or decided otherwise.
         */
        CommandWithdrawal: {
            /** @description The command. */
            command_id: string;
            /** @description Its sequence. */
            sequence: number;
            /** @description Why. */
            detail: string;
        };
        /**
         * CommandedJob
         * @description A job to command.
         */
        CommandedJob: {
            /** @description The pipeline that the run has to belong to. Absent: any. */
            pipeline_id?: string | null;
            /**
             * Format: uuid
             * @description The run.
             */
            run_id: string;
            /** @description The job within the run. Absent: the one declared first. */
            job_name?: string | null;
        };
        /**
         * ComparedRun
         * @description The curve of one run.
         */
        ComparedRun: {
            /**
             * Format: uuid
             * @description The run.
             */
            run_id: string;
            /**
             * Format: uuid
             * @description Its pipeline.
             */
            pipeline_id: string;
            /** @description Its name for people. */
            name: string;
            /** @description The job that was compared. */
            job_name: string;
            /** @description That job's state. */
            state: components["schemas"]["JobState"];
            /** @description Where the points are on the axis, in the order in which they were reported. */
            x: number[];
            /** @description Values of the metric there. */
            y: number[];
            /** @description Whether points were left out. The first, the last and the extremes of each stretch never are. */
            sampled: boolean;
        };
        /**
         * ComparisonAxis
         * @description What the x of a point is.
         * @enum {string}
         */
        ComparisonAxis: "step" | "seconds";
        /**
         * ControlCommandPreview
         * @description What the command would do.
         */
        ControlCommandPreview: {
            /** @description Whether the command would be accepted. */
            accepted: boolean;
            /** @description Why it would be rejected, or what it would amount to. */
            detail: string | null;
            /** @description The job's state after all pending commands, before this one. */
            projected_state: string;
            /** @description The state this command would lead to. Null when it would be rejected. */
            resulting_state: string | null;
            /** @description The checkpoint it would use. */
            checkpoint_id: string | null;
            /** @description Steps of the active segment that would be archived. */
            discarded_steps: number | null;
            /** @description Sequences of pending commands it would supersede. */
            superseded_sequences: number[];
        };
        /**
         * CreateApiKeyRequest
         * @description The fields of the new API key.
         */
        CreateApiKeyRequest: {
            /** @description Name for people. */
            name: string;
            /** @description What it may do; the caller must hold all of it. */
            permission_ids: ("apikeys:manage" | "apikeys:policy" | "audit:read" | "automations:read" | "automations:run" | "automations:write" | "data:export" | "data:read" | "data:write" | "deployments:predict" | "deployments:promote" | "deployments:read" | "deployments:write" | "dictionary:read" | "dictionary:write" | "emails:send" | "emails:write" | "features:delete" | "features:read" | "features:write" | "members:manage" | "metrics:read" | "metrics:report" | "models:read" | "models:write" | "notebooks:use" | "oauth:link" | "organisations:manage" | "quotas:read" | "roles:manage" | "training:command" | "training:override" | "training:write" | "workspaces:manage" | "workspaces:read")[];
            /** @description When it stops working. Absent: never. */
            expires_at?: string | null;
        };
        /**
         * CreateApiKeyResponse
         * @description The new API key, with its secret.
         */
        CreateApiKeyResponse: {
            /** @description What may be known of it. */
            api_key: components["schemas"]["ApiKey"];
            /** @description The key itself; shown this once. */
            secret: string;
        };
        /**
         * CreateAutomationRequest
         * @description The fields of the new automation.
         */
        CreateAutomationRequest: {
            /** @description Name for people. */
            name: string;
            /**
             * @description What it is for.
             * @default
             */
            description?: string;
        };
        /**
         * CreateCustomServingDeploymentRequest
         * @description The fields of the new deployment, and its bundle.
         */
        CreateCustomServingDeploymentRequest: {
            /** @description Name for people. */
            name: string;
            /** @description What serves, and by which rules. */
            serving_bundle: components["schemas"]["ServingBundle-Input"];
            /**
             * @description What it is for.
             * @default
             */
            description?: string;
            /**
             * @description Models that the bundle uses.
             * @default []
             */
            model_refs?: components["schemas"]["ModelRef"][];
            /**
             * @description Contents of the bundle's files.
             * @default []
             */
            artifacts?: components["schemas"]["ArtifactContent"][];
            /** @description How it runs: `min_instances`, `max_instances`, `idle_seconds`, `concurrency`, `timeout_seconds`, `memory_mb`, `network`. */
            serverless_run_config?: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * CreateDatasetEmbeddingRequest
         * @description Which version, and how its rows become vectors.
         */
        CreateDatasetEmbeddingRequest: {
            /** @description How rows become vectors. */
            recipe: components["schemas"]["DatasetEmbeddingRecipe-Input"];
        };
        /**
         * CreateDatasetRequest
         * @description The fields of the new dataset.
         */
        CreateDatasetRequest: {
            /** @description Name for people. */
            name: string;
            /**
             * @description What it is.
             * @default
             */
            description?: string;
            /**
             * @description Its columns, in their order in the data.
             * @default []
             */
            columns?: components["schemas"]["DatasetColumn-Input"][];
        };
        /**
         * CreateDatasetSuccessorRequest
         * @description Which rows of which version become the new one.
         */
        CreateDatasetSuccessorRequest: {
            /** @description Which rows, as in the list of rows: `customer_id = 17`. A row for which the filter is neither true nor false, such as one without the value, is not found. */
            filter: string;
            /** @description What becomes of the rows that the filter finds. */
            matching_rows: components["schemas"]["DatasetMatchingRows"];
            /**
             * @description What the new version is.
             * @default
             */
            description?: string;
        };
        /**
         * CreateDatasetVersionRequest
         * @description The fields of the new version.
         */
        CreateDatasetVersionRequest: {
            /** @description Its files, in the order in which they are read: their rows follow on one another, and their columns are the same. Empty: `query` or `rows` says what it is made of. */
            files?: components["schemas"]["DatasetFile"][];
            /**
             * @description What it is.
             * @default
             */
            description?: string;
            /**
             * @description A query whose answer becomes its rows, in place of `files`.
             * @default null
             */
            query?: components["schemas"]["DatasetVersionQuery"] | null;
            /** @description Its rows, each as an object of its columns, in place of `files`. They are stored as an artifact, as a file of JSON lines. */
            rows?: {
                [key: string]: unknown;
            }[];
        };
        /**
         * CreateDeploymentRequest
         * @description The fields of the new deployment.
         */
        CreateDeploymentRequest: {
            /**
             * Format: uuid
             * @description The model.
             */
            model_id: string;
        };
        /**
         * CreateEmailDraftRequest
         * @description The fields of the new draft.
         */
        CreateEmailDraftRequest: {
            /** @description Subject, a Liquid template; what it makes is one line. */
            subject: string;
            /**
             * @description Text, a Liquid template.
             * @default
             */
            text?: string;
            /**
             * @description HTML, a Liquid template; values are escaped. Empty: text only.
             * @default
             */
            html?: string;
            /**
             * @description Recipients: members of the organisation, in this order.
             * @default []
             */
            recipient_member_ids?: string[];
        };
        /**
         * CreateMemberRequest
         * @description The fields of the new member, and its roles.
         */
        CreateMemberRequest: {
            /** @description The member. */
            member: components["schemas"]["NewMember"];
            /** @description Roles to hold. They stand beside the member: in it they would be an unknown field, and ignored as every such field is. */
            role_ids?: string[];
        };
        /**
         * CreateMlflowExperimentRequest
         * @description The fields of the new experiment.
         */
        CreateMlflowExperimentRequest: {
            /** @description Its name. */
            name: string;
            /** @description Its tags. */
            tags?: components["schemas"]["MlflowTag"][];
        };
        /**
         * CreateMlflowExperimentResponse
         * @description The new experiment.
         */
        CreateMlflowExperimentResponse: {
            /** @description Id of the pipeline. */
            experiment_id: string;
        };
        /**
         * CreateMlflowRunRequest
         * @description The fields of the new run.
         */
        CreateMlflowRunRequest: {
            /**
             * @description Id of the pipeline, or `0`.
             * @default 0
             */
            experiment_id?: string;
            /** @description Its name. Default: what its tag `mlflow.runName` says, or one that is made. */
            run_name?: string;
            /** @description Its tags. */
            tags?: components["schemas"]["MlflowTag"][];
        };
        /**
         * CreateMlflowRunResponse
         * @description The new run.
         */
        CreateMlflowRunResponse: {
            /** @description The run. */
            run: components["schemas"]["MlflowRun"] | null;
        };
        /**
         * CreateModelRequest
         * @description The fields of the new model.
         */
        CreateModelRequest: {
            /** @description Name for people, unique in the organisation. */
            name: string;
            /**
             * @description What it is for.
             * @default
             */
            description?: string;
        };
        /**
         * CreateModelVersionRequest
         * @description The fields of the new version.
         */
        CreateModelVersionRequest: {
            /**
             * @description Format of the artifact: `onnx`.
             * @enum {string}
             */
            format: "onnx";
            /** @description SHA-256 of an artifact that was uploaded, hexadecimal. */
            artifact_sha256: string;
        };
        /**
         * CreateOrganisationRequest
         * @description The fields of the new organisation, and its first administrator.
         */
        CreateOrganisationRequest: {
            /** @description Unique in the installation. */
            slug: string;
            /** @description Name for people. */
            name: string;
            /** @description The first member; gets the system role `administrator`. */
            administrator: components["schemas"]["NewMember"];
        };
        /**
         * CreateOrganisationResponse
         * @description The new organisation.
         */
        CreateOrganisationResponse: {
            /** @description The organisation. */
            organisation: components["schemas"]["Organisation"];
            /** @description Its administrator. */
            administrator: components["schemas"]["Member"];
            /** @description A key with every permission of an administrator, without an owner. */
            api_key: components["schemas"]["ApiKey"];
            /** @description The key itself; shown this once. */
            api_key_secret: string;
        };
        /**
         * CreatePipelineRequest
         * @description The fields of the new pipeline.
         */
        CreatePipelineRequest: {
            /** @description Name for people. */
            name: string;
            /**
             * @description What it is for.
             * @default
             */
            description?: string;
            /**
             * @description Anything else, up to 16 KiB.
             * @default {}
             */
            annotations?: {
                [key: string]: unknown;
            };
        };
        /**
         * CreateRoleRequest
         * @description The fields of the new role.
         */
        CreateRoleRequest: {
            /** @description Name for people; blanks around it are cut off. */
            name: string;
            /** @description Unique in the organisation and not a system role's. */
            slug: string;
            /** @description What it grants; repeats collapse, order is kept. */
            permission_ids: ("apikeys:manage" | "apikeys:policy" | "audit:read" | "automations:read" | "automations:run" | "automations:write" | "data:export" | "data:read" | "data:write" | "deployments:predict" | "deployments:promote" | "deployments:read" | "deployments:write" | "dictionary:read" | "dictionary:write" | "emails:send" | "emails:write" | "features:delete" | "features:read" | "features:write" | "members:manage" | "metrics:read" | "metrics:report" | "models:read" | "models:write" | "notebooks:use" | "oauth:link" | "organisations:manage" | "quotas:read" | "roles:manage" | "training:command" | "training:override" | "training:write" | "workspaces:manage" | "workspaces:read")[];
        };
        /**
         * CreateRunRequest
         * @description The fields of the new run, and its jobs.
         */
        CreateRunRequest: {
            /** @description Name for people. */
            name: string;
            /** @description Jobs; names are unique in the run. */
            jobs: components["schemas"]["TrainingJob-Input"][];
            /**
             * @description Texts to find it by, by their names.
             * @default {}
             */
            tags?: {
                [key: string]: string;
            };
            /**
             * @description What people say of it.
             * @default
             */
            notes?: string;
            /**
             * @description What it is started with, up to 64 KiB: to find it by and to compare it with others. Trainers get `configuration`.
             * @default {}
             */
            parameters?: {
                [key: string]: unknown;
            };
            /**
             * @description Versions of datasets that it is to read.
             * @default []
             */
            datasets?: components["schemas"]["RunDatasetReference"][];
        };
        /**
         * CreateSessionRequest
         * @description Which session.
         */
        CreateSessionRequest: {
            /** @description The organisation that a session switches to. Absent: the organisation of the credential. */
            organisation_id?: string | null;
        };
        /**
         * CreateSignInCodeResponse
         * @description The code.
         */
        CreateSignInCodeResponse: {
            /** @description The code, shown as `Authorization: Bearer` to open a session. */
            code: string;
            /** @description Page of the console that exchanges it. The code is in the fragment, which browsers send to no server. */
            sign_in_url: string;
            /**
             * Format: date-time
             * @description When it stops working.
             */
            expires_at: string;
        };
        /**
         * CreateTrainingControlCommandRequest
         * @description A command to record.
         */
        CreateTrainingControlCommandRequest: {
            /** @description What to do. */
            action: components["schemas"]["TrainingControlAction"];
            /** @description The checkpoint to use; must be null for continue, pause and abort. */
            checkpoint_id?: string | null;
            /**
             * @description Settings to change with it; only keys that the job declares.
             * @default {}
             */
            runtime_overrides?: {
                [key: string]: unknown;
            };
            /**
             * Format: uuid
             * @description Makes repeats of this request harmless: unique per job, for ever.
             */
            idempotency_key: string;
            /** @description The supervision under which the command is issued; only together with its token. */
            supervision_id?: string | null;
            /** @description The token that was given out when the lease was acquired. */
            supervision_lease_token?: string | null;
        };
        /**
         * CurrentSession
         * @description Who calls.
         */
        CurrentSession: {
            /** @description The session's id. Absent for other credentials. */
            id: string | null;
            /** @description How the session was opened. Absent for other credentials. */
            method: components["schemas"]["SessionMethod"] | null;
            /** @description Name of the member or key for people. */
            name: string;
            /** @description The member who acts. Absent when an API key acts for itself. */
            member: components["schemas"]["SessionMember"] | null;
            /** @description The API key that acts. Absent when a member acts. */
            api_key: components["schemas"]["SessionApiKey"] | null;
            /** @description The organisation. Absent for the operator of the installation. */
            organisation: components["schemas"]["SessionOrganisation"] | null;
            /** @description Organisations that the person is a member of, by name: a session can switch to each of them. */
            organisations: components["schemas"]["SessionOrganisation"][];
            /** @description What the caller may do now, `resource:action`, sorted. */
            permission_ids: string[];
            /** @description When the session was opened. Absent for other credentials. */
            created_at: string | null;
            /** @description When the session ends unless it is used before. Absent for other credentials. */
            idle_expires_at: string | null;
            /** @description When the session ends in any case. Absent for other credentials. */
            expires_at: string | null;
        };
        /**
         * CustomServingDeployment
         * @description A deployment with its rollout.
         */
        CustomServingDeployment: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description Name for people. */
            name: string;
            /** @description What it is for. */
            description: string;
            /** @description DNS label under which it is known inside the installation, unique in the organisation. */
            service_name: string;
            /** @description The organisation it belongs to. */
            organisation_id: string;
            /** @description The model. Absent for a bundle that names none. */
            model_id: string | null;
            /** @description The version of the model that serves, or is to serve first. */
            model_version_id: string | null;
            /** @description Whether predictions are answered. */
            status: components["schemas"]["DeploymentStatus"];
            /** @description What else is known of it. */
            annotations: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description The version of the model that the latest rollout is for. Absent for a bundle that names no model. */
            target_model_version_id: string | null;
            /** @description How the latest rollout goes. */
            rollout_status: components["schemas"]["RolloutStatus"];
            /** @description `Reason: message` of a failed rollout. Absent otherwise. */
            rollout_error: string | null;
            /**
             * Format: uuid
             * @description The latest rollout.
             */
            rollout_request_id: string;
            /**
             * Format: date-time
             * @description When it was queued.
             */
            rollout_queued_at: string;
            /** @description How it runs, as given. */
            serverless_run_config: {
                [key: string]: unknown;
            } | null;
            /** @description The version of the deployment that serves; moves when a rollout has succeeded. Absent before the first has. */
            current_deployment_version_id: string | null;
            /** @description The same in the next lower environment. */
            lower_env_deployment_id: string | null;
            /** @description The same in the next higher environment. */
            higher_env_deployment_id: string | null;
        };
        /**
         * DataDictionaryChange
         * @description One change of one entry.
         */
        DataDictionaryChange: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description The entry. */
            name: string;
            /** @description The text before. Absent when the entry was new. */
            previous_description: string | null;
            /** @description The text from then on. Absent when the entry was deleted. */
            description: string | null;
            /** @description Who wrote it. Absent when a program did. */
            author_member_id: string | null;
            /** @description What kind of author that is. */
            author_kind: components["schemas"]["AuthorKind"];
            /** @description The dictionary's version that it made. */
            version: number;
            /**
             * Format: date-time
             * @description When.
             */
            changed_at: string;
        };
        /**
         * DataDictionaryEntry
         * @description What an entry of a dataset means.
         */
        DataDictionaryEntry: {
            /** @description Name, exactly; case matters. */
            name: string;
            /** @description What it means; "" clears the text and keeps the entry. */
            description: string;
        };
        /**
         * Dataset
         * @description A dataset.
         */
        Dataset: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description The organisation it belongs to. */
            organisation_id: string;
            /** @description Name for people. */
            name: string;
            /** @description What it is. */
            description: string;
            /** @description In their order in the data. */
            columns: components["schemas"]["DatasetColumn-Output"][];
            /**
             * Format: date-time
             * @description When it was registered.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description Names of columns whose values are sent to no service outside of the platform. */
            sensitive_columns: string[];
        };
        /**
         * DatasetColumnInput
         * @description A column.
         */
        "DatasetColumn-Input": {
            /** @description Name, exactly as in the data. */
            name: string;
            /** @description What its values are. */
            type?: components["schemas"]["ColumnType"];
        };
        /**
         * DatasetColumnOutput
         * @description A column.
         */
        "DatasetColumn-Output": {
            /** @description Name, exactly as in the data. */
            name: string;
            /** @description What its values are. */
            type: components["schemas"]["ColumnType"];
        };
        /**
         * DatasetColumnKind
         * @description What the values of a column are.
         * @enum {string}
         */
        DatasetColumnKind: "string" | "integer" | "number" | "boolean" | "date" | "date_time" | "list" | "struct" | "map" | "binary";
        /**
         * DatasetColumnStatistics
         * @description What a column holds.
         */
        DatasetColumnStatistics: {
            /** @description The column's name. */
            name: string;
            /** @description What its values are. */
            kind: components["schemas"]["DatasetColumnKind"];
            /** @description Its type in SQL. */
            type: string;
            /** @description Rows in which the value is missing. */
            null_count: number;
            /** @description Number of different values. Null where values of the kind are not compared. */
            distinct_count: number | null;
            /** @description Smallest value; null where values have no order or none is there. */
            min: unknown;
            /** @description Largest value, as `min`. */
            max: unknown;
            /** @description Mean; of numbers alone. */
            mean: number | null;
            /** @description Values below which a share of the values lies; of numbers alone. They are estimates. */
            quantiles: components["schemas"]["DatasetQuantile"][];
            /** @description How the values spread; of numbers and times alone. At most 20 bins of the same width. */
            histogram: components["schemas"]["DatasetHistogramBin"][];
            /** @description The most frequent values, 10 at most. Long texts are cut. */
            top_values: components["schemas"]["DatasetTopValue"][];
            /** @description Whether `distinct_count` is an estimate, which may be wrong by a quarter. */
            distinct_is_approximate: boolean;
        };
        /**
         * DatasetEmbedding
         * @description An embedding of a version.
         */
        DatasetEmbedding: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description The organisation it belongs to. */
            organisation_id: string;
            /**
             * Format: uuid
             * @description The dataset it belongs to.
             */
            dataset_id: string;
            /**
             * Format: uuid
             * @description The version whose rows it is of.
             */
            version_id: string;
            /** @description Where it stands. */
            state: components["schemas"]["DatasetEmbeddingState"];
            /** @description How rows become vectors. */
            recipe: components["schemas"]["DatasetEmbeddingRecipe-Output"] | null;
            /** @description The version of the deployment that makes all vectors. Absent until the first answer, and where an endpoint makes them. */
            deployment_version_id: string | null;
            /** @description Numbers of each vector. 0 until the first answer. */
            dimensions: number;
            /** @description Rows of the version. */
            row_count: number;
            /** @description Rows that have a vector. */
            embedded_rows: number;
            /** @description Of those, the rows whose vector was that of an earlier embedding. */
            reused_rows: number;
            /** @description Bytes of the vectors. 0 until it is ready. */
            size_bytes: number;
            /** @description Of a failed embedding: why. */
            problem: components["schemas"]["DatasetEmbeddingProblem"] | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /**
         * DatasetEmbeddingProblem
         * @description Why the rows of a version cannot be embedded.
         */
        DatasetEmbeddingProblem: {
            /**
             * @description What was broken, as a word that stays the same: `answer`, `input`, `refused`, `version`, `endpoint`, `sensitive`, `size`,
             *     `quota` or `stopped`.
             */
            rule: string;
            /** @description What happened, in a sentence. */
            message: string;
            /** @description What helps, in a sentence. */
            remedy: string;
        };
        /**
         * DatasetEmbeddingRecipeInput
         * @description What is sent for a row, to whom, and what of the answer is the vector. Vectors are made by a deployment, named by `deployment_id`, `input` and `output`, or
         *     by an endpoint, named by `endpoint` and `model`.
         */
        "DatasetEmbeddingRecipe-Input": {
            /** @description The deployment's id. Either this or `endpoint`. */
            deployment_id?: string | null;
            /** @description Name of the model's input. With `deployment_id`. */
            input?: string | null;
            /** @description Name of the model's output that is the vector: a tensor of numbers with a row for each input. With `deployment_id`. */
            output?: string | null;
            /**
             * @description Text that is sent for a row, to a deployment as a tensor of BYTES: `{{name}}` stands for the value of a column, and is empty where the value is missing.
             *     Either this or `column`.
             */
            template?: string | null;
            /** @description Column of lists of numbers that is sent for a row, as a tensor of FP32. Either this or `template`. */
            column?: string | null;
            /**
             * @description What each number of `column` is multiplied by. Default 1.
             * @default 1
             */
            scale?: number;
            /**
             * @description How far vectors are from each other. Default `cosine`.
             * @default cosine
             */
            metric?: components["schemas"]["DatasetVectorMetric"];
            /** @description Name of an endpoint that the operator has set up, outside of the platform. It is sent texts, so it needs a `template`. Either this or `deployment_id`. */
            endpoint?: string | null;
            /** @description The endpoint's model. With `endpoint`. */
            model?: string | null;
        };
        /**
         * DatasetEmbeddingRecipeOutput
         * @description What is sent for a row, to whom, and what of the answer is the vector. Vectors are made by a deployment, named by `deployment_id`, `input` and `output`, or
         *     by an endpoint, named by `endpoint` and `model`.
         */
        "DatasetEmbeddingRecipe-Output": {
            /** @description The deployment's id. Either this or `endpoint`. */
            deployment_id: string | null;
            /** @description Name of the model's input. With `deployment_id`. */
            input: string | null;
            /** @description Name of the model's output that is the vector: a tensor of numbers with a row for each input. With `deployment_id`. */
            output: string | null;
            /**
             * @description Text that is sent for a row, to a deployment as a tensor of BYTES: `{{name}}` stands for the value of a column, and is empty where the value is missing.
             *     Either this or `column`.
             */
            template: string | null;
            /** @description Column of lists of numbers that is sent for a row, as a tensor of FP32. Either this or `template`. */
            column: string | null;
            /**
             * @description What each number of `column` is multiplied by. Default 1.
             * @default 1
             */
            scale: number;
            /**
             * @description How far vectors are from each other. Default `cosine`.
             * @default cosine
             */
            metric: components["schemas"]["DatasetVectorMetric"];
            /** @description Name of an endpoint that the operator has set up, outside of the platform. It is sent texts, so it needs a `template`. Either this or `deployment_id`. */
            endpoint: string | null;
            /** @description The endpoint's model. With `endpoint`. */
            model: string | null;
        };
        /**
         * DatasetEmbeddingState
         * @description Where an embedding stands.
         * @enum {string}
         */
        DatasetEmbeddingState: "pending" | "embedding" | "ready" | "failed" | "cancelled" | "purging";
        /**
         * DatasetFile
         * @description A file that a version is made of.
         */
        DatasetFile: {
            /** @description SHA-256 of the uploaded artifact, hexadecimal. Either this or `source`. */
            artifact_sha256?: string | null;
            /** @description Name for people, such as `orders-2026-03.csv`; problems name it. */
            name: string;
            /** @description What it is. */
            format: components["schemas"]["DatasetFileFormat"];
            /**
             * @description How it is compressed, of CSV and JSON lines. Absent: it is not.
             * @default null
             */
            compression?: components["schemas"]["DatasetFileCompression"] | null;
            /** @description Object that is copied from a location of the settings. Either this or `artifact_sha256`. */
            source?: components["schemas"]["DatasetFileSource"] | null;
        };
        /**
         * DatasetFileCompression
         * @description How a file is compressed.
         * @enum {string}
         */
        DatasetFileCompression: "gzip" | "zstd";
        /**
         * DatasetFileFormat
         * @description What a file is.
         * @enum {string}
         */
        DatasetFileFormat: "csv" | "jsonl" | "parquet" | "arrow";
        /**
         * DatasetFileSource
         * @description An object of a location: a folder of a bucket that the operator has set up.
         */
        DatasetFileSource: {
            /** @description Name of the location. */
            location: string;
            /** @description The object's key below the location's folder, such as `orders/2026-03.csv`. */
            key: string;
        };
        /**
         * DatasetHistogramBin
         * @description A bin of a histogram.
         */
        DatasetHistogramBin: {
            /** @description Where it begins. */
            from: unknown;
            /** @description Where it ends; only the last bin includes its end. */
            to: unknown;
            /** @description Values in it. */
            count: number;
        };
        /**
         * DatasetMadeByQuery
         * @description The query that a version is made of.
         */
        DatasetMadeByQuery: {
            /** @description The query. Null once the version is purged. */
            sql: string | null;
            /** @description The versions that it reads. */
            sources: components["schemas"]["DatasetQuerySource"][];
        };
        /**
         * DatasetMatchingRows
         * @description What becomes of the rows that a filter finds.
         * @enum {string}
         */
        DatasetMatchingRows: "keep" | "remove";
        /**
         * DatasetPredecessor
         * @description The version that another one is made of.
         */
        DatasetPredecessor: {
            /**
             * Format: uuid
             * @description Its id.
             */
            version_id: string;
            /** @description Its number. */
            number: number;
            /** @description What became of the rows that the filter found. The filter itself is not kept: it may name whom the data was about. */
            matching_rows: components["schemas"]["DatasetMatchingRows"];
        };
        /**
         * DatasetProblem
         * @description Why the files of a version cannot be read.
         */
        DatasetProblem: {
            /** @description Name of the file. Absent: the problem is not one file's. */
            file: string | null;
            /** @description Line in the file, from 1. Absent: not known. */
            line: number | null;
            /** @description Name of the column. Absent: not known. */
            column: string | null;
            /** @description What was broken, as a word that stays the same, such as `quote` or `type`. */
            rule: string;
            /** @description What happened, in a sentence. */
            message: string;
            /** @description What helps, in a sentence. */
            remedy: string;
        };
        /**
         * DatasetQuantile
         * @description A value below which a share of the values lies.
         */
        DatasetQuantile: {
            /** @description The share, such as 0.25. */
            probability: number;
            /** @description The value. */
            value: number;
        };
        /**
         * DatasetQueryColumn
         * @description A column of the result of a query.
         */
        DatasetQueryColumn: {
            /** @description Its name. Those that come again have a number at their end. */
            name: string;
            /** @description Its type in SQL. */
            type: string;
            /** @description What its values are. */
            kind: components["schemas"]["DatasetColumnKind"];
        };
        /**
         * DatasetQuerySource
         * @description A version that a query has read.
         */
        DatasetQuerySource: {
            /** @description The name of its rows in the query. */
            name: string;
            /** @description Its dataset. */
            dataset_id: string;
            /** @description Its id. */
            version_id: string;
            /** @description Its number. */
            number: number;
        };
        /**
         * DatasetQueryView
         * @description A version in a query.
         */
        DatasetQueryView: {
            /** @description The name of its rows in the query, such as `orders`: letters, digits and `_`. */
            name: string;
            /**
             * Format: uuid
             * @description The dataset's id.
             */
            dataset_id: string;
            /**
             * Format: uuid
             * @description The version's id.
             */
            version_id: string;
        };
        /**
         * DatasetReadingProgress
         * @description How far the reading of a version is.
         */
        DatasetReadingProgress: {
            /** @description Bytes of its files that are read. They begin again at 0 when the files are read again, such as for a wider type of a column. */
            bytes_read: number;
            /** @description Bytes of all its files; of a successor, of the data of its predecessor; of a query, of the data of the versions that it reads. */
            bytes_total: number;
        };
        /**
         * DatasetStatistics
         * @description What the columns of a version hold.
         */
        DatasetStatistics: {
            /** @description Number of rows. */
            row_count: number;
            /** @description One for each column, in their order. */
            columns: components["schemas"]["DatasetColumnStatistics"][];
        };
        /**
         * DatasetStep
         * @description Makes a version of a dataset, once: of what a query over versions answers, or of rows that earlier steps have made. The publisher delegates `data:read`,
         *     `data:write` and `dictionary:read`, and `dictionary:write` where the dataset is created.
         */
        DatasetStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dataset";
            /** @description The dataset; either this or `name`. */
            dataset_id?: string;
            /** @description Name of a dataset that each run creates for its version. */
            name?: string;
            /** @description One SELECT over `tables`, 1 to 20,000 characters; either this or `rows`. */
            sql?: string;
            /**
             * @description The versions that the query reads: a JSON list of at most 20 objects `{name, dataset_id, version_id}`. Without `version_id`, the newest version of the
             *     dataset that is ready.
             */
            tables?: unknown;
            /** @description The rows: a JSON list of at most 10,000 objects, or a text that is one. */
            rows?: unknown;
            /** @description What the version is; 1 to 10,000 characters. */
            description?: string;
            /** @description Whether the step waits until the version is ready. Default true. */
            wait?: boolean;
        } & {
            [key: string]: unknown;
        };
        /**
         * DatasetTopValue
         * @description A frequent value.
         */
        DatasetTopValue: {
            /** @description The value. */
            value: unknown;
            /** @description Rows that have it. */
            count: number;
        };
        /**
         * DatasetVector
         * @description The vector of a row.
         */
        DatasetVector: {
            /** @description The row's place in its version, from 0: `offset` of the version's rows begins with it. */
            row: number;
            /** @description Its numbers. */
            vector: number[];
        };
        /**
         * DatasetVectorMatch
         * @description A row that was found.
         */
        DatasetVectorMatch: {
            /** @description The row's place in its version, from 0. */
            row: number;
            /** @description How far it is, by the embedding's metric. */
            distance: number;
            /** @description The columns that were asked for. */
            data: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * DatasetVectorMetric
         * @description How far vectors are from each other.
         * @enum {string}
         */
        DatasetVectorMetric: "cosine" | "l2" | "dot";
        /**
         * DatasetVersion
         * @description A version of a dataset.
         */
        DatasetVersion: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description The organisation it belongs to. */
            organisation_id: string;
            /**
             * Format: uuid
             * @description The dataset it belongs to.
             */
            dataset_id: string;
            /** @description From 1, in the order of creation. */
            number: number;
            /** @description Where it stands. */
            state: components["schemas"]["DatasetVersionState"];
            /** @description What it is. */
            description: string;
            /** @description Its files, in the order in which they are read. Rows of a request are a file, too. None of a version that has a predecessor or is made by a query. */
            files: components["schemas"]["DatasetVersionFile"][];
            /** @description Its columns, in their order. Empty until it is ready. */
            columns: components["schemas"]["DatasetVersionColumn"][];
            /** @description Number of its rows. 0 until it is ready. */
            row_count: number;
            /** @description Bytes of its Parquet file. 0 until it is ready. */
            size_bytes: number;
            /** @description SHA-256 of its Parquet file, hexadecimal. Absent until it is ready. */
            content_sha256: string | null;
            /**
             * @description Of a failed version: why.
             * @default null
             */
            problem: components["schemas"]["DatasetProblem"] | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its state last changed.
             */
            updated_at: string;
            /**
             * @description Of a version that is being read: how far that is. It is told every few seconds.
             * @default null
             */
            progress: components["schemas"]["DatasetReadingProgress"] | null;
            /**
             * @description The version of which rows it is made. Null: it is made of something else.
             * @default null
             */
            predecessor: components["schemas"]["DatasetPredecessor"] | null;
            /**
             * @description The query that it is made of. Null: it is made of something else.
             * @default null
             */
            query: components["schemas"]["DatasetMadeByQuery"] | null;
            /**
             * @description Of a version that is purged, or is being purged: what was made of its data, as it was then. In the answer for one version only. Null of other
             *     versions, and while it is not known.
             */
            uses: components["schemas"]["LineageUses"] | null;
        };
        /**
         * DatasetVersionColumn
         * @description A column of a version.
         */
        DatasetVersionColumn: {
            /** @description Name, exactly as in the data. */
            name: string;
            /** @description Its type in SQL, such as `BIGINT`, `DECIMAL(18,2)` or `VARCHAR[]`. */
            type: string;
            /** @description What its values are. */
            kind: components["schemas"]["DatasetColumnKind"];
            /** @description Whether a value may be missing. */
            nullable: boolean;
        };
        /**
         * DatasetVersionFile
         * @description A file of a version, as it was uploaded or copied.
         */
        DatasetVersionFile: {
            /** @description SHA-256 of the artifact, hexadecimal. Empty until it is copied from its source. */
            artifact_sha256: string;
            /** @description Name for people. */
            name: string;
            /** @description What it is. */
            format: components["schemas"]["DatasetFileFormat"];
            /** @description Size in bytes. */
            size_bytes: number;
            /**
             * @description How it is compressed. Null: it is not.
             * @default null
             */
            compression: components["schemas"]["DatasetFileCompression"] | null;
            /** @description The object that it is copied from. Absent: it was uploaded. */
            source: components["schemas"]["DatasetVersionFileSource"] | null;
        };
        /**
         * DatasetVersionFileSource
         * @description The object that a file was copied from.
         */
        DatasetVersionFileSource: {
            /** @description Name of the location. */
            location: string;
            /** @description The object's key below the location's folder. */
            key: string;
            /** @description The object's ETag when the version was created. Another object is not read. */
            etag: string;
        };
        /**
         * DatasetVersionQuery
         * @description A query whose answer becomes the rows of a version.
         */
        DatasetVersionQuery: {
            /** @description One SELECT of DuckDB's SQL, such as `SELECT country, count(*) AS orders FROM orders GROUP BY country`. It is kept and answered until the version is purged. */
            sql: string;
            /** @description The versions that it reads. Their names differ in more than upper and lower case. */
            views: components["schemas"]["DatasetVersionQueryView"][];
        };
        /**
         * DatasetVersionQueryView
         * @description A version that a query reads.
         */
        DatasetVersionQueryView: {
            /** @description The name of its rows in the query, such as `orders`: letters, digits and `_`. */
            name: string;
            /**
             * Format: uuid
             * @description The dataset's id.
             */
            dataset_id: string;
            /** @description The version's id. Absent: the newest version of the dataset that is ready when this one is created. */
            version_id?: string | null;
        };
        /**
         * DatasetVersionState
         * @description Where a version stands.
         * @enum {string}
         */
        DatasetVersionState: "pending" | "reading" | "ready" | "failed" | "purging" | "purged";
        /**
         * DeactivateMemberRequest
         * @description The member to deactivate.
         */
        DeactivateMemberRequest: {
            /**
             * @description Whether the API keys that the member made stay valid. Default: they are revoked.
             * @default false
             */
            keep_api_keys?: boolean;
        };
        /**
         * DeleteMlflowExperimentRequest
         * @description Which experiment.
         */
        DeleteMlflowExperimentRequest: {
            /** @description Id of the pipeline, or `0`. */
            experiment_id: string;
        };
        /**
         * DeleteMlflowExperimentResponse
         * @description Nothing.
         */
        DeleteMlflowExperimentResponse: Record<string, never>;
        /**
         * DeleteMlflowRunRequest
         * @description Which run.
         */
        DeleteMlflowRunRequest: {
            /**
             * Format: uuid
             * @description The run.
             */
            run_id: string;
        };
        /**
         * DeleteMlflowRunResponse
         * @description Nothing.
         */
        DeleteMlflowRunResponse: Record<string, never>;
        /**
         * DeleteMlflowTagRequest
         * @description Which tag.
         */
        DeleteMlflowTagRequest: {
            /**
             * Format: uuid
             * @description The run.
             */
            run_id: string;
            /** @description Its name. */
            key: string;
        };
        /**
         * DeleteMlflowTagResponse
         * @description Nothing.
         */
        DeleteMlflowTagResponse: Record<string, never>;
        /**
         * DeletionImpact
         * @description What a deletion touches.
         */
        DeletionImpact: {
            /** @description One sentence for people, with the numbers. */
            message: string;
            /** @description Runs that go. */
            runs: number;
            /** @description Jobs that forbid the deletion, because they are active: at most 100. */
            active_jobs: components["schemas"]["JobName"][];
            /** @description What was made of the runs and stays: versions of models, and the deployments of these. Null: deployments does not answer. */
            uses: components["schemas"]["LineageUses"] | null;
        };
        /**
         * DeletionResult
         * @description What became of what was to be deleted.
         */
        DeletionResult: {
            /**
             * Format: uuid
             * @description Its id.
             */
            id: string;
            /** @description Whether it is gone. Its data goes in the background. */
            hard_deleted: boolean;
            /** @description What goes with it; an object even if nothing does. */
            impact_warning: components["schemas"]["DeletionImpact"];
        };
        /**
         * DeliveryStatus
         * @description What became of a recipient.
         * @enum {string}
         */
        DeliveryStatus: "sent" | "failed" | "skipped" | "unknown" | "pending";
        /**
         * DeployStep
         * @description Deploys a model, or begins a rollout of a deployment; once.
         */
        DeployStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "deploy";
            /** @description The model; either this or `deployment_id`. */
            model_id?: string;
            /** @description The deployment. */
            deployment_id?: string;
            /** @description The version. Absent: the newest that is ready. */
            model_version_id?: string;
            /** @description Whether the step waits for the end of the rollout. Default true. */
            wait?: boolean;
            /** @description Whether the deployment may be above the lowest environment: the publisher then delegates `deployments:promote`. Default false. */
            promote?: boolean;
        } & {
            [key: string]: unknown;
        };
        /**
         * Deployment
         * @description A deployment as operation 6 answers it.
         */
        Deployment: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description Name for people. */
            name: string;
            /** @description What it is for. */
            description: string;
            /** @description DNS label under which it is known inside the installation, unique in the organisation. */
            service_name: string;
            /** @description The organisation it belongs to. */
            organisation_id: string;
            /** @description The model. Absent for a bundle that names none. */
            model_id: string | null;
            /** @description The version of the model that serves, or is to serve first. */
            model_version_id: string | null;
            /** @description Whether predictions are answered. */
            status: components["schemas"]["DeploymentStatus"];
            /** @description What else is known of it. */
            annotations: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /**
         * DeploymentStatus
         * @description Whether a deployment's predictions are answered.
         * @enum {string}
         */
        DeploymentStatus: "Pending" | "Deploying" | "Running" | "Updating" | "Unhealthy" | "Stopped" | "Failed" | "Deleting";
        /**
         * DeploymentVersion
         * @description A version of a deployment: what is served, pinned.
         */
        DeploymentVersion: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /**
             * Format: uuid
             * @description The deployment.
             */
            deployment_id: string;
            /** @description From 1. */
            number: number;
            /** @description The version of the model. Absent for a bundle that names none. */
            model_version_id: string | null;
            /** @description Runtime it is served by, such as `onnx`. */
            runtime: string;
            /** @description SHA-256 over everything that is served, hexadecimal: two versions of one digest serve the same. */
            digest: string;
            /** @description The serving bundle. Absent for a model that is served as it is. */
            serving_bundle: components["schemas"]["ServingBundle-Output"] | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        /**
         * Detached
         * @description Replaced.
         */
        Detached: {
            /** @description The attachment that took over. */
            attachment_id: string;
        };
        /**
         * DictionaryStep
         * @description Writes entries of a dataset's dictionary. Texts that people wrote stay.
         */
        DictionaryStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dictionary";
            /** @description The dataset. */
            dataset_id: string;
            /** @description The entries; at most 500. In JSON a text may stand here, too, that a run makes into such a list. */
            entries: ({
                /** @description The name; 1 to 255 characters. */
                name: string;
                /** @description What it means; 1 to 10,000 characters. */
                description?: string;
            } & {
                [key: string]: unknown;
            })[] | string;
        } & {
            [key: string]: unknown;
        };
        /**
         * DraftStep
         * @description A step as written.
         */
        DraftStep: {
            /** @description Known within the draft, for the transitions. */
            key: string;
            /** @description Name for people. */
            name: string;
            /** @description What the step does: its `type`, and what that type needs. */
            prompt_template: components["schemas"]["StepTemplate"];
            /**
             * @description Keys of the features it uses, besides those that its template reads as `features.<key>`.
             * @default []
             */
            feature_keys?: string[];
        };
        /**
         * DraftTransition
         * @description A transition as written.
         */
        DraftTransition: {
            /** @description Key of the step it leaves. */
            source: string;
            /** @description Key of the step it leads to. */
            target: string;
            /** @description The word with which the step ends; unique among those that leave a step. */
            label: string;
        };
        /**
         * EmailDelivery
         * @description What became of one recipient.
         */
        EmailDelivery: {
            /** @description The member. */
            recipient_member_id: string;
            /** @description What became of it. */
            status: components["schemas"]["DeliveryStatus"];
            /** @description The address it was sent to. Absent when the member has none that is known. */
            recipient_email: string | null;
            /** @description The Message-ID. Absent when nothing was handed over. */
            provider_message_id: string | null;
            /** @description Why it was not sent. Absent when it was. */
            error: string | null;
        };
        /**
         * EmailDraft
         * @description A draft.
         */
        EmailDraft: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description The organisation it belongs to. */
            organisation_id: string;
            /** @description Subject, a Liquid template. */
            subject: string;
            /** @description Text, a Liquid template. */
            text: string;
            /** @description HTML, a Liquid template; empty: text only. */
            html: string;
            /** @description Recipients, in this order. */
            recipient_member_ids: string[];
            /** @description Where it stands. */
            status: components["schemas"]["EmailDraftStatus"];
            /** @description Grows with every change. */
            revision: number;
            /** @description Who wrote it. Absent when a key or an automation did. */
            created_by_member_id: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description When sending last ended. */
            sent_at: string | null;
        };
        /**
         * EmailDraftStatus
         * @description Where a draft stands.
         * @enum {string}
         */
        EmailDraftStatus: "draft" | "sending" | "sent" | "partially_sent" | "failed";
        /**
         * EmailPreview
         * @description What a recipient would get.
         */
        EmailPreview: {
            /** @description The subject. */
            subject: string;
            /** @description The text. */
            text: string;
            /** @description The HTML; empty: text only. */
            html: string;
        };
        /**
         * EmailSendResult
         * @description What became of all.
         */
        EmailSendResult: {
            /**
             * Format: uuid
             * @description The draft.
             */
            draft_id: string;
            /** @description Recipients sent to. */
            sent_count: number;
            /** @description Recipients failed or unknown. */
            failed_count: number;
            /** @description In the order of the recipients. */
            deliveries: components["schemas"]["EmailDelivery"][];
        };
        /**
         * EmailSendingProgress
         * @description How a sending goes.
         */
        EmailSendingProgress: {
            /**
             * Format: uuid
             * @description The draft.
             */
            draft_id: string;
            /** @description Where the draft stands. */
            status: components["schemas"]["EmailDraftStatus"];
            /** @description Recipients in all; 0 before the first sending. */
            recipient_count: number;
            /** @description Recipients sent to. */
            sent_count: number;
            /** @description Recipients failed or unknown. */
            failed_count: number;
            /** @description Recipients skipped. */
            skipped_count: number;
            /** @description Recipients whose turn has not come. */
            pending_count: number;
        };
        /**
         * EmailStep
         * @description Writes an e-mail draft, once. People send it.
         */
        EmailStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "email";
            /** @description The subject; 1 to 1,000 characters. */
            subject: string;
            /** @description The body as text; 1 to 100,000 characters. */
            text: string;
            /** @description The body as HTML; 1 to 200,000 characters. */
            html?: string;
            /** @description Members who get it; at most 1,000. */
            recipient_member_ids: string[];
        } & {
            [key: string]: unknown;
        };
        /**
         * EmbedStep
         * @description Has a deployment make a vector of each row of a version, once. The publisher delegates `data:read`, `data:write` and `deployments:predict`.
         */
        EmbedStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "embed";
            /** @description The dataset. */
            dataset_id: string;
            /** @description The version. */
            version_id: string;
            /** @description The deployment that is asked. */
            deployment_id: string;
            /** @description Name of the model's input. */
            input: string;
            /** @description Name of the model's output that is the vector. */
            output: string;
            /** @description Text that is sent for a row, in which `{% raw %}{{column}}{% endraw %}` stands for a value of it; either this or `column`. */
            template?: string;
            /** @description Column of lists of numbers that is sent for a row. */
            column?: string;
            /** @description What each number of `column` is multiplied by. Default 1. */
            scale?: number;
            /**
             * @description How far vectors are from each other. Default `cosine`.
             * @enum {string}
             */
            metric?: "cosine" | "l2" | "dot";
            /** @description Whether the step waits until the embedding is ready. Default true. */
            wait?: boolean;
        } & {
            [key: string]: unknown;
        };
        /**
         * EnableFromProposalRequest
         * @description A proposal.
         */
        EnableFromProposalRequest: {
            /** @description Version of the algorithm that made it. */
            algorithm_version: string;
            /** @description The workspaces; none enables only. */
            workspaces: components["schemas"]["WorkspaceProposal"][];
        };
        /**
         * EndSessionResponse
         * @description It has ended.
         */
        EndSessionResponse: Record<string, never>;
        /** Error */
        Error: {
            detail: string;
            code: string;
        };
        /**
         * ExternalLink
         * @description A link; its tokens are never shown.
         */
        ExternalLink: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description The organisation it belongs to. */
            organisation_id: string;
            /** @description The provider. */
            provider: string;
            /** @description The name under which the tokens are kept. */
            secret_name: string;
            /** @description What it is for. */
            secret_description: string;
            /** @description Where it stands. */
            status: components["schemas"]["ExternalLinkStatus"];
            /** @description Why the last attempt or refresh failed: a class such as `access_denied` or `refresh_refused`, never the provider's text. */
            error: string | null;
            /** @description Who began it. Absent when a key did. */
            member_id: string | null;
            /** @description Scopes that the provider granted. */
            scopes: string[];
            /**
             * Format: date-time
             * @description When it was begun.
             */
            created_at: string;
            /** @description When the tokens were last received. */
            linked_at: string | null;
            /** @description When the attempt under way ends. */
            expires_at: string | null;
            /** @description When the access token ends, as the provider says. */
            token_expires_at: string | null;
            /** @description When it was revoked. */
            revoked_at: string | null;
        };
        /**
         * ExternalLinkStart
         * @description What a member needs to go on at the provider.
         */
        ExternalLinkStart: {
            /**
             * Format: uuid
             * @description uuid of the link.
             */
            link_id: string;
            /** @description The provider. */
            provider: string;
            /** @description The name under which the tokens are kept. */
            secret_name: string;
            /** @description What the member opens in a browser: a page of the platform that leads on to the provider. */
            authorization_url: string;
            /** @description Comes back with the browser; works once. */
            state: string;
            /**
             * Format: date-time
             * @description Until when.
             */
            expires_at: string;
            /** @description `pending`. */
            status: components["schemas"]["ExternalLinkStatus"];
        };
        /**
         * ExternalLinkStatus
         * @description Where a link stands.
         * @enum {string}
         */
        ExternalLinkStatus: "pending" | "linked" | "failed" | "expired" | "revoked";
        /**
         * Feature
         * @description A feature.
         */
        Feature: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description The organisation it belongs to. */
            organisation_id: string;
            /** @description Unique in the organisation. */
            key: string;
            /** @description What it is. */
            description: string;
            /** @description How to use it. */
            usage_notes: string;
            /** @description Where it stands. */
            status: components["schemas"]["FeatureStatus"];
            /** @description Grows with every change that counts; goes on when a deleted key is made again. */
            version: number;
            /** @description The member who owns it. Absent when it has no owner. */
            owner_member_id: string | null;
            /** @description The key to use instead, of a deprecated feature. */
            replacement_key: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description When it was deprecated. */
            deprecated_at: string | null;
        };
        /**
         * FeatureDeleteResult
         * @description What became of the feature.
         */
        FeatureDeleteResult: {
            /** @description The feature's key. */
            key: string;
            /** @description Whether it is gone. */
            hard_deleted: boolean;
            /** @description Where it stands. */
            status: components["schemas"]["FeatureStatus"];
            /** @description Its version. */
            version: number;
            /** @description What uses it; an object even if nothing does. */
            impact_warning: components["schemas"]["ImpactWarning"];
        };
        /**
         * FeatureStatus
         * @description Where a feature stands.
         * @enum {string}
         */
        FeatureStatus: "active" | "deprecated" | "deleted";
        /**
         * FollowStreamsRequest
         * @description Which streams to follow.
         */
        FollowStreamsRequest: {
            /** @description The streams. Each one is opened as if it were asked for alone: with the same credential, permission and limits. */
            streams: components["schemas"]["StreamAddress"][];
        };
        /**
         * FollowStreamsResponse
         * @description An event of one of the streams.
         */
        FollowStreamsResponse: {
            /** @description Which stream: its place in the request, from 0. */
            stream: number;
            /** @description Id of the event; null where the operation gives its events none. */
            event_id: string | null;
            /** @description The event as the operation streams it; null with `problem` and with `ended`. */
            data: {
                [key: string]: unknown;
            } | null;
            /** @description Why the stream is refused, or has failed. It is the last event of this stream; the others go on. */
            problem: components["schemas"]["StreamProblem"] | null;
            /** @description Whether the stream has ended by itself. It is the last event of this stream; the others go on. */
            ended: boolean;
        };
        /**
         * GetDownloadUrlResponse
         * @description Where the bytes are.
         */
        GetDownloadUrlResponse: {
            /** @description Holds a signature: anyone who has it can read the artifact until it expires. */
            url: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
            /** @description Bytes of the artifact. */
            size_bytes: number;
        };
        /**
         * GetLineageResponse
         * @description The lineage.
         */
        GetLineageResponse: {
            /** @description The thing itself, then the others, the nearest first. */
            nodes: components["schemas"]["LineageNode"][];
            /** @description What of them was made of what. */
            edges: components["schemas"]["LineageEdge"][];
            /** @description Things that the caller may not read, by kind. They are not followed. */
            hidden: components["schemas"]["LineageTotal"][];
            /** @description Things that were found and left out, because of `limit` or `depth`; one that several steps lead to counts for each. They are not followed. 0: the lineage is complete. */
            left_out: number;
        };
        /**
         * GetMlflowExperimentByNameResponse
         * @description The experiment.
         */
        GetMlflowExperimentByNameResponse: {
            /** @description The experiment. */
            experiment: components["schemas"]["MlflowExperiment"] | null;
        };
        /**
         * GetMlflowExperimentResponse
         * @description The experiment.
         */
        GetMlflowExperimentResponse: {
            /** @description The experiment. */
            experiment: components["schemas"]["MlflowExperiment"] | null;
        };
        /**
         * GetMlflowMetricHistoryResponse
         * @description Values of a metric.
         */
        GetMlflowMetricHistoryResponse: {
            /** @description Oldest first. */
            metrics: components["schemas"]["MlflowMetric-Output"][];
            /** @description Where the next page begins. Empty on the last. */
            next_page_token: string;
        };
        /**
         * GetMlflowRunResponse
         * @description The run.
         */
        GetMlflowRunResponse: {
            /** @description The run. */
            run: components["schemas"]["MlflowRun"] | null;
        };
        /**
         * GetUploadResponse
         * @description How far it has come.
         */
        GetUploadResponse: {
            /** @description Bytes that have arrived. */
            received_bytes: number;
            /** @description Whether the whole artifact is stored. */
            complete: boolean;
        };
        /**
         * GroupingRunType
         * @description Where a grouping came from.
         * @enum {string}
         */
        GroupingRunType: "proposal" | "auto" | "manual";
        /**
         * GroupingStatus
         * @description How far grouping is.
         * @enum {string}
         */
        GroupingStatus: "idle" | "queued" | "running" | "succeeded" | "failed";
        /** HTTPValidationError */
        HTTPValidationError: {
            /** Detail */
            detail?: components["schemas"]["ValidationError"][];
        };
        /**
         * HeartbeatReport
         * @description A sign of life.
         */
        HeartbeatReport: {
            /** @description When it was given. */
            at?: string | null;
            /** @description Who gives it. */
            source?: components["schemas"]["HeartbeatSource"];
        };
        /**
         * HeartbeatSource
         * @description Who sends a heartbeat.
         * @enum {string}
         */
        HeartbeatSource: "trainer" | "runner" | "scheduler";
        /**
         * Histogram
         * @description Counts of values by their ranges.
         */
        Histogram: {
            /** @description Where ranges begin and end, ascending; one more than `counts`. */
            edges: number[];
            /** @description How many values lie in each range, or how much they weigh. */
            counts: number[];
        };
        /**
         * ImpactWarning
         * @description What a deletion touches.
         */
        ImpactWarning: {
            /** @description One sentence for people, with the total. */
            message: string;
            /** @description At most 1,000, by name. */
            affected_assets: components["schemas"]["AffectedAsset"][];
        };
        /**
         * InferDatasetColumnsRequest
         * @description A sample of a dataset's data.
         */
        InferDatasetColumnsRequest: {
            /** @description What the sample is. */
            format: components["schemas"]["SampleFormat"];
            /** @description The beginning of the file: of CSV the header and some rows, of Parquet a whole file. In JSON as base64. */
            sample: string;
        };
        /**
         * InspectedOrganisation
         * @description An organisation as the operator sees it.
         */
        InspectedOrganisation: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description Unique short name. Empty once the organisation is deleted: another may have it then. */
            slug: string;
            /** @description Name for people. Empty once the organisation is deleted. */
            name: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description Whether its credentials are accepted, and whether it is there at all. */
            state: components["schemas"]["OrganisationState"];
            /** @description Its deletion. Null until that is requested. */
            deletion: components["schemas"]["OrganisationDeletion"] | null;
        };
        /**
         * JobArtifact
         * @description The result of a job.
         */
        JobArtifact: {
            /** @description Where it lies. */
            uri: string;
            /** @description SHA-256 of it, hexadecimal. */
            sha256: string;
            /** @description Size in bytes. */
            size_bytes: number;
            /** @description Format, such as `onnx`. */
            format: string;
            /** @description The checkpoint it was published from. Absent when it was from none. */
            checkpoint_id: string | null;
        };
        /**
         * JobCommandOutcome
         * @description What became of the command in one job.
         */
        JobCommandOutcome: {
            /**
             * Format: uuid
             * @description The run, as it was asked for.
             */
            run_id: string;
            /** @description The job. Empty when it is not found and was not named. */
            job_name: string;
            /** @description Whether the job has the command, or would have it. */
            accepted: boolean;
            /** @description `not_found`, or `idempotency_key_reused`, when there can be no command. Empty otherwise. */
            code: string;
            /** @description Why it is not accepted, or what there is to say of it. */
            detail: string;
            /** @description The command as it stands. Absent in a dry run, and where there can be none. */
            command: components["schemas"]["TrainingControlCommandRead"] | null;
            /** @description What it would lead to, in a dry run. */
            preview: components["schemas"]["ControlCommandPreview"] | null;
        };
        /**
         * JobDetail
         * @description A job as it stands.
         */
        JobDetail: {
            /**
             * Format: uuid
             * @description The pipeline of the run.
             */
            pipeline_id: string;
            /**
             * Format: uuid
             * @description The run.
             */
            run_id: string;
            /** @description As declared, with its configuration. */
            job: components["schemas"]["TrainingJob-Output"];
            /** @description Its state. */
            state: components["schemas"]["JobState"];
            /** @description When that state was entered. Absent while nothing has changed since the run was created. */
            state_since: string | null;
            /** @description Why it is in that state. Empty where there is nothing to say. */
            detail: string;
            /** @description What it left. Absent while it has left nothing. */
            artifact: components["schemas"]["JobArtifact"] | null;
            /** @description Segments by index: the newest 1,000. */
            segments: components["schemas"]["RunSegment"][];
            /** @description How many checkpoints it has. */
            checkpoint_count: number;
            /** @description The newest checkpoint. Absent when it has none. */
            newest_checkpoint_id: string | null;
            /** @description Commands that the trainer has not acknowledged. */
            pending_command_count: number;
            /** @description Sequence of its newest command; 0: none. */
            last_sequence: number;
            /** @description Newest position in its log. */
            position: number;
            /** @description When its trainer last gave a sign in the log. Absent when none has attached. */
            trainer_seen_at: string | null;
            /** @description When it goes on by itself after a pause. Absent when it does not. */
            resume_at: string | null;
        };
        /**
         * JobName
         * @description A job of a run.
         */
        JobName: {
            /**
             * Format: uuid
             * @description Its run.
             */
            run_id: string;
            /** @description Its name in the run. */
            job_name: string;
        };
        /**
         * JobRead
         * @description A job as it stands.
         */
        JobRead: {
            /** @description As declared. */
            job: components["schemas"]["TrainingJob-Output"] | null;
            /** @description Its state. */
            state: components["schemas"]["JobState"];
            /** @description Sequence of its newest command; 0: none. */
            last_sequence: number;
            /** @description Newest position in its log. */
            position: number;
            /** @description What it left. Absent while it has left nothing. */
            artifact: components["schemas"]["JobArtifact"] | null;
            /** @description Why it is in that state. Empty where there is nothing to say. */
            detail: string;
        };
        /**
         * JobState
         * @description A job's state; the states and the moves between them are one table of the training service.
         * @enum {string}
         */
        JobState: "queued" | "preparing" | "running" | "held" | "pausing" | "paused" | "restoring" | "finishing" | "aborting" | "completed" | "failed" | "aborted";
        /**
         * KeepReason
         * @description Why a checkpoint is kept.
         * @enum {string}
         */
        KeepReason: "newest" | "best" | "resume" | "segment" | "pending_command" | "result";
        /**
         * KeptCheckpoint
         * @description A checkpoint that was chosen and is kept.
         */
        KeptCheckpoint: {
            /**
             * Format: uuid
             * @description The checkpoint.
             */
            id: string;
            /** @description Steps taken when it was saved. */
            step: number;
            /** @description Why, everything that applies. */
            reasons: components["schemas"]["KeepReason"][];
        };
        /**
         * LeaseExpiryPolicy
         * @description What happens to a job when its supervision lease expires.
         * @enum {string}
         */
        LeaseExpiryPolicy: "keep" | "pause";
        /**
         * LifecyclePhase
         * @description Phases of a job's life.
         * @enum {string}
         */
        LifecyclePhase: "queued" | "preparing" | "training" | "evaluating" | "checkpointing" | "finalizing";
        /**
         * LineageDirection
         * @description Which way lineage is followed.
         * @enum {string}
         */
        LineageDirection: "upstream" | "downstream" | "both";
        /**
         * LineageEdge
         * @description One thing was made of another one.
         */
        LineageEdge: {
            /**
             * Format: uuid
             * @description The id of what it was made of.
             */
            source_id: string;
            /**
             * Format: uuid
             * @description The id of what was made.
             */
            derived_id: string;
        };
        /**
         * LineageKind
         * @description What something is that was made of something, or of which something was made.
         * @enum {string}
         */
        LineageKind: "dataset_version" | "dataset_embedding" | "run" | "model_version" | "deployment";
        /**
         * LineageNode
         * @description A thing of the lineage.
         */
        LineageNode: {
            /** @description What it is. */
            kind: components["schemas"]["LineageKind"];
            /**
             * Format: uuid
             * @description Its id.
             */
            id: string;
            /** @description What people call it: the name of the run, of the model or of the deployment. Null of data, and of a run that is deleted. */
            name: string | null;
            /** @description Its number among the versions of its dataset or model. Null of other things. */
            number: number | null;
            /**
             * @description Where it stands, as the operation that answers it says, such as `ready`, `purged` or `Running`. Of a run: `open` while a job of it has not
             *     ended, then `ended`, or `archived`. `deleted`: it is gone, and something else still names it.
             */
            state: string;
            /** @description The dataset, pipeline or model that it belongs to. Null of a deployment, and where it is not known. */
            parent_id: string | null;
            /** @description Steps from the start of the question, 0 of the start itself. */
            distance: number;
        };
        /**
         * LineageTotal
         * @description How many things there are of a kind.
         */
        LineageTotal: {
            /** @description The kind. */
            kind: components["schemas"]["LineageKind"];
            /** @description How many. */
            count: number;
        };
        /**
         * LineageUses
         * @description What was made of a thing, directly and over others.
         */
        LineageUses: {
            /** @description The nearest first, 100 at most. Without those of kinds that the caller may not read. */
            nodes: components["schemas"]["LineageNode"][];
            /** @description How many there are of each kind, those that are not in `nodes` included. */
            totals: components["schemas"]["LineageTotal"][];
            /** @description Things that were not followed because there are too many: `totals` has neither them nor what was made of them. 0: it is complete. */
            left_out: number;
        };
        /**
         * ListMlflowArtifactsResponse
         * @description The folder.
         */
        ListMlflowArtifactsResponse: {
            /** @description What is in it, by name. */
            files: components["schemas"]["MlflowFileInfo"][];
        };
        /**
         * LogBatch
         * @description The lines of one report.
         */
        LogBatch: {
            /** @description Counter of the report. */
            counter: number;
            /** @description Its lines, oldest first. */
            lines: components["schemas"]["LoggedLine"][];
        };
        /**
         * LogLine
         * @description A line of the trainer's log.
         */
        LogLine: {
            /** @description The text. */
            message?: string;
            /** @description Which part of the trainer says it. */
            source?: string;
            /** @description When. */
            timestamp?: string | null;
        };
        /**
         * LogMlflowBatchRequest
         * @description What is logged to a run.
         */
        LogMlflowBatchRequest: {
            /**
             * Format: uuid
             * @description The run.
             */
            run_id: string;
            /** @description Values of metrics. */
            metrics?: components["schemas"]["MlflowMetric-Input"][];
            /** @description Parameters. */
            params?: components["schemas"]["MlflowParameter"][];
            /** @description Tags. */
            tags?: components["schemas"]["MlflowTag"][];
        };
        /**
         * LogMlflowBatchResponse
         * @description Nothing.
         */
        LogMlflowBatchResponse: Record<string, never>;
        /**
         * LogMlflowMetricRequest
         * @description A value of a metric.
         */
        LogMlflowMetricRequest: {
            /**
             * Format: uuid
             * @description The run.
             */
            run_id: string;
            /** @description The metric. */
            key: string;
            /** @description The value; NaN and infinities are values. */
            value: number;
            /**
             * @description When it was taken, milliseconds since 1970. 0: not said.
             * @default 0
             */
            timestamp?: number;
            /**
             * @description The step.
             * @default 0
             */
            step?: number;
        };
        /**
         * LogMlflowMetricResponse
         * @description Nothing.
         */
        LogMlflowMetricResponse: Record<string, never>;
        /**
         * LogMlflowParameterRequest
         * @description A parameter.
         */
        LogMlflowParameterRequest: {
            /**
             * Format: uuid
             * @description The run.
             */
            run_id: string;
            /** @description Its name. */
            key: string;
            /** @description Its value. */
            value?: string;
        };
        /**
         * LogMlflowParameterResponse
         * @description Nothing.
         */
        LogMlflowParameterResponse: Record<string, never>;
        /**
         * LoggedLine
         * @description A line that a trainer has logged.
         */
        LoggedLine: {
            /** @description The text. */
            message: string;
            /** @description Which part of the trainer said it. Empty where it does not say. */
            source: string;
            /**
             * Format: date-time
             * @description When; where the trainer does not say, when its report arrived.
             */
            timestamp: string;
            /** @description Counter of the report that brought it. */
            counter: number;
        };
        /**
         * Media
         * @description Something that a trainer has shown at a step.
         */
        Media: {
            /** @description uuid. It follows from the job, the segment and the content, so that what is reported again has the same one. */
            id: string;
            /** @description The job. */
            job_name: string;
            /** @description Its name. */
            name: string;
            /** @description What it is. */
            kind: components["schemas"]["MediaKind"];
            /** @description The step. */
            step: number;
            /** @description Index of the segment that it was reported for. */
            segment_index: number;
            /** @description Whether a rollback or a warm restart has archived it, or it came after a newer segment had begun. */
            archived: boolean;
            /**
             * Format: date-time
             * @description When it was stored.
             */
            created_at: string;
            /** @description Of a histogram. */
            histogram: components["schemas"]["Histogram"] | null;
            /** @description Of a table that was reported inline. */
            table: {
                [key: string]: unknown;
            } | null;
            /** @description Of a text that was reported inline. */
            text: string | null;
            /** @description Of what was uploaded. */
            file: components["schemas"]["MediaFile"] | null;
        };
        /**
         * MediaFile
         * @description A file that was uploaded as an artifact.
         */
        MediaFile: {
            /** @description SHA-256 of it, hexadecimal. */
            sha256: string;
            /**
             * @description What it is: a media type that the kind has.
             * @enum {string}
             */
            media_type: "image/png" | "image/jpeg" | "image/webp" | "text/plain" | "application/json";
            /** @description Its bytes. At most 10,485,760 of an image, 1,048,576 of a table or text. */
            size_bytes: number;
        };
        /**
         * MediaKind
         * @description Kinds of media.
         * @enum {string}
         */
        MediaKind: "histogram" | "image" | "table" | "text";
        /**
         * MediaName
         * @description Media of one name, job and kind.
         */
        MediaName: {
            /** @description The job. */
            job_name: string;
            /** @description The name. */
            name: string;
            /** @description What they are. */
            kind: components["schemas"]["MediaKind"];
            /** @description How many there are. */
            count: number;
            /** @description Lowest step. */
            first_step: number;
            /** @description Highest step. */
            last_step: number;
        };
        /**
         * Member
         * @description A member.
         */
        Member: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description The organisation it belongs to. */
            organisation_id: string;
            /** @description Name for people. */
            display_name: string;
            /** @description E-mail address, lower-case. */
            email: string;
            /** @description The identity provider that vouches for the member. */
            issuer: string;
            /** @description The member's subject there. */
            subject: string;
            /** @description Roles held. */
            role_ids: string[];
            /** @description Where the member stands. */
            status: components["schemas"]["MemberStatus"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description When an access token of the member was last seen, to the minute. */
            last_seen_at: string | null;
            /** @description Whether the member wants no e-mails. */
            email_opted_out: boolean;
        };
        /**
         * MemberStatus
         * @description Where a member stands.
         * @enum {string}
         */
        MemberStatus: "invited" | "active" | "inactive";
        /**
         * MetricColumn
         * @description Points of one metric, as columns of equal length.
         */
        MetricColumn: {
            /** @description The metric. */
            name: string;
            /** @description Step of each point. */
            steps?: number[];
            /** @description Value of each point; NaN and infinities are values. */
            values?: number[];
            /** @description When the last point was taken, milliseconds since 1970. */
            observed_at_ms?: number;
            /** @description How long before `observed_at_ms` each point was taken, milliseconds. Empty: not said. */
            ages_ms?: number[];
        };
        /**
         * MetricGoal
         * @description Whether more or less of the primary metric is better.
         * @enum {string}
         */
        MetricGoal: "maximize" | "minimize";
        /**
         * MetricPoint
         * @description Values of metrics at one step.
         */
        MetricPoint: {
            /** @description The step. */
            step?: number;
            /** @description Value of each metric, by name; NaN and infinities are values. */
            metrics: {
                [key: string]: number;
            };
        };
        /**
         * MissedRunPolicy
         * @description What becomes of due times of a schedule at which the platform could start no run.
         * @enum {string}
         */
        MissedRunPolicy: "skip" | "catch_up";
        /**
         * MlflowExperiment
         * @description An experiment.
         */
        MlflowExperiment: {
            /** @description Id of the pipeline. */
            experiment_id: string;
            /** @description Its name. */
            name: string;
            /** @description Where files of its runs lie. */
            artifact_location: string;
            /** @description `active` or `deleted`. */
            lifecycle_stage: string;
            /** @description When it was last changed, milliseconds since 1970. */
            last_update_time: number;
            /** @description When it was created, milliseconds since 1970. */
            creation_time: number;
            /** @description Annotations of the pipeline. Keys within keys are joined by dots. */
            tags: components["schemas"]["MlflowPair"][];
        };
        /**
         * MlflowFileInfo
         * @description A file or a folder in a folder.
         */
        MlflowFileInfo: {
            /** @description Its name in the folder. */
            path: string;
            /** @description Whether it is a folder. */
            is_dir: boolean;
            /** @description Bytes of a file. 0 of a folder: MLflow's client takes no null. */
            file_size: number;
        };
        /**
         * MlflowMetricInput
         * @description A value of a metric.
         */
        "MlflowMetric-Input": {
            /** @description The metric. */
            key: string;
            /** @description The value; NaN and infinities are values. */
            value?: number;
            /**
             * @description When it was taken, milliseconds since 1970. 0: not said.
             * @default 0
             */
            timestamp?: number;
            /**
             * @description The step.
             * @default 0
             */
            step?: number;
        };
        /**
         * MlflowMetricOutput
         * @description A value of a metric.
         */
        "MlflowMetric-Output": {
            /** @description The metric. */
            key: string;
            /** @description The value; NaN and infinities are values. */
            value: number;
            /**
             * @description When it was taken, milliseconds since 1970. 0: not said.
             * @default 0
             */
            timestamp: number;
            /**
             * @description The step.
             * @default 0
             */
            step: number;
        };
        /**
         * MlflowPair
         * @description A name with a text: a parameter or a tag.
         */
        MlflowPair: {
            /** @description The name. */
            key: string;
            /** @description The text. */
            value: string;
        };
        /**
         * MlflowParameter
         * @description A parameter.
         */
        MlflowParameter: {
            /** @description The name. */
            key: string;
            /** @description The value. A text that is a number can be compared as one in filters. */
            value?: string;
        };
        /**
         * MlflowRun
         * @description A run.
         */
        MlflowRun: {
            /** @description What it is. */
            info: components["schemas"]["MlflowRunInfo"] | null;
            /** @description What was logged to it. */
            data: components["schemas"]["MlflowRunData"] | null;
        };
        /**
         * MlflowRunData
         * @description What was logged to a run.
         */
        MlflowRunData: {
            /** @description The newest value of each metric. */
            metrics: components["schemas"]["MlflowMetric-Output"][];
            /** @description Its parameters. Keys within keys are joined by dots. */
            params: components["schemas"]["MlflowPair"][];
            /** @description Its tags, and as tags its name and notes. */
            tags: components["schemas"]["MlflowPair"][];
        };
        /**
         * MlflowRunInfo
         * @description What a run is, beside what was logged to it.
         */
        MlflowRunInfo: {
            /** @description Id of the run. */
            run_id: string;
            /** @description The same, for earlier clients. */
            run_uuid: string;
            /** @description Its name. */
            run_name: string;
            /** @description Id of the pipeline. */
            experiment_id: string;
            /** @description What its tag `mlflow.user` says. Empty without one. */
            user_id: string;
            /** @description `SCHEDULED`, `RUNNING`, `FINISHED`, `FAILED` or `KILLED`. */
            status: string;
            /** @description When it was created, milliseconds since 1970. */
            start_time: number;
            /** @description When it ended, milliseconds since 1970. Absent while it has not. */
            end_time: number | null;
            /** @description Where its files lie. */
            artifact_uri: string;
            /** @description `active` or `deleted`. */
            lifecycle_stage: string;
        };
        /**
         * MlflowTag
         * @description A tag.
         */
        MlflowTag: {
            /** @description The name. `mlflow.runName` is the run's name, `mlflow.note.content` are its notes. */
            key: string;
            /** @description The text: 1,000 characters at most, of notes 10,000. */
            value: string;
        };
        /**
         * Model
         * @description A model.
         */
        Model: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description Name for people, unique in the organisation. */
            name: string;
            /** @description What it is for. */
            description: string;
            /** @description The organisation it belongs to. */
            organisation_id: string;
            /** @description The pipeline whose completed runs become versions. Absent for a model that was made by hand. */
            pipeline_id: string | null;
            /** @description The newest version that is ready. Absent when there is none. */
            newest_ready_version_id: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /**
         * ModelRef
         * @description A model of a bundle.
         */
        ModelRef: {
            /**
             * Format: uuid
             * @description The model; its newest ready version is taken.
             */
            model_id: string;
            /** @description Name by which the bundle knows it: its artifact lies at `models/<alias>.onnx`. */
            alias: string;
        };
        /**
         * ModelVersion
         * @description A version of a model.
         */
        ModelVersion: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /**
             * Format: uuid
             * @description The model.
             */
            model_id: string;
            /** @description From 1, in the order of registration. */
            number: number;
            /** @description Where it stands. */
            status: components["schemas"]["ModelVersionStatus"];
            /** @description Why, when it failed. Absent otherwise. */
            status_detail: string | null;
            /** @description Format of the artifact, such as `onnx`. */
            format: string;
            /** @description SHA-256 of the artifact, hexadecimal. */
            artifact_sha256: string;
            /** @description Bytes of the artifact; 0 while it is on its way. */
            size_bytes: number;
            /** @description Where it came from. Absent for a version that was made by hand. */
            source: components["schemas"]["ModelVersionSource"] | null;
            /** @description Deployments that serve it, or are to. In the answer for one version only. */
            deployment_ids: string[];
            /**
             * Format: date-time
             * @description When it was registered.
             */
            created_at: string;
        };
        /**
         * ModelVersionSource
         * @description Where a version came from.
         */
        ModelVersionSource: {
            /**
             * Format: uuid
             * @description The pipeline.
             */
            pipeline_id: string;
            /**
             * Format: uuid
             * @description The run.
             */
            run_id: string;
            /** @description The job. */
            job_name: string;
            /** @description The checkpoint that was published. Absent when the result came from none. */
            checkpoint_id: string | null;
        };
        /**
         * ModelVersionStatus
         * @description Where a version stands.
         * @enum {string}
         */
        ModelVersionStatus: "pending" | "ready" | "failed";
        /**
         * NewMember
         * @description What a new member needs.
         */
        NewMember: {
            /** @description Name for people. */
            display_name: string;
            /**
             * Format: email
             * @description E-mail address; unique in the organisation.
             */
            email: string;
            /** @description `iss` of the tokens that stand for this member. */
            issuer?: string;
            /** @description `sub` of those tokens. */
            subject?: string;
        };
        /** NotFound */
        NotFound: {
            detail: string;
        };
        /**
         * NotebookCallerKind
         * @description Who calls.
         * @enum {string}
         */
        NotebookCallerKind: "member" | "api_key";
        /**
         * NotebookIdentity
         * @description Identity of the caller, with the field names of Jupyter.
         */
        NotebookIdentity: {
            /** @description The user's name at the hub. */
            username: string;
            /** @description Name for people. */
            name: string;
            /** @description Name for people, as shown. */
            display_name: string;
            /** @description Two letters. */
            initials: string | null;
            /** @description A picture. */
            avatar_url: string | null;
            /** @description A colour. */
            color: string | null;
        };
        /**
         * NotebookServer
         * @description A notebook server.
         */
        NotebookServer: {
            /** @description The server's id at the hub: `<user>/<server>`. */
            id: string;
            /** @description Where it stands. */
            status: components["schemas"]["NotebookServerStatus"];
            /** @description Its path at this gateway. Absent unless it runs. */
            server_url: string | null;
            /** @description When it was started. */
            started_at: string | null;
            /** @description When it was last used. */
            last_activity: string | null;
            /** @description When the hub will stop it. Absent when the hub does not say. */
            expires_at: string | null;
            /** @description Why it failed. */
            error: string | null;
        };
        /**
         * NotebookServerStatus
         * @description Where a notebook server stands.
         * @enum {string}
         */
        NotebookServerStatus: "none" | "starting" | "running" | "stopping" | "failed";
        /**
         * NotebookSession
         * @description Who the caller is and where the caller's notebook server stands.
         */
        NotebookSession: {
            /** @description Who, as Jupyter Server answers it. */
            identity: components["schemas"]["NotebookIdentity"];
            /** @description Of the permissions asked for, those that the caller has: resource to list of actions. */
            permissions: {
                [key: string]: unknown;
            };
            /** @description `member` or `api_key`. */
            kind: components["schemas"]["NotebookCallerKind"];
            /** @description The member. Absent when a key acts for itself. */
            member_id: string | null;
            /** @description The organisation. */
            organisation_id: string;
            /** @description Slugs of the roles held. */
            roles: string[];
            /** @description Permissions of the credential, `resource:action`. */
            scopes: string[];
            /** @description The notebook server. Absent when none was ever started, or no hub is configured. */
            session: components["schemas"]["NotebookServer"] | null;
        };
        /**
         * Organisation
         * @description An organisation: the wall around data.
         */
        Organisation: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description Unique short name, `[a-z0-9-]`; tokens may name the organisation by it. */
            slug: string;
            /** @description Name for people. */
            name: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description Whether its credentials are accepted. */
            state: components["schemas"]["OrganisationState"];
        };
        /**
         * OrganisationDeletion
         * @description How far the deletion of an organisation is.
         */
        OrganisationDeletion: {
            /**
             * Format: date-time
             * @description When it was requested first.
             */
            requested_at: string;
            /** @description The services that identity waits for before it removes what it keeps itself. */
            services: components["schemas"]["ServicePurge"][];
            /** @description When everything was removed. Null until then. */
            deleted_at: string | null;
        };
        /**
         * OrganisationState
         * @description Whether the credentials of an organisation are accepted.
         * @enum {string}
         */
        OrganisationState: "active" | "suspended" | "deleting" | "deleted";
        /**
         * OverrideClass
         * @description When an override may be given.
         * @enum {string}
         */
        OverrideClass: "hot" | "cold" | "resources";
        /**
         * OverrideDeclarationInput
         * @description An override key that a job takes.
         */
        "OverrideDeclaration-Input": {
            /** @description The key. */
            key: string;
            /** @description Type of its value. */
            type: components["schemas"]["OverrideType"];
            /** @description When it may be given. */
            class: components["schemas"]["OverrideClass"];
            /** @description Least value of a number. */
            minimum?: number | null;
            /** @description Greatest value of a number. */
            maximum?: number | null;
            /**
             * @description Values of a string, if they are a closed set.
             * @default []
             */
            allowed?: string[];
        };
        /**
         * OverrideDeclarationOutput
         * @description An override key that a job takes.
         */
        "OverrideDeclaration-Output": {
            /** @description The key. */
            key: string;
            /** @description Type of its value. */
            type: components["schemas"]["OverrideType"];
            /** @description When it may be given. */
            class: components["schemas"]["OverrideClass"];
            /** @description Least value of a number. */
            minimum: number | null;
            /** @description Greatest value of a number. */
            maximum: number | null;
            /**
             * @description Values of a string, if they are a closed set.
             * @default []
             */
            allowed: string[];
        };
        /**
         * OverrideType
         * @description Type of an override's value.
         * @enum {string}
         */
        OverrideType: "number" | "integer" | "boolean" | "string";
        /**
         * Pause
         * @description A pause.
         */
        Pause: {
            /** @description The command as it stands. */
            command: components["schemas"]["TrainingControlCommandRead"];
            /** @description When the job goes on by itself. Absent: when a command says so. */
            resume_at: string | null;
        };
        /**
         * PauseJobRequest
         * @description A pause to record.
         */
        PauseJobRequest: {
            /** @description When the job goes on by itself, at most a year from now. Absent, and without `resume_after_seconds`: never. */
            until?: string | null;
            /** @description Seconds from now after which it goes on by itself, instead of `until`. */
            resume_after_seconds?: number | null;
            /**
             * Format: uuid
             * @description Makes repeats of this request harmless: unique per job, for ever.
             */
            idempotency_key: string;
            /** @description The supervision under which the command is issued; only together with its token. */
            supervision_id?: string | null;
            /** @description The token that was given out when the lease was acquired. */
            supervision_lease_token?: string | null;
        };
        /**
         * Permission
         * @description A permission.
         */
        Permission: {
            /** @description `resource:action`. */
            id: string;
            /** @description RPCs that it opens, `package.Service/Method`, in the contract's order. */
            rpcs: string[];
        };
        /**
         * PhaseChange
         * @description A phase changed.
         */
        PhaseChange: {
            /** @description The phase. */
            phase: components["schemas"]["LifecyclePhase"];
            /** @description Its status from now on. */
            status: components["schemas"]["PhaseStatus"];
            /** @description When. */
            at?: string | null;
        };
        /**
         * PhaseStatus
         * @description Where a phase stands.
         * @enum {string}
         */
        PhaseStatus: "pending" | "running" | "paused" | "completed" | "failed" | "skipped";
        /**
         * Pipeline
         * @description A pipeline.
         */
        Pipeline: {
            /** @description uuid. */
            id: string;
            /** @description Name for people. */
            name: string;
            /** @description When it was created. */
            created_at: string | null;
            /** @description What it is for. */
            description: string;
            /** @description Anything else, as it was sent. */
            annotations: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
            /** @description Since when it is archived. Absent while it is not. */
            archived_at: string | null;
        };
        /**
         * PreviewControlCommandRequest
         * @description A command that might be issued.
         */
        PreviewControlCommandRequest: {
            /** @description What to do. */
            action: components["schemas"]["TrainingControlAction"];
            /** @description The checkpoint to use. */
            checkpoint_id?: string | null;
            /**
             * @description Settings to change with it.
             * @default {}
             */
            runtime_overrides?: {
                [key: string]: unknown;
            };
            /** @description The supervision under which it would be issued. */
            supervision_id?: string | null;
            /** @description The lease token that goes with it. */
            supervision_lease_token?: string | null;
        };
        /**
         * Problem
         * @description RFC 9457; answered where `Accept` prefers `application/problem+json`.
         */
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            code: string;
            errors?: components["schemas"]["ValidationError"][];
        };
        /**
         * PromoteDeploymentRequest
         * @description Where to.
         */
        PromoteDeploymentRequest: {
            /** @description The environment; the next higher one when absent. */
            environment?: string | null;
        };
        /**
         * PromptStep
         * @description Asks a language model. Where several transitions leave the step, the answer begins with the label of one of them.
         */
        PromptStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "prompt";
            /** @description What the model is asked; 1 to 20,000 characters. */
            text: string;
            /** @description The model. Absent: the installation's. */
            model?: string;
            /** @description Tokens of the answer at most, 1 to 100,000. */
            max_tokens?: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * ProposedAsset
         * @description An asset as proposed.
         */
        ProposedAsset: {
            /**
             * Format: uuid
             * @description The asset.
             */
            asset_id: string;
            /**
             * @description Its name, kept where the platform knows none.
             * @default
             */
            asset_name?: string;
            /** @description What it is to the workspace, such as `primary` or `supporting`. */
            role: string;
            /** @description Who says so, such as `manual`, `auto` or `seed`. */
            source: string;
            /** @description How sure that is. */
            confidence: number;
            /**
             * @description What speaks for it.
             * @default {}
             */
            evidence?: {
                [key: string]: unknown;
            };
        };
        /**
         * PruneCheckpointsRequest
         * @description Which checkpoints to prune: `checkpoint_ids`, or a rule of `keep_newest`, `keep_best` and `filter`. What one of the two keeps is kept.
         */
        PruneCheckpointsRequest: {
            /** @description The checkpoints, 1,000 at most. Absent: those that the rule leaves over. */
            checkpoint_ids?: string[];
            /** @description Instead of `checkpoint_ids`: keeps so many of the newest. */
            keep_newest?: number | null;
            /** @description Instead of `checkpoint_ids`: keeps so many of the best by the job's primary metric. */
            keep_best?: number | null;
            /** @description Instead of `checkpoint_ids`: the checkpoints that the rule is about, as `filter` of the list finds them. Empty: all. */
            filter?: string;
            /**
             * @description Whether to answer what would be, and change nothing.
             * @default false
             */
            dry_run?: boolean;
        };
        /**
         * PruneCheckpointsResponse
         * @description What was pruned, or would be.
         */
        PruneCheckpointsResponse: {
            /** @description Oldest first. Those of `checkpoint_ids` that were pruned before are among them. */
            pruned: components["schemas"]["PrunedCheckpoint"][];
            /** @description Bytes of these. */
            pruned_bytes: number;
            /** @description Further ones that the rule leaves over: repeat the request. */
            remaining_count: number;
            /** @description Those of the chosen ones that are kept, oldest first, 1,000 at most. */
            kept: components["schemas"]["KeptCheckpoint"][];
            /** @description How many of the chosen ones are kept. */
            kept_count: number;
        };
        /**
         * PrunedCheckpoint
         * @description A checkpoint that is pruned, or would be.
         */
        PrunedCheckpoint: {
            /**
             * Format: uuid
             * @description The checkpoint.
             */
            id: string;
            /** @description Steps taken when it was saved. */
            step: number;
            /** @description Its size in bytes. */
            size_bytes: number;
        };
        /**
         * PrunedCheckpoints
         * @description Checkpoints that are no longer needed.
         */
        PrunedCheckpoints: {
            /** @description Their ids. */
            checkpoint_ids: string[];
        };
        /**
         * PublishedAutomation
         * @description An automation that was just published.
         */
        PublishedAutomation: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description Name for people. */
            name: string;
            /** @description What it is for. */
            description: string;
            /** @description The organisation it belongs to. */
            organisation_id: string;
            /** @description The published version. */
            current_version: components["schemas"]["AutomationVersion"] | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was published.
             */
            updated_at: string;
            /** @description Permissions that it may use from now on in the publisher's name, for its steps and to read the events that start it, sorted. */
            delegated_permission_ids: string[];
        };
        /**
         * PutArtifactResponse
         * @description What is stored.
         */
        PutArtifactResponse: {
            /** @description SHA-256 of the artifact, hexadecimal. */
            artifact_sha256: string;
            /** @description Bytes of the artifact. */
            size_bytes: number;
        };
        /**
         * PutFeatureRequest
         * @description The fields of the feature. It is created if there is none with this key.
         */
        PutFeatureRequest: {
            /**
             * @description What it is.
             * @default
             */
            description?: string;
            /**
             * @description How to use it.
             * @default
             */
            usage_notes?: string;
            /** @description Who owns it. */
            owner_member_id?: string | null;
            /** @description The key to use instead. */
            replacement_key?: string | null;
        };
        /**
         * PutFeatureUsageRequest
         * @description What uses which feature.
         */
        PutFeatureUsageRequest: {
            /** @description Its name for people. */
            asset_name: string;
            /**
             * @description How it uses the feature.
             * @default
             */
            usage_notes?: string;
            /**
             * @description Anything else.
             * @default {}
             */
            annotations?: {
                [key: string]: unknown;
            };
        };
        /**
         * PutMlflowArtifactResponse
         * @description Nothing.
         */
        PutMlflowArtifactResponse: Record<string, never>;
        /**
         * QueryDatasetsRequest
         * @description A query and what it reads.
         */
        QueryDatasetsRequest: {
            /** @description The versions that it reads. Their names differ in more than upper and lower case. */
            views: components["schemas"]["DatasetQueryView"][];
            /** @description One SELECT of DuckDB's SQL, such as `SELECT country, count(*) FROM orders GROUP BY country`. */
            sql: string;
            /**
             * @description Rows at most, 1 to 1,000. Default 100.
             * @default 100
             */
            limit?: number;
        };
        /**
         * QueryDatasetsResponse
         * @description What the query answers.
         */
        QueryDatasetsResponse: {
            /** @description Its columns, in their order. */
            columns: components["schemas"]["DatasetQueryColumn"][];
            /** @description Its first rows, each as an object of its columns. */
            rows: {
                [key: string]: unknown;
            }[];
            /** @description Whether more rows follow, beyond `limit` or the bytes that one answer has. */
            has_more: boolean;
        };
        /**
         * Quota
         * @description A quota of an organisation.
         */
        Quota: {
            /** @description Its name, as the refusal `quota_exceeded` and the settings of the services have it, such as `deployments`. */
            name: string;
            /** @description How much the organisation may have. */
            limit: number;
            /** @description How much it has. More than the limit where that was lowered. */
            used: number;
            /** @description What both figures count. */
            unit: components["schemas"]["QuotaUnit"];
        };
        /**
         * QuotaLimitsInput
         * @description Limits of one organisation, by the names of the quotas. What is absent is not set here.
         */
        "QuotaLimits-Input": {
            /** @description Members who are active or invited. */
            members?: number | null;
            /** @description API keys that are neither revoked nor expired. */
            api_keys?: number | null;
            /** @description Pipelines that were ever made. */
            pipelines?: number | null;
            /** @description Training runs that were ever made. */
            runs?: number | null;
            /** @description Bytes of the jobs that runs declare. */
            run_configuration_bytes?: number | null;
            /** @description E-mail drafts that were not sent. */
            email_drafts?: number | null;
            /** @description Deployments that are not being deleted. */
            deployments?: number | null;
            /** @description MiB of memory that all instances may take. */
            instance_memory_mb?: number | null;
            /** @description Bytes of artifacts. */
            artifact_bytes?: number | null;
            /** @description Versions of datasets that are not forgotten. */
            dataset_versions?: number | null;
            /** @description Bytes of the data of versions of datasets. */
            dataset_bytes?: number | null;
        };
        /**
         * QuotaLimitsOutput
         * @description Limits of one organisation, by the names of the quotas. What is absent is not set here.
         */
        "QuotaLimits-Output": {
            /** @description Members who are active or invited. */
            members: number | null;
            /** @description API keys that are neither revoked nor expired. */
            api_keys: number | null;
            /** @description Pipelines that were ever made. */
            pipelines: number | null;
            /** @description Training runs that were ever made. */
            runs: number | null;
            /** @description Bytes of the jobs that runs declare. */
            run_configuration_bytes: number | null;
            /** @description E-mail drafts that were not sent. */
            email_drafts: number | null;
            /** @description Deployments that are not being deleted. */
            deployments: number | null;
            /** @description MiB of memory that all instances may take. */
            instance_memory_mb: number | null;
            /** @description Bytes of artifacts. */
            artifact_bytes: number | null;
            /** @description Versions of datasets that are not forgotten. */
            dataset_versions: number | null;
            /** @description Bytes of the data of versions of datasets. */
            dataset_bytes: number | null;
        };
        /**
         * QuotaUnit
         * @description What the figures of a quota count.
         * @enum {string}
         */
        QuotaUnit: "count" | "bytes" | "mebibytes";
        /**
         * Reconnect
         * @description Attach again.
         */
        Reconnect: Record<string, never>;
        /**
         * Refused
         * @description A command that the trainer will not apply.
         */
        Refused: {
            /** @description Why. */
            detail: string;
        };
        /**
         * RegisterAssetRequest
         * @description The fields of the new asset.
         */
        RegisterAssetRequest: {
            /** @description The asset's id; absent: a new one is made. One that is known already is changed. */
            asset_id?: string | null;
            /** @description Name for people. */
            name: string;
            /** @description What it is, such as `dataset` or `report`. */
            kind: string;
            /**
             * @description Datasets that it has to do with: texts that only have to be equal.
             * @default []
             */
            dataset_ids?: string[];
        };
        /**
         * RegisterCheckpointRequest
         * @description A checkpoint to record.
         */
        RegisterCheckpointRequest: {
            /**
             * Format: uuid
             * @description This process's attachment.
             */
            attachment_id: string;
            /** @description The checkpoint. */
            checkpoint: components["schemas"]["Checkpoint-Input"];
        };
        /**
         * ReleaseSupervisionLeaseRequest
         * @description The lease to release, and its token.
         */
        ReleaseSupervisionLeaseRequest: {
            /**
             * Format: uuid
             * @description Its token.
             */
            supervision_lease_token: string;
        };
        /**
         * RenewSupervisionLeaseRequest
         * @description The lease to renew, its token, and for how long.
         */
        RenewSupervisionLeaseRequest: {
            /**
             * Format: uuid
             * @description Its token.
             */
            supervision_lease_token: string;
            /**
             * @description How long from now, in seconds.
             * @default 300
             */
            ttl_seconds?: number;
        };
        /**
         * ReportJobStateRequest
         * @description A state entered.
         */
        ReportJobStateRequest: {
            /**
             * Format: uuid
             * @description This process's attachment.
             */
            attachment_id: string;
            /** @description The state. */
            state: components["schemas"]["JobState"];
            /** @description Why, for people. */
            detail?: string;
            /** @description The result, with `completed`. */
            artifact?: components["schemas"]["Artifact"] | null;
        };
        /**
         * ReportJobStateResponse
         * @description As it stands now.
         */
        ReportJobStateResponse: {
            /** @description The job's state. */
            state: components["schemas"]["JobState"];
        };
        /**
         * ReportedMedia
         * @description Something that a trainer shows at a step.
         */
        ReportedMedia: {
            /** @description Its name, the same at each step. */
            name: string;
            /** @description The step. */
            step?: number;
            /** @description What it is, and so which content it has. */
            kind: components["schemas"]["MediaKind"];
            /** @description Of a histogram. */
            histogram?: components["schemas"]["Histogram"] | null;
            /**
             * @description Of a table: `columns`, a list of at most 100 names, and `rows`, a list of lists with a value for each column: a text, a number, true,
             *     false or null. At most 16,384 bytes.
             */
            table?: {
                [key: string]: unknown;
            } | null;
            /** @description Of a text. */
            text?: string | null;
            /** @description Of an image, and of a table or text that is larger. */
            file?: components["schemas"]["MediaFile"] | null;
        };
        /**
         * RequestIdSource
         * @description Who chose a request id.
         * @enum {string}
         */
        RequestIdSource: "platform" | "caller";
        /**
         * ResourceSample
         * @description What a process uses.
         */
        ResourceSample: {
            /** @description Devices in use; empty while paused. */
            devices?: string[];
            /** @description Device memory in bytes. */
            device_memory?: number | null;
            /** @description Processor use; 1 is one whole core. */
            cpu?: number | null;
            /** @description Resident memory in bytes. */
            memory?: number | null;
            /** @description When it was measured. */
            observed_at?: string | null;
        };
        /**
         * RestoreMlflowExperimentRequest
         * @description Which experiment.
         */
        RestoreMlflowExperimentRequest: {
            /** @description Id of the pipeline, or `0`. */
            experiment_id: string;
        };
        /**
         * RestoreMlflowExperimentResponse
         * @description Nothing.
         */
        RestoreMlflowExperimentResponse: Record<string, never>;
        /**
         * RestoreMlflowRunRequest
         * @description Which run.
         */
        RestoreMlflowRunRequest: {
            /**
             * Format: uuid
             * @description The run.
             */
            run_id: string;
        };
        /**
         * RestoreMlflowRunResponse
         * @description Nothing.
         */
        RestoreMlflowRunResponse: Record<string, never>;
        /**
         * RevokeSessionResponse
         * @description It has ended.
         */
        RevokeSessionResponse: Record<string, never>;
        /**
         * Role
         * @description A role.
         */
        Role: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description The organisation it belongs to; of a system role, the organisation that asked. */
            organisation_id: string;
            /** @description Name for people. */
            name: string;
            /** @description Unique in the organisation. */
            slug: string;
            /** @description Whether the platform defines it. */
            is_system: boolean;
            /** @description What it grants, `resource:action`. */
            permission_ids: string[];
        };
        /**
         * RollBackDeploymentRequest
         * @description Where to go back to.
         */
        RollBackDeploymentRequest: {
            /** @description The version of the deployment; the one that served before when absent. */
            deployment_version_id?: string | null;
        };
        /**
         * Rollout
         * @description A rollout: one request to serve a version, and how it went.
         */
        Rollout: {
            /**
             * Format: uuid
             * @description uuid; the `rollout_request_id`.
             */
            id: string;
            /**
             * Format: uuid
             * @description The deployment.
             */
            deployment_id: string;
            /**
             * Format: uuid
             * @description The version that was to serve.
             */
            deployment_version_id: string;
            /** @description How it went. */
            status: components["schemas"]["RolloutStatus"];
            /** @description `Reason: message` when it failed. Absent otherwise. */
            error: string | null;
            /**
             * Format: date-time
             * @description When it was queued.
             */
            queued_at: string;
            /** @description When a controller began with it. */
            started_at: string | null;
            /** @description When it ended. */
            ended_at: string | null;
        };
        /**
         * RolloutStatus
         * @description How a rollout goes.
         * @enum {string}
         */
        RolloutStatus: "Queued" | "InProgress" | "Succeeded" | "Failed" | "RolledBack" | "Superseded";
        /**
         * RotateApiKeyRequest
         * @description The API key to rotate, and how long the old secret remains valid.
         */
        RotateApiKeyRequest: {
            /**
             * @description Seconds for which the old key works on, 0 to 604,800 (a week). Default 86,400.
             * @default 86400
             */
            overlap_seconds?: number;
        };
        /**
         * RotateApiKeyResponse
         * @description The new API key, with its secret.
         */
        RotateApiKeyResponse: {
            /** @description What may be known of the new key. */
            api_key: components["schemas"]["ApiKey"];
            /** @description The new key itself; shown this once. */
            secret: string;
        };
        /**
         * Run
         * @description A run.
         */
        Run: {
            /** @description uuid. */
            id: string;
            /** @description Its pipeline. */
            pipeline_id: string;
            /** @description Name for people. */
            name: string;
            /** @description Its jobs in the order declared. */
            jobs: components["schemas"]["JobRead"][];
            /** @description When it was created. */
            created_at: string | null;
            /** @description Texts to find it by, by their names. */
            tags: {
                [key: string]: string;
            };
            /** @description What people say of it. */
            notes: string;
            /** @description What it was started with, as it was sent. */
            parameters: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When its name, notes or tags changed, or it was archived or restored.
             */
            updated_at: string;
            /** @description Since when it is archived. Absent while it is not. */
            archived_at: string | null;
            /** @description Versions of datasets that it reads, as it was created with them. */
            datasets: components["schemas"]["RunDataset"][];
        };
        /**
         * RunComparison
         * @description Several runs beside each other.
         */
        RunComparison: {
            /** @description The metric. */
            metric: string;
            /** @description What the x of a point is. */
            axis: components["schemas"]["ComparisonAxis"];
            /** @description The curves, in the order in which the runs were asked for. */
            runs: components["schemas"]["ComparedRun"][];
            /** @description What differs in parameters and in the configuration of the job, by path: 500 at most. */
            differences: components["schemas"]["RunDifference"][];
            /** @description Whether more than that differs. */
            truncated: boolean;
        };
        /**
         * RunDataset
         * @description A version of a dataset that a run reads.
         */
        RunDataset: {
            /** @description By which its trainers find it. */
            name: string;
            /** @description The dataset. */
            dataset_id: string;
            /** @description The version. */
            version_id: string;
            /** @description Number of the version in its dataset. */
            number: number;
            /** @description SHA-256 of the version's Parquet file, hexadecimal: by it trainers know that they read the same bytes. */
            content_sha256: string;
            /** @description Number of its rows. */
            row_count: number;
            /** @description Bytes of its Parquet file. */
            size_bytes: number;
        };
        /**
         * RunDatasetReference
         * @description A version of a dataset that a run is to read.
         */
        RunDatasetReference: {
            /** @description By which its trainers find it, such as `train` or `test`; unique in the run. */
            name: string;
            /**
             * Format: uuid
             * @description The dataset.
             */
            dataset_id: string;
            /**
             * Format: uuid
             * @description The version; it has to be ready.
             */
            version_id: string;
        };
        /**
         * RunDifference
         * @description A value that is not the same in all runs.
         */
        RunDifference: {
            /** @description Its path, such as `configuration.learning_rate` or `parameters.seed`. */
            path: string;
            /** @description The value in each run, in the order of the runs; `null` also where a run has none. */
            values: unknown[];
        };
        /**
         * RunFile
         * @description A file of a run.
         */
        RunFile: {
            /** @description Its path, such as `model/weights.bin`. */
            path: string;
            /** @description SHA-256 of its bytes, hexadecimal: the artifact that they are stored as. */
            sha256: string;
            /** @description Bytes. */
            size_bytes: number;
            /**
             * Format: date-time
             * @description When it was stored.
             */
            created_at: string;
        };
        /**
         * RunLifecycle
         * @description Phases and signs of life of a job.
         */
        RunLifecycle: {
            /** @description The phase under way. */
            current_phase: string;
            /** @description When it started; null before any report. */
            phase_started_at: string | null;
            /** @description Seconds since the job started, without the time it was paused. */
            elapsed_seconds: number;
            /** @description The newest sign of life. */
            heartbeat_at: string | null;
            /** @description Who gave it: `trainer`, `runner` or `scheduler`. */
            heartbeat_source: string | null;
            /** @description The newest line of the trainer's log. */
            latest_log: components["schemas"]["RunLogLine"] | null;
            /** @description All phases in order. */
            phases: components["schemas"]["RunPhase"][];
        };
        /**
         * RunLiveMetrics
         * @description A run as it is now.
         */
        RunLiveMetrics: {
            /** @description State of the job, or `stalled` (alive without progress) or `lost` (no heartbeat). */
            status: string;
            /** @description Phases and signs of life. */
            lifecycle: components["schemas"]["RunLifecycle"];
            /** @description `training-metrics.v3`. */
            schema_version: string;
            /** @description Grows by one for each accepted batch of the run; 0: none yet. */
            sequence: number;
            /** @description When the newest batch was accepted; null before any. */
            updated_at: string | null;
            /** @description Newest value of each metric: name → {value, step, at}. NaN and infinities are the strings "NaN", "Infinity", "-Infinity". */
            metrics: {
                [key: string]: unknown;
            };
            /** @description Points of each metric: name → {steps[], values[], segments[], sampled}. */
            series: {
                [key: string]: unknown;
            };
            /** @description {name, goal, value, step, best_value, best_step, best_checkpoint_id}, or {} without a primary metric. */
            primary_metric: {
                [key: string]: unknown;
            };
            /** @description Index of the active segment. */
            active_segment: number;
            /** @description Segments by index. */
            segments: components["schemas"]["RunSegment"][];
            /** @description {devices, device_memory, cpu, memory, observed_at}, or {} before any sample. */
            resources: {
                [key: string]: unknown;
            };
        };
        /**
         * RunLogLine
         * @description A line of a trainer's log.
         */
        RunLogLine: {
            /** @description The text. */
            message: string;
            /** @description Which part of the trainer said it. */
            source: string;
            /**
             * Format: date-time
             * @description When.
             */
            timestamp: string;
        };
        /**
         * RunPhase
         * @description A phase of a job.
         */
        RunPhase: {
            /** @description The phase. */
            name: string;
            /** @description Where it stands. */
            status: string;
            /** @description When it started first. */
            started_at: string | null;
            /** @description When it ended last. */
            finished_at: string | null;
            /** @description Seconds spent in it, without the time it was paused. */
            elapsed_seconds: number;
        };
        /**
         * RunSegment
         * @description A stretch of training without a break.
         */
        RunSegment: {
            /** @description From 0. */
            index: number;
            /** @description How it began. */
            kind: components["schemas"]["SegmentKind"];
            /** @description The segment it continues. */
            parent_index: number | null;
            /** @description Step it starts after. */
            start_step: number;
            /** @description Newest step, or the last one when it ended. */
            end_step: number | null;
            /** @description The checkpoint it started from. */
            checkpoint_id: string | null;
            /** @description The command that opened it. */
            command_id: string | null;
            /** @description That command's sequence. */
            command_sequence: number | null;
            /** @description Steps above this were archived by a later rollback or warm restart. */
            archived_from_step: number | null;
            /** @description Overrides it started with. */
            overrides: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it started.
             */
            started_at: string;
            /** @description When it ended. */
            ended_at: string | null;
        };
        /**
         * SampleFormat
         * @description What a file is.
         * @enum {string}
         */
        SampleFormat: "csv" | "parquet";
        /**
         * SaveAutomationDraftRequest
         * @description The new draft. It replaces the one that is there.
         */
        SaveAutomationDraftRequest: {
            /** @description The steps; the first is where a run begins. */
            steps: components["schemas"]["DraftStep"][];
            /**
             * @description The transitions.
             * @default []
             */
            step_transitions?: components["schemas"]["DraftTransition"][];
            /** @description What starts it by itself. Absent: it runs on demand only. */
            trigger?: components["schemas"]["AutomationTrigger-Input"] | null;
        };
        /**
         * SearchDatasetVectorsRequest
         * @description What is looked for, and where. Exactly one of `row`, `vector`, `text` and `tensor` is given.
         */
        SearchDatasetVectorsRequest: {
            /** @description Which embedding. Absent: the newest of the dataset that is ready. */
            embedding_id?: string | null;
            /** @description Place of a row, from 0; it is not found itself. */
            row?: number | null;
            /** @description A vector. */
            vector?: number[];
            /** @description A text, for an embedding with a template; it is sent as it is. */
            text?: string;
            /** @description Numbers, for an embedding with a column; they are multiplied by `scale` as those of the column are. */
            tensor?: number[];
            /** @description Which rows are looked at, by the columns of the version, such as `label != 3`. Empty: all. */
            filter?: string;
            /**
             * @description Rows at most, 1 to 100. Default 10.
             * @default 10
             */
            limit?: number;
            /** @description Columns of the found rows that are answered. Empty: none. */
            columns?: string[];
        };
        /**
         * SearchKind
         * @description What something is that can be found.
         * @enum {string}
         */
        SearchKind: "pipeline" | "run" | "model" | "deployment" | "automation" | "dataset" | "dictionary_entry" | "feature" | "email_draft" | "workspace" | "member";
        /**
         * SearchMlflowExperimentsRequest
         * @description Which experiments.
         */
        SearchMlflowExperimentsRequest: {
            /**
             * @description Experiments at most, 1 to 50,000; a page has 1,000 at most. Default 1,000.
             * @default 1000
             */
            max_results?: number;
            /** @description `next_page_token` of the page before. */
            page_token?: string;
            /** @description Such as `name = 'mnist' AND tags.team = 'vision'`. */
            filter?: string;
            /** @description One order at most, such as `name ASC`. */
            order_by?: string[];
            /**
             * @description `ACTIVE_ONLY`, `DELETED_ONLY` or `ALL`. Default: `ACTIVE_ONLY`.
             * @enum {string}
             */
            view_type?: "" | "ACTIVE_ONLY" | "DELETED_ONLY" | "ALL";
        };
        /**
         * SearchMlflowExperimentsResponse
         * @description The experiments.
         */
        SearchMlflowExperimentsResponse: {
            /** @description As they were ordered. */
            experiments: components["schemas"]["MlflowExperiment"][];
            /** @description Where the next page begins. Empty on the last. */
            next_page_token: string;
        };
        /**
         * SearchMlflowLoggedModelsRequest
         * @description Of which experiments.
         */
        SearchMlflowLoggedModelsRequest: {
            /** @description Ids of pipelines. */
            experiment_ids?: string[];
        };
        /**
         * SearchMlflowLoggedModelsResponse
         * @description None.
         */
        SearchMlflowLoggedModelsResponse: Record<string, never>;
        /**
         * SearchMlflowRunsRequest
         * @description Which runs.
         */
        SearchMlflowRunsRequest: {
            /** @description Ids of pipelines; `0` is the experiment `Default`. */
            experiment_ids: string[];
            /** @description Such as `metrics.loss < 0.1 AND params.lr = '0.01' AND attributes.status = 'FINISHED'`. */
            filter?: string;
            /**
             * @description `ACTIVE_ONLY`, `DELETED_ONLY` or `ALL`. Default: `ACTIVE_ONLY`.
             * @enum {string}
             */
            run_view_type?: "" | "ACTIVE_ONLY" | "DELETED_ONLY" | "ALL";
            /**
             * @description Runs at most, 1 to 50,000; a page has 1,000 at most. Default 1,000.
             * @default 1000
             */
            max_results?: number;
            /** @description One order at most, such as `metrics.loss ASC`. Newest first without. */
            order_by?: string[];
            /** @description `next_page_token` of the page before. */
            page_token?: string;
        };
        /**
         * SearchMlflowRunsResponse
         * @description The runs.
         */
        SearchMlflowRunsResponse: {
            /** @description As they were ordered. Their metrics have a value alone: those that lists show. */
            runs: components["schemas"]["MlflowRun"][];
            /** @description Where the next page begins. Empty on the last. */
            next_page_token: string;
        };
        /**
         * SearchResponse
         * @description What was found.
         */
        SearchResponse: {
            /** @description The newest first; entries of dictionaries, of which no time is known, last. */
            results: components["schemas"]["SearchResult"][];
            /** @description Kinds that were not searched because their service does not answer. The caller may read them. */
            missing_kinds: components["schemas"]["SearchKind"][];
        };
        /**
         * SearchResult
         * @description Something that was found.
         */
        SearchResult: {
            /** @description What it is. */
            kind: components["schemas"]["SearchKind"];
            /** @description Its id. */
            id: string;
            /** @description What people call it. */
            name: string;
            /**
             * @description Part of a text of it in which a word was found, else the beginning of its first text; 202 characters at most. Empty: it has
             *     no other text than its name.
             */
            text: string;
            /** @description Path to read it, such as `/platform/models/…`. */
            path: string;
            /** @description When it was created. Absent of an entry of a dictionary. */
            created_at: string | null;
        };
        /**
         * SegmentKind
         * @description How a segment began.
         * @enum {string}
         */
        SegmentKind: "initial" | "resume" | "rollback" | "warm_restart";
        /**
         * SendMetricsRequest
         * @description Points and media of a job: points of one step, of several, or both.
         */
        SendMetricsRequest: {
            /** @description Value of each metric at `step`, by name; NaN and infinities are values. */
            metrics?: {
                [key: string]: number;
            };
            /** @description The step of `metrics`; required with these. */
            step?: number | null;
            /** @description Values at several steps, in the order in which they were taken; at most 100,000 values. */
            points?: components["schemas"]["MetricPoint"][];
            /** @description Media of the active segment; each is stored once. */
            media?: components["schemas"]["ReportedMedia"][];
        };
        /**
         * SendMetricsResponse
         * @description What is durable, and where the job stands.
         */
        SendMetricsResponse: {
            /** @description The attachment that holds the job. Its other requests take this id: `state`, `checkpoints`, outcomes of commands. */
            attachment_id: string;
            /** @description Segment of the points. */
            segment_index: number;
            /** @description Highest counter that is durable; `reports` under the same attachment go on above it. */
            durable_counter: number;
            /** @description Sequence of the run's live metrics after it. */
            sequence: number;
        };
        /**
         * SendReportRequest
         * @description A batch of what a trainer has to say: a `ReportRequest`, and the pipeline.
         */
        SendReportRequest: {
            /**
             * Format: uuid
             * @description This process's attachment.
             */
            attachment_id: string;
            /** @description Number of this batch, from 1, strictly increasing over the life of the job. */
            counter: number;
            /** @description Index of the segment that the points belong to. */
            segment_index?: number;
            /** @description Points by metric; at most 100,000 in a batch. */
            columns?: components["schemas"]["MetricColumn"][];
            /** @description Phases entered and left. */
            phases?: components["schemas"]["PhaseChange"][];
            /** @description Log lines, oldest first. */
            logs?: components["schemas"]["LogLine"][];
            /** @description The process is alive. */
            heartbeat?: components["schemas"]["HeartbeatReport"] | null;
            /** @description What the process uses. */
            resources?: components["schemas"]["ResourceSample"] | null;
            /** @description Media of this segment; each is stored once, whatever report it comes in. */
            media?: components["schemas"]["ReportedMedia"][];
        };
        /**
         * SendReportResponse
         * @description What is durable.
         */
        SendReportResponse: {
            /** @description Every batch up to this counter is durable. */
            durable_counter: number;
            /** @description Sequence of the run's live metrics after it. */
            sequence: number;
        };
        /**
         * ServicePurge
         * @description What one service has done for the deletion of an organisation.
         */
        ServicePurge: {
            /** @description The service. */
            service: string;
            /** @description When it had removed everything that it kept of the organisation. Null until then. */
            purged_at: string | null;
        };
        /**
         * ServingBundleInput
         * @description What serves a bundle, and by which rules.
         */
        "ServingBundle-Input": {
            /**
             * @description `serving.v1`.
             * @enum {string}
             */
            schema_version: "serving.v1";
            /** @description What runs it. */
            runtime: components["schemas"]["ServingRuntime-Input"];
            /** @description What goes in and what comes out. */
            interface: components["schemas"]["ServingInterface"];
            /** @description Name for people. */
            name: string;
            /**
             * @description What it is for.
             * @default
             */
            description?: string;
            /**
             * @description Files that it consists of.
             * @default []
             */
            artifacts?: components["schemas"]["BundleArtifact-Input"][];
            /**
             * @description Datasets that it reads.
             * @default []
             */
            datasets?: components["schemas"]["BundleDataset-Input"][];
        };
        /**
         * ServingBundleOutput
         * @description What serves a bundle, and by which rules.
         */
        "ServingBundle-Output": {
            /**
             * @description `serving.v1`.
             * @enum {string}
             */
            schema_version: "serving.v1";
            /** @description What runs it. */
            runtime: components["schemas"]["ServingRuntime-Output"];
            /** @description What goes in and what comes out. */
            interface: components["schemas"]["ServingInterface"];
            /** @description Name for people. */
            name: string;
            /**
             * @description What it is for.
             * @default
             */
            description: string;
            /**
             * @description Files that it consists of.
             * @default []
             */
            artifacts: components["schemas"]["BundleArtifact-Output"][];
            /**
             * @description Datasets that it reads.
             * @default []
             */
            datasets: components["schemas"]["BundleDataset-Output"][];
        };
        /**
         * ServingInstance
         * @description A running instance.
         */
        ServingInstance: {
            /** @description Name of the process or pod. */
            name: string;
            /** @description `starting`, `ready`, `unhealthy` or `failed`. */
            state: string;
            /** @description Why it is not ready. Absent when it is. */
            detail: string | null;
            /** @description Predictions under way. */
            in_flight: number;
            /** @description How often it was started again. */
            restarts: number;
        };
        /**
         * ServingInterface
         * @description JSON Schemas of predictions.
         */
        ServingInterface: {
            /** @description Of what goes in. */
            input: {
                [key: string]: unknown;
            };
            /** @description Of what comes out. */
            output: {
                [key: string]: unknown;
            };
        };
        /**
         * ServingRuntimeInput
         * @description What runs a bundle.
         */
        "ServingRuntime-Input": {
            /**
             * @description `prebuilt`: a runtime of the platform's catalogue.
             * @enum {string}
             */
            type: "prebuilt";
            /**
             * @description Name in the catalogue: `onnx` or `node`.
             * @enum {string}
             */
            value: "onnx" | "node";
        };
        /**
         * ServingRuntimeOutput
         * @description What runs a bundle.
         */
        "ServingRuntime-Output": {
            /** @description `prebuilt`: a runtime of the platform's catalogue. */
            type: string;
            /** @description Name in the catalogue: `onnx` or `node`. */
            value: string;
        };
        /**
         * ServingState
         * @description What serves at this moment.
         */
        ServingState: {
            /** @description Path of predictions at the gateway, in the Open Inference Protocol v2. */
            prediction_path: string;
            /** @description Name under which the protocol knows the model. */
            model_name: string;
            /** @description Environment, such as `development`. */
            environment: string;
            /** @description Versions that serve, and those that are being started. */
            versions: components["schemas"]["ServingVersion"][];
        };
        /**
         * ServingVersion
         * @description A version that serves.
         */
        ServingVersion: {
            /**
             * Format: uuid
             * @description The version.
             */
            deployment_version_id: string;
            /** @description Share of the predictions that it answers, percent. */
            percent: number;
            /** @description Its instances. */
            instances: components["schemas"]["ServingInstance"][];
        };
        /**
         * Session
         * @description A session, as the lists show it.
         */
        Session: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description How it was opened. */
            method: components["schemas"]["SessionMethod"];
            /** @description The member who acts. Absent in a session of an API key. */
            member_id: string | null;
            /** @description The API key that acts. Absent in a session of a member. */
            api_key_id: string | null;
            /** @description What the browser said it is, at most 256 characters. Empty: nothing. */
            user_agent: string;
            /**
             * Format: date-time
             * @description When it was opened.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last used, to the minute.
             */
            last_used_at: string;
            /**
             * Format: date-time
             * @description When it ends unless it is used before.
             */
            idle_expires_at: string;
            /**
             * Format: date-time
             * @description When it ends in any case.
             */
            expires_at: string;
            /** @description Whether the request itself was made with it. */
            is_current: boolean;
        };
        /**
         * SessionApiKey
         * @description An API key, as its holder sees it.
         */
        SessionApiKey: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description Name for people. */
            name: string;
            /** @description The last four characters of the key. */
            last_four: string;
        };
        /**
         * SessionMember
         * @description A member, as they see themselves.
         */
        SessionMember: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description Name for people. */
            display_name: string;
            /** @description E-mail address. */
            email: string;
        };
        /**
         * SessionMethod
         * @description How a session was opened.
         * @enum {string}
         */
        SessionMethod: "api_key" | "access_token" | "sign_in_code" | "identity_provider" | "switch";
        /**
         * SessionOrganisation
         * @description An organisation that the caller can act in.
         */
        SessionOrganisation: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description Name in addresses. */
            slug: string;
            /** @description Name for people. */
            name: string;
        };
        /**
         * SetApiKeyPolicyRequest
         * @description The new policy.
         */
        SetApiKeyPolicyRequest: {
            /** @description Longest time from the creation of a key to its end, s: an hour to ten years. Absent: no maximum. */
            max_lifetime_seconds?: number | null;
        };
        /**
         * SetCanaryRequest
         * @description Which version gets which share.
         */
        SetCanaryRequest: {
            /** @description The version of the model that is tried. Exactly one of the two ids is given. */
            model_version_id?: string | null;
            /** @description The version of the deployment that is tried. */
            deployment_version_id?: string | null;
            /** @description Its share of the predictions, 1 to 99. */
            percent: number;
        };
        /**
         * SetDatasetSensitiveColumnsRequest
         * @description The sensitive columns of a dataset.
         */
        SetDatasetSensitiveColumnsRequest: {
            /** @description Names of columns, each once, 500 at most. Empty: none is sensitive. */
            columns: string[];
        };
        /**
         * SetMemberRolesRequest
         * @description The member, and all roles that it has from now on.
         */
        SetMemberRolesRequest: {
            /** @description All roles to hold from now on. */
            role_ids: string[];
        };
        /**
         * SetMlflowExperimentTagRequest
         * @description A tag of an experiment.
         */
        SetMlflowExperimentTagRequest: {
            /** @description Id of the pipeline, or `0`. */
            experiment_id: string;
            /** @description Its name. */
            key: string;
            /** @description Its text. */
            value?: string;
        };
        /**
         * SetMlflowExperimentTagResponse
         * @description Nothing.
         */
        SetMlflowExperimentTagResponse: Record<string, never>;
        /**
         * SetMlflowTagRequest
         * @description A tag.
         */
        SetMlflowTagRequest: {
            /**
             * Format: uuid
             * @description The run.
             */
            run_id: string;
            /** @description Its name. `mlflow.runName` is the run's name, `mlflow.note.content` are its notes. */
            key: string;
            /** @description Its text: 1,000 characters at most, of notes 10,000. */
            value: string;
        };
        /**
         * SetMlflowTagResponse
         * @description Nothing.
         */
        SetMlflowTagResponse: Record<string, never>;
        /**
         * SetOwnEmailPreferenceRequest
         * @description The caller's choice about e-mails.
         */
        SetOwnEmailPreferenceRequest: {
            /** @description Whether the member wants no e-mails. */
            email_opted_out: boolean;
        };
        /**
         * SignInProvider
         * @description An identity provider that people can sign in with.
         */
        SignInProvider: {
            /** @description Its name in paths. */
            id: string;
            /** @description Its name for people. */
            name: string;
        };
        /**
         * StartAutomationRunRequest
         * @description The automation to run, and its input.
         */
        StartAutomationRunRequest: {
            /** @description What its templates read as `input`. */
            input?: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * StartExternalLinkRequest
         * @description The provider, the name under which the tokens are stored, and whether they may be replaced.
         */
        StartExternalLinkRequest: {
            /** @description Name for the tokens; unique in the organisation. */
            secret_name: string;
            /**
             * @description What they are for.
             * @default
             */
            secret_description?: string;
        };
        /**
         * StartRolloutRequest
         * @description The deployment, and the version of its model to roll out.
         */
        StartRolloutRequest: {
            /** @description The version of the model; the newest ready one when absent. */
            model_version_id?: string | null;
        };
        /**
         * StartSocialnetLinkRequest
         * @description The name under which the tokens are stored, and whether they may be replaced.
         */
        StartSocialnetLinkRequest: {
            /** @description Name for the tokens; unique in the organisation. */
            secret_name: string;
            /**
             * @description What they are for.
             * @default
             */
            secret_description?: string;
        };
        /** StepTemplate */
        StepTemplate: components["schemas"]["PromptStep"] | components["schemas"]["DictionaryStep"] | components["schemas"]["EmailStep"] | components["schemas"]["TrainStep"] | components["schemas"]["DeployStep"] | components["schemas"]["DatasetStep"] | components["schemas"]["EmbedStep"];
        /**
         * StreamAddress
         * @description Where a stream is, and from where on it is wanted.
         */
        StreamAddress: {
            /** @description Path and query of a GET operation that streams events. */
            path: string;
            /** @description Id of the last event that was received of it; the stream goes on after it. Absent: the stream begins as it does without `Last-Event-ID`. */
            last_event_id?: string | null;
        };
        /**
         * StreamHeartbeat
         * @description Nothing but alive.
         */
        StreamHeartbeat: Record<string, never>;
        /**
         * StreamProblem
         * @description Why a stream is refused, or has failed.
         */
        StreamProblem: {
            /** @description HTTP status that the operation would answer. */
            status: number;
            /** @description Body that the operation would answer. */
            body: {
                [key: string]: unknown;
            };
            /** @description Seconds after which asking again may help, as `Retry-After` says. */
            retry_after_seconds: number | null;
        };
        /**
         * SupervisionLease
         * @description A lease.
         */
        SupervisionLease: {
            /**
             * Format: uuid
             * @description uuid.
             */
            supervision_id: string;
            /** @description Fencing number: higher for every lease and every takeover of the job. */
            epoch: number;
            /** @description The member who holds it; null when an API key holds it. */
            holder_member_id: string | null;
            /**
             * Format: date-time
             * @description When it was acquired.
             */
            acquired_at: string;
            /**
             * Format: date-time
             * @description When it ends unless it is renewed.
             */
            expires_at: string;
        };
        /**
         * TakeJobRequest
         * @description Who takes the job.
         */
        TakeJobRequest: {
            /**
             * Format: uuid
             * @description uuid of this process's attachment. The same id again changes nothing; a new id takes the job over.
             */
            attachment_id: string;
        };
        /**
         * TakeJobResponse
         * @description Where the job stands.
         */
        TakeJobResponse: {
            /** @description The job's state. */
            state: components["schemas"]["JobState"];
            /** @description Highest report counter that is durable; go on above it. */
            durable_counter: number;
            /** @description Index of the active segment. */
            active_segment: number;
            /** @description Highest fencing epoch given out; refuse commands of a lower one. */
            epoch: number;
            /** @description Overrides in force: what applied commands have changed of the configuration, the newest value of each key. */
            overrides: {
                [key: string]: unknown;
            } | null;
            /** @description Versions of datasets that the run reads. A trainer downloads them by `DownloadRunDataset`, and compares what it has with `content_sha256`. */
            datasets: components["schemas"]["RunDataset"][];
        };
        /**
         * TrainStep
         * @description Starts a run of a pipeline, or commands a job; once.
         */
        TrainStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "train";
            /**
             * @description What is to be done.
             * @enum {string}
             */
            action: "start_run" | "continue" | "pause" | "resume" | "rollback" | "warm_restart" | "finish_from_checkpoint" | "abort";
            /** @description The pipeline. A run that starts from another run is that run's pipeline's by default. */
            pipeline_id?: string;
            /** @description The run to command. */
            run_id?: string;
            /** @description The run whose jobs are started again. */
            from_run_id?: string;
            /** @description The job to command, or to wait for. Absent: the first. */
            job_name?: string;
            /** @description The new run's name. Absent: the automation's. */
            name?: string;
            /** @description The new run's jobs: a JSON list. */
            jobs?: unknown;
            /** @description Members of the configuration that are to be otherwise: a JSON object. */
            configuration?: unknown;
            /** @description The checkpoint that a command names. */
            checkpoint_id?: string;
            /** @description What a command changes: a JSON object. */
            runtime_overrides?: unknown;
            /** @description Whether the step waits for the end. Default true. */
            wait?: boolean;
            /**
             * @description Versions of datasets that the new run reads: a JSON list of `{name, dataset_id, version_id}`. Absent: none, also where it starts from another run. The
             *     publisher delegates `data:read` for it.
             */
            datasets?: unknown;
        } & {
            [key: string]: unknown;
        };
        /**
         * TrainingControlAction
         * @description What a command asks for.
         * @enum {string}
         */
        TrainingControlAction: "continue" | "pause" | "resume" | "rollback" | "warm_restart" | "finish_from_checkpoint" | "abort";
        /**
         * TrainingControlCommandRead
         * @description A command as it stands.
         */
        TrainingControlCommandRead: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description Place among the commands of the job, from 1, without gaps. */
            sequence: number;
            /** @description The action. */
            action: components["schemas"]["TrainingControlAction"];
            /** @description The checkpoint asked for; once applied, the one that was used. */
            checkpoint_id: string | null;
            /** @description Where it stands. */
            status: components["schemas"]["TrainingControlCommandStatus"];
            /**
             * Format: uuid
             * @description The key it was created with.
             */
            idempotency_key: string;
            /** @description The member who asked; null when an API key acted for itself. */
            requested_by_member_id: string | null;
            /** @description Why it was rejected, or what there is to say of it. */
            detail: string | null;
            /**
             * @description Settings to change with it, as sent.
             * @default {}
             */
            runtime_overrides: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            created_at: string;
            /** @description When the trainer acknowledged its effect. */
            applied_at: string | null;
        };
        /**
         * TrainingControlCommandStatus
         * @description Where a command stands. Applied and rejected are final.
         * @enum {string}
         */
        TrainingControlCommandStatus: "pending" | "applied" | "rejected";
        /**
         * TrainingJobInput
         * @description A job as declared when its run is created.
         */
        "TrainingJob-Input": {
            /** @description Unique in the run. */
            name: string;
            /**
             * @description Keys it takes in `runtime_overrides`.
             * @default []
             */
            overrides?: components["schemas"]["OverrideDeclaration-Input"][];
            /**
             * @description The metric that decides which checkpoint is best. Empty: none.
             * @default
             */
            primary_metric?: string;
            /**
             * @description Its goal; needed with primary_metric.
             * @default null
             */
            primary_metric_goal?: components["schemas"]["MetricGoal"] | null;
            /**
             * @description Seconds without progress after which a running job counts as stalled. 0: 120.
             * @default 0
             */
            stall_timeout_seconds?: number;
            /**
             * @description Seconds without a heartbeat after which it counts as lost. 0: 60.
             * @default 0
             */
            heartbeat_timeout_seconds?: number;
            /**
             * @description What happens when a supervision lease expires. Unspecified: keep.
             * @default keep
             */
            lease_expiry_policy?: components["schemas"]["LeaseExpiryPolicy"];
            /** @description Handed to the trainer as it is. */
            configuration?: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * TrainingJobOutput
         * @description A job as declared when its run is created.
         */
        "TrainingJob-Output": {
            /** @description Unique in the run. */
            name: string;
            /**
             * @description Keys it takes in `runtime_overrides`.
             * @default []
             */
            overrides: components["schemas"]["OverrideDeclaration-Output"][];
            /**
             * @description The metric that decides which checkpoint is best. Empty: none.
             * @default
             */
            primary_metric: string;
            /**
             * @description Its goal; needed with primary_metric.
             * @default null
             */
            primary_metric_goal: components["schemas"]["MetricGoal"] | null;
            /**
             * @description Seconds without progress after which a running job counts as stalled. 0: 120.
             * @default 0
             */
            stall_timeout_seconds: number;
            /**
             * @description Seconds without a heartbeat after which it counts as lost. 0: 60.
             * @default 0
             */
            heartbeat_timeout_seconds: number;
            /**
             * @description What happens when a supervision lease expires. Unspecified: keep.
             * @default keep
             */
            lease_expiry_policy: components["schemas"]["LeaseExpiryPolicy"];
            /** @description Handed to the trainer as it is. */
            configuration: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * UnreferencedArtifact
         * @description An artifact that nothing refers to.
         */
        UnreferencedArtifact: {
            /** @description SHA-256 of it, hexadecimal. */
            artifact_sha256: string;
            /** @description Size in bytes. */
            size_bytes: number;
            /**
             * Format: date-time
             * @description Since when nothing is known to refer to it.
             */
            unreferenced_since: string;
        };
        /**
         * UpdateAutomationSettingsRequest
         * @description The settings to change.
         */
        UpdateAutomationSettingsRequest: {
            /** @description Whether it runs. */
            enabled?: boolean | null;
            /** @description Failures in a row after which it is disabled; 0: never. */
            failures_until_disabled?: number | null;
            /** @description The member who is told of deprecations. */
            owner_member_id?: string | null;
            /** @description Whether the owner is told by an e-mail draft besides the event. */
            drafts_for_owner?: boolean | null;
        };
        /**
         * UpdateCustomServingDeploymentRequest
         * @description The bundle that replaces the current one.
         */
        UpdateCustomServingDeploymentRequest: {
            /** @description What serves, and by which rules. */
            serving_bundle: components["schemas"]["ServingBundle-Input"];
            /**
             * @description Models that the bundle uses.
             * @default []
             */
            model_refs?: components["schemas"]["ModelRef"][];
            /**
             * @description Contents of the bundle's files.
             * @default []
             */
            artifacts?: components["schemas"]["ArtifactContent"][];
            /** @description How it runs; as it ran when absent. */
            serverless_run_config?: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * UpdateEmailDraftRequest
         * @description The new fields of the draft.
         */
        UpdateEmailDraftRequest: {
            /** @description Subject, a Liquid template; what it makes is one line. */
            subject: string;
            /**
             * @description Text, a Liquid template.
             * @default
             */
            text?: string;
            /**
             * @description HTML, a Liquid template; values are escaped. Empty: text only.
             * @default
             */
            html?: string;
            /**
             * @description Recipients: members of the organisation, in this order.
             * @default []
             */
            recipient_member_ids?: string[];
        };
        /**
         * UpdateMlflowExperimentRequest
         * @description What changes of an experiment.
         */
        UpdateMlflowExperimentRequest: {
            /** @description Id of the pipeline, or `0`. */
            experiment_id: string;
            /** @description Its name from now on. */
            new_name: string;
        };
        /**
         * UpdateMlflowExperimentResponse
         * @description Nothing.
         */
        UpdateMlflowExperimentResponse: Record<string, never>;
        /**
         * UpdateMlflowRunRequest
         * @description What changes of a run.
         */
        UpdateMlflowRunRequest: {
            /**
             * Format: uuid
             * @description The run.
             */
            run_id: string;
            /**
             * @description `RUNNING`, `FINISHED`, `FAILED` or `KILLED`. Empty: as it is.
             * @enum {string}
             */
            status?: "" | "RUNNING" | "FINISHED" | "FAILED" | "KILLED";
            /** @description Its name from now on. Empty: as it is. */
            run_name?: string;
        };
        /**
         * UpdateMlflowRunResponse
         * @description The run as it is now.
         */
        UpdateMlflowRunResponse: {
            /** @description What it is. */
            run_info: components["schemas"]["MlflowRunInfo"] | null;
        };
        /**
         * UpdatePipelineRequest
         * @description What changes of the pipeline.
         */
        UpdatePipelineRequest: {
            /** @description Name for people. */
            name?: string | null;
            /** @description What it is for. */
            description?: string | null;
            /** @description Anything else, up to 16 KiB, in place of what there is. */
            annotations?: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * UpdateRoleRequest
         * @description The new fields of the role.
         */
        UpdateRoleRequest: {
            /** @description Name for people; blanks around it are cut off. */
            name: string;
            /** @description All that it grants from now on; repeats collapse, order is kept. */
            permission_ids: ("apikeys:manage" | "apikeys:policy" | "audit:read" | "automations:read" | "automations:run" | "automations:write" | "data:export" | "data:read" | "data:write" | "deployments:predict" | "deployments:promote" | "deployments:read" | "deployments:write" | "dictionary:read" | "dictionary:write" | "emails:send" | "emails:write" | "features:delete" | "features:read" | "features:write" | "members:manage" | "metrics:read" | "metrics:report" | "models:read" | "models:write" | "notebooks:use" | "oauth:link" | "organisations:manage" | "quotas:read" | "roles:manage" | "training:command" | "training:override" | "training:write" | "workspaces:manage" | "workspaces:read")[];
        };
        /**
         * UpdateRunRequest
         * @description What changes of the run.
         */
        UpdateRunRequest: {
            /** @description Name for people. */
            name?: string | null;
            /** @description What people say of it. */
            notes?: string | null;
            /**
             * @description Tags to set; an empty text removes a tag, and tags that are not named stay. A run has 100 at most.
             * @default {}
             */
            tags?: {
                [key: string]: string;
            };
        };
        /**
         * UpdateWorkspaceSettingsRequest
         * @description The settings to change.
         */
        UpdateWorkspaceSettingsRequest: {
            /** @description Whether workspaces are in use. */
            workspaces_enabled?: boolean | null;
            /** @description Whether assets in no workspace are grouped by themselves. */
            auto_grouping_enabled?: boolean | null;
        };
        /** ValidationError */
        ValidationError: {
            /** Location */
            loc: (string | number)[];
            /** Message */
            msg: string;
            /** Error Type */
            type: string;
            /** Input */
            input?: unknown;
            /** Context */
            ctx?: Record<string, never>;
        };
        /**
         * Workspace
         * @description A workspace.
         */
        Workspace: {
            /**
             * Format: uuid
             * @description uuid.
             */
            id: string;
            /** @description The organisation it belongs to. */
            organisation_id: string;
            /** @description Name for people. */
            name: string;
            /** @description What it is. */
            description: string;
            /** @description The proposal's draft it was made from. Absent when the platform's own rule made it. */
            draft_id: string | null;
            /** @description The asset it grew from. */
            seed_asset_id: string | null;
            /** @description Assets in it. */
            asset_count: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /**
         * WorkspaceAsset
         * @description An asset in a workspace, and why.
         */
        WorkspaceAsset: {
            /**
             * Format: uuid
             * @description The workspace.
             */
            workspace_id: string;
            /**
             * Format: uuid
             * @description The asset.
             */
            asset_id: string;
            /** @description The asset's name. */
            asset_name: string;
            /** @description What it is to the workspace, such as `primary` or `supporting`. */
            role: string;
            /** @description Who put it there, such as `manual`, `auto` or `seed`. */
            source: string;
            /** @description How sure that is, 0 to 1. */
            confidence: number;
            /** @description What speaks for it. */
            evidence: {
                [key: string]: unknown;
            };
            /** @description Version of the algorithm that proposed it. */
            algorithm_version: string;
            /** @description Who accepted it. Absent when a key or the platform did. */
            accepted_by_member_id: string | null;
            /**
             * Format: date-time
             * @description When it came into the workspace.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When what is known of it last changed.
             */
            updated_at: string;
        };
        /**
         * WorkspaceProposal
         * @description A workspace as proposed.
         */
        WorkspaceProposal: {
            /** @description Name for people. */
            name: string;
            /** @description The draft it stands for: the same draft again updates the workspace. */
            draft_id: string;
            /**
             * @description What it is.
             * @default
             */
            description?: string;
            /** @description The asset it grew from; one of `assets` unless that is empty. */
            seed_asset_id?: string | null;
            /**
             * @description What is in it. A request holds at most 5,000 in all its workspaces together.
             * @default []
             */
            assets?: components["schemas"]["ProposedAsset"][];
        };
        /**
         * WorkspaceSettings
         * @description An organisation's settings.
         */
        WorkspaceSettings: {
            /** @description The organisation. */
            organisation_id: string;
            /** @description Whether workspaces are in use. */
            workspaces_enabled: boolean;
            /** @description Whether assets in no workspace are grouped by themselves. */
            auto_grouping_enabled: boolean;
            /** @description How far grouping is. */
            grouping_status: components["schemas"]["GroupingStatus"];
            /** @description Where the last grouping came from. Absent before the first. */
            last_grouping_run_type: components["schemas"]["GroupingRunType"] | null;
            /** @description When it began. */
            last_grouping_started_at: string | null;
            /** @description When it ended. */
            last_grouping_completed_at: string | null;
            /** @description Why it failed. Absent unless it did. */
            last_grouping_error: string | null;
            /** @description Version of the algorithm behind the last grouping. Absent before the first. */
            grouping_algorithm_version: string | null;
            /**
             * Format: date-time
             * @description When the settings came to be.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When they last changed.
             */
            updated_at: string;
        };
    };
    responses: {
        /** @description The request is not valid HTTP, or its body cannot be read */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No valid credential */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credential lacks a permission */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not found */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFound"];
            };
        };
        /** @description The request did not arrive in time */
        RequestTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Another request at the same time was faster; nothing was done */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is too large */
        ContentTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body's encoding is not known */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The range begins behind the last byte */
        RangeNotSatisfiable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Your budget is used up; Retry-After says when to try again */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request's URL and headers are too large */
        HeadersTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Internal error */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service that runs does not know the operation: it is older than this description */
        NotImplemented: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Temporarily unavailable; Retry-After says when to try again */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The answer took too long */
        Timeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Validation Error */
        UnprocessableContent: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["HTTPValidationError"];
            };
        };
        /** @description The request is not valid HTTP, or its body cannot be read */
        BadRequestInPlatformMlflow: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error_code: string;
                    message: string;
                };
            };
        };
        /** @description No valid credential */
        UnauthorizedInPlatformMlflow: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error_code: string;
                    message: string;
                };
            };
        };
        /** @description The credential lacks a permission */
        ForbiddenInPlatformMlflow: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error_code: string;
                    message: string;
                };
            };
        };
        /** @description The request did not arrive in time */
        RequestTimeoutInPlatformMlflow: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error_code: string;
                    message: string;
                };
            };
        };
        /** @description Another request at the same time was faster; nothing was done */
        ConflictInPlatformMlflow: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error_code: string;
                    message: string;
                };
            };
        };
        /** @description The body is too large */
        ContentTooLargeInPlatformMlflow: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error_code: string;
                    message: string;
                };
            };
        };
        /** @description The body's encoding is not known */
        UnsupportedMediaTypeInPlatformMlflow: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error_code: string;
                    message: string;
                };
            };
        };
        /** @description Your budget is used up; Retry-After says when to try again */
        TooManyRequestsInPlatformMlflow: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error_code: string;
                    message: string;
                };
            };
        };
        /** @description The request's URL and headers are too large */
        HeadersTooLargeInPlatformMlflow: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error_code: string;
                    message: string;
                };
            };
        };
        /** @description Internal error */
        InternalErrorInPlatformMlflow: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error_code: string;
                    message: string;
                };
            };
        };
        /** @description The service that runs does not know the operation: it is older than this description */
        NotImplementedInPlatformMlflow: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error_code: string;
                    message: string;
                };
            };
        };
        /** @description Temporarily unavailable; Retry-After says when to try again */
        UnavailableInPlatformMlflow: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error_code: string;
                    message: string;
                };
            };
        };
        /** @description The answer took too long */
        TimeoutInPlatformMlflow: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error_code: string;
                    message: string;
                };
            };
        };
        /** @description Validation Error */
        UnprocessableContentInPlatformMlflow: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error_code: string;
                    message: string;
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Seconds to wait before the request is repeated; it had no effect. */
        "Retry-After": number;
        /** @description `Bearer`, with `error="invalid_token"` where a credential was shown. */
        "WWW-Authenticate": string;
        /** @description Version of what is answered, for `If-None-Match` and `If-Match`. */
        ETag: string;
        /** @description Names the request in logs; taken over from the request where it has one. */
        "X-Request-Id": string;
        /** @description What is left of the organisation's rate at this gateway. */
        RateLimit: string;
        /** @description The organisation's rate: requests (`q`) in so many seconds (`w`). */
        "RateLimit-Policy": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAutomations: {
        parameters: {
            query?: {
                /** @description Automations at most, 1 to 1,000. Default 1,000. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which automations, such as `updated_at >= 2026-03-02T09:00:00Z`. Empty: all.
                 *
                 *     Fields:
                 *     - `name` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 */
                filter?: string;
                /**
                 * @description In which order, such as `name`.
                 *
                 *     One of `name`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.
                 */
                order_by?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Automation"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createAutomation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAutomationRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Automation"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAutomation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The automation's id. */
                automation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Automation"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteAutomation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The automation's id. */
                automation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Automation"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAutomationDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` of an earlier answer: 304 while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The automation's id. */
                automation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationVersionEntry"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    saveAutomationDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes nothing unless the draft still has this ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The automation's id. */
                automation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveAutomationDraftRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationVersionEntry"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    publishAutomation: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag of the draft that you read. Another draft is not published. */
                "If-Match": string;
            };
            path: {
                /** @description The automation's id. */
                automation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedAutomation"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAutomationVersions: {
        parameters: {
            query?: {
                /** @description Versions at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which versions, such as `status = superseded`. Empty: all.
                 *
                 *     Fields:
                 *     - `status` (`=` `!=`): one of `draft`, `published`, `superseded`
                 *     - `feature_keys` (`=` `:`): a text; any of them
                 *     - `published_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 */
                filter?: string;
                /**
                 * @description In which order, such as `created_at asc`.
                 *
                 *     One of `created_at`, and `asc` or `desc`. Default: `created_at desc`.
                 */
                order_by?: string;
            };
            header?: never;
            path: {
                /** @description The automation's id. */
                automation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationVersionEntry"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAutomationRuns: {
        parameters: {
            query?: {
                /** @description Runs at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which runs, such as `status = failed`. Empty: all.
                 *
                 *     Fields:
                 *     - `status` (`=` `!=`): one of `queued`, `running`, `waiting`, `succeeded`, `failed`, `cancelled`
                 *     - `version_id` (`=` `!=`): an id
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `ended_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one
                 */
                filter?: string;
                /**
                 * @description In which order, such as `created_at asc`.
                 *
                 *     One of `created_at`, and `asc` or `desc`. Default: `created_at desc`.
                 */
                order_by?: string;
            };
            header?: never;
            path: {
                /** @description The automation's id. */
                automation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationRun"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    startAutomationRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The automation's id. */
                automation_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StartAutomationRunRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationRun"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAutomationRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run's id. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationRun"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelAutomationRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run's id. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationRun"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAutomationSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The automation's id. */
                automation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationSettings"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateAutomationSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The automation's id. */
                automation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAutomationSettingsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationSettings"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patchDataDictionary: {
        parameters: {
            query?: {
                /** @description Whether a program may replace what a person wrote. */
                override?: boolean;
                /** @description Whether to answer what would be, and change nothing. */
                dry_run?: boolean;
            };
            header?: {
                /** @description Changes nothing unless the dictionary still has this ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DataDictionaryEntry"][];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataDictionaryEntry"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDataDictionary: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` of an earlier answer: 304 while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataDictionaryEntry"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDataDictionaryHistory: {
        parameters: {
            query?: {
                /** @description Only those of this entry. */
                name?: string;
                /** @description Changes at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which changes, such as `changed_at >= 2026-03-02T09:00:00Z`. Empty: all.
                 *
                 *     Fields:
                 *     - `name` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `author_member_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `version` (`=` `!=` `<` `<=` `>` `>=`): a number
                 *     - `changed_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 */
                filter?: string;
                /**
                 * @description In which order, such as `version asc`.
                 *
                 *     One of `version`, and `asc` or `desc`. Default: `version desc`.
                 */
                order_by?: string;
            };
            header?: never;
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataDictionaryChange"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteDataDictionaryEntry: {
        parameters: {
            query?: {
                /** @description Whether a program may delete what a person wrote. */
                override?: boolean;
            };
            header?: {
                /** @description Changes nothing unless the dictionary still has this ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
                /** @description The entry's name. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataDictionaryEntry"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDatasets: {
        parameters: {
            query?: {
                /** @description Datasets at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which datasets, such as `name = "Digits"`. Empty: all.
                 *
                 *     Fields:
                 *     - `name` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 */
                filter?: string;
                /**
                 * @description In which order, such as `name`.
                 *
                 *     One of `name`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.
                 */
                order_by?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dataset"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createDataset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDatasetRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDataset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteDataset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    inferDatasetColumns: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InferDatasetColumnsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setDatasetSensitiveColumns: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetDatasetSensitiveColumnsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendEmailDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The draft's id. */
                draft_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailSendResult"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listEmailDrafts: {
        parameters: {
            query?: {
                /** @description Drafts at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which drafts, such as `status = sent`. Empty: all.
                 *
                 *     Fields:
                 *     - `subject` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `status` (`=` `!=`): one of `draft`, `sending`, `sent`, `partially_sent`, `failed`
                 *     - `recipient_member_ids` (`=` `:`): an id; any of them
                 *     - `created_by_member_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `sent_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one
                 */
                filter?: string;
                /**
                 * @description In which order, such as `created_at desc`.
                 *
                 *     One of `created_at`, and `asc` or `desc`. Default: `created_at asc`.
                 */
                order_by?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailDraft"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createEmailDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateEmailDraftRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailDraft"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getEmailDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` of an earlier answer: 304 while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The draft's id. */
                draft_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailDraft"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateEmailDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes nothing unless the draft still has this ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The draft's id. */
                draft_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateEmailDraftRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailDraft"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteEmailDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The draft's id. */
                draft_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailDraft"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    previewEmailDraft: {
        parameters: {
            query?: {
                /** @description A recipient. Absent: the first. */
                member_id?: string;
            };
            header?: never;
            path: {
                /** @description The draft's id. */
                draft_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailPreview"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listEmailDeliveries: {
        parameters: {
            query?: {
                /** @description Deliveries at most, 1 to 1,000. Default 1,000. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which deliveries, such as `status = failed`. Empty: all.
                 *
                 *     Fields:
                 *     - `recipient_member_id` (`=` `!=`): an id
                 *     - `recipient_email` (`=` `!=` `<` `<=` `>` `>=`): a text, empty where the address is not known
                 *     - `status` (`=` `!=`): one of `sent`, `failed`, `skipped`, `unknown`, `pending`
                 *     - `position` (`=` `!=` `<` `<=` `>` `>=`): a number, the place among the recipients, from 0
                 */
                filter?: string;
                /**
                 * @description In which order, such as `position desc`.
                 *
                 *     One of `position`, and `asc` or `desc`. Default: `position asc`.
                 */
                order_by?: string;
            };
            header?: never;
            path: {
                /** @description The draft's id. */
                draft_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailDelivery"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    watchEmailSending: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The draft's id. */
                draft_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["EmailSendingProgress"];
                    "application/x-ndjson": components["schemas"]["EmailSendingProgress"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteFeature: {
        parameters: {
            query?: {
                /** @description Whether to answer what would be, and change nothing. */
                dry_run?: boolean;
                /** @description Whether to deprecate even if nothing uses it. */
                keep?: boolean;
            };
            header?: never;
            path: {
                /** @description The feature's key. */
                feature_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeatureDeleteResult"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFeature: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` of an earlier answer: 304 while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The feature's key. */
                feature_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feature"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putFeature: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes nothing unless the feature still has this ETag. `"0"`: unless there is none. */
                "If-Match"?: string;
            };
            path: {
                /** @description The feature's key. */
                feature_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutFeatureRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feature"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listFeatures: {
        parameters: {
            query?: {
                /** @description Features at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which features, such as `status = deprecated`. Empty: all.
                 *
                 *     Fields:
                 *     - `key` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `status` (`=` `!=`): one of `active`, `deprecated`, `deleted`
                 *     - `owner_member_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 */
                filter?: string;
                /**
                 * @description In which order, such as `key desc`.
                 *
                 *     One of `key`, and `asc` or `desc`. Default: `key asc`.
                 */
                order_by?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feature"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    restoreFeature: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The feature's key. */
                feature_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feature"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listFeatureUsages: {
        parameters: {
            query?: {
                /** @description Uses at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which uses, such as `asset_type = automation`. Empty: all.
                 *
                 *     Fields:
                 *     - `asset_type` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `asset_id` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `asset_name` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `created_by_member_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 */
                filter?: string;
                /**
                 * @description In which order, such as `asset_name desc`.
                 *
                 *     One of `asset_name`, and `asc` or `desc`. Default: `asset_name asc`.
                 */
                order_by?: string;
            };
            header?: never;
            path: {
                /** @description The feature's key. */
                feature_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AffectedAsset"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putFeatureUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The feature's key. */
                feature_key: string;
                /** @description What uses it: `deployment`, `model`, `workspace`, `notebook` or `email_template`. Of automations the platform knows. */
                asset_type: "deployment" | "model" | "workspace" | "notebook" | "email_template";
                /** @description The id of what uses it. */
                asset_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutFeatureUsageRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AffectedAsset"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteFeatureUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The feature's key. */
                feature_key: string;
                /** @description What uses it: `deployment`, `model`, `workspace`, `notebook` or `email_template`. Of automations the platform knows. */
                asset_type: "deployment" | "model" | "workspace" | "notebook" | "email_template";
                /** @description The id of what uses it. */
                asset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AffectedAsset"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quota"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                /** @description One to eight words. */
                q: string;
                /** @description Only these kinds; none: all that the caller may read. */
                kinds?: components["schemas"]["SearchKind"][];
                /** @description Whether archived pipelines and runs, and members who are not active, are found, too. */
                include_archived?: boolean;
                /** @description Results at most, 1 to 100. Default 20. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDatasetEmbeddings: {
        parameters: {
            query?: {
                /** @description Embeddings at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which embeddings, such as `state = ready`. Empty: all.
                 *
                 *     Fields:
                 *     - `state` (`=` `!=`): one of `pending`, `embedding`, `ready`, `failed`, `cancelled`, `purging`
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 */
                filter?: string;
                /**
                 * @description In which order, such as `created_at`.
                 *
                 *     One of `created_at`, and `asc` or `desc`. Default: `created_at desc`.
                 */
                order_by?: string;
            };
            header?: never;
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
                /** @description The version's id. */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetEmbedding"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createDatasetEmbedding: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
                /** @description The version's id. */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDatasetEmbeddingRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetEmbedding"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDatasetEmbedding: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
                /** @description The version's id. */
                version_id: string;
                /** @description The embedding's id. */
                embedding_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetEmbedding"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelDatasetEmbedding: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
                /** @description The version's id. */
                version_id: string;
                /** @description The embedding's id. */
                embedding_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetEmbedding"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDatasetVectors: {
        parameters: {
            query?: {
                /** @description Which embedding. Absent: the newest of the dataset that is ready. */
                embedding_id?: string;
                /** @description Vectors at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetVector"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    searchDatasetVectors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SearchDatasetVectorsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetVectorMatch"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    queryDatasets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QueryDatasetsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryDatasetsResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDatasetVersions: {
        parameters: {
            query?: {
                /** @description Versions at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which versions, such as `state = ready`. Empty: all.
                 *
                 *     Fields:
                 *     - `number` (`=` `!=` `<` `<=` `>` `>=`): a number
                 *     - `state` (`=` `!=`): one of `pending`, `reading`, `ready`, `failed`, `purging`, `purged`
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 */
                filter?: string;
                /**
                 * @description In which order, such as `number`.
                 *
                 *     One of `number`, `created_at`, and `asc` or `desc`. Default: `number desc`.
                 */
                order_by?: string;
            };
            header?: never;
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetVersion"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createDatasetVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateDatasetVersionRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetVersion"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createDatasetSuccessor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
                /** @description The id of the predecessor. */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDatasetSuccessorRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetVersion"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDatasetVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
                /** @description The version's id. */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetVersion"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDatasetRows: {
        parameters: {
            query?: {
                /** @description Rows at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /** @description Rows before the first one that is answered, of those that the filter finds. Not together with `cursor`. Default 0. */
                offset?: number;
                /** @description Names of the columns that are answered, in this order. Empty: all. */
                columns?: string[];
                /**
                 * @description Which rows, by the names of columns, such as `price > 10 AND country = "NO"`. Empty: all. Dates are written as 2026-03-02, times with their
                 *     zone; a name with special characters stands in quotes; `:*` asks whether there is a value.
                 */
                filter?: string;
                /** @description Order by one column, such as `price desc`. Missing values come last. Empty: the order of the files. */
                order_by?: string;
                /** @description Rows that are picked at random instead of a page, among those that the filter finds. Not together with `cursor`, `offset` or `order_by`. */
                sample?: number;
                /** @description Makes a sample repeatable: the same seed picks the same rows. Default 0. */
                seed?: number;
            };
            header?: never;
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
                /** @description The version's id. */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    }[];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDatasetStatistics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
                /** @description The version's id. */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetStatistics"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadDatasetVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Bytes that are wanted, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-512`. Default: all. */
                Range?: string;
                /** @description An `ETag`: where it is another one by now, `Range` does not count. */
                "If-Range"?: string;
                /** @description An `ETag` of an earlier answer: 304 while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
                /** @description The version's id. */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Digest of all bytes, as RFC 9530 writes it: `sha-256=:…:`. */
                    "Repr-Digest"?: string;
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The range that was asked for */
            206: {
                headers: {
                    /** @description Digest of all bytes, as RFC 9530 writes it: `sha-256=:…:`. */
                    "Repr-Digest"?: string;
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    purgeDatasetVersion: {
        parameters: {
            query?: {
                /** @description Whether to answer what would be, and change nothing. */
                dry_run?: boolean;
            };
            header?: never;
            path: {
                /** @description The dataset's id. */
                dataset_id: string;
                /** @description The version's id. */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetVersion"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadArtifact: {
        parameters: {
            query?: never;
            header?: {
                /** @description Bytes that are wanted, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-512`. Default: all. */
                Range?: string;
                /** @description An `ETag`: where it is another one by now, `Range` does not count. */
                "If-Range"?: string;
                /** @description An `ETag` of an earlier answer: 304 while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description SHA-256 of the artifact, hexadecimal. */
                artifact_sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Digest of all bytes, as RFC 9530 writes it: `sha-256=:…:`. */
                    "Repr-Digest"?: string;
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The range that was asked for */
            206: {
                headers: {
                    /** @description Digest of all bytes, as RFC 9530 writes it: `sha-256=:…:`. */
                    "Repr-Digest"?: string;
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putArtifact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description SHA-256 of the artifact, hexadecimal. In the first message; ignored in others. */
                artifact_sha256: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutArtifactResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDownloadUrl: {
        parameters: {
            query?: {
                /** @description Seconds until the URL expires, 1 to 3,600. Default 300. */
                expires_in_seconds?: number;
            };
            header?: never;
            path: {
                /** @description SHA-256 of the artifact, hexadecimal. */
                artifact_sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDownloadUrlResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description SHA-256 of the artifact, hexadecimal. */
                artifact_sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetUploadResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    appendToUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description Where the body's first byte stands in the artifact: what `GetUpload` answers as `received_bytes`. */
                "Upload-Offset": number;
                /** @description Bytes of the whole artifact. */
                "Upload-Length": number;
            };
            path: {
                /** @description SHA-256 of the whole artifact, hexadecimal. In the first message; ignored in others. */
                artifact_sha256: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppendToUploadResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    collectArtifacts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CollectArtifactsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectArtifactsResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadModelVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Bytes that are wanted, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-512`. Default: all. */
                Range?: string;
                /** @description An `ETag`: where it is another one by now, `Range` does not count. */
                "If-Range"?: string;
                /** @description An `ETag` of an earlier answer: 304 while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The version's id. */
                model_version_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Digest of all bytes, as RFC 9530 writes it: `sha-256=:…:`. */
                    "Repr-Digest"?: string;
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The range that was asked for */
            206: {
                headers: {
                    /** @description Digest of all bytes, as RFC 9530 writes it: `sha-256=:…:`. */
                    "Repr-Digest"?: string;
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadJobResult: {
        parameters: {
            query?: never;
            header?: {
                /** @description Bytes that are wanted, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-512`. Default: all. */
                Range?: string;
                /** @description An `ETag`: where it is another one by now, `Range` does not count. */
                "If-Range"?: string;
                /** @description An `ETag` of an earlier answer: 304 while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job within the run. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Digest of all bytes, as RFC 9530 writes it: `sha-256=:…:`. */
                    "Repr-Digest"?: string;
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The range that was asked for */
            206: {
                headers: {
                    /** @description Digest of all bytes, as RFC 9530 writes it: `sha-256=:…:`. */
                    "Repr-Digest"?: string;
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadMedia: {
        parameters: {
            query?: never;
            header?: {
                /** @description Bytes that are wanted, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-512`. Default: all. */
                Range?: string;
                /** @description An `ETag`: where it is another one by now, `Range` does not count. */
                "If-Range"?: string;
                /** @description An `ETag` of an earlier answer: 304 while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description Its id, as the list of the run's media says it. */
                media_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Digest of all bytes, as RFC 9530 writes it: `sha-256=:…:`. */
                    "Repr-Digest"?: string;
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/webp": string;
                    "text/plain": string;
                    "application/json": unknown;
                };
            };
            /** @description The range that was asked for */
            206: {
                headers: {
                    /** @description Digest of all bytes, as RFC 9530 writes it: `sha-256=:…:`. */
                    "Repr-Digest"?: string;
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/webp": string;
                    "text/plain": string;
                    "application/json": unknown;
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadRunDataset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Bytes that are wanted, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-512`. Default: all. */
                Range?: string;
                /** @description An `ETag`: where it is another one by now, `Range` does not count. */
                "If-Range"?: string;
                /** @description An `ETag` of an earlier answer: 304 while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The version, as the run names it. */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Digest of all bytes, as RFC 9530 writes it: `sha-256=:…:`. */
                    "Repr-Digest"?: string;
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The range that was asked for */
            206: {
                headers: {
                    /** @description Digest of all bytes, as RFC 9530 writes it: `sha-256=:…:`. */
                    "Repr-Digest"?: string;
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDeploymentRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createCustomServingDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCustomServingDeploymentRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomServingDeployment"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDeployments: {
        parameters: {
            query?: {
                /** @description Entries at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which deployments, such as `status = Running AND name >= "Digits"`. Empty: all.
                 *
                 *     Fields:
                 *     - `name` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `service_name` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `status` (`=` `!=`): one of `Pending`, `Deploying`, `Running`, `Updating`, `Unhealthy`, `Stopped`, `Failed`, `Deleting`
                 *     - `model_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `model_version_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 */
                filter?: string;
                /**
                 * @description In which order, such as `name`.
                 *
                 *     One of `name`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.
                 */
                order_by?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomServingDeployment"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The deployment's id. */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomServingDeployment"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The deployment's id. */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomServingDeployment"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    watchDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The deployment's id. */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["CustomServingDeployment"];
                    "application/x-ndjson": components["schemas"]["CustomServingDeployment"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getServingState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The deployment's id. */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServingState"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDeploymentVersions: {
        parameters: {
            query?: {
                /** @description Entries at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which versions, such as `number > 3`. Empty: all.
                 *
                 *     Fields:
                 *     - `number` (`=` `!=` `<` `<=` `>` `>=`): a number
                 *     - `runtime` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `model_version_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 */
                filter?: string;
                /**
                 * @description In which order, such as `number asc`.
                 *
                 *     One of `number`, and `asc` or `desc`. Default: `number desc`.
                 */
                order_by?: string;
            };
            header?: never;
            path: {
                /** @description The deployment's id. */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentVersion"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRollouts: {
        parameters: {
            query?: {
                /** @description Entries at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which rollouts, such as `status = Failed`. Empty: all.
                 *
                 *     Fields:
                 *     - `status` (`=` `!=`): one of `Queued`, `InProgress`, `Succeeded`, `Failed`, `RolledBack`, `Superseded`
                 *     - `deployment_version_id` (`=` `!=`): an id
                 *     - `queued_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `started_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one
                 *     - `ended_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one
                 */
                filter?: string;
                /**
                 * @description In which order, such as `queued_at asc`.
                 *
                 *     One of `queued_at`, and `asc` or `desc`. Default: `queued_at desc`.
                 */
                order_by?: string;
            };
            header?: never;
            path: {
                /** @description The deployment's id. */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rollout"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    startRollout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The deployment's id. */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StartRolloutRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomServingDeployment"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateCustomServingDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The deployment's id. */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCustomServingDeploymentRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomServingDeployment"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rollBackDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The deployment's id. */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RollBackDeploymentRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomServingDeployment"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setCanary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The deployment's id. */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetCanaryRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomServingDeployment"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endCanary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The deployment's id. */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomServingDeployment"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    promoteDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The deployment's id. */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PromoteDeploymentRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomServingDeployment"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    stopDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The deployment's id. */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomServingDeployment"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    startDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The deployment's id. */
                deployment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomServingDeployment"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLineage: {
        parameters: {
            query: {
                /** @description What the thing is. */
                kind: components["schemas"]["LineageKind"];
                /** @description Its id. */
                id: string;
                /** @description Which way. Default `both`. */
                direction?: components["schemas"]["LineageDirection"];
                /** @description Steps at most, 1 to 20. Default 10. */
                depth?: number;
                /** @description Things at most, 1 to 500. Default 200. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetLineageResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: {
                /** @description Models at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which models, such as `newest_ready_version_id:*`. Empty: all.
                 *
                 *     Fields:
                 *     - `name` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `pipeline_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `newest_ready_version_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 */
                filter?: string;
                /**
                 * @description In which order, such as `name`.
                 *
                 *     One of `name`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.
                 */
                order_by?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateModelRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The model's id. */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listModelVersions: {
        parameters: {
            query?: {
                /** @description Versions at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which versions, such as `status = ready AND format = onnx`. Empty: all.
                 *
                 *     Fields:
                 *     - `number` (`=` `!=` `<` `<=` `>` `>=`): a number
                 *     - `status` (`=` `!=`): one of `pending`, `ready`, `failed`
                 *     - `format` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `artifact_sha256` (`=` `!=`): an id
                 *     - `source.pipeline_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `source.run_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 */
                filter?: string;
                /**
                 * @description In which order, such as `number asc`.
                 *
                 *     One of `number`, and `asc` or `desc`. Default: `number desc`.
                 */
                order_by?: string;
            };
            header?: never;
            path: {
                /** @description The model's id. */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelVersion"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createModelVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The model's id. */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateModelVersionRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelVersion"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getModelVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The version's id. */
                model_version_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelVersion"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retryModelVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The version's id. */
                model_version_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelVersion"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRunFiles: {
        parameters: {
            query?: {
                /** @description Files at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which files, such as `path >= model/ AND size_bytes > 1000000`. Empty: all.
                 *
                 *     Fields:
                 *     - `path` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `size_bytes` (`=` `!=` `<` `<=` `>` `>=`): a number
                 *     - `sha256` (`=` `!=` `<` `<=` `>` `>=`): a text
                 */
                filter?: string;
                /**
                 * @description In which order, such as `created_at desc`.
                 *
                 *     One of `path`, `created_at`, `size_bytes`, and `asc` or `desc`. Default: `path`.
                 */
                order_by?: string;
            };
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunFile"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadRunFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Bytes that are wanted, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-512`. Default: all. */
                Range?: string;
                /** @description An `ETag`: where it is another one by now, `Range` does not count. */
                "If-Range"?: string;
                /** @description An `ETag` of an earlier answer: 304 while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description Path of the file. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Digest of all bytes, as RFC 9530 writes it: `sha-256=:…:`. */
                    "Repr-Digest"?: string;
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The range that was asked for */
            206: {
                headers: {
                    /** @description Digest of all bytes, as RFC 9530 writes it: `sha-256=:…:`. */
                    "Repr-Digest"?: string;
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMlflowArtifacts: {
        parameters: {
            query: {
                /** @description Pipeline, run and folder, such as `019c6b7e-23bf-70d2-a44a-4cb62c85fc3a/019c6b7e-acba-7255-a121-00f80b56fc3c/model`. */
                path: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMlflowArtifactsResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadMlflowArtifact: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` of an earlier answer: 304 while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description Path of the file. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Digest of all bytes, as RFC 9530 writes it: `sha-256=:…:`. */
                    "Repr-Digest"?: string;
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putMlflowArtifact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. In the first message; ignored in others. */
                pipeline_id: string;
                /** @description The run. In the first message; ignored in others. */
                run_id: string;
                /** @description Path of the file, such as `model/weights.bin`. In the first message; ignored in others. */
                path: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutMlflowArtifactResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Keys at most, 1 to 1,000. Default 1,000. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /** @description Only keys that this member made. */
                created_by_member_id?: string;
                /**
                 * @description Which keys, such as `NOT last_used_at:*`. Empty: all.
                 *
                 *     Fields:
                 *     - `name` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `permission_ids` (`=` `:`): a text; any of them
                 *     - `created_by_member_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `expires_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one
                 *     - `last_used_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one
                 *     - `revoked_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one
                 */
                filter?: string;
                /**
                 * @description In which order, such as `name`.
                 *
                 *     One of `name`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.
                 */
                order_by?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateApiKeyResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key's id. */
                api_key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key's id. */
                api_key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key's id. */
                api_key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateApiKeyRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotateApiKeyResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getApiKeyPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPolicy"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setApiKeyPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetApiKeyPolicyRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPolicy"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAuditRecords: {
        parameters: {
            query?: {
                /** @description Only those of this member. */
                member_id?: string;
                /** @description Only those of this credential. */
                credential_id?: string;
                /** @description Only those of this action. */
                action?: string;
                /** @description Only those that ended so. */
                outcome?: components["schemas"]["AuditOutcome"];
                /** @description Only those about this entity. */
                entity_id?: string;
                /** @description Only those of this request. */
                request_id?: string;
                /** @description Only those at this time or later. */
                since?: string;
                /** @description Only those before this time. */
                until?: string;
                /** @description Records at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which of those, such as `action = identity.role.created OR action = identity.role.deleted`. Empty: all.
                 *
                 *     Fields:
                 *     - `actor.member_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `actor.credential_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `action` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `outcome` (`=` `!=`): one of `done`, `refused`
                 *     - `entity_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `request_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 */
                filter?: string;
                /**
                 * @description In which order, such as `at asc`.
                 *
                 *     One of `at`, and `asc` or `desc`. Default: `at desc`.
                 */
                order_by?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditRecord"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listInstallationAuditRecords: {
        parameters: {
            query?: {
                /** @description Only those that ended so. */
                outcome?: components["schemas"]["AuditOutcome"];
                /** @description Only those at this time or later. */
                since?: string;
                /** @description Only those before this time. */
                until?: string;
                /** @description Records at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which of those, such as `action = identity.organisation.created`. Empty: all.
                 *
                 *     Fields:
                 *     - `organisation_id` (`=` `!=`): an id
                 *     - `actor.member_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `actor.credential_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `action` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `outcome` (`=` `!=`): one of `done`, `refused`
                 *     - `entity_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `request_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 */
                filter?: string;
                /**
                 * @description In which order, such as `at asc`.
                 *
                 *     One of `at`, and `asc` or `desc`. Default: `at desc`.
                 */
                order_by?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditRecord"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    startSocialnetLink: {
        parameters: {
            query?: {
                /** @description Whether a linked name may be linked again: the tokens are replaced once the new ones are there. */
                relink?: boolean;
            };
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartSocialnetLinkRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalLinkStart"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    startExternalLink: {
        parameters: {
            query?: {
                /** @description Whether a linked name may be linked again: the tokens are replaced once the new ones are there. */
                relink?: boolean;
            };
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The provider, as configured. */
                provider: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartExternalLinkRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalLinkStart"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    reviewExternalLink: {
        parameters: {
            query?: {
                /** @description Of the attempt. */
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    continueExternalLink: {
        parameters: {
            query?: {
                /** @description Of the attempt. */
                state?: string;
                /** @description From the page. */
                confirmation?: string;
            };
            header?: {
                /** @description What the page before has set. */
                Cookie?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            303: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    completeExternalLink: {
        parameters: {
            query?: {
                /** @description Exchanged for tokens. */
                code?: string;
                /** @description As it was given to the provider. */
                state?: string;
                /** @description Who the provider says it is (RFC 9207). */
                iss?: string;
                /** @description Why the provider said no. */
                error?: string;
                /** @description The provider's words; not repeated. */
                error_description?: string;
            };
            header?: {
                /** @description What the platform's own page has set when its user went on. */
                Cookie?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listExternalLinks: {
        parameters: {
            query?: {
                /** @description Links at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which links, such as `provider = socialnet`. Empty: all.
                 *
                 *     Fields:
                 *     - `provider` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `secret_name` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `member_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 */
                filter?: string;
                /**
                 * @description In which order, such as `secret_name`.
                 *
                 *     One of `secret_name`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.
                 */
                order_by?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalLink"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getExternalLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The link's id. */
                link_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalLink"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeExternalLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The link's id. */
                link_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalLink"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Members at most, 1 to 1,000. Default 1,000. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which members, such as `status = active`. Empty: all.
                 *
                 *     Fields:
                 *     - `display_name` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `email` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `status` (`=` `!=`): one of `invited`, `active`, `inactive`
                 *     - `role_ids` (`=` `:`): an id; any of them
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `last_seen_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one
                 */
                filter?: string;
                /**
                 * @description In which order, such as `display_name`.
                 *
                 *     One of `display_name`, `email`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.
                 */
                order_by?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createMember: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMemberRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member. */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setMemberRoles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member. */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetMemberRolesRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deactivateMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member. */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeactivateMemberRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    reactivateMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member. */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOwnMember: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setOwnEmailPreference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetOwnEmailPreferenceRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getNotebookSession: {
        parameters: {
            query?: {
                /** @description Permissions to look at, as Jupyter writes them: a JSON object of resource to list of actions. */
                permissions?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotebookSession"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOrganisationRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateOrganisationResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    suspendOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organisation's id. */
                organisation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organisation"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    restoreOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organisation's id. */
                organisation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organisation"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    inspectOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organisation's id. */
                organisation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InspectedOrganisation"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteOrganisation: {
        parameters: {
            query: {
                /** @description The organisation's slug, so that no other organisation is deleted by mistake. Of one that is deleted already, any. */
                confirm_slug: string;
            };
            header?: never;
            path: {
                /** @description The organisation's id. */
                organisation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InspectedOrganisation"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organisation"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOrganisationQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organisation's id. */
                organisation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuotaLimits-Output"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setOrganisationQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organisation's id. */
                organisation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuotaLimits-Input"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuotaLimits-Output"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPermissions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Permission"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRoleRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRoles: {
        parameters: {
            query?: {
                /** @description Roles at most, 1 to 1,000. Default 1,000. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which roles, such as `permission_ids:"training:command"`. Empty: all.
                 *
                 *     Fields:
                 *     - `name` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `slug` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `is_system` (`=` `!=`): `true` or `false`
                 *     - `permission_ids` (`=` `:`): a text; any of them
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`, system roles come before all others
                 */
                filter?: string;
                /**
                 * @description In which order, such as `name`.
                 *
                 *     One of `name`, `slug`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.
                 */
                order_by?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description An `ETag` of an earlier answer: 304 while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The role's id. */
                role_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes nothing unless the role still has this ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The role's id. */
                role_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRoleRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The role's id. */
                role_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Sessions at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /** @description Whether all sessions of the organisation are listed. */
                everyone?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Shown in the list of sessions, so that people can tell their browsers apart. */
                "User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateSessionRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentSession"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentSession"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndSessionResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's id. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokeSessionResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createSignInCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSignInCodeResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSignInProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInProvider"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    startSignIn: {
        parameters: {
            query?: {
                /** @description Page of the console to show afterwards: a path inside the console, such as `/runs`. Empty: its start page. */
                to?: string;
            };
            header?: {
                /** @description Says which sign-ins the browser has under way. */
                Cookie?: string;
            };
            path: {
                /** @description The provider's id. */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            303: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    completeSignIn: {
        parameters: {
            query?: {
                /** @description Exchanged for an id token. */
                code?: string;
                /** @description As it was given to the provider. */
                state?: string;
                /** @description Who the provider says it is (RFC 9207). */
                iss?: string;
                /** @description Why the provider said no. */
                error?: string;
            };
            header?: {
                /** @description What the start of the sign-in has set. */
                Cookie?: string;
                /** @description Shown in the list of sessions, so that people can tell their browsers apart. */
                "User-Agent"?: string;
            };
            path: {
                /** @description The provider's id. */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            303: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    enableFromProposal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnableFromProposalRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceSettings"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWorkspaceSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceSettings"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateWorkspaceSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWorkspaceSettingsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceSettings"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    startGrouping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceSettings"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                /** @description Workspaces at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which workspaces, such as `asset_count > 10`. Empty: all.
                 *
                 *     Fields:
                 *     - `name` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `draft_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `asset_count` (`=` `!=` `<` `<=` `>` `>=`): a number
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 */
                filter?: string;
                /**
                 * @description In which order, such as `name`.
                 *
                 *     One of `name`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.
                 */
                order_by?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The workspace's id. */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The workspace's id. */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWorkspaceAssets: {
        parameters: {
            query?: {
                /** @description Assets at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which assets, such as `confidence >= 0.9 AND source = auto`. Empty: all.
                 *
                 *     Fields:
                 *     - `asset_id` (`=` `!=`): an id
                 *     - `role` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `source` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `confidence` (`=` `!=` `<` `<=` `>` `>=`): a number
                 *     - `accepted_by_member_id` (`=` `!=` `:`): an id; `:*` where there is one
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 */
                filter?: string;
                /**
                 * @description In which order, such as `created_at desc`.
                 *
                 *     One of `created_at`, and `asc` or `desc`. Default: `created_at asc`.
                 */
                order_by?: string;
            };
            header?: never;
            path: {
                /** @description The workspace's id. */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceAsset"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAssets: {
        parameters: {
            query?: {
                /** @description Only those in no workspace. */
                ungrouped?: boolean;
                /** @description Assets at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which assets, such as `kind = pipeline`. Empty: all.
                 *
                 *     Fields:
                 *     - `name` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `kind` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `dataset_ids` (`=` `:`): an id; any of them
                 *     - `workspace_ids` (`=` `:`): an id; any of them
                 *     - `owner` (`=` `!=` `<` `<=` `>` `>=` `:`): a text; `:*` where there is one
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `updated_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 */
                filter?: string;
                /**
                 * @description In which order, such as `name`.
                 *
                 *     One of `name`, `created_at`, and `asc` or `desc`. Default: `created_at asc`.
                 */
                order_by?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Asset"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    registerAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterAssetRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Asset"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The asset's id. */
                asset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Asset"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCheckpoints: {
        parameters: {
            query?: {
                /** @description Checkpoints at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which checkpoints, such as `step >= 1000 AND metrics.loss < 0.1`. Empty: all.
                 *
                 *     Fields:
                 *     - `id` (`=` `!=`): an id
                 *     - `step` (`=` `!=` `<` `<=` `>` `>=`): a number
                 *     - `segment_index` (`=` `!=` `<` `<=` `>` `>=`): a number
                 *     - `metrics.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a number; `:*` where there is one
                 *     - `sha256` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `size_bytes` (`=` `!=` `<` `<=` `>` `>=`): a number
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `pruned_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one
                 *     - `verified_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one
                 *     - `verification` (`=` `!=` `:`): one of `intact`, `damaged`, `missing`, `running`; `:*` where there is one
                 *     - `position` (`=` `!=` `<` `<=` `>` `>=`): a number, the place among the checkpoints of the job as they became known, from 0
                 */
                filter?: string;
                /**
                 * @description In which order, such as `metrics.loss`.
                 *
                 *     One of `step`, `metrics.<key>`, `size_bytes`, `created_at`, `position`, and `asc` or `desc`. Default: `position desc`. What has no value of the key, or none that is a number, is left out.
                 */
                order_by?: string;
            };
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job within the run. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkpoint-Output"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    registerCheckpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. Absent: not compared. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterCheckpointRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkpoint-Output"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    pruneCheckpoints: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job within the run. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PruneCheckpointsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PruneCheckpointsResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verifyCheckpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job within the run. */
                job_name: string;
                /** @description The checkpoint. */
                checkpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkpoint-Output"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createTrainingControlCommand: {
        parameters: {
            query?: never;
            header?: {
                /** @description An API key; alone it is a sufficient credential. */
                "Api-key"?: string;
            };
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job within the run. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTrainingControlCommandRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrainingControlCommandRead"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    commandJobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommandJobsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobCommandOutcome"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    pauseJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job within the run. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PauseJobRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pause"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listControlCommands: {
        parameters: {
            query?: {
                /** @description Only commands of a higher sequence. */
                after_sequence?: number;
                /** @description Only commands that stand so. */
                status?: components["schemas"]["TrainingControlCommandStatus"];
                /** @description At most so many. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job within the run. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrainingControlCommandRead"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getControlCommand: {
        parameters: {
            query?: {
                /** @description Seconds to wait for a final status; what stands then is answered. */
                wait_seconds?: number;
            };
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job within the run. */
                job_name: string;
                /** @description The command. */
                command_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrainingControlCommandRead"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    previewControlCommand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job within the run. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewControlCommandRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ControlCommandPreview"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    watchControlCommands: {
        parameters: {
            query?: {
                /** @description Start after this sequence; absent: from the first command. */
                after_sequence?: number;
            };
            header?: {
                /** @description Id of the last event received; the stream goes on after it. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job within the run. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["TrainingControlCommandRead"];
                    "application/x-ndjson": components["schemas"]["TrainingControlCommandRead"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job within the run. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDetail"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readLogLines: {
        parameters: {
            query?: {
                /** @description Only lines of these sources. */
                source?: string[];
                /** @description Only lines of this time or later. */
                since?: string;
                /** @description Only lines before this time. */
                until?: string;
                /** @description Lines at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job within the run. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedLine"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    watchLogLines: {
        parameters: {
            query?: {
                /** @description Only lines of these sources. */
                source?: string[];
                /** @description Only lines of this time or later. */
                since?: string;
            };
            header?: {
                /** @description Id of the last event received; the stream goes on after it. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job within the run. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["LogBatch"];
                    "application/x-ndjson": components["schemas"]["LogBatch"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMediaNames: {
        parameters: {
            query?: {
                /** @description Also media that a rollback or a warm restart archived. */
                include_archived?: boolean;
            };
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaName"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMedia: {
        parameters: {
            query?: {
                /** @description Also media that a rollback or a warm restart archived. */
                include_archived?: boolean;
                /** @description Media at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which media, such as `name = samples AND step >= 1000`. Empty: all.
                 *
                 *     Fields:
                 *     - `job_name` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `name` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `kind` (`=` `!=`): one of `histogram`, `image`, `table`, `text`
                 *     - `step` (`=` `!=` `<` `<=` `>` `>=`): a number
                 *     - `segment_index` (`=` `!=` `<` `<=` `>` `>=`): a number
                 */
                filter?: string;
                /**
                 * @description In which order: `step` or `step desc`.
                 *
                 *     One of `step`, and `asc` or `desc`. Default: `step asc`.
                 */
                order_by?: string;
            };
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Media"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createMlflowExperiment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMlflowExperimentRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateMlflowExperimentResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    searchMlflowExperiments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SearchMlflowExperimentsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchMlflowExperimentsResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMlflowExperiment: {
        parameters: {
            query: {
                /** @description Id of the pipeline, or `0`. */
                experiment_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMlflowExperimentResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMlflowExperimentByName: {
        parameters: {
            query: {
                /** @description Its name. */
                experiment_name: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMlflowExperimentByNameResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateMlflowExperiment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMlflowExperimentRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateMlflowExperimentResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMlflowExperiment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteMlflowExperimentRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteMlflowExperimentResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    restoreMlflowExperiment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreMlflowExperimentRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreMlflowExperimentResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setMlflowExperimentTag: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetMlflowExperimentTagRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetMlflowExperimentTagResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createMlflowRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateMlflowRunRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateMlflowRunResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMlflowRun: {
        parameters: {
            query: {
                /** @description The run. */
                run_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMlflowRunResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateMlflowRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMlflowRunRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateMlflowRunResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMlflowRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteMlflowRunRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteMlflowRunResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    restoreMlflowRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreMlflowRunRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreMlflowRunResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    searchMlflowRuns: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchMlflowRunsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchMlflowRunsResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    searchMlflowLoggedModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SearchMlflowLoggedModelsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchMlflowLoggedModelsResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    logMlflowMetric: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogMlflowMetricRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogMlflowMetricResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    logMlflowParameter: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogMlflowParameterRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogMlflowParameterResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setMlflowTag: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetMlflowTagRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetMlflowTagResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteMlflowTag: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteMlflowTagRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteMlflowTagResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    logMlflowBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogMlflowBatchRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogMlflowBatchResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMlflowMetricHistory: {
        parameters: {
            query: {
                /** @description The run. */
                run_id: string;
                /** @description The metric. */
                metric_key: string;
                /** @description Values at most, 1 to 50,000. Default 25,000. A page may hold fewer, and ends with a whole report. */
                max_results?: number;
                /** @description `next_page_token` of the page before. */
                page_token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMlflowMetricHistoryResponse"];
                };
            };
            422: components["responses"]["UnprocessableContentInPlatformMlflow"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    compareRuns: {
        parameters: {
            query: {
                /** @description The runs, 1 to 10; they may be of different pipelines. */
                run_id: string[];
                /** @description The metric. */
                metric: string;
                /** @description The job in each of the runs. Absent: the one declared first. */
                job_name?: string;
                /** @description What the x of a point is. Default `step`. */
                axis?: components["schemas"]["ComparisonAxis"];
                /** @description Most points of each curve, 1 to 1,000. Default 200. */
                max_points?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunComparison"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRunMetrics: {
        parameters: {
            query?: {
                /** @description Only what is newer than this sequence. */
                after_sequence?: number;
                /**
                 * @description Most points of each metric; 0: no series. Absent: 200, or less where all metrics would have more than 20,000 together, so that
                 *     the points of an answer take less than 1 MB.
                 */
                max_points?: number;
                /** @description Only these metrics. */
                metric?: string[];
                /** @description Only points of this segment. */
                segment?: number;
                /** @description The job; absent: the one declared first. */
                job_name?: string;
                /** @description Also points that a rollback or a warm restart archived. */
                include_archived?: boolean;
                /** @description Seconds to wait until the sequence passes `after_sequence`. */
                wait_seconds?: number;
            };
            header?: {
                /** @description An `ETag` of an earlier answer: 304 while it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunLiveMetrics"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    watchRunMetrics: {
        parameters: {
            query?: {
                /** @description Only what is newer than this sequence. */
                after_sequence?: number;
                /** @description Most points of each metric and event; 0: no series. Absent: 200, or less where all metrics would have more than 20,000 together. */
                max_points?: number;
                /** @description Only these metrics. */
                metric?: string[];
                /** @description The job; absent: the one declared first. */
                job_name?: string;
            };
            header?: {
                /** @description Id of the last event received; the stream goes on after it. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["RunLiveMetrics"];
                    "application/x-ndjson": components["schemas"]["RunLiveMetrics"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPipelines: {
        parameters: {
            query?: {
                /** @description Pipelines at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description Where the previous page ended. */
                cursor?: string;
                /**
                 * @description Which pipelines, such as `created_at >= 2026-03-02T09:00:00Z`. Empty: all.
                 *
                 *     Fields:
                 *     - `name` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `archived_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one
                 *     - `annotations.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a number, `true`, `false` or a text; `:*` where there is one, keys within keys are joined by dots. A pipeline is found by the first 100 values that are no lists, and texts of at most 255 characters
                 */
                filter?: string;
                /**
                 * @description In which order, such as `name`.
                 *
                 *     One of `name`, `created_at`, and `asc` or `desc`. Default: `created_at desc`.
                 */
                order_by?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pipeline"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createPipeline: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePipelineRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pipeline"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPipeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline. */
                pipeline_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pipeline"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deletePipeline: {
        parameters: {
            query?: {
                /** @description Whether to answer what would be, and change nothing. */
                dry_run?: boolean;
            };
            header?: never;
            path: {
                /** @description The pipeline. */
                pipeline_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionResult"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updatePipeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline. */
                pipeline_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePipelineRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pipeline"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    archivePipeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline. */
                pipeline_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pipeline"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    restorePipeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline. */
                pipeline_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pipeline"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description Runs at most. 0: 100. */
                limit?: number;
                /** @description `next_cursor` of the page before; empty: from the start. */
                cursor?: string;
                /**
                 * @description Which runs, such as `configuration.learning_rate <= 0.01 AND metrics.test_accuracy > 0.95`. Empty: all.
                 *
                 *     Fields:
                 *     - `name` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `jobs.state` (`=` `:`): one of `queued`, `preparing`, `running`, `held`, `pausing`, `paused`, `restoring`, `finishing`, `aborting`, `completed`, `failed`, `aborted`; any of them
                 *     - `tags.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a text; `:*` where there is one
                 *     - `datasets.version_id` (`=` `:`): an id; any of them
                 *     - `archived_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one
                 *     - `metrics.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a number; `:*` where there is one, the value that any job of the run reported last, a few seconds after the report. A run is found by the 100 metrics that it reported first
                 *     - `parameters.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a number, `true`, `false` or a text; `:*` where there is one, what the run was started with. Keys within keys are joined by dots. A run is found by the first 100 values that are no lists, and texts of at most 255 characters
                 *     - `configuration.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a number, `true`, `false` or a text; `:*` where there is one, of any job. Keys within keys are joined by dots. A run is found by the first 100 values that are no lists, and texts of at most 255 characters
                 */
                filter?: string;
                /**
                 * @description In which order, such as `metrics.test_accuracy desc`.
                 *
                 *     One of `name`, `created_at`, `metrics.<key>`, `parameters.<key>`, `configuration.<key>`, and `asc` or `desc`. Default: `created_at desc`. What has no value of the key, or none that is a number, is left out.
                 */
                order_by?: string;
            };
            header?: never;
            path: {
                /** @description The pipeline. */
                pipeline_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with its key repeats the answer to the same credential, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The pipeline. */
                pipeline_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRunRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description `true` when the answer is one that was given before. */
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline that it has to belong to. Absent: any; over REST the path names it. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteRun: {
        parameters: {
            query?: {
                /** @description Whether to answer what would be, and change nothing. */
                dry_run?: boolean;
            };
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionResult"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRunRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAllRuns: {
        parameters: {
            query?: {
                /** @description Runs at most, 1 to 1,000. Default 100. */
                limit?: number;
                /** @description `next_cursor` of the page before; empty: from the start. */
                cursor?: string;
                /**
                 * @description Which runs, such as `jobs.state = running AND metrics.loss < 0.1`. Empty: all.
                 *
                 *     Fields:
                 *     - `pipeline_id` (`=` `!=`): an id
                 *     - `name` (`=` `!=` `<` `<=` `>` `>=`): a text
                 *     - `created_at` (`=` `!=` `<` `<=` `>` `>=`): a time, such as `2026-03-02T09:00:00Z`
                 *     - `jobs.state` (`=` `:`): one of `queued`, `preparing`, `running`, `held`, `pausing`, `paused`, `restoring`, `finishing`, `aborting`, `completed`, `failed`, `aborted`; any of them
                 *     - `tags.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a text; `:*` where there is one
                 *     - `datasets.version_id` (`=` `:`): an id; any of them
                 *     - `archived_at` (`=` `!=` `<` `<=` `>` `>=` `:`): a time, such as `2026-03-02T09:00:00Z`; `:*` where there is one
                 *     - `metrics.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a number; `:*` where there is one, the value that any job of the run reported last, a few seconds after the report. A run is found by the 100 metrics that it reported first
                 *     - `parameters.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a number, `true`, `false` or a text; `:*` where there is one, what the run was started with. Keys within keys are joined by dots. A run is found by the first 100 values that are no lists, and texts of at most 255 characters
                 *     - `configuration.<key>` (`=` `!=` `<` `<=` `>` `>=` `:`): a number, `true`, `false` or a text; `:*` where there is one, of any job. Keys within keys are joined by dots. A run is found by the first 100 values that are no lists, and texts of at most 255 characters
                 */
                filter?: string;
                /**
                 * @description In which order, such as `metrics.test_accuracy desc`.
                 *
                 *     One of `name`, `created_at`, `metrics.<key>`, `parameters.<key>`, `configuration.<key>`, and `asc` or `desc`. Default: `created_at desc`. What has no value of the key, or none that is a number, is left out.
                 */
                order_by?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The next page, as `<path?query>; rel="next"`; absent on the last one. */
                    Link?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"][];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    archiveRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    restoreRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    acquireSupervisionLease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job within the run. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AcquireSupervisionLeaseRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcquireSupervisionLeaseResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSupervisionLease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job within the run. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupervisionLease"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    renewSupervisionLease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job within the run. */
                job_name: string;
                /** @description The lease. */
                supervision_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenewSupervisionLeaseRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupervisionLease"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    releaseSupervisionLease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job within the run. */
                job_name: string;
                /** @description The lease. */
                supervision_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReleaseSupervisionLeaseRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupervisionLease"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    attach: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. Absent: not compared. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttachRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["AttachResponse"];
                    "application/x-ndjson": components["schemas"]["AttachResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    acknowledgeCommand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. Absent: not compared. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job. */
                job_name: string;
                /** @description The command. */
                command_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcknowledgeCommandRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcknowledgeCommandResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    reportJobState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. Absent: not compared. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportJobStateRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportJobStateResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    takeJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TakeJobRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TakeJobResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendReportRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendReportResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pipeline of the run. */
                pipeline_id: string;
                /** @description The run. */
                run_id: string;
                /** @description The job. */
                job_name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SendMetricsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendMetricsResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    followStreams: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FollowStreamsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["FollowStreamsResponse"];
                    "application/x-ndjson": components["schemas"]["FollowStreamsResponse"];
                };
            };
            422: components["responses"]["UnprocessableContent"];
            /** @description Failure */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}

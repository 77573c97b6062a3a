import { type ErrorText, operator, retry } from "../error-text.ts";

/** Reasons of the data of datasets. */
export const dataCodes: Readonly<Record<string, ErrorText>> = {
  dataset_version_limit: {
    meaning: "The dataset has 10,000 versions.",
    remedy: "Create another dataset for further versions.",
  },
  dataset_version_not_ready: {
    meaning:
      "The version has no rows to read: it is not read yet or cannot be read, or its data is removed. `detail` says which.",
    remedy: "Wait while it is `pending` or `reading`. Otherwise read `problem`, or use another version.",
  },
  deployment_version_gone: {
    meaning: "The deployment serves another version than the one that made the vectors of the embedding.",
    remedy: "Search by a row or a vector, or embed the version of the dataset again.",
  },
  deployments_unavailable: {
    meaning: "The service that keeps deployments does not answer, so nothing can be embedded. Nothing was changed.",
    remedy: retry,
  },
  endpoint_gone: {
    meaning:
      "The settings of the installation no longer have the endpoint or the model that made the vectors of the embedding.",
    remedy: "Search by a row or a vector, or embed the version with another endpoint.",
  },
  endpoint_refused: {
    meaning: "The endpoint does not take the text; `detail` has what it said.",
    remedy: "Correct the text. If `detail` tells of the platform's key or of an address, tell the operator.",
  },
  endpoint_unavailable: {
    meaning: "The endpoint does not answer, or asks to wait; `detail` says which.",
    remedy: retry,
  },
  embedding_limit: {
    meaning:
      "The version has no rows, more rows than are searched, or as many embeddings as it may have; or the organisation has as many under way as it may have. `detail` says which.",
    remedy: "Wait until an embedding is ready or cancel one, or embed a version with fewer rows.",
  },
  embedding_move: {
    meaning: "The embedding is ready or has failed, so it cannot be cancelled.",
    remedy: "Read the embedding.",
  },
  embedding_not_ready: {
    meaning: "The dataset has no embedding that is ready, or the one that is named is not. `detail` says why.",
    remedy: "Wait while it is `pending` or `embedding`. Otherwise read `problem`, or create an embedding.",
  },
  location_unavailable: {
    meaning:
      "The server of a location does not answer, or does not let the platform in; `detail` says which. Nothing was changed.",
    remedy: "Ask again. If it stays so, tell the operator of the platform.",
  },
  prediction_failed: {
    meaning: "The model failed while it made a vector; `detail` has what it said.",
    remedy: "Correct the model, or ask again.",
  },
  prediction_refused: {
    meaning: "The model does not take what it is sent for a vector; `detail` has what it said.",
    remedy: "Correct the name of the input, or what is sent.",
  },
  datasets_unavailable: {
    meaning: "The service that keeps datasets, or the one that keeps their data, cannot be asked. Nothing was changed.",
    remedy: retry,
  },
  data_busy: {
    meaning: "All processes or all room for reading data are in use.",
    remedy: retry,
  },
  data_limit: {
    meaning: "Reading the data needs more memory, time or disk than a request may have; `detail` says which.",
    remedy: "Ask for fewer rows or columns, or narrow the filter.",
  },
  data_too_large: {
    meaning: "The data is larger than this installation reads at once.",
    remedy: "Download it. The operator raises `DATA_CACHE_BYTES`.",
  },
  data_process_stopped: {
    meaning: "The process that read the data stopped.",
    remedy: operator,
  },
};

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

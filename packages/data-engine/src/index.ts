export { type DataEngine, type DataEngineOptions, minMemoryMiB, openDataEngine } from "./data-engine.ts";
export {
  EngineClosedError,
  type EngineLimit,
  EngineLimitError,
  EngineQueueFullError,
  EngineStoppedError,
  engineLimits,
  type FileFault,
  type FileRule,
  ForeignPathError,
  fileRules,
  InvalidQueryError,
  type QueryFault,
  UnreadableFileError,
} from "./errors.ts";
export {
  defaultExactRows,
  defaultLimits,
  defaultPageBytes,
  defaultReadMs,
  type EngineLimits,
  maxPageBytes,
} from "./limits.ts";
export { dataEngineMetrics } from "./metrics.ts";
export * from "./requests.ts";

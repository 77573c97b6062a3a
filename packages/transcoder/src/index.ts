export { strictDocumentPolicy, UnfitDocumentError } from "./answer-renderer.ts";
export { ContractError, type ContractFault, contractFaults } from "./contract-error.ts";
export { describeServices, operationNames } from "./describe-services.ts";
export { type ErrorAnswer, prefersProblemJson, writeError } from "./error-writer.ts";
export { Fault } from "./fault.ts";
export { HttpError, statusTable, toHttpError, unprocessable } from "./http-error.ts";
export { JsonOutput } from "./json-output.ts";
export { type JsonFault, JsonLimitError, JsonSyntaxError, scanJson } from "./json-scanner.ts";
export { type JsonKind, JsonView } from "./json-view.ts";
export { ReaderCompiler } from "./message-reader.ts";
export { WriterCompiler } from "./message-writer.ts";
export type { DescribeOptions, Example, OpenApiOperation } from "./openapi.ts";
export type { Operation } from "./operation.ts";
export { type Location, type Problem, ProblemList, renderProblems } from "./problem-list.ts";
export { type BodyLimits, readBytes } from "./request-body.ts";
export { requestIdOf } from "./request-id.ts";
export { callerFromTransport, type RpcAnswer, type RpcCaller, type RpcOptions, type RpcStream } from "./rpc-caller.ts";
export {
  type CallContext,
  createTranscoder,
  type Transcoder,
  type TranscoderLimits,
  type TranscoderOptions,
} from "./transcoder.ts";

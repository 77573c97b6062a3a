export { ContractError, type ContractFault, contractFaults } from "./errors/contract-error.ts";
export { Fault } from "./errors/fault.ts";
export { HttpError, statusTable, toHttpError, unprocessable } from "./errors/http-error.ts";
export { type Location, type Problem, ProblemList, renderProblems } from "./errors/problem-list.ts";
export { type ErrorAnswer, prefersProblemJson, writeError } from "./errors/writer.ts";
export { JsonOutput } from "./json/output.ts";
export { type JsonFault, JsonLimitError, JsonSyntaxError, scanJson } from "./json/scanner.ts";
export { type JsonKind, JsonView } from "./json/view.ts";
export { ReaderCompiler } from "./messages/message-reader.ts";
export { WriterCompiler } from "./messages/message-writer.ts";
export type { DescribeOptions, Example, OpenApiOperation } from "./openapi/document.ts";
export { describeServices, operationNames } from "./openapi/document.ts";
export { type BodyLimits, readBytes } from "./request/body.ts";
export { requestIdOf } from "./request/request-id.ts";
export { strictDocumentPolicy, UnfitDocumentError } from "./response/renderer.ts";
export type { Operation } from "./routes/operation.ts";
export { callerFromTransport, type RpcAnswer, type RpcCaller, type RpcOptions, type RpcStream } from "./rpc/caller.ts";
export {
  callerFromImplementations,
  type ImplementationOptions,
  type ImplementationRegistry,
} from "./rpc/implementations.ts";
export {
  type CallContext,
  createTranscoder,
  type OperationMatch,
  type Transcoder,
  type TranscoderLimits,
  type TranscoderOptions,
} from "./transcoder.ts";

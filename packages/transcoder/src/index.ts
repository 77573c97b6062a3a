export { type BodyRenderer, createBodyRenderer } from "./body-renderer.ts";
export {
  RangeNotSatisfiableError,
  type SelectedRange,
  selectRange,
  type WantedRange,
} from "./content-range.ts";
export { ContractError, type ContractFault, contractFaults } from "./errors/contract-error.ts";
export { HttpError, statusTable, toHttpError, unprocessable } from "./errors/http-error.ts";
export type { Location, Problem } from "./errors/problem-list.ts";
export type { ErrorAnswer } from "./errors/writer.ts";
export type { BodyLimits } from "./exchange/exchange.ts";
export { createFetchHandler, type FetchCall, type FetchHandler, type FetchHandlerOptions } from "./fetch-handler.ts";
export {
  type ListDeclaration,
  type ListField,
  type ListValueType,
  listDeclaration,
} from "./lists/list-declaration.ts";
export { listDescriptions } from "./lists/list-descriptions.ts";
export { readBytes } from "./node/body.ts";
export type { DescribeOptions, Example, OpenApiOperation } from "./openapi/document.ts";
export { describeServices, operationNames } from "./openapi/document.ts";
export type { ApiOptions, CallContext, TranscoderLimits } from "./options.ts";
export { requestIdOf } from "./request/request-id.ts";
export { strictDocumentPolicy, UnfitDocumentError } from "./response/renderer.ts";
export { routePaths } from "./routes/annotations.ts";
export type { Operation } from "./routes/operation.ts";
export { callerFromTransport, type RpcAnswer, type RpcCaller, type RpcOptions, type RpcStream } from "./rpc/caller.ts";
export { type CallHeaders, isNotModified, wantedAlternative } from "./rpc/conditions.ts";
export {
  callerFromImplementations,
  type ImplementationOptions,
  type ImplementationRegistry,
} from "./rpc/implementations.ts";
export {
  createTranscoder,
  type OperationMatch,
  type Transcoder,
  type TranscoderOptions,
  writeError,
} from "./transcoder.ts";

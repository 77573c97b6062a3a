import type { DescService } from "@bufbuild/protobuf";
import type { DescribeOptions } from "./openapi/document.ts";
import type { Operation } from "./routes/operation.ts";
import type { RpcCaller } from "./rpc/caller.ts";

/** What an RPC is made with. */
export interface CallContext {
  /** Metadata of the RPC. */
  readonly headers: Headers;
  /** Cancels the RPC, besides the client going away. Where its reason is an `HttpError`, the client is told that; a stream that has begun ends with it. */
  readonly signal?: AbortSignal;
  /** Called once when the request is over: answered, failed, or its client gone. */
  readonly done?: () => void;
  /** Prepares the calls of the streams that an operation multiplexes. Default: as its own call was prepared. */
  readonly prepare?: Prepare;
}

/** Says what an RPC is made with, before the body is read. What it throws is answered. */
export type Prepare = (operation: Operation, requestId: string) => Promise<CallContext>;

/** Bounds of what one request may cost. */
export interface TranscoderLimits {
  /** Most bytes of a body, before and after decompression. Default 1 MiB; beyond it 413. */
  readonly bodyBytes?: number;
  /** Most arrays and objects around a value. Default 256; beyond it 400. */
  readonly depth?: number;
  /** Most problems listed in a 422. Default 100. */
  readonly problems?: number;
  /** Most bytes of a 422. Default 256 KiB. */
  readonly errorBytes?: number;
  /** Milliseconds in which a body must arrive. Default 30,000; beyond it 408. */
  readonly bodyTimeoutMs?: number;
  /** Milliseconds in which a unary RPC must answer. Default 35,000; beyond it 504. */
  readonly deadlineMs?: number;
}

/** What both forms are made from: the transcoder of `node:http`, and the handler of fetch. */
export interface ApiOptions {
  /** RPCs without a route are ignored. */
  readonly services: readonly DescService[];
  readonly call: RpcCaller;
  readonly limits?: TranscoderLimits;
  /** What the API is described by; its `refine` and `strict` also say how requests are read. */
  readonly describe?: DescribeOptions;
  /** Content-Security-Policy of answers that are documents. Default: styles of their own, nothing else. */
  readonly documentPolicy?: string;
  /** Told of every failure that is answered with 500 or more, and of those that end a stream. */
  readonly onFailure?: (error: unknown, operation: Operation, requestId: string) => void;
}

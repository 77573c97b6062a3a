import type { IncomingMessage, ServerResponse } from "node:http";
import { errorDomain, withReason } from "@aiplatform/caller-identity";
import { ErrorInfoSchema, RetryInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { type HttpError, toHttpError } from "@aiplatform/transcoder";
import { Code, ConnectError } from "@connectrpc/connect";
import { endStreamFlag, endStreamToJson, errorToJson } from "@connectrpc/connect/protocol-connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { isGrpc } from "./grpc.ts";

/** What a status of HTTP is called in an RPC, where it says more than the code of the call would. */
const codeOfStatus: Readonly<Record<number, Code>> = {
  408: Code.DeadlineExceeded,
  413: Code.ResourceExhausted,
  499: Code.Canceled,
  503: Code.Unavailable,
  504: Code.DeadlineExceeded,
};

/**
 * Answers a call that the gateway refuses as the service would: in the form of its protocol, with the headers that REST has.
 * Does nothing but close once a byte has been answered.
 */
export function writeRpcError(request: IncomingMessage, response: ServerResponse, failure: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const http = toHttpError(failure);
  const error = withReason(failure instanceof ConnectError ? failure : errorOf(http));
  const type = request.headers["content-type"] ?? "";
  if (type.startsWith("application/grpc-web") || isGrpc(request)) {
    // Without a message, its head is all of an answer: what would be trailers is there.
    const status = Object.fromEntries(setTrailerStatus(new Headers(), error));
    response.writeHead(200, { ...http.headers, ...status, "content-type": type, "content-length": 0 }).end();
  } else if (type.startsWith("application/connect+")) {
    response.writeHead(200, { ...http.headers, "content-type": type }).end(endOfStream(error));
  } else {
    const body = JSON.stringify(errorToJson(error, undefined));
    response.writeHead(http.status, { ...http.headers, "content-type": "application/json" }).end(body);
  }
}

function errorOf({ status, detail, code, headers }: HttpError): ConnectError {
  const reason = { desc: ErrorInfoSchema, value: { reason: code.toUpperCase(), domain: errorDomain } };
  const seconds = headers["retry-after"];
  const retry = { desc: RetryInfoSchema, value: { retryDelay: { seconds: BigInt(seconds ?? 0) } } };
  return new ConnectError(
    detail,
    codeOfStatus[status] ?? Code.Internal,
    undefined,
    seconds ? [reason, retry] : [reason],
  );
}

/** A stream of Connect's that is over before its first message. */
function endOfStream(error: ConnectError): Buffer {
  const json = Buffer.from(JSON.stringify(endStreamToJson(new Headers(), error, undefined)));
  const head = Buffer.alloc(5);
  head.writeUInt8(endStreamFlag, 0);
  head.writeUInt32BE(json.length, 1);
  return Buffer.concat([head, json]);
}

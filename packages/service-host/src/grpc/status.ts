import { type Status, StatusSchema } from "@aiplatform/contract/google/rpc/status";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Metadata } from "@grpc/grpc-js";
import { headersFrom, metadataFrom } from "./metadata.ts";

/** Metadata key of the google.rpc.Status that carries an error's details. */
export const detailsKey = "grpc-status-details-bin";

/** How a call ended, as grpc-js puts it; its codes and Connect's are the same numbers. */
interface GrpcStatus {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata;
}

/** An error as gRPC trailers, together with those that the handler had set. */
export function statusFrom(error: ConnectError, trailer: Headers): GrpcStatus {
  const metadata = metadataFrom(trailer);
  // Metadata that came over the wire belongs to that hop; details and code travel on.
  if (!error.isWireError) metadata.merge(metadataFrom(error.metadata));
  if (error.details.length > 0) metadata.set(detailsKey, Buffer.from(toBinary(StatusSchema, statusMessage(error))));
  return { code: error.code, details: error.rawMessage, metadata };
}

function statusMessage(error: ConnectError): Status {
  const details = packedDetails(error).map(({ type, value }) => ({ typeUrl: `type.googleapis.com/${type}`, value }));
  return create(StatusSchema, { code: error.code, message: error.rawMessage, details });
}

/** The details of an error as they travel: their type's name and their bytes. */
export function packedDetails({ details }: ConnectError): { type: string; value: Uint8Array }[] {
  return details.map((detail) =>
    "desc" in detail
      ? { type: detail.desc.typeName, value: toBinary(detail.desc, create(detail.desc, detail.value)) }
      : { type: detail.type, value: detail.value },
  );
}

/** What callers see where a service cannot be reached, by either way of calling it. */
export const unreachable = "the service cannot be reached";

/** What grpc-js says on its own names addresses, which must not reach callers of callers; it stays the cause. */
const localMessages = new Map<number, string>([
  [Code.Unavailable, unreachable],
  [Code.DeadlineExceeded, "the operation timed out"],
]);

/** The end of a failed call as an error, whether the server said so (it always sends metadata) or grpc-js did. */
export function failureFrom(status: GrpcStatus, header: Headers): ConnectError {
  const message = localMessages.get(status.code);
  const answered = !header.keys().next().done || Object.keys(status.metadata.getMap()).length > 0;
  if (answered || message === undefined) return errorFrom(status, header);
  return new ConnectError(message, status.code, undefined, undefined, new Error(status.details));
}

/** Headers and trailers of a failed call as an error, with its details. */
function errorFrom({ code, details, metadata }: GrpcStatus, header: Headers): ConnectError {
  const error = new ConnectError(
    details ?? "",
    code in Code ? code : Code.Unknown,
    headersFrom(metadata, new Headers(header)),
  );
  error.metadata.delete(detailsKey);
  error.details = detailsOf(metadata);
  error.isWireError = true;
  return error;
}

function detailsOf(metadata: Metadata): ConnectError["details"] {
  const [bytes] = metadata.get(detailsKey);
  if (!Buffer.isBuffer(bytes)) return [];
  try {
    return fromBinary(StatusSchema, bytes).details.map(({ typeUrl, value }) => ({
      type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1),
      value,
    }));
  } catch {
    // A peer's broken details must not hide its code and message.
    return [];
  }
}

import { withReason } from "@aiplatform/caller-identity";
import { ConnectError } from "@connectrpc/connect";
import { Metadata, ServerInterceptingCall, type ServerInterceptor, status } from "@grpc/grpc-js";
import { detailsKey, statusFrom } from "./status.ts";

interface Ended {
  readonly code: number;
  readonly details?: string | null | undefined;
  readonly metadata?: Metadata | null | undefined;
}

/**
 * Words the end of a call as the gRPC specification wants it, where grpc-js says more than that: no message beside OK,
 * and binary values without padding. With `addsReasons` an error without details gets an ErrorInfo that names its code.
 *
 * It replaces the method of grpc-js's own call: that is what grpc-js uses for what it refuses itself, such as a message that is
 * too large, and what an interceptor of the usual kind does not see.
 */
export function statusInterceptor({ addsReasons }: { addsReasons: boolean }): ServerInterceptor {
  return (_method, call) => {
    const send = call.sendStatus.bind(call);
    call.sendStatus = (ended) => {
      const metadata = addsReasons ? detailedMetadata(ended) : ended.metadata;
      const details = ended.code === status.OK ? "" : ended.details;
      send({ ...ended, metadata: metadata ? new UnpaddedMetadata(metadata) : null, details });
    };
    return new ServerInterceptingCall(call);
  };
}

function detailedMetadata({ code, details, metadata }: Ended): Metadata | null | undefined {
  if (code === status.OK || (metadata && metadata.get(detailsKey).length > 0)) return metadata;
  const detailed = statusFrom(withReason(new ConnectError(details ?? "", code)), new Headers()).metadata;
  if (metadata) detailed.merge(metadata);
  return detailed;
}

/** Metadata whose binary values are written without `=` at their end, which receivers must accept and senders prefer. */
class UnpaddedMetadata extends Metadata {
  constructor(metadata: Metadata) {
    super(metadata.getOptions());
    this.merge(metadata);
  }

  override clone(): UnpaddedMetadata {
    return new UnpaddedMetadata(this);
  }

  override toHttp2Headers() {
    const headers = super.toHttp2Headers();
    for (const [name, value] of Object.entries(headers)) {
      if (!name.endsWith("-bin") || value === undefined || typeof value === "number") continue;
      headers[name] = typeof value === "string" ? unpadded(value) : value.map(unpadded);
    }
    return headers;
  }
}

function unpadded(base64: string): string {
  return base64.replace(/={1,2}$/, "");
}

import { Metadata, ServerInterceptingCall, type ServerInterceptor, status } from "@grpc/grpc-js";

/**
 * Words the end of a call as the gRPC specification wants it, where grpc-js says more than that: no message beside OK,
 * and binary values without padding.
 */
export const plainStatus: ServerInterceptor = (_method, call) =>
  new ServerInterceptingCall(call, {
    sendStatus(ended, next) {
      const metadata = ended.metadata ? new UnpaddedMetadata(ended.metadata) : ended.metadata;
      next({ ...ended, metadata, details: ended.code === status.OK ? "" : ended.details });
    },
  });

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

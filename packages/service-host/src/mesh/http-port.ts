import {
  Health,
  HealthCheckRequestSchema,
  HealthCheckResponseSchema,
} from "@aiplatform/contract/grpc/health/v1/health";
import { create } from "@bufbuild/protobuf";
import { type Client, Metadata } from "@grpc/grpc-js";
import { type Alternative, alternativeHeader, alternativeOf } from "../alternative-service.ts";
import { messageCodec, methodPath } from "../grpc/method-codec.ts";

/** Longer than a service's own checks take, in milliseconds. */
const timeoutMs = 5_000;

/** Asks a service over gRPC where it answers over HTTP/1.1; nothing is `found` where it does not say. Rejects without an answer. */
export function httpPortOf(client: Client): Promise<{ readonly found: Alternative | undefined }> {
  return new Promise((resolve, reject) => {
    const call = client.makeUnaryRequest(
      methodPath(Health.method.check),
      messageCodec(HealthCheckRequestSchema).serialize,
      messageCodec(HealthCheckResponseSchema).deserialize,
      create(HealthCheckRequestSchema),
      new Metadata(),
      { deadline: Date.now() + timeoutMs },
      (error) => (error ? reject(error) : resolve({ found: undefined })),
    );
    call.on("metadata", (metadata: Metadata) => {
      const [value] = metadata.get(alternativeHeader);
      if (typeof value === "string") resolve({ found: alternativeOf(value) });
    });
  });
}

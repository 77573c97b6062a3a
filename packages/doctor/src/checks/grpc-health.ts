import { Health, HealthCheckResponse_ServingStatus as Status } from "@aiplatform/contract/grpc/health/v1/health";
import { createMeshTransport } from "@aiplatform/service-host";
import { createClient } from "@connectrpc/connect";
import type { Environment } from "../services.ts";

const timeoutMs = 4_000;

/** Whether a service of ours there takes calls. Rejects when nobody answers who speaks gRPC. */
export async function grpcHealth(address: string, _env: Environment): Promise<"serving" | "not serving"> {
  const transport = createMeshTransport({ addresses: address, channels: 1, defaultTimeoutMs: timeoutMs });
  try {
    const { status } = await createClient(Health, transport).check({});
    return status === Status.SERVING ? "serving" : "not serving";
  } finally {
    transport.close();
  }
}

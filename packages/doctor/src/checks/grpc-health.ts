import { Health, HealthCheckResponse_ServingStatus as Status } from "@aiplatform/contract/grpc/health/v1/health";
import { createMeshTransport, MeshIdentity, type TlsConfig } from "@aiplatform/service-host";
import { createClient } from "@connectrpc/connect";

const timeoutMs = 10_000;

/**
 * Whether a service of ours there takes calls, asked as a service asks.
 * @throws ConnectError when no gRPC server answers
 */
export async function grpcHealth(address: string, config: TlsConfig): Promise<"serving" | "not serving"> {
  const tls = MeshIdentity.open(config);
  const transport = createMeshTransport({ addresses: address, channels: 1, defaultTimeoutMs: timeoutMs, tls });
  try {
    const { status } = await createClient(Health, transport).check({});
    return status === Status.SERVING ? "serving" : "not serving";
  } finally {
    transport.close();
    tls?.close();
  }
}

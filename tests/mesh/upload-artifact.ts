import { createHash } from "node:crypto";
import { ModelService } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { createMeshTransport } from "@aiplatform/service-host";
import { createClient } from "@connectrpc/connect";

/** Bytes of a message at most. */
const pieceBytes = 1_048_576;

/** Uploads an artifact to the organisation whose credential it is; answers its SHA-256. */
export async function uploadArtifact(
  { grpc, bearer }: { grpc: { deployments: string }; bearer: string },
  bytes: Uint8Array,
): Promise<string> {
  const transport = createMeshTransport({ addresses: grpc.deployments, channels: 1 });
  try {
    const models = createClient(ModelService, transport);
    const headers = { authorization: `Bearer ${bearer}` };
    const { artifactSha256 } = await models.uploadArtifact(piecesOf(bytes), { headers, timeoutMs: 60_000 });
    return artifactSha256;
  } finally {
    await transport.close();
  }
}

async function* piecesOf(bytes: Uint8Array) {
  const artifactSha256 = createHash("sha256").update(bytes).digest("hex");
  const sizeBytes = BigInt(bytes.byteLength);
  for (let offset = 0; offset < bytes.byteLength; offset += pieceBytes) {
    yield { artifactSha256, sizeBytes, offset: BigInt(offset), data: bytes.subarray(offset, offset + pieceBytes) };
  }
}

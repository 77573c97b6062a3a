import { randomUUID } from "node:crypto";
import type { UploadArtifactRequestSchema } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { sha256Of } from "../src/artifacts/artifact-store.ts";

type Piece = MessageInitShape<typeof UploadArtifactRequestSchema>;

/** What is to be uploaded, and from where on. */
export interface UploadOptions {
  /** Default 0. */
  from?: number;
  /** Bytes of a message. Default 64 KiB. */
  pieceBytes?: number;
  sha256?: string;
  sizeBytes?: number;
}

/** So many bytes as no other test has, from 36 on. */
export function someBytes(size: number): Buffer {
  return Buffer.concat([Buffer.from(randomUUID()), Buffer.alloc(size - 36, 1)]);
}

/** Bytes as the messages of an upload. */
export async function* uploadPieces(
  bytes: Uint8Array,
  { from = 0, pieceBytes = 65_536, sha256 = sha256Of(bytes), sizeBytes = bytes.byteLength }: UploadOptions = {},
): AsyncGenerator<Piece> {
  const named = { artifactSha256: sha256, sizeBytes: BigInt(sizeBytes) };
  if (bytes.byteLength === from) yield { ...named, offset: BigInt(from) };
  for (let offset = from; offset < bytes.byteLength; offset += pieceBytes) {
    const piece = { offset: BigInt(offset), data: bytes.subarray(offset, offset + pieceBytes) };
    yield offset === from ? { ...named, ...piece } : piece;
  }
}

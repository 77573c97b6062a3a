import type { IncomingMessage } from "node:http";
import { PredictionError } from "../errors.ts";

/** Reads a body of so many bytes at most. @throws PredictionError too_large, invalid when it breaks off */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof PredictionError ? error : new PredictionError("invalid", "The body broke off");
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, bytes);
}

function tooLarge(maxBytes: number): PredictionError {
  return new PredictionError("too_large", `The body is larger than ${maxBytes} bytes`);
}

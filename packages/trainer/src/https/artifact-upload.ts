import { open } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Code, ConnectError } from "@connectrpc/connect";
import { AttemptPauses } from "../link/attempt-pauses.ts";
import { type PublishedArtifact, RefusedError } from "../workload.ts";
import { jsonOf, send } from "./gateway-request.ts";

/** Where files are stored, and with which key. */
export interface ArtifactTarget {
  url: string;
  /** Needs `models:write`. */
  apiKey: string;
}

const maxPartBytes = 16 << 20;
const maxAttempts = 8;
/** Time that a part has for its answer, ms. */
const partTimeoutMs = 60_000;

/** Refusals that may be others in a moment; 409: another process stores the same file. */
const passing: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.ResourceExhausted,
  Code.FailedPrecondition,
]);

/**
 * Stores a result that lies in a file in the platform, going on where an earlier attempt broke off; answers it as others find it. What
 * lies elsewhere stays where it is.
 * @throws RefusedError when the platform does not take it, ConnectError after eight attempts
 */
export async function storeArtifact(
  target: ArtifactTarget,
  artifact: PublishedArtifact,
  signal: AbortSignal,
): Promise<PublishedArtifact> {
  if (!artifact.uri.startsWith("file:")) return artifact;
  const pauses = new AttemptPauses();
  let failures = 0;
  while (!signal.aborted) {
    try {
      if (await advance(target, artifact, signal)) return { ...artifact, uri: `artifact:sha256:${artifact.sha256}` };
      failures = 0;
      pauses.reset();
    } catch (error) {
      const failure = ConnectError.from(error);
      if (!passing.has(failure.code)) throw new RefusedError(`the result was not taken: ${failure.rawMessage}`);
      failures += 1;
      if (failures === maxAttempts) throw failure;
      await pauses.pause(signal);
    }
  }
  throw new ConnectError("the trainer was closed before the result was stored", Code.Canceled);
}

/** Sends the next part; whether nothing is missing. */
async function advance(target: ArtifactTarget, artifact: PublishedArtifact, signal: AbortSignal): Promise<boolean> {
  const { url, apiKey } = target;
  const { sha256, sizeBytes, uri } = artifact;
  const path = `/platform/artifacts/${sha256}/upload`;
  const authorization = `Bearer ${apiKey}`;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(partTimeoutMs)]);
  const response = await send(url, { method: "GET", path, headers: { authorization }, signal: limit });
  const standing = await jsonOf(response, limit);
  const { complete, received_bytes: offset } = Object(standing);
  if (complete === true) return true;
  const headers = {
    authorization,
    "content-type": "application/octet-stream",
    "upload-offset": String(offset),
    "upload-length": String(sizeBytes),
  };
  const body = await partOf(fileURLToPath(uri), Number(offset));
  await jsonOf(await send(url, { method: "PATCH", path, headers, body, signal: limit }), limit);
  return false;
}

async function partOf(path: string, offset: number): Promise<Uint8Array<ArrayBuffer>> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(maxPartBytes), 0, maxPartBytes, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { PublishedArtifact } from "../workload.ts";
import { writeDurably } from "./durable-file.ts";

/** Writes a result durably, making its folder if need be, and describes it for the platform. */
export async function writeArtifact(
  file: string,
  bytes: Uint8Array,
  about: Pick<PublishedArtifact, "format" | "metrics">,
): Promise<PublishedArtifact> {
  const path = resolve(file);
  await mkdir(dirname(path), { recursive: true });
  await writeDurably(path, bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { ...about, uri: pathToFileURL(path).href, sha256, sizeBytes: bytes.length };
}

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { MediaFileSchema, type ReportedMedia } from "@aiplatform/contract/aiplatform/training/v1/media";
import { create } from "@bufbuild/protobuf";
import type { PublishedArtifact } from "../workload.ts";
import type { MediaContent } from "./medium.ts";

/** Kept while the platform is away; what comes above it is not shown. */
const maxBytes = 268_435_456;

/** Files of media that are not uploaded yet, by their SHA-256. Those who show keep them, the sender removes them. */
export class MediaFiles {
  readonly #directory: string;
  #bytes = 0;

  /** `named`: files that reports still name. Any other was uploaded, or is of a step that is taken again, and goes. */
  constructor(directory: string, named: Iterable<string>) {
    mkdirSync(directory, { recursive: true });
    this.#directory = directory;
    const kept = new Set(named);
    for (const name of readdirSync(directory)) {
      if (kept.has(name)) this.#bytes += statSync(join(directory, name)).size;
      else rmSync(join(directory, name), { force: true });
    }
  }

  /** How a report names the file; undefined where there is no room for it. @throws Error as the disk does */
  keep({ bytes, mediaType }: MediaContent): ReportedMedia["content"] | undefined {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const path = join(this.#directory, sha256);
    if (!existsSync(path)) {
      if (this.#bytes + bytes.length > maxBytes) return undefined;
      writeFileSync(`${path}.new`, bytes);
      renameSync(`${path}.new`, path);
      this.#bytes += bytes.length;
    }
    return { case: "file", value: create(MediaFileSchema, { sha256, mediaType, sizeBytes: BigInt(bytes.length) }) };
  }

  /** The files that media name and that are not uploaded, as they are stored in the platform. */
  waiting(media: readonly ReportedMedia[]): PublishedArtifact[] {
    return digestsOf(media).flatMap((sha256) => {
      const path = join(this.#directory, sha256);
      if (!existsSync(path)) return [];
      return [{ uri: pathToFileURL(path).href, sha256, sizeBytes: statSync(path).size, format: "media", metrics: {} }];
    });
  }

  /** They are uploaded, or will never be. */
  remove(digests: Iterable<string>): void {
    for (const sha256 of digests) {
      const path = join(this.#directory, sha256);
      if (!existsSync(path)) continue;
      this.#bytes -= statSync(path).size;
      rmSync(path, { force: true });
    }
  }
}

/** Digests of the files that media name. */
export function digestsOf(media: readonly ReportedMedia[]): string[] {
  return media.flatMap(({ content }) => (content.case === "file" ? [content.value.sha256] : []));
}

import { isUtf8 } from "node:buffer";
import { imageHeadBytes, imageSize } from "./image-size.ts";

/** Pixels of each side of an image at most. */
const maxSide = 8_192;
/** Bytes of a text or table at most. */
const maxTextBytes = 1_048_576;

/** How many bytes of a file {@link mediaProblem} looks at. */
export function judgedBytes(mediaType: string, sizeBytes: number): number {
  return mediaType.startsWith("image/") ? Math.min(sizeBytes, imageHeadBytes) : sizeBytes;
}

/** Whether a file is small enough to be looked at. */
export function isJudged(mediaType: string, sizeBytes: number): boolean {
  return sizeBytes > 0 && (mediaType.startsWith("image/") || sizeBytes <= maxTextBytes);
}

/** Why bytes are not of the media type that a trainer has said; undefined: they are. */
export function mediaProblem(mediaType: string, head: Uint8Array): string | undefined {
  if (!mediaType.startsWith("image/")) return textProblem(mediaType, head);
  const size = imageSize(mediaType, head);
  if (!size) return `it is no ${mediaType}`;
  const isFit = [size.width, size.height].every((side) => side >= 1 && side <= maxSide);
  if (isFit) return undefined;
  return `it has ${size.width} × ${size.height} pixels, and each side may have 1 to ${maxSide}`;
}

function textProblem(mediaType: string, bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return "it is no text in UTF-8";
  const isObject = Buffer.from(bytes.subarray(0, 1_024)).toString().trimStart().startsWith("{");
  return mediaType === "application/json" && !isObject ? "it is no object of JSON" : undefined;
}

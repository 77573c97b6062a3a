import type { MediaContent, MediaFile, StoredMedium } from "../media/media.ts";

/** What the bytes of a medium are, and where: a file that was uploaded, or the bytes themselves. */
export interface MediaBytes {
  fileName: string;
  mediaType: string;
  source: { case: "file"; value: MediaFile } | { case: "data"; value: Uint8Array };
}

const extensions: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "text/plain": "txt",
  "application/json": "json",
};

export function mediaBytesOf({ name, step, content }: StoredMedium): MediaBytes {
  const { mediaType, source } = sourceOf(content);
  return { fileName: `${name}-${step}.${extensions[mediaType] ?? "bin"}`, mediaType, source };
}

function sourceOf(content: MediaContent): Omit<MediaBytes, "fileName"> {
  switch (content.case) {
    case "file":
      return { mediaType: content.value.mediaType, source: content };
    case "text":
      return { mediaType: "text/plain", source: { case: "data", value: Buffer.from(content.value) } };
    case "table":
      return { mediaType: "application/json", source: { case: "data", value: Buffer.from(content.value) } };
    case "histogram": {
      const { edges, counts } = content.value;
      const text = JSON.stringify({ edges, counts });
      return { mediaType: "application/json", source: { case: "data", value: Buffer.from(text) } };
    }
  }
}

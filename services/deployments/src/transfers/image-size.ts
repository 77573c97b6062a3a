/** Pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

type Read = (bytes: Buffer) => ImageSize | undefined;

/** How the head of a raster image says its size, by its media type. */
const formats: ReadonlyMap<string, Read> = new Map([
  ["image/png", pngSize],
  ["image/jpeg", jpegSize],
  ["image/webp", webpSize],
]);

/** Bytes of an image that suffice to know its size: a JPEG may have a profile and a preview before it. */
export const imageHeadBytes = 262_144;

/** The size of an image of that type; undefined: the bytes are no beginning of one. */
export function imageSize(mediaType: string, head: Uint8Array): ImageSize | undefined {
  return formats.get(mediaType)?.(Buffer.from(head.buffer, head.byteOffset, head.byteLength));
}

const pngSignature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

function pngSize(bytes: Buffer): ImageSize | undefined {
  const isPng = bytes.length >= 24 && bytes.subarray(0, 8).equals(pngSignature) && tagAt(bytes, 12) === "IHDR";
  return isPng ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : undefined;
}

/** Markers that begin a frame, other than those between them that say something else. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function jpegSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (isFrame(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    // A marker may be filled up with 0xff; any other is followed by the length of its segment.
    at += marker === 0xff ? 1 : 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return undefined;
}

function webpSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 30 || tagAt(bytes, 0) !== "RIFF" || tagAt(bytes, 8) !== "WEBP") return undefined;
  const format = tagAt(bytes, 12);
  if (format === "VP8X") return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (format === "VP8 ") return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (format !== "VP8L" || bytes[20] !== 0x2f) return undefined;
  const sizes = bytes.readUInt32LE(21);
  return { width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 };
}

function tagAt(bytes: Buffer, offset: number): string {
  return bytes.toString("latin1", offset, offset + 4);
}

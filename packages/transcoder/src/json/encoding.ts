import { isUtf8 } from "node:buffer";

/** Texts in which JSON may come. RFC 8259 wants UTF-8; the reference takes the others as well, by their first bytes. */
type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "utf-32le" | "utf-32be";

const marks: readonly [Encoding, readonly number[]][] = [
  ["utf-32be", [0, 0, 0xfe, 0xff]],
  ["utf-32le", [0xff, 0xfe, 0, 0]],
  ["utf-16be", [0xfe, 0xff]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-8", [0xef, 0xbb, 0xbf]],
];

/** Decodes JSON text, without its byte order mark. Answers undefined when it cannot be decoded. */
export function decodeJson(bytes: Buffer): string | undefined {
  const [first = 0, second] = bytes;
  if (first > 0 && first < 0x80 && second !== 0) return decode(bytes, "utf-8");
  const marked = marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  const [encoding, mark] = marked ?? [unmarkedEncoding(bytes), []];
  return decode(mark.length === 0 ? bytes : bytes.subarray(mark.length), encoding);
}

/** Two of the first four bytes of JSON are never zero together by chance: its first characters are ASCII. */
function unmarkedEncoding(bytes: Buffer): Encoding {
  const [first, second, third, fourth] = bytes;
  if (bytes.length >= 4) {
    if (first === 0) return second === 0 ? "utf-32be" : "utf-16be";
    if (second === 0) return third === 0 && fourth === 0 ? "utf-32le" : "utf-16le";
  } else if (bytes.length === 2) {
    if (first === 0) return "utf-16be";
    if (second === 0) return "utf-16le";
  }
  return "utf-8";
}

function decode(bytes: Buffer, encoding: Encoding): string | undefined {
  if (encoding === "utf-8") return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
  const text = encoding.startsWith("utf-16") ? decodeUnits(bytes, encoding) : decodePoints(bytes, encoding);
  // Half a pair cannot be passed on.
  return text?.isWellFormed() === true ? text : undefined;
}

function decodeUnits(bytes: Buffer, encoding: Encoding): string | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  return (encoding === "utf-16le" ? bytes : Buffer.from(bytes).swap16()).toString("utf16le");
}

function decodePoints(bytes: Buffer, encoding: Encoding): string | undefined {
  if (bytes.length % 4 !== 0) return undefined;
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 4) {
    const point = encoding === "utf-32le" ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    if (point > 0x10ffff) return undefined;
    parts.push(String.fromCodePoint(point));
  }
  return parts.join("");
}

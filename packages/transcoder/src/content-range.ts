/** What a reader asks for, as the headers `Range` and `If-Range` say it (RFC 9110, 14). Empty: nothing. */
export interface WantedRange {
  readonly range: string;
  readonly ifRange: string;
}

/** A part of bytes that is not empty. */
export interface SelectedRange {
  readonly offset: number;
  readonly length: number;
}

/** The range begins behind the last byte. */
export class RangeNotSatisfiableError extends Error {
  override name = "RangeNotSatisfiableError";
  /** Number of all bytes. */
  readonly sizeBytes: number;
  constructor(sizeBytes: number) {
    super(`The range begins behind the last of ${sizeBytes} bytes`);
    this.sizeBytes = sizeBytes;
  }
}

const onePart = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/;

/**
 * The part that is wanted of bytes; undefined: all of them. All are answered, too, where the range is several parts or cannot be read, or
 * where the reader has begun with other bytes than these. `etag`: a strong one. @throws RangeNotSatisfiableError
 */
export function selectRange(
  { range, ifRange }: WantedRange,
  { sizeBytes, etag }: { sizeBytes: number; etag: string },
): SelectedRange | undefined {
  const [, first, last, suffix] = onePart.exec(range.replaceAll(" ", "")) ?? [];
  if ((first === undefined && suffix === undefined) || (ifRange !== "" && ifRange !== etag)) return undefined;
  const offset = first === undefined ? Math.max(0, sizeBytes - Number(suffix)) : Number(first);
  const end = Math.min(sizeBytes, last ? Number(last) + 1 : sizeBytes);
  if (last && Number(last) < offset) return undefined;
  if (offset >= sizeBytes) throw new RangeNotSatisfiableError(sizeBytes);
  return { offset, length: end - offset };
}

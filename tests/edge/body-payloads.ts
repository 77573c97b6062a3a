import { gzipSync } from "node:zlib";

/** A body that a caller sends, and what is answered. */
export interface BodyRow {
  readonly name: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** Type of the first problem where the status is 422, else the code. */
  readonly says?: string;
}

const named = (name: string) => `{"name":${name},"slug":"bad-input","permission_ids":[]}`;
const nested = (depth: number) => `{"name":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;

const unreadable = { status: 400, says: "body_unreadable" };
const noJson = { status: 422, says: "json_invalid" };

/** Bodies for the operation that makes roles: what cannot be read, and what can but holds no role. */
export const bodies: readonly BodyRow[] = [
  { name: "a million brackets", body: "[".repeat(1_000_000), ...unreadable },
  { name: "a million brackets, closed", body: "[".repeat(500_000) + "]".repeat(500_000), ...unreadable },
  { name: "a million objects", body: '{"a":'.repeat(200_000), ...unreadable },
  { name: "257 levels", body: nested(257), ...unreadable },
  { name: "256 levels", body: nested(256), status: 422, says: "string_type" },
  {
    name: "100,000 keys",
    body: `{${Array.from({ length: 100_000 }, (_, i) => `"${i}":1`).join()}}`,
    status: 422,
    says: "missing",
  },
  { name: "100,000 times one key", body: `{${'"name":1,'.repeat(99_999)}"name":1}`, status: 422, says: "string_type" },
  { name: "100,000 wrong items", body: `{"permission_ids":[${"1,".repeat(99_999)}1]}`, status: 422, says: "missing" },
  { name: "keys that mean something to others", body: '{"__proto__":{"name":"x"}}', status: 422, says: "missing" },
  { name: "bytes that are no UTF-8", body: Buffer.from([0x22, 0xc3, 0x28, 0x22]), ...unreadable },
  { name: "an overlong encoding", body: Buffer.from([0x22, 0xc0, 0xaf, 0x22]), ...unreadable },
  { name: "half a pair in UTF-8", body: Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), ...unreadable },
  { name: "half a pair", body: named('"\\ud800"'), ...noJson },
  { name: "the other half", body: named('"\\udc00"'), ...noJson },
  { name: "a pair the wrong way round", body: named('"\\udc00\\ud800"'), ...noJson },
  { name: "a key that is half a pair", body: '{"\\ud800":1}', ...noJson },
  { name: "NUL in a text", body: named('"a\0b"'), ...noJson },
  { name: "a line's end in a text", body: named('"a\nb"'), ...noJson },
  { name: "NaN", body: named("NaN"), ...noJson },
  { name: "Infinity", body: named("Infinity"), ...noJson },
  { name: "-Infinity", body: named("-Infinity"), ...noJson },
  { name: "1e400", body: named("1e400"), ...noJson },
  { name: "-1e400", body: named("-1e400"), ...noJson },
  { name: "a number of 5,000 digits", body: named("1".repeat(5_000)), ...unreadable },
  { name: "a number of 4,300 digits", body: named("1".repeat(4_300)), status: 422, says: "string_type" },
  { name: "an exponent of 5,000 digits", body: named(`1e${"1".repeat(5_000)}`), ...noJson },
  { name: "a hexadecimal number", body: named("0x10"), ...noJson },
  { name: "a number with a zero before it", body: named("01"), ...noJson },
  { name: "a number with a plus", body: named("+1"), ...noJson },
  { name: "half a number", body: named("1."), ...noJson },
  { name: "a comment", body: `/* c */${named('"x"')}`, ...noJson },
  { name: "a comment of a line", body: `${named('"x"')}// c`, ...noJson },
  { name: "a comma too many in an object", body: '{"name":"x",}', ...noJson },
  { name: "a comma too many in an array", body: '{"permission_ids":["a",]}', ...noJson },
  { name: "single quotes", body: "{'name':'x'}", ...noJson },
  { name: "a name without quotes", body: "{name:1}", ...noJson },
  { name: "two values", body: "{} {}", ...noJson },
  { name: "half an object", body: '{"name":', ...noJson },
  { name: "white space alone", body: " \r\n\t", ...noJson },
  { name: "nothing", body: "", status: 422, says: "missing" },
  { name: "null", body: "null", status: 422, says: "missing" },
  { name: "an array", body: "[]", status: 422, says: "model_attributes_type" },
  {
    name: "another type",
    body: named('"x"'),
    headers: { "content-type": "text/plain" },
    status: 422,
    says: "model_attributes_type",
  },
  {
    name: "a form",
    body: "name=x",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    status: 422,
    says: "model_attributes_type",
  },
  { name: "a body above the limit", body: `"${"x".repeat(1_048_576)}"`, status: 413, says: "body_too_large" },
  {
    name: "a bomb of gzip",
    body: gzipSync(Buffer.alloc(50_000_000)),
    headers: { "content-encoding": "gzip" },
    status: 413,
    says: "body_too_large",
  },
  { name: "no gzip", body: "{}", headers: { "content-encoding": "gzip" }, ...unreadable },
  {
    name: "half of a gzip",
    body: gzipSync(named('"x"')).subarray(0, 20),
    headers: { "content-encoding": "gzip" },
    ...unreadable,
  },
  {
    name: "gzip in gzip",
    body: "{}",
    headers: { "content-encoding": "gzip, gzip" },
    status: 415,
    says: "unsupported_encoding",
  },
  {
    name: "an unknown encoding",
    body: "{}",
    headers: { "content-encoding": "zstd" },
    status: 415,
    says: "unsupported_encoding",
  },
];

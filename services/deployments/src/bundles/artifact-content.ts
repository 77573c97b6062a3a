/** What a file is to hold: bytes that were sent along, or an artifact that is stored already. */
export type Content = { bytes: Uint8Array } | { sha256: string };

/** A content that cannot be read, and where. */
export interface ContentProblem {
  /** Key inside of the content; undefined for the content itself. */
  key: string;
  problem: string;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
const digest = /^[0-9a-f]{64}$/;

/** Reads the JSON text of a content: a text, `{"base64": …}`, `{"artifact_sha256": …}`, or any JSON to be written as it is. */
export function readContent(text: string): Content | ContentProblem {
  const value: unknown = JSON.parse(text === "" ? "null" : text);
  if (typeof value === "string") return { bytes: Buffer.from(value) };
  const [only, ...others] = typeof value === "object" && value !== null ? Object.entries(value) : [];
  if (!only || others.length > 0 || Array.isArray(value)) return { bytes: Buffer.from(text === "" ? "null" : text) };
  const [key, inner] = only;
  if (key === "base64") return readBase64(inner);
  if (key === "artifact_sha256") return readDigest(inner);
  return { bytes: Buffer.from(text) };
}

function readBase64(inner: unknown): Content | ContentProblem {
  if (typeof inner === "string" && base64.test(inner)) return { bytes: Buffer.from(inner, "base64") };
  return { key: "base64", problem: "Input should be base64 without line breaks" };
}

function readDigest(inner: unknown): Content | ContentProblem {
  if (typeof inner === "string" && digest.test(inner)) return { sha256: inner };
  return { key: "artifact_sha256", problem: "Input should be a SHA-256 of 64 lower-case hexadecimal digits" };
}

import { base64url, decodeProtectedHeader, FlattenedEncrypt, flattenedDecrypt } from "jose";

/** It was sealed under another key or for another place, or changed since. */
export class UnsealError extends Error {
  override name = "UnsealError";
  constructor(cause?: unknown) {
    super("the sealed value cannot be opened", { cause });
  }
}

/** A key and its name. */
export interface SealingKey {
  id: string;
  /** 32 bytes. */
  key: Uint8Array;
}

/**
 * Encrypts with A256GCM (JWE, `dir`) for one place: the same parts are needed to open it, and are not kept with it.
 * Answers `header.iv.ciphertext.tag`; the header names the key.
 */
export async function seal(plain: Uint8Array, { id, key }: SealingKey, place: readonly string[]): Promise<string> {
  const sealed = await new FlattenedEncrypt(plain)
    .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid: id })
    .setAdditionalAuthenticatedData(bytesOf(place))
    .encrypt(key);
  return [sealed.protected, sealed.iv, sealed.ciphertext, sealed.tag].join(".");
}

/** @throws UnsealError when key, place or text are not those of the sealing. */
export async function open(
  sealed: string,
  { key }: Pick<SealingKey, "key">,
  place: readonly string[],
): Promise<Uint8Array> {
  const [header = "", iv = "", ciphertext = "", tag = "", ...more] = sealed.split(".");
  if (more.length > 0) throw new UnsealError();
  const jwe = { protected: header, iv, ciphertext, tag, aad: base64url.encode(bytesOf(place)) };
  const algorithms = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256GCM"] };
  try {
    return (await flattenedDecrypt(jwe, key, algorithms)).plaintext;
  } catch (error) {
    throw new UnsealError(error);
  }
}

/** Name of the key that something is sealed under. @throws UnsealError when it names none. */
export function keyIdOf(sealed: string): string {
  try {
    const { kid } = decodeProtectedHeader({ protected: sealed.split(".")[0] ?? "" });
    if (typeof kid === "string") return kid;
  } catch (error) {
    throw new UnsealError(error);
  }
  throw new UnsealError();
}

/** As JSON, so that no two places look alike. */
function bytesOf(place: readonly string[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(place));
}

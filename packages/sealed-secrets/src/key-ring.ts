/** A key under which data keys are kept. */
export interface KeyEncryptionKey {
  id: string;
  /** 32 bytes. Secret. */
  key: Uint8Array;
}

/** Keys that data keys may be kept under; the first is the one for new ones. */
export type KeyRing = readonly KeyEncryptionKey[];

const keyBytes = 32;

/** What a service declares of its setting SECRETS_KEYS. */
export const keyRingSetting = {
  check: (text: string): void => void readKeyRing(text),
  description:
    "Keys under which the organisations' data keys are kept: a JSON list of {id, key}, key being 32 bytes in base64; " +
    "the first is for new ones. The same on every replica, and another one for each service.",
} as const;

/** Reads `[{"id": "…", "key": "<base64 of 32 bytes>"}, …]`. @throws Error whose message completes "<NAME> …". */
export function readKeyRing(text: string): KeyRing {
  const list = parsed(text);
  if (!Array.isArray(list) || list.length === 0) throw new Error("must be a JSON list of at least one {id, key}");
  const ring = list.map((entry: unknown, index) => readKey(entry, `entry ${index}`));
  if (new Set(ring.map(({ id }) => id)).size < ring.length) throw new Error("names an id twice");
  return ring;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words quote the text, and this text is a secret.
    throw new Error("must be JSON");
  }
}

function readKey(entry: unknown, where: string): KeyEncryptionKey {
  const given = new Map<string, unknown>(Object.entries(entry ?? {}));
  const id = given.get("id");
  const key = given.get("key");
  if (typeof id !== "string" || !/^[A-Za-z0-9._-]{1,64}$/.test(id)) {
    throw new Error(`${where}: id must be 1 to 64 letters, digits, dots, hyphens or underscores`);
  }
  if (typeof key !== "string" || !/^[A-Za-z0-9+/]{43}=$/.test(key)) {
    throw new Error(`${where}: key must be ${keyBytes} bytes in base64`);
  }
  return { id, key: Buffer.from(key, "base64") };
}

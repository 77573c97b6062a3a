import type { KeyObject } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { Signer, Verifier } from "./detached-signature.ts";
import { ServiceKeyError } from "./errors.ts";
import { type PublicKey, readKeySet } from "./key-set.ts";
import { readPrivateKey } from "./private-key.ts";

/** Where a service's keys are, by setting. */
export interface ServiceKeyFiles {
  /** Its own private key, PEM. */
  readonly SERVICE_KEY_FILE: string;
  /** The public keys of all services, a JWK Set. */
  readonly SERVICE_KEYS_FILE: string;
}

interface Says {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface ServiceKeysOptions {
  /** Whose private key it is. */
  readonly service: string;
  readonly logger?: Says;
}

/** Keys that fit together. */
interface Held {
  readonly own: { readonly kid: string; readonly privateKey: KeyObject; readonly x: string };
  readonly known: ReadonlyMap<string, PublicKey>;
}

/** How often the files are looked at: what mounts them says nothing when it replaces them. */
const refreshEveryMs = 5_000;

/**
 * The private key of this service, and the public keys of all, from files that may be replaced while it runs. Signs as this
 * service, and says which service has signed something.
 */
export class ServiceKeys implements Disposable {
  readonly service: string;
  readonly #files: ServiceKeyFiles;
  readonly #logger: Says | undefined;
  readonly #timer: NodeJS.Timeout;
  #held: Held;
  #signers = new Map<string, Signer>();
  #verifiers = new Map<string, Verifier>();
  #complaint = "";
  #seen: string;

  /** Reads the files. @throws ServiceKeyError when they do not hold what they should; the message says what to do */
  constructor(files: ServiceKeyFiles, { service, logger }: ServiceKeysOptions) {
    this.service = service;
    this.#files = files;
    this.#logger = logger;
    this.#seen = stateOf(files);
    this.#held = readKeys(files, service);
    this.#timer = setInterval(() => this.refresh(), refreshEveryMs).unref();
  }

  /** The key that signs now, for tokens whose header names it by its `kid`. */
  get signingKey(): { readonly kid: string; readonly privateKey: KeyObject } {
    return this.#held.own;
  }

  /** The public key with this id and the service that it belongs to; undefined for one that is not known. */
  publicKey(kid: string): { readonly service: string; readonly key: KeyObject } | undefined {
    return this.#held.known.get(kid);
  }

  /** Whether a public key of the service is known: without one, nothing that it says is believed. */
  knows(service: string): boolean {
    return [...this.#held.known.values()].some((key) => key.service === service);
  }

  /**
   * Signs bytes as this service: a detached JWS (RFC 7515, RFC 7797). `type` says what they are, so that a signature made
   * for one thing is none for another.
   */
  sign(type: string, payload: Uint8Array): string {
    let signer = this.#signers.get(type);
    if (!signer) {
      signer = new Signer(type, this.#held.own);
      this.#signers.set(type, signer);
    }
    return signer.sign(payload);
  }

  /** Answers which service has signed these bytes. @throws SignatureError when none has */
  verify(type: string, payload: Uint8Array, signature: string): string {
    let verifier = this.#verifiers.get(type);
    if (!verifier) {
      verifier = new Verifier(type, this.#held.known.values());
      this.#verifiers.set(type, verifier);
    }
    return verifier.verify(payload, signature).service;
  }

  /** Takes what the files hold by now. What cannot be used is logged once, and the keys at hand are kept. */
  refresh(): void {
    const seen = stateOf(this.#files);
    if (seen === this.#seen && this.#complaint === "") return;
    this.#seen = seen;
    try {
      const found = readKeys(this.#files, this.service);
      this.#complaint = "";
      if (isSame(found, this.#held)) return;
      this.#held = found;
      this.#signers = new Map();
      this.#verifiers = new Map();
      this.#logger?.info({ kid: found.own.kid, known: [...found.known.keys()] }, "new service keys are used");
    } catch (error) {
      const complaint = error instanceof Error ? error.message : String(error);
      // Files that are being replaced may not fit together for a moment.
      if (complaint === this.#complaint) return;
      this.#complaint = complaint;
      this.#logger?.error({ reason: complaint }, "the new service keys cannot be used; those before them are kept");
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function readKeys(files: ServiceKeyFiles, service: string): Held {
  const { SERVICE_KEY_FILE: keyFile, SERVICE_KEYS_FILE: keysFile } = files;
  const { privateKey, x } = readPrivateKey(read("SERVICE_KEY_FILE", files), `SERVICE_KEY_FILE (${keyFile})`);
  const known = readKeySet(read("SERVICE_KEYS_FILE", files), `SERVICE_KEYS_FILE (${keysFile})`);
  const own = [...known.values()].find((key) => key.x === x);
  if (own?.service === service) return { own: { kid: own.kid, privateKey, x }, known };
  const whose = own ? `belongs to ${own.service}` : `is not in SERVICE_KEYS_FILE (${keysFile})`;
  const remedy = own
    ? "give each service its own key"
    : "add its public part there, at every service, before it is used";
  throw new ServiceKeyError(`the key in SERVICE_KEY_FILE (${keyFile}) of ${service} ${whose}: ${remedy}`);
}

/** Another one after each change of a file. */
function stateOf({ SERVICE_KEY_FILE, SERVICE_KEYS_FILE }: ServiceKeyFiles): string {
  const states = [SERVICE_KEY_FILE, SERVICE_KEYS_FILE].map((file) => {
    try {
      const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
      return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
    } catch {
      // Reading it says why.
      return undefined;
    }
  });
  return states.join();
}

function read(setting: keyof ServiceKeyFiles, files: ServiceKeyFiles): string {
  try {
    return readFileSync(files[setting], "utf8");
  } catch (error) {
    const code = typeof error === "object" && error && "code" in error ? String(error.code) : "unreadable";
    throw new ServiceKeyError(
      `${setting} names ${files[setting]}, which cannot be read (${code}): ` +
        "put the file there, readable for the user that the service runs as",
    );
  }
}

function isSame(one: Held, other: Held): boolean {
  const set = ({ known }: Held) => JSON.stringify([...known.values()].map(({ kid, x }) => [kid, x]));
  return one.own.x === other.own.x && one.own.kid === other.own.kid && set(one) === set(other);
}

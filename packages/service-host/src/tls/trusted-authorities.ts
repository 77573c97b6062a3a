import { createSecureContext, type SecureContext, type SecureVersion } from "node:tls";
import { SettingsError } from "../settings/read-settings.ts";
import { CertificateError, type NamedFile, readAuthorities } from "./certificate.ts";

/** The authorities of a file, for clients that show no certificate themselves. The file may be replaced while the process runs. */
export class TrustedAuthorities {
  readonly #file: NamedFile;
  readonly #minVersion: SecureVersion;
  #pem: Buffer;
  #context: SecureContext;

  /** Reads the file. @throws SettingsError when it is invalid */
  constructor(file: NamedFile, minVersion: SecureVersion = "TLSv1.3") {
    this.#file = file;
    this.#minVersion = minVersion;
    this.#pem = firstOf(file);
    this.#context = this.#contextOf(this.#pem);
  }

  /** For one new connection: of what the file holds now. @throws CertificateError */
  get context(): SecureContext {
    const pem = readAuthorities(this.#file);
    if (!pem.equals(this.#pem)) {
      this.#context = this.#contextOf(pem);
      this.#pem = pem;
    }
    return this.#context;
  }

  #contextOf(ca: Buffer): SecureContext {
    return createSecureContext({ ca, minVersion: this.#minVersion });
  }
}

function firstOf(file: NamedFile): Buffer {
  try {
    return readAuthorities(file);
  } catch (error) {
    if (error instanceof CertificateError) throw new SettingsError([error.message]);
    throw error;
  }
}

import { createSecureContext, type SecureContext, type SecureVersion } from "node:tls";
import type { Check } from "../checks/readiness.ts";
import type { Logger } from "../logger.ts";
import { SettingsError } from "../settings/read-settings.ts";
import { type Certificate, CertificateError, type CertificateFiles, readCertificate } from "./certificate.ts";

/** How often the files are looked at: what mounts them says nothing when it replaces them. */
const refreshEveryMs = 5_000;
/** Part of a certificate's time that is left when the log begins to warn. */
const warnBelow = 0.1;

/** What one end of a connection is set up with. */
export interface ContextOptions extends Pick<Certificate, "cert" | "key" | "ca"> {
  readonly minVersion: SecureVersion;
}

/** What a certificate is for. */
export interface CertificatePurpose {
  /** What the log says has TLS now, such as `calls between services`. */
  readonly use: string;
  readonly minVersion: SecureVersion;
  readonly logger: Pick<Logger, "info" | "warn" | "error"> | undefined;
}

/**
 * Certificate and key from files that may be replaced while the process runs. New connections use what is newest; those that
 * are open go on with what they began with.
 */
export class WatchedCertificate {
  readonly #files: CertificateFiles;
  readonly #purpose: CertificatePurpose;
  readonly #listeners = new Set<(options: ContextOptions) => void>();
  readonly #timer: NodeJS.Timeout;
  #certificate: Certificate;
  #context: SecureContext;
  #complaint = "";
  #warned = false;

  /** Reads the files. @throws SettingsError when they are invalid */
  constructor(files: CertificateFiles, purpose: CertificatePurpose) {
    this.#files = files;
    this.#purpose = purpose;
    this.#certificate = firstOf(files);
    this.#context = createSecureContext(this.options);
    this.#log("use TLS");
    this.#timer = setInterval(() => this.refresh(), refreshEveryMs).unref();
  }

  /** For a server or a client of Node's, and for `setSecureContext` of a server. */
  get options(): ContextOptions {
    const { cert, key, ca } = this.#certificate;
    return { cert, key, ca, minVersion: this.#purpose.minVersion };
  }

  /** For one new connection to a peer. */
  get context(): SecureContext {
    return this.#context;
  }

  /** Calls `listener` with every certificate that replaces another. */
  onRenewal(listener: (options: ContextOptions) => void): void {
    this.#listeners.add(listener);
  }

  /** Fails, saying which file to replace, while the certificate is out of its time: every peer refuses it then. */
  readonly check: Check = async () => {
    const { validFrom, validTo } = this.#certificate;
    const remedy = `put a valid one into ${this.#files.cert.path}; no restart is needed`;
    const now = Date.now();
    if (now > validTo.getTime()) throw new Error(`the TLS certificate expired at ${validTo.toISOString()}: ${remedy}`);
    if (now < validFrom.getTime()) {
      throw new Error(`the TLS certificate is not valid before ${validFrom.toISOString()}: ${remedy}`);
    }
  };

  /** Takes what the files hold by now. What is invalid is logged once, and the certificate at hand is kept. */
  refresh(): void {
    try {
      const found = readCertificate(this.#files);
      this.#complaint = "";
      if (isSame(found, this.#certificate)) {
        this.#warnOfEnd();
        return;
      }
      const context = createSecureContext({ ...found, minVersion: this.#purpose.minVersion });
      this.#certificate = found;
      this.#context = context;
      this.#warned = false;
      for (const listener of this.#listeners) listener(this.options);
      this.#log("use a new TLS certificate");
    } catch (error) {
      const complaint = error instanceof Error ? error.message : String(error);
      // Files that are being replaced may not fit together for a moment.
      if (complaint === this.#complaint) return;
      this.#complaint = complaint;
      const said = "the new TLS certificate cannot be used; the one before it is kept";
      this.#purpose.logger?.error({ reason: complaint }, said);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #log(what: string): void {
    const { names, validTo } = this.#certificate;
    const { use, logger } = this.#purpose;
    logger?.info({ names, valid_until: validTo.toISOString() }, `${use} ${what}`);
    this.#warnOfEnd();
  }

  #warnOfEnd(): void {
    const { validFrom, validTo } = this.#certificate;
    const left = (validTo.getTime() - Date.now()) / (validTo.getTime() - validFrom.getTime());
    if (this.#warned || left > warnBelow) return;
    this.#warned = true;
    const facts = { file: this.#files.cert.path, valid_until: validTo.toISOString() };
    this.#purpose.logger?.warn(facts, "the TLS certificate expires: replace it");
  }
}

function firstOf(files: CertificateFiles): Certificate {
  try {
    return readCertificate(files);
  } catch (error) {
    if (error instanceof CertificateError) throw new SettingsError([error.message]);
    throw error;
  }
}

function isSame(a: Certificate, b: Certificate): boolean {
  const isSameCa = a.ca === b.ca || (a.ca !== undefined && b.ca !== undefined && a.ca.equals(b.ca));
  return isSameCa && a.cert.equals(b.cert) && a.key.equals(b.key);
}

import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

/** Where a service's certificate is, by setting. */
export interface MeshCertificateFiles {
  readonly TLS_CERT_FILE: string;
  readonly TLS_KEY_FILE: string;
  readonly TLS_CA_FILE: string;
}

/** A certificate that can be used, with its key and the authorities that peers' certificates must be of. */
export interface MeshCertificate {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer;
  /** Whom it names, such as `DNS:training, DNS:training.aiplatform`. */
  readonly names: string;
  readonly validFrom: Date;
  readonly validTo: Date;
}

/** The files do not make a certificate that can be used; the message names setting, file and remedy. */
export class MeshCertificateError extends Error {
  override name = "MeshCertificateError";
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads and checks the files. A certificate out of its time passes: a new one may come while the service runs. @throws MeshCertificateError */
export function readMeshCertificate(files: MeshCertificateFiles): MeshCertificate {
  const cert = read("TLS_CERT_FILE", files);
  const key = read("TLS_KEY_FILE", files);
  const ca = read("TLS_CA_FILE", files);
  const chain = certificatesIn("TLS_CERT_FILE", cert, files);
  const authorities = certificatesIn("TLS_CA_FILE", ca, files);
  const [own] = chain;
  if (!own) throw noCertificate("TLS_CERT_FILE", files);
  if (!own.checkPrivateKey(privateKeyIn(key, files))) {
    throw new MeshCertificateError(
      `TLS_KEY_FILE (${files.TLS_KEY_FILE}) is not the key of the certificate in TLS_CERT_FILE (${files.TLS_CERT_FILE}): ` +
        "take both from the same issue",
    );
  }
  if (!leadsTo(own, chain, authorities)) {
    throw new MeshCertificateError(
      `the certificate in TLS_CERT_FILE (${files.TLS_CERT_FILE}) was not issued by an authority in TLS_CA_FILE ` +
        `(${files.TLS_CA_FILE}): peers would refuse it, so take both from the same authority`,
    );
  }
  const { subjectAltName, subject, validFromDate: validFrom, validToDate: validTo } = own;
  return { cert, key, ca, names: subjectAltName ?? subject, validFrom, validTo };
}

function read(setting: keyof MeshCertificateFiles, files: MeshCertificateFiles): Buffer {
  try {
    return readFileSync(files[setting]);
  } catch (error) {
    const code = typeof error === "object" && error && "code" in error ? String(error.code) : "unreadable";
    throw new MeshCertificateError(
      `${setting} names ${files[setting]}, which cannot be read (${code}): ` +
        "put the file there, readable for the user that the service runs as",
    );
  }
}

function certificatesIn(
  setting: "TLS_CERT_FILE" | "TLS_CA_FILE",
  pem: Buffer,
  files: MeshCertificateFiles,
): X509Certificate[] {
  try {
    const certificates = (pem.toString("latin1").match(pemCertificate) ?? []).map((text) => new X509Certificate(text));
    if (certificates.length > 0) return certificates;
  } catch {
    // Said below, in our words.
  }
  throw noCertificate(setting, files);
}

function noCertificate(setting: "TLS_CERT_FILE" | "TLS_CA_FILE", files: MeshCertificateFiles): MeshCertificateError {
  const wanted =
    setting === "TLS_CERT_FILE"
      ? "the service's certificate, followed by those between it and its authority"
      : "the certificates of the authorities that peers may be of";
  return new MeshCertificateError(`${setting} names ${files[setting]}, which must hold, in PEM, ${wanted}`);
}

function privateKeyIn(pem: Buffer, files: MeshCertificateFiles): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new MeshCertificateError(
      `TLS_KEY_FILE names ${files.TLS_KEY_FILE}, which must hold the certificate's private key in PEM, without a passphrase`,
    );
  }
}

/** Whether an authority issued the certificate, be it by others of its chain. */
function leadsTo(own: X509Certificate, chain: X509Certificate[], authorities: X509Certificate[]): boolean {
  const issued = (one: X509Certificate) => (by: X509Certificate) => one.checkIssued(by) && one.verify(by.publicKey);
  const left = new Set(chain);
  for (let one: X509Certificate | undefined = own; one; ) {
    if (authorities.some(issued(one))) return true;
    left.delete(one);
    one = [...left].find(issued(one));
  }
  return false;
}

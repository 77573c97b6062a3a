import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

/** Where a service's certificate for calls inside the mesh is, by setting. */
export interface MeshCertificateFiles {
  readonly TLS_CERT_FILE: string;
  readonly TLS_KEY_FILE: string;
  readonly TLS_CA_FILE: string;
}

/** A file, and the setting that names it. */
export interface NamedFile {
  readonly setting: string;
  readonly path: string;
}

export interface CertificateFiles {
  readonly cert: NamedFile;
  readonly key: NamedFile;
  /** Authorities, one of which must have issued it. Undefined: any may have. */
  readonly ca?: NamedFile;
}

/** A certificate that can be used, with its key and the authorities that peers' certificates must be of. */
export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer | undefined;
  /** Whom it names, such as `DNS:training, DNS:training.aiplatform`. */
  readonly names: string;
  readonly validFrom: Date;
  readonly validTo: Date;
}

/** The files do not make a certificate that can be used; the message names setting, file and remedy. */
export class CertificateError extends Error {
  override name = "CertificateError";
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const ownCertificate = "the certificate, followed by those between it and its authority";
const authorityCertificates = "the certificates of the authorities that peers may be of";

/** Reads and checks the files. A certificate out of its time passes: a new one may come while the service runs. @throws CertificateError */
export function readCertificate(files: CertificateFiles): Certificate {
  const [cert, key] = [read(files.cert), read(files.key)];
  const chain = certificatesIn(cert, files.cert, ownCertificate);
  const [own] = chain;
  if (!own) throw noCertificate(files.cert, ownCertificate);
  if (!own.checkPrivateKey(privateKeyIn(key, files.key))) {
    throw new CertificateError(
      `${saidOf(files.key)} is not the key of the certificate in ${saidOf(files.cert)}: take both from the same issue`,
    );
  }
  const { subjectAltName, subject, validFromDate: validFrom, validToDate: validTo } = own;
  const ca = files.ca && authoritiesOf(own, chain, { ...files, ca: files.ca });
  return { cert, key, ca, names: subjectAltName ?? subject, validFrom, validTo };
}

/** The PEM text of a file of authorities, once it is known to hold some. @throws CertificateError */
export function readAuthorities(file: NamedFile): Buffer {
  const pem = read(file);
  certificatesIn(pem, file, authorityCertificates);
  return pem;
}

function authoritiesOf(own: X509Certificate, chain: X509Certificate[], files: Required<CertificateFiles>): Buffer {
  const ca = read(files.ca);
  if (leadsTo(own, chain, certificatesIn(ca, files.ca, authorityCertificates))) return ca;
  throw new CertificateError(
    `the certificate in ${saidOf(files.cert)} was not issued by an authority in ${saidOf(files.ca)}: ` +
      "peers would refuse it, so take both from the same authority",
  );
}

const saidOf = ({ setting, path }: NamedFile) => `${setting} (${path})`;

function read({ setting, path }: NamedFile): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = typeof error === "object" && error && "code" in error ? String(error.code) : "unreadable";
    throw new CertificateError(
      `${setting} names ${path}, which cannot be read (${code}): ` +
        "put the file there, readable for the user that the service runs as",
    );
  }
}

function certificatesIn(pem: Buffer, file: NamedFile, wanted: string): X509Certificate[] {
  try {
    const certificates = (pem.toString("latin1").match(pemCertificate) ?? []).map((text) => new X509Certificate(text));
    if (certificates.length > 0) return certificates;
  } catch {
    // Said below, in our words.
  }
  throw noCertificate(file, wanted);
}

function noCertificate({ setting, path }: NamedFile, wanted: string): CertificateError {
  return new CertificateError(`${setting} names ${path}, which must hold, in PEM, ${wanted}`);
}

function privateKeyIn(pem: Buffer, { setting, path }: NamedFile): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new CertificateError(
      `${setting} names ${path}, which must hold the certificate's private key in PEM, without a passphrase`,
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

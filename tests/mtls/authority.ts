import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { MeshCertificateFiles } from "@aiplatform/service-host";
import * as x509 from "@peculiar/x509";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const day = 86_400_000;

/** How a certificate differs from one that is good. */
export interface Wish {
  /** When it ends. Default: in a day. */
  readonly notAfter?: Date;
  readonly notBefore?: Date;
  /** Host names. Default: localhost and 127.0.0.1. */
  readonly names?: readonly string[];
}

/** Certificate and key in PEM. */
export interface Issue {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority of one test's. */
export class Authority {
  readonly pem: string;
  readonly #keys: webcrypto.CryptoKeyPair;
  readonly #certificate: x509.X509Certificate;

  private constructor(keys: webcrypto.CryptoKeyPair, certificate: x509.X509Certificate) {
    this.#keys = keys;
    this.#certificate = certificate;
    this.pem = certificate.toString("pem");
  }

  /** @param days How long it is good for. */
  static async create(name: string, days = 1): Promise<Authority> {
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.createSelfSigned(
      {
        name: `CN=${name}`,
        notBefore: new Date(Date.now() - day),
        notAfter: new Date(Date.now() + days * day),
        signingAlgorithm: algorithm,
        keys,
        extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
      },
      webcrypto,
    );
    return new Authority(keys, certificate);
  }

  /** A certificate for servers and clients on this machine. */
  async issue({ notBefore, notAfter, names }: Wish = {}): Promise<Issue> {
    const keys = await newKeys();
    const hosts = (names ?? ["localhost"]).map((value) => ({ type: "dns" as const, value }));
    const certificate = await x509.X509CertificateGenerator.create(
      {
        subject: "CN=a service of the mesh",
        issuer: this.#certificate.subject,
        notBefore: notBefore ?? new Date(Date.now() - day),
        notAfter: notAfter ?? new Date(Date.now() + day),
        signingAlgorithm: algorithm,
        publicKey: keys.publicKey,
        signingKey: this.#keys.privateKey,
        extensions: [
          new x509.SubjectAlternativeNameExtension([
            ...hosts,
            ...(names ? [] : [{ type: "ip" as const, value: "127.0.0.1" }]),
          ]),
        ],
      },
      webcrypto,
    );
    const key = x509.PemConverter.encode(
      await webcrypto.subtle.exportKey("pkcs8", keys.privateKey),
      x509.PemConverter.PrivateKeyTag,
    );
    return { cert: certificate.toString("pem"), key };
  }
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}

/** Writes an issue where a service finds it. */
export async function writeCertificate(
  directory: string,
  { cert, key }: Issue,
  ca: string,
): Promise<MeshCertificateFiles> {
  await mkdir(directory, { recursive: true });
  const files = {
    TLS_CERT_FILE: join(directory, "tls.crt"),
    TLS_KEY_FILE: join(directory, "tls.key"),
    TLS_CA_FILE: join(directory, "ca.crt"),
  };
  await Promise.all([
    writeFile(files.TLS_CERT_FILE, cert),
    writeFile(files.TLS_KEY_FILE, key),
    writeFile(files.TLS_CA_FILE, ca),
  ]);
  return files;
}

import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import type { MeshCertificateFiles } from "@aiplatform/service-host";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const dayMs = 86_400_000;
const loopback = [
  { type: "dns", value: "localhost" },
  { type: "ip", value: "127.0.0.1" },
] as const;

/** How a certificate differs from one that is good today on this machine. */
export interface CertificateOptions {
  /** Common name. Default: a service of the mesh. */
  readonly name?: string;
  /** Host names and addresses. Default: localhost and 127.0.0.1. */
  readonly hosts?: readonly string[];
  /** Default: a day ago. */
  readonly notBefore?: Date;
  /** Default: in a day. */
  readonly notAfter?: Date;
}

/** A certificate and its private key, in PEM. */
export interface IssuedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority of one test's; what it issues is good for both sides of a call. */
export class CertificateAuthority {
  readonly pem: string;
  readonly #keys: webcrypto.CryptoKeyPair;
  readonly #certificate: X509Certificate;

  private constructor(keys: webcrypto.CryptoKeyPair, certificate: X509Certificate) {
    this.#keys = keys;
    this.#certificate = certificate;
    this.pem = certificate.toString("pem");
  }

  /** @param days How long it is good for. */
  static async create(name: string, days = 1): Promise<CertificateAuthority> {
    const keys = await newKeys();
    const own = {
      name: `CN=${name}`,
      ...validity({ notAfter: new Date(Date.now() + days * dayMs) }),
      signingAlgorithm: algorithm,
      keys,
      extensions: [
        new BasicConstraintsExtension(true, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      ],
    };
    return new CertificateAuthority(keys, await X509CertificateGenerator.createSelfSigned(own, webcrypto));
  }

  async issue(options: CertificateOptions = {}): Promise<IssuedCertificate> {
    const { name = "a service of the mesh", hosts } = options;
    const keys = await newKeys();
    const names = hosts
      ? hosts.map((value) => ({ type: isIP(value) ? ("ip" as const) : ("dns" as const), value }))
      : [...loopback];
    const wanted = {
      subject: `CN=${name}`,
      issuer: this.#certificate.subject,
      ...validity(options),
      signingAlgorithm: algorithm,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      extensions: [
        new SubjectAlternativeNameExtension(names),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
        await AuthorityKeyIdentifierExtension.create(this.#keys.publicKey, false, webcrypto),
      ],
    };
    const certificate = await X509CertificateGenerator.create(wanted, webcrypto);
    const pkcs8 = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
    return { cert: certificate.toString("pem"), key: PemConverter.encode(pkcs8, PemConverter.PrivateKeyTag) };
  }
}

function validity({ notBefore, notAfter }: Pick<CertificateOptions, "notBefore" | "notAfter">) {
  return {
    notBefore: notBefore ?? new Date(Date.now() - dayMs),
    notAfter: notAfter ?? new Date(Date.now() + dayMs),
  };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}

/** Writes a certificate where a service finds it. */
export async function writeCertificate(
  directory: string,
  { cert, key }: IssuedCertificate,
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

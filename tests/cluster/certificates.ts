import "reflect-metadata";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { apply, platformNamespace } from "./kubernetes.ts";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const usages: ("sign" | "verify")[] = ["sign", "verify"];
const dayMs = 86_400_000;
const validity = () => ({ notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) });

/** A certificate with its key and who vouches for it, as PEM. */
export interface Identity {
  cert: string;
  key: string;
  ca: string;
}

/**
 * Gives each of them the Secret that cert-manager would: a certificate of one authority, good for both sides of a call.
 * Answers them by name.
 */
export async function makeCertificates(names: readonly string[]): Promise<ReadonlyMap<string, Identity>> {
  const made = new Map<string, Identity>();
  const keys = await crypto.subtle.generateKey(algorithm, true, usages);
  const authority = await X509CertificateGenerator.createSelfSigned({
    name: "CN=aiplatform mesh",
    keys,
    signingAlgorithm: algorithm,
    ...validity(),
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  for (const service of names) {
    const own = await crypto.subtle.generateKey(algorithm, true, usages);
    const certificate = await X509CertificateGenerator.create({
      subject: `CN=${service}`,
      issuer: authority.subject,
      publicKey: own.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: algorithm,
      ...validity(),
      extensions: [
        new SubjectAlternativeNameExtension(namesOf(service).map((value) => ({ type: "dns", value }))),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
        await AuthorityKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    const key = PemConverter.encode(await crypto.subtle.exportKey("pkcs8", own.privateKey), "PRIVATE KEY");
    const identity = { cert: certificate.toString("pem"), key, ca: authority.toString("pem") };
    made.set(service, identity);
    const stringData = { "tls.crt": identity.cert, "tls.key": identity.key, "ca.crt": identity.ca };
    const metadata = { name: `${service}-tls`, namespace: platformNamespace };
    await apply({ apiVersion: "v1", kind: "Secret", type: "kubernetes.io/tls", metadata, stringData });
  }
  return made;
}

function namesOf(service: string): string[] {
  const inside = `${service}.${platformNamespace}`;
  return [service, inside, `${inside}.svc`, `${inside}.svc.cluster.local`];
}

import { CertificateAuthority, type IssuedCertificate } from "@aiplatform/testkit/certificate-authority";
import { apply, platformNamespace } from "./kubernetes.ts";

/** A certificate with its key and the authority that issued it, as PEM. */
export interface Identity extends IssuedCertificate {
  readonly ca: string;
}

/**
 * Gives each of them the Secret that cert-manager would: a certificate of one authority, good for both sides of a call.
 * Answers them by name.
 */
export async function makeCertificates(services: readonly string[]): Promise<ReadonlyMap<string, Identity>> {
  const authority = await CertificateAuthority.create("aiplatform mesh");
  const made = new Map<string, Identity>();
  for (const name of services) {
    const identity = { ...(await authority.issue({ name, hosts: hostsOf(name) })), ca: authority.pem };
    made.set(name, identity);
    const stringData = { "tls.crt": identity.cert, "tls.key": identity.key, "ca.crt": identity.ca };
    const metadata = { name: `${name}-tls`, namespace: platformNamespace };
    await apply({ apiVersion: "v1", kind: "Secret", type: "kubernetes.io/tls", metadata, stringData });
  }
  return made;
}

function hostsOf(service: string): string[] {
  const inside = `${service}.${platformNamespace}`;
  return [service, inside, `${inside}.svc`, `${inside}.svc.cluster.local`];
}

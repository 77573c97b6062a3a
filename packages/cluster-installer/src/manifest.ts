/** As much of a Kubernetes object as the installer looks at. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  spec?: ManifestSpec;
}

interface ManifestSpec {
  tls?: { secretName?: string }[];
  listeners?: { tls?: { certificateRefs?: { name: string }[] } }[];
  template?: { spec?: PodSpec };
}

interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string } };
}

interface PodSpec {
  containers?: { name: string; image: string; env?: Variable[] }[];
  volumes?: { name: string; secret?: { secretName: string } }[];
}

/** Where the Secret `aiplatform-<service>` is mounted; each file of it has the name of a key. */
export const secretsDirectory = "/run/secrets/aiplatform/";

/** Volume of a Secret → where it is mounted; the second has the public keys of all services. */
const mounts = { secrets: secretsDirectory, "service-keys": "/run/secrets/service-keys/" };

/** The namespace of the services. */
export const mainNamespace = "aiplatform";

/** The namespace of what answers predictions. */
export const servingNamespace = "aiplatform-serving";

/** A key that a Secret has to hold. */
export interface NeededKey {
  secret: string;
  key: string;
}

/** Keys of Secrets that the pods read and that only the installation's operator can create, each once. */
export function neededKeys(manifests: readonly Manifest[]): NeededKey[] {
  const needed = manifests.flatMap(({ spec }) => {
    const pod = spec?.template?.spec;
    const variables = (pod?.containers ?? []).flatMap(({ env = [] }) => env);
    const referred = variables.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
    const inVariables = referred.map(({ name, key }) => ({ secret: name, key }));
    const inFiles = Object.entries(mounts).flatMap(([volume, directory]) => {
      const secret = pod?.volumes?.find(({ name }) => name === volume)?.secret?.secretName;
      if (secret === undefined) return [];
      const files = variables.map(({ value = "" }) => value).filter((value) => value.startsWith(directory));
      return files.map((file) => ({ secret, key: file.slice(directory.length) }));
    });
    return [...inFiles, ...inVariables];
  });
  return [...new Map(needed.map((each) => [`${each.secret}/${each.key}`, each])).values()];
}

/** Names of the Secrets with the certificate that browsers see. */
export function publicCertificates(manifests: readonly Manifest[]): string[] {
  const ofIngresses = manifests.flatMap(({ spec }) => (spec?.tls ?? []).map(({ secretName }) => secretName));
  const ofGateways = manifests.flatMap(({ spec }) =>
    (spec?.listeners ?? []).flatMap(({ tls }) => (tls?.certificateRefs ?? []).map(({ name }) => name)),
  );
  return [...new Set([...ofIngresses, ...ofGateways])].filter((name) => name !== undefined);
}

/** Whether it keeps data, or serves what does. */
export function isDataStore({ metadata }: Manifest): boolean {
  return metadata.labels?.["app.kubernetes.io/component"] === "data-store";
}

/** What has a rollout to wait for. */
export function rollsOut({ kind }: Manifest): boolean {
  return kind === "Deployment" || kind === "StatefulSet";
}

/** `deployment/gateway`, as kubectl takes it. */
export function referenceOf({ kind, metadata }: Manifest): string {
  return `${kind.toLowerCase()}/${metadata.name}`;
}

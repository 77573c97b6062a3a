import { makeSecrets, missingKeys, missingText, readSecrets } from "./cluster-secrets.ts";
import { InstallError } from "./errors.ts";
import { loadImages, pushImages } from "./images.ts";
import type { Kubectl } from "./kubectl.ts";
import {
  isDataStore,
  type Manifest,
  mainNamespace,
  neededKeys,
  publicCertificates,
  referenceOf,
  rollsOut,
} from "./manifest.ts";
import { checkApis, checkVersion } from "./prerequisites.ts";
import { type Overlay, renderOverlay, textOf } from "./render-overlay.ts";
import { awaitRollouts } from "./rollouts.ts";

/** What is installed, and how. */
export interface InstallOptions {
  overlay: Overlay;
  /** Images are built, pushed there and taken from there. */
  registry?: string | undefined;
  /** Images are built and given to this command, which puts `{archive}` where the nodes find it. */
  load?: string | undefined;
  /** Images are there already: none is built. */
  built: boolean;
  tag?: string | undefined;
  timeoutSeconds: number;
}

/** What a command talks to. */
export interface Surroundings {
  kubectl: Kubectl;
  /** Hears a line of progress. */
  log: (line: string) => void;
}

/** Installs the platform, or brings what is there up to date. Safe to repeat. @throws InstallError */
export async function install({ kubectl, log }: Surroundings, options: InstallOptions): Promise<void> {
  const { overlay, registry, tag, timeoutSeconds } = options;
  log(`the cluster answers: Kubernetes ${await checkVersion(kubectl)}`);
  const manifests = await renderOverlay(kubectl, overlay, { registry, tag });
  await checkApis(kubectl, manifests);
  const isOwnCluster = manifests.some(isDataStore);
  if (!isOwnCluster) await assertKeys(kubectl, manifests);
  await provideImages(options, log);

  await apply(
    kubectl,
    manifests.filter(({ kind }) => kind === "Namespace"),
  );
  if (isOwnCluster) {
    const { made, replaced } = await makeSecrets(kubectl, neededKeys(manifests));
    log(made.length > 0 ? `secrets created: ${made.join(", ")}` : "all secrets are there");
    // Services that find no database end and are started again later and later: so it is there first.
    const stores = manifests.filter(isDataStore);
    await apply(kubectl, stores);
    await restartReaders(kubectl, stores, replaced);
    log("waiting for MongoDB and NATS");
    await awaitRollouts(kubectl, stores, { timeoutSeconds, log });
  }
  await apply(kubectl, manifests);
  log(`${manifests.length} objects are applied; waiting for the services`);
  await awaitRollouts(
    kubectl,
    manifests.filter((manifest) => !isDataStore(manifest)),
    { timeoutSeconds, log },
  );
}

async function assertKeys(kubectl: Kubectl, manifests: readonly Manifest[]): Promise<void> {
  const present = await readSecrets(kubectl);
  const certificates = publicCertificates(manifests).map((secret) => ({ secret, key: "tls.crt" }));
  const missing = missingKeys([...neededKeys(manifests), ...certificates], present);
  if (missing.length > 0) throw new InstallError(missingText(missing));
}

async function provideImages(
  { registry, load, built, tag }: InstallOptions,
  log: (line: string) => void,
): Promise<void> {
  if (registry !== undefined && load !== undefined) throw new InstallError("--registry and --load exclude each other.");
  if (built) return;
  if (registry !== undefined) await pushImages(registry, tag);
  else if (load !== undefined) await loadImages(load, { tag, log });
}

/** A server reads its Secret when it starts. */
async function restartReaders(
  kubectl: Kubectl,
  stores: readonly Manifest[],
  secrets: readonly string[],
): Promise<void> {
  const reads = (store: Manifest) => neededKeys([store]).some(({ secret }) => secrets.includes(secret));
  const readers = stores.filter((store) => rollsOut(store) && reads(store)).map(referenceOf);
  if (readers.length === 0) return;
  await kubectl.run(["rollout", "restart", "--namespace", mainNamespace, ...readers]);
}

/** Makes the objects what the manifests say; what the cluster or an autoscaler has added to them stays. */
async function apply(kubectl: Kubectl, manifests: readonly Manifest[]): Promise<void> {
  const how = ["--server-side", "--force-conflicts", "--field-manager=aiplatform-installer", "--filename=-"];
  await kubectl.run(["apply", ...how], { input: textOf(manifests) });
}

/** What to do once it is there. */
export function nextSteps({ place }: Kubectl): string {
  return [
    "The platform is installed. Reach its gateway from here:",
    `  ${place} --namespace ${mainNamespace} port-forward service/gateway 8080`,
    "then http://127.0.0.1:8080/docs shows the API. Make the first organisation, and its key, with",
    "  npm run k8s -- organisation --slug acme --name Acme --administrator ada@acme.example",
    "and look at how everything is with",
    "  npm run k8s -- status",
  ].join("\n");
}

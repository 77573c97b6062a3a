import type { Surroundings } from "./install.ts";
import { type Manifest, mainNamespace, servingNamespace } from "./manifest.ts";
import { type Overlay, renderOverlay, textOf } from "./render-overlay.ts";

/** What is taken away. */
export interface UninstallOptions {
  overlay: Overlay;
  /** Volumes and secrets as well. */
  data: boolean;
}

/** Whether it holds what cannot be made again. */
function isKept({ kind, metadata }: Manifest): boolean {
  return kind === "PersistentVolumeClaim" || (kind === "Namespace" && metadata.name === mainNamespace);
}

/** Takes the platform out of the cluster. Without `data` volumes and secrets stay, and installing again goes on with them. */
export async function uninstall({ kubectl, log }: Surroundings, { overlay, data }: UninstallOptions): Promise<void> {
  const manifests = await renderOverlay(kubectl, overlay);
  // Deleted before their controller and their namespace: without these nothing would end them.
  const gone = manifests.filter((manifest) => data || !isKept(manifest));
  await kubectl.run(["delete", "--ignore-not-found", "--wait=false", "--filename=-"], { input: textOf(gone) });
  log(`${gone.length} objects are deleted; waiting for the namespaces`);
  const namespaces = data ? [mainNamespace, servingNamespace] : [servingNamespace];
  for (const name of namespaces) {
    await kubectl.run(["wait", "--for=delete", `namespace/${name}`, "--timeout=300s"]);
  }
  log(
    data
      ? "nothing is left"
      : `volumes and secrets are left in the namespace ${mainNamespace}; uninstall --data takes them as well`,
  );
}

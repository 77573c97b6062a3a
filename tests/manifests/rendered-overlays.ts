import { Kubectl, type Manifest, overlayNames, renderOverlay } from "@aiplatform/cluster-installer";
import { findBinary, kubectlBinary } from "@aiplatform/local-platform";
import type {
  V1ConfigMap,
  V1Deployment,
  V1Namespace,
  V1NetworkPolicy,
  V1PodDisruptionBudget,
  V1Service,
  V1ServiceAccount,
  V1StatefulSet,
  V2HorizontalPodAutoscaler,
} from "@kubernetes/client-node";

/** The kinds that tests look into. */
interface Kinds {
  ConfigMap: V1ConfigMap;
  Deployment: V1Deployment;
  HorizontalPodAutoscaler: V2HorizontalPodAutoscaler;
  Namespace: V1Namespace;
  NetworkPolicy: V1NetworkPolicy;
  PodDisruptionBudget: V1PodDisruptionBudget;
  Service: V1Service;
  ServiceAccount: V1ServiceAccount;
  StatefulSet: V1StatefulSet;
}

/** The objects of an overlay, as kubectl makes them of it. */
export interface RenderedOverlay {
  overlay: string;
  manifests: readonly Manifest[];
  /** All of a kind. */
  all: <K extends keyof Kinds>(kind: K) => Kinds[K][];
}

/** The services, by the name that each has everywhere. */
export const serviceNames = ["gateway", "identity", "training", "content", "deployments", "data"] as const;

export type ServiceName = (typeof serviceNames)[number];

/** Renders every overlay. Rejects where kubectl is not available. */
export async function renderOverlays(): Promise<RenderedOverlay[]> {
  const found = await findBinary(kubectlBinary);
  if (found.path === undefined) throw new Error(`No kubectl to render with: ${found.obstacles.join("; ")}`);
  const kubectl = new Kubectl({ program: found.path });
  return Promise.all(
    overlayNames.map(async (overlay) => {
      const manifests = await renderOverlay(kubectl, overlay);
      const all = <K extends keyof Kinds>(kind: K) =>
        manifests.filter((manifest) => manifest.kind === kind) as unknown as Kinds[K][];
      return { overlay, manifests, all };
    }),
  );
}

/** Name of an object. */
export function nameOf({ metadata }: { metadata?: { name?: string } }): string {
  return metadata?.name ?? "";
}

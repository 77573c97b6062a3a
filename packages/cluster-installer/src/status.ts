import type { Kubectl } from "./kubectl.ts";
import { mainNamespace } from "./manifest.ts";

interface Workload {
  kind: string;
  metadata: { name: string; generation?: number };
  spec: { replicas?: number; template: { spec: { containers: { image: string }[] } } };
  status?: { observedGeneration?: number; readyReplicas?: number; updatedReplicas?: number };
}

/** One workload, as people look at it. */
export interface WorkloadStatus {
  name: string;
  wanted: number;
  ready: number;
  updated: number;
  image: string;
  isWhole: boolean;
}

/** How each Deployment and StatefulSet of the platform is. */
export async function readStatus(kubectl: Kubectl): Promise<WorkloadStatus[]> {
  const selector = ["--namespace", mainNamespace, "--selector=app.kubernetes.io/part-of=aiplatform"];
  const list = await kubectl.read<{ items: Workload[] }>(["get", "deployments,statefulsets", ...selector]);
  return (list?.items ?? []).map(statusOf);
}

function statusOf({ metadata, spec, status = {} }: Workload): WorkloadStatus {
  const { replicas: wanted = 1 } = spec;
  const { readyReplicas: ready = 0, updatedReplicas: updated = 0, observedGeneration = 0 } = status;
  const isWhole = observedGeneration >= (metadata.generation ?? 0) && ready === wanted && updated === wanted;
  const image = spec.template.spec.containers[0]?.image ?? "";
  return { name: metadata.name, wanted, ready, updated, image, isWhole };
}

/** The same as a table. */
export function statusTable(workloads: readonly WorkloadStatus[]): string {
  const rows = workloads.map(({ name, wanted, ready, updated, image, isWhole }) => [
    name,
    `${ready}/${wanted}`,
    String(updated),
    isWhole ? "yes" : "NO",
    image,
  ]);
  const table = [["NAME", "READY", "UPDATED", "WHOLE", "IMAGE"], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

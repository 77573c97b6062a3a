import { InstallError } from "./errors.ts";
import type { Kubectl } from "./kubectl.ts";
import { type Manifest, mainNamespace, referenceOf, rollsOut } from "./manifest.ts";

interface Pod {
  metadata: { name: string; labels?: Record<string, string> };
  status?: {
    conditions?: { type: string; status: string; message?: string }[];
    containerStatuses?: {
      ready: boolean;
      state?: { waiting?: { reason?: string; message?: string } };
      lastState?: { terminated?: { reason?: string; exitCode?: number; message?: string } };
    }[];
  };
}

/** Waits until each of them is rolled out whole. @throws InstallError that says of each pod that is not ready why */
export async function awaitRollouts(
  kubectl: Kubectl,
  manifests: readonly Manifest[],
  { timeoutSeconds, log }: { timeoutSeconds: number; log: (line: string) => void },
): Promise<void> {
  const waiting = manifests.filter(rollsOut).map(async (manifest) => {
    const reference = referenceOf(manifest);
    const wait = ["rollout", "status", reference, "--namespace", mainNamespace, `--timeout=${timeoutSeconds}s`];
    await kubectl.run(wait);
    log(`${reference} is rolled out`);
  });
  const outcomes = await Promise.allSettled(waiting);
  const failures = outcomes.filter((outcome) => outcome.status === "rejected");
  if (failures.length === 0) return;
  const reasons = failures.map(({ reason }) => (reason instanceof Error ? reason.message : String(reason)));
  const pods = await troubledPods(kubectl);
  throw new InstallError(
    [...reasons, ...pods, `Look further: ${kubectl.place} --namespace ${mainNamespace} get pods`].join("\n"),
  );
}

/** One line for each pod that is not ready, with what the cluster says of it. */
async function troubledPods(kubectl: Kubectl): Promise<string[]> {
  const list = await kubectl.read<{ items: Pod[] }>(["get", "pods", "--namespace", mainNamespace]);
  return (list?.items ?? []).flatMap(({ metadata, status }) => {
    const [container] = status?.containerStatuses ?? [];
    if (container?.ready) return [];
    const { waiting } = container?.state ?? {};
    const { terminated } = container?.lastState ?? {};
    const unscheduled = status?.conditions?.find(({ type, status }) => type === "PodScheduled" && status === "False");
    const said = [waiting?.reason, unscheduled?.message, terminated?.message ?? waiting?.message];
    return [`${metadata.name}: ${said.filter(Boolean).join(": ").trim() || "not ready yet"}`];
  });
}

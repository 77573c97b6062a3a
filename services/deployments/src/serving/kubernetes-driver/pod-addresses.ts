import { containerPorts } from "@aiplatform/serving-runtime";
import type { V1Pod, V1Service } from "@kubernetes/client-node";

/** Where a running pod can be asked about itself. */
export function addressOf(pod: V1Pod): { name: string; url: string }[] {
  const { metadata, status } = pod;
  const isRunning = status?.containerStatuses?.some(({ state }) => state?.running) ?? false;
  if (!isRunning || !status?.podIP || !metadata?.name || metadata.deletionTimestamp) return [];
  return [{ name: metadata.name, url: urlAt(status.podIP, schemeOf(pod)) }];
}

/** Where a pod's predictions are answered: at the Service's address, which has a port for pods with TLS and one for those without. */
export function serviceUrlOf(service: V1Service | undefined): (pod: V1Pod) => string | undefined {
  const address = service?.spec?.clusterIP;
  if (!address || address === "None") return () => undefined;
  return (pod) => urlAt(address, schemeOf(pod));
}

/** A pod keeps what it was made with: while TLS is turned on, pods of both kinds serve. */
function schemeOf({ spec }: V1Pod): "http" | "https" {
  const named = spec?.containers.flatMap((container) => container.ports ?? []) ?? [];
  return named.some(({ name }) => name === "https") ? "https" : "http";
}

function urlAt(address: string, scheme: "http" | "https"): string {
  return `${scheme}://${address.includes(":") ? `[${address}]` : address}:${containerPorts[scheme]}`;
}

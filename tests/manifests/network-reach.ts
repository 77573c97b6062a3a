import { BlockList, isIPv6 } from "node:net";
import type {
  V1LabelSelector,
  V1NetworkPolicy,
  V1NetworkPolicyPeer,
  V1NetworkPolicyPort,
} from "@kubernetes/client-node";

/** A caller or a target: a pod, or, with an address, a machine that is no pod. */
export interface Party {
  name: string;
  namespace?: string;
  labels?: Readonly<Record<string, string>>;
  address?: string;
}

type Direction = "Ingress" | "Egress";

/** One `from` or `to` with its ports, as the file has it. */
interface Rule {
  from?: V1NetworkPolicyPeer[];
  to?: V1NetworkPolicyPeer[];
  ports?: V1NetworkPolicyPort[];
}

/** Those of the TCP ports at which a network plugin that enforces these policies lets one party reach another. */
export function portsBetween(policies: readonly V1NetworkPolicy[], { from, to, ports }: Pair): number[] {
  const leaves = openPorts(policies, { direction: "Egress", own: from, other: to });
  const enters = openPorts(policies, { direction: "Ingress", own: to, other: from });
  return ports.filter((port) => leaves(port) && enters(port));
}

/** Two parties, and the ports that one of them tries at the other. */
export interface Pair {
  from: Party;
  to: Party;
  ports: readonly number[];
}

/** What policies say of one end of a connection. */
function openPorts(
  policies: readonly V1NetworkPolicy[],
  { direction, own, other }: { direction: Direction; own: Party; other: Party },
): (port: number) => boolean {
  const held = policies.filter(
    ({ metadata, spec }) =>
      metadata?.namespace === own.namespace &&
      spec?.policyTypes?.includes(direction) &&
      matches(spec.podSelector, own.labels),
  );
  // Whom no policy concerns may do everything.
  if (held.length === 0) return () => true;
  const open = held.flatMap(rulesOf(direction)).filter(({ from, to }) => {
    const peers = direction === "Egress" ? to : from;
    return peers === undefined || peers.some((peer) => isPeer(peer, other, own.namespace));
  });
  return (port) =>
    open.some(
      ({ ports }) => ports === undefined || ports.some((each) => each.port === port && each.protocol === "TCP"),
    );
}

const rulesOf =
  (direction: Direction) =>
  ({ spec }: V1NetworkPolicy): Rule[] =>
    ((direction === "Egress" ? spec?.egress : spec?.ingress) ?? []) as Rule[];

function isPeer(
  { ipBlock, namespaceSelector, podSelector }: V1NetworkPolicyPeer,
  party: Party,
  ownNamespace: string | undefined,
): boolean {
  if (ipBlock) return party.address !== undefined && isIn(ipBlock, party.address);
  if (party.namespace === undefined) return false;
  const isNamespace = namespaceSelector
    ? matches(namespaceSelector, { "kubernetes.io/metadata.name": party.namespace })
    : party.namespace === ownNamespace;
  return isNamespace && matches(podSelector, party.labels);
}

function isIn({ cidr, except = [] }: { cidr: string; except?: string[] }, address: string): boolean {
  const holds = (network: string) => {
    const [base = "", bits = "0"] = network.split("/");
    if (isIPv6(base) !== isIPv6(address)) return false;
    const family = isIPv6(base) ? "ipv6" : "ipv4";
    const list = new BlockList();
    list.addSubnet(base, Number(bits), family);
    return list.check(address, family);
  };
  return holds(cidr) && !except.some(holds);
}

/** No selector and an empty one match everything. */
function matches(selector: V1LabelSelector | undefined, labels: Readonly<Record<string, string>> = {}): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      if (operator !== "In") throw new Error(`these tests do not know the operator ${operator}`);
      return values.includes(labels[key] ?? "");
    })
  );
}

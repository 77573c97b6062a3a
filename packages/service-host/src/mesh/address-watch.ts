import { lookup as lookUp } from "node:dns/promises";
import { isIP, isIPv6 } from "node:net";
import { experimental } from "@grpc/grpc-js";

/** IP addresses of a host name. Rejects when it is not known, or cannot be asked for. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** Where one replica is. */
export interface ResolvedAddress {
  /** IP address and port. */
  readonly address: string;
  /** The configured `host:port`: what its certificate is held against. */
  readonly authority: string;
  /** Used only while no other is reachable. */
  readonly isFallback: boolean;
}

/** How often names are looked up again, in milliseconds. */
const everyMs = 1_000;
const defaultPort = 443;

/** Names by the system's resolver: hosts file, search domains and all. */
const systemLookup: Lookup = async (host) => {
  const found = await inTurn(() => lookUp(host, { all: true }));
  return found.map(({ address }) => address);
};

let last: Promise<unknown> = Promise.resolve();

/** One after the other: each takes a thread of libuv's four for as long as the name server is silent. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work);
  last = turn.catch(() => {});
  return turn;
}

/** One configured `host:port`. */
type Named = Pick<ResolvedAddress, "authority" | "isFallback">;

/** Of `a:1|b:1` the second is for when the first is not reachable. */
function namesIn(address: string): Named[] {
  return address.split("|").map((authority, index) => ({ authority, isFallback: index > 0 }));
}

/**
 * Keeps the addresses of a list of `host:port`, or `host:port|host:port` with a fallback. Names are looked up every second, so that replicas that come and go are
 * known within seconds; while a name cannot be looked up, what was found last holds.
 */
export class AddressWatch {
  readonly #lookup: Lookup;
  readonly #changed: (addresses: readonly ResolvedAddress[]) => void;
  readonly #found: Map<Named, readonly ResolvedAddress[]>;
  readonly #timers = new Set<NodeJS.Timeout>();
  #closed = false;

  constructor(
    addresses: readonly string[],
    o: { lookup?: Lookup; changed: (addresses: readonly ResolvedAddress[]) => void },
  ) {
    this.#lookup = o.lookup ?? systemLookup;
    this.#changed = o.changed;
    this.#found = new Map(addresses.flatMap(namesIn).map((named) => [named, literal(named)]));
    this.#notify();
    for (const [named, found] of this.#found) if (found.length === 0) void this.#look(named);
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #look(named: Named): Promise<void> {
    const { host, port } = hostAndPort(named.authority);
    const hosts = await this.#lookup(host).catch(() => []);
    if (this.#closed) return;
    const found = hosts.map((each) => ({ address: joined(each, port), ...named }));
    if (found.length > 0 && !isSame(found, this.#found.get(named) ?? [])) {
      this.#found.set(named, found);
      this.#notify();
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#look(named);
    }, everyMs).unref();
    this.#timers.add(timer);
  }

  #notify(): void {
    this.#changed([...this.#found.values()].flat());
  }
}

function literal(named: Named): readonly ResolvedAddress[] {
  const { host, port } = hostAndPort(named.authority);
  return isIP(host) === 0 ? [] : [{ address: joined(host, port), ...named }];
}

/** The parts of `host:port`; an IPv6 address without its brackets. */
export function hostAndPort(authority: string): { host: string; port: number } {
  const { host, port = defaultPort } = experimental.splitHostPort(authority) ?? { host: authority };
  return { host, port };
}

function joined(host: string, port: number): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

function isSame(some: readonly ResolvedAddress[], others: readonly ResolvedAddress[]): boolean {
  const known = new Set(others.map(({ address }) => address));
  return known.size === some.length && some.every(({ address }) => known.has(address));
}

import { lookup as lookupAddresses } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, fetch as fetchWith } from "undici";
import { AddressGuard } from "./address-guard.ts";
import { AddressRefusedError, OutboundTimeoutError, ResponseTooLargeError } from "./errors.ts";
import { guardedLookup, type Permits } from "./guarded-lookup.ts";

/**
 * `fetch` for addresses that come from settings or from strangers. The body has been read when it returns. Of `init`, method,
 * headers, body and signal count.
 * @throws AddressRefusedError, OutboundTimeoutError, ResponseTooLargeError, the reason of the caller's own signal, or
 * fetch's TypeError for everything else, redirects included
 */
export type GuardedFetch = (address: string | URL, init?: RequestInit) => Promise<Response>;

export interface GuardedFetchOptions {
  /** Networks (CIDR) that may be reached although they are not public. */
  allowedNetworks: readonly string[];
  /** Milliseconds for the whole request: name, connection, answer and body. */
  timeoutMs: number;
  /** Of a body, after decompression. */
  maxBytes: number;
  /** Takes http too, to addresses in the allowed networks only. Default false. */
  allowHttp?: boolean;
  /** Resolves names. Default: the system's resolver. */
  lookup?: LookupFunction;
}

/**
 * A `fetch` that reaches public addresses and the allowed networks, and nothing else: names are resolved here, once, and the
 * connection goes to the very addresses that were checked. Proxies of the environment are not used. Dispose it to close its
 * connections.
 * @throws Error for a network that cannot be read
 */
export function createGuardedFetch(o: GuardedFetchOptions): GuardedFetch & AsyncDisposable {
  const agent = new Agent({ connect: guardedConnector(o) });
  const guardedFetch: GuardedFetch = async (address, init = {}) => {
    const url = readUrl(address, o.allowHttp ?? false);
    const deadline = AbortSignal.timeout(o.timeoutMs);
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    const { method = "GET", headers, body = null } = init;
    try {
      const answer = await fetchWith(url, {
        method,
        headers: [...new Headers(headers)],
        body,
        signal,
        redirect: "error",
        dispatcher: agent,
      });
      const read = await readBody(answer.body, o.maxBytes);
      const { status, statusText } = answer;
      return new Response(read, { status, statusText, headers: [...answer.headers] });
    } catch (error) {
      if (deadline.aborted && !init.signal?.aborted) throw new OutboundTimeoutError(o.timeoutMs);
      throw refusalBehind(error) ?? error;
    }
  };
  return Object.assign(guardedFetch, { [Symbol.asyncDispose]: () => agent.destroy() });
}

function readUrl(address: string | URL, allowHttp: boolean): URL {
  const url = new URL(address);
  if (url.username || url.password)
    throw new AddressRefusedError(url.host, "must not be asked with a password in the URL");
  if (url.protocol === "https:" || (allowHttp && url.protocol === "http:")) return url;
  throw new AddressRefusedError(url.host || url.protocol, `must not be asked over ${url.protocol}`);
}

/** Opens connections to what may be reached: in the clear, that is the allowed networks only. */
function guardedConnector(o: GuardedFetchOptions): buildConnector.connector {
  const guard = new AddressGuard(o.allowedNetworks);
  const resolve: LookupFunction = o.lookup ?? lookupAddresses;
  const connectorFor = (permits: Permits): buildConnector.connector => {
    const connect = buildConnector({ timeout: o.timeoutMs, allowH2: false, lookup: guardedLookup(resolve, permits) });
    return (wanted, callback) => {
      // Nothing is looked up for a host that is an address already.
      if (isIP(wanted.hostname) === 0 || permits(wanted.hostname)) connect(wanted, callback);
      else callback(new AddressRefusedError(wanted.hostname, "is not an address that may be reached"), null);
    };
  };
  const secure = connectorFor((address) => guard.mayReach(address));
  const plain = connectorFor((address) => guard.isAllowed(address));
  return (wanted, callback) => (wanted.protocol === "https:" ? secure : plain)(wanted, callback);
}

async function readBody(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!body) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) throw new ResponseTooLargeError(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function refusalBehind(error: unknown): AddressRefusedError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AddressRefusedError) return cause;
  }
  return undefined;
}

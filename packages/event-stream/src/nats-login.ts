import { type ConnectionOptions, nkeyAuthenticator } from "nats";
import { seedBytes } from "./nkey.ts";
import { serverList } from "./server-list.ts";

/** How a process signs in to NATS, beside what the addresses say. */
export interface NatsLogin {
  /** Seed of an NKey of a user. Default: the login in the addresses, or none. */
  nkey?: string | undefined;
  /** PEM file of the authorities of the servers' certificates. Where it is set, there is no connection without TLS. */
  caFile?: string | undefined;
}

/** What the client needs to connect as `user`, whose answers come to inboxes that no other user may read. */
export function connectionOptions(servers: string, user: string, { nkey, caFile }: NatsLogin): ConnectionOptions {
  return {
    ...serverList(servers),
    inboxPrefix: inboxPrefix(user),
    ...(nkey === undefined ? {} : { authenticator: nkeyAuthenticator(seedBytes(nkey)) }),
    ...(caFile === undefined ? {} : { tls: { caFile } }),
  };
}

/** The first token of the subjects at which a user gets answers. */
export function inboxPrefix(user: string): string {
  return `_INBOX_${consumerToken(user)}`;
}

/** The consumer with which a service looks at what the stream has, for as long as it looks. */
export function lookingConsumer(user: string): string {
  return `${consumerToken(user)}-look`;
}

/** A name as it may stand in the name of a consumer. */
function consumerToken(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "-");
}

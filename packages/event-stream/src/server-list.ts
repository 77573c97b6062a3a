/** Servers, and the login for all of them, as the client takes it: it does not look for one in addresses. */
export interface ServerList {
  servers: string[];
  user?: string;
  pass?: string;
  token?: string;
}

/**
 * Reads `nats://user:password@host:port,…`, or `nats://token@host:port`, percent-encoded. The first login counts for every
 * server, since a client is told of servers that it was not given.
 */
export function serverList(text: string): ServerList {
  const addresses = text.split(",").map((each) => parts(each.trim()));
  const servers = addresses.map(({ server }) => server);
  const login = addresses.find(({ user }) => user !== "");
  if (!login) return { servers };
  return login.pass === undefined ? { servers, token: login.user } : { servers, user: login.user, pass: login.pass };
}

function parts(address: string): { server: string; user: string; pass?: string } {
  const [, scheme = "", login, place = address] = /^([a-z]+:\/\/)?(?:([^@]*)@)?(.*)$/s.exec(address) ?? [];
  const server = scheme + place;
  if (login === undefined) return { server, user: "" };
  const [user = "", ...rest] = login.split(":");
  return {
    server,
    user: decodeURIComponent(user),
    ...(rest.length > 0 && { pass: decodeURIComponent(rest.join(":")) }),
  };
}

import { once } from "node:events";
import { connect, createServer } from "node:net";
import { pipeline } from "node:stream";

const scheme = "unix:";

/**
 * The address of the proxy that handlers are told. One that listens on a socket file gets a door on the loopback, since clients of HTTP
 * name a proxy by host and port. It lives as long as the process.
 */
export async function openProxy(proxy: string | undefined): Promise<string | undefined> {
  if (!proxy?.startsWith(scheme)) return proxy;
  const path = proxy.slice(scheme.length);
  const door = createServer((client) => {
    const socket = connect(path);
    pipeline(client, socket, client, () => {});
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  door.unref();
  const address = door.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

import { once } from "node:events";
import { connect } from "node:net";
import type { TestClient } from "./fetch-client.ts";
import type { TestServer } from "./test-server.ts";

/** Sends requests to a server. */
export function serverClient({ origin, port }: Pick<TestServer, "origin" | "port">): TestClient {
  return {
    fetch: (path, init) => fetch(origin + path, init),
    async putUnended(path, text) {
      const socket = connect(port, "127.0.0.1");
      let received = "";
      socket.setEncoding("utf8").on("data", (chunk) => {
        received += chunk;
      });
      const head = `PUT ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      socket.write(`${head}${text.length.toString(16)}\r\n${text}\r\n`);
      await once(socket, "close");
      return Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]);
    },
  };
}

import { createHash } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** What arrived: nothing is left out. */
export interface Arrival {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  body: string;
}

/** A service behind a hub that writes down all it gets, answers it as JSON, and opens a websocket for any client. */
export interface EchoService extends AsyncDisposable {
  url: string;
  arrivals: Arrival[];
}

export async function startEchoService(): Promise<EchoService> {
  const arrivals: Arrival[] = [];
  const note = async (request: IncomingMessage): Promise<Arrival> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "", headers, rawHeaders } = request;
    const arrival = { method, url, headers, rawHeaders, body: Buffer.concat(chunks).toString() };
    arrivals.push(arrival);
    return arrival;
  };
  const server = createServer(async (request, response) => {
    const arrival = await note(request);
    response.setHeader("set-cookie", ["hub=1; Path=/", "session=2; HttpOnly"]);
    response.setHeader("content-type", "text/html");
    response.end(JSON.stringify(arrival));
  });
  server.on("upgrade", async (request, socket) => {
    const { method = "", url = "", headers, rawHeaders } = request;
    arrivals.push({ method, url, headers, rawHeaders, body: "" });
    const accept = createHash("sha1")
      .update(`${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64");
    const head = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
    socket.write([...head, `Sec-WebSocket-Accept: ${accept}`, "Set-Cookie: hub=1", "", ""].join("\r\n"));
    socket.on("error", () => socket.destroy()).on("end", () => socket.end());
    socket.resume();
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

import { Agent, type IncomingHttpHeaders, request } from "node:http";

/** A keep-alive HTTP client that costs little enough to measure others with. */
export function httpClient(baseUrl: string, bearer: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const { hostname, port } = new URL(baseUrl);
  const send = (method: string, path: string, body?: string, more: Readonly<Record<string, string>> = {}) =>
    new Promise<{ status: number; text: Buffer; headers: IncomingHttpHeaders }>((resolve, reject) => {
      const headers = {
        ...more,
        authorization: `Bearer ${bearer}`,
        ...(body === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
      };
      const outgoing = request({ agent, hostname, port, method, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks), headers: response.headers }),
        );
        response.on("error", reject);
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  return { send, close: () => agent.destroy() };
}

import { Agent, request as send } from "node:http";
import type { WireRequest } from "./damaged-requests.ts";
import type { GivenAnswer } from "./reference-process.ts";

const agent = new Agent({ keepAlive: true });

/** Sends a request as it stands: `fetch` would tidy it up. */
export function exchange(port: number, { method, target, contentType, body }: WireRequest): Promise<GivenAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<GivenAnswer>();
  const headers = {
    authorization: "Bearer x",
    "content-length": body.length,
    ...(contentType === undefined ? {} : { "content-type": contentType }),
  };
  const request = send({ port, host: "127.0.0.1", method, path: target, headers, agent }, (response) => {
    let text = "";
    response.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
  });
  request.on("error", reject).end(body);
  return promise;
}

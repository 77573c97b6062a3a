import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { FetchHandler } from "../src/index.ts";

/** A client of an API in one of its forms. */
export interface TestClient {
  /** Sends a request to a path, as the global `fetch` does to a URL. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** Sends a JSON body that begins with a text and never ends; answers the status. */
  readonly putUnended: (path: string, text: string) => Promise<number>;
}

const decompressors: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
};

/** Calls a handler, and has its answers as `fetch` has them. */
export function fetchClient(handler: FetchHandler): TestClient {
  const send = async (path: string, init: RequestInit = {}) => {
    const request = new Request(`http://api.test${path}`, init);
    const response = (await handler(request)) ?? new Response("not ours", { status: 404 });
    request.signal.throwIfAborted();
    return decompressed(response);
  };
  return {
    fetch: send,
    async putUnended(path, text) {
      let isCancelled = false;
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
        cancel() {
          isCancelled = true;
        },
      });
      const headers = { "content-type": "application/json" };
      const { status } = await send(path, { method: "PUT", headers, body, duplex: "half" });
      if (!isCancelled) throw new Error("the rest of the body is still waited for");
      return status;
    },
  };
}

async function decompressed(response: Response): Promise<Response> {
  const decompress = decompressors[response.headers.get("content-encoding") ?? ""];
  if (decompress === undefined || response.body === null) return response;
  const { status, headers } = response;
  return new Response(new Uint8Array(decompress(new Uint8Array(await response.arrayBuffer()))), { status, headers });
}

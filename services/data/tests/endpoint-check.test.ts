import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { embeddingEndpoints } from "../src/embedding-endpoints/endpoint-check.ts";
import { readEndpoints } from "../src/embedding-endpoints/endpoint-settings.ts";

/** A service that knows one key, and is out of order below `/broken`. */
let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer(({ url = "", headers }, response) => {
    const status = url.startsWith("/broken") ? 502 : headers.authorization === "Bearer sk-good" ? 200 : 401;
    response.writeHead(status, { "content-type": "application/json" }).end('{"data": []}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
});

async function lookAt(path: string, { key = "sk-good", networks = ["127.0.0.0/8"] } = {}) {
  const entry = { name: "vendor", url: `${origin}${path}`, models: ["small"], organisations: "all" };
  const checks = embeddingEndpoints({
    EMBEDDING_ENDPOINTS: readEndpoints([entry]),
    EMBEDDING_ENDPOINT_KEYS: JSON.stringify({ vendor: key }),
    EMBEDDING_ALLOWED_NETWORKS: networks,
  });
  const findings = await Promise.all(checks.map(({ run }) => run(AbortSignal.timeout(10_000))));
  return findings.flat()[0];
}

describe("a look at an endpoint that embeds", () => {
  it("says that it answers, with its key", async () => {
    expect(await lookAt("/v1")).toMatchObject({ state: "ok", says: expect.stringContaining("vendor at 127.0.0.1") });
  });

  it.each([
    ["does not take the key", "/v1", { key: "sk-bad" }, "does not take the key"],
    ["is out of order", "/broken", {}, "answers 502"],
    ["is in no network that is allowed", "/v1", { networks: [] }, "cannot be asked"],
  ])("says what helps where it %s, without the key", async (_, path, more, words) => {
    const finding = await lookAt(path, more);
    expect(finding).toMatchObject({ state: "failed", remedy: expect.stringMatching(/EMBEDDING_/) });
    expect(finding?.says).toContain(words);
    expect(JSON.stringify(finding)).not.toContain("sk-");
  });

  it("is none where there are no endpoints", () => {
    const none = { EMBEDDING_ENDPOINTS: [], EMBEDDING_ENDPOINT_KEYS: undefined, EMBEDDING_ALLOWED_NETWORKS: [] };
    expect(embeddingEndpoints(none)).toEqual([]);
  });
});

import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { capture, lockedPackages, root } from "../../scripts/install.mjs";

interface Answer {
  status: number;
  body: unknown;
}

/** Runs the command with a registry that answers questions about advisories like this, and knows the packages of the lock file. */
async function advisories(answer: Answer) {
  const registry = createServer((request, response) => {
    const packument = { name: request.url?.slice(1), versions: { [versionOf(request.url?.slice(1) ?? "")]: {} } };
    const { status, body } = request.method === "POST" ? answer : { status: 200, body: packument };
    request.resume();
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  registry.listen(0, "127.0.0.1");
  await once(registry, "listening");
  const address = registry.address();
  if (address === null || typeof address === "string") throw new Error(`the registry listens on ${address}`);
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${address.port}`,
    npm_config_fetch_retries: "0",
  };
  try {
    return await capture([process.execPath, [join(root, "scripts/advisories.ts")]], { env });
  } finally {
    registry.closeAllConnections();
    registry.close();
  }
}

const versionOf = (name: string) => lockedPackages()[`node_modules/${name}`]?.version ?? "0.0.0";

describe("a registry that publishes advisories", () => {
  it("lets the command name the package, what is wrong with it and where to read about it", async () => {
    const advisory = {
      id: 1,
      url: "https://advisories.example/1",
      title: "Reads beyond the end",
      severity: "high",
      vulnerable_versions: `<=${versionOf("liquidjs")}`,
    };
    const { code, output } = await advisories({ status: 200, body: { liquidjs: [advisory] } });
    expect(output).toContain("high: liquidjs ");
    expect(output).toContain("Reads beyond the end (https://advisories.example/1)");
    expect(output).toContain("advisories: 1; update these packages");
    expect(code).toBe(1);
  });

  it("lets it pass while no locked package has any", async () => {
    expect(await advisories({ status: 200, body: {} })).toEqual({ code: 0, output: "no advisory\n" });
  });
});

describe("a registry that publishes none", () => {
  it("is told apart from one without a finding", async () => {
    const { code, output } = await advisories({ status: 405, body: {} });
    expect(output).toContain("the registry does not answer questions about advisories: 405");
    expect(code).toBe(2);
  });
});

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { Code } from "@connectrpc/connect";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { MongoClient } from "mongodb";
import { ask, until } from "../mesh/rest.ts";
import { ownPlatform } from "../rest-contract/own-platform.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => readFile(join(root, path), "utf8");
const operations = (
  await Promise.all((await readdir(join(root, "docs/operations"))).map((page) => read(`docs/operations/${page}`)))
).join("\n");
const architecture = await read("ARCHITECTURE.md");

let platform: LocalPlatform;
ownPlatform((started) => {
  platform = started;
});

const adminText = async (name: string, path: string) => (await fetch(platform.adminUrls[name] + path)).text();

/** Rows of a page's table whose first cell is one of the names. */
const rowsOf = (page: string, names: readonly string[]) =>
  page
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .filter(([, first = ""]) => names.includes(first.replaceAll("`", "")));

describe("the pages on operations", () => {
  const named = [...new Set(operations.match(/\b(?:http_server|rpc_server|audit)_[a-z_]+/g))].filter(
    (name) => name !== "audit_records",
  );
  const labels = [...new Set(operations.match(/\b(?:http|rpc)_(?:request|route|response|service|method)[a-z_]*/g))];
  let metrics: string;

  beforeAll(async () => {
    await ask(platform.description, { path: "/platform/roles", bearer: "bad" });
    metrics = await until(
      "a refusal to be counted",
      20,
      async () => (await adminText("gateway", "/metrics")) + (await adminText("identity", "/metrics")),
      (text) => text.includes("audit_refusals_total{"),
    );
  });

  it("names metrics and labels", () => {
    expect([named.length, labels.length]).toEqual([5, 6]);
  });

  it.each(named)("names a metric that there is: %s", (name) => {
    expect(metrics).toMatch(new RegExp(`^${name}(_count)?\\{`, "m"));
  });

  it.each(labels)("names a label that there is: %s", (name) => {
    expect(metrics).toContain(`${name}="`);
  });

  it("names codes as they are spelled there", () => {
    expect(metrics).toContain('rpc_response_status_code="Unauthenticated"');
    const codes = [...operations.matchAll(/rpc_response_status_code=~?"([^"]+)"/g)].flatMap(([, code = ""]) =>
      code.split("|"),
    );
    expect(codes.length).toBeGreaterThan(0);
    expect(codes.filter((code) => !(code in Code))).toEqual([]);
  });

  it.each(["/livez", "/readyz"])("names what answers on the admin port: %s", async (path) => {
    expect(operations).toContain(`\`${path}\``);
    const answers = ["content", "deployments", "gateway", "identity", "training"].map((name) =>
      fetch(platform.adminUrls[name] + path),
    );
    expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("names settings that some service has", async () => {
    const tables = await Promise.all(
      ["content", "deployments", "gateway", "identity", "training"].map((name) => read(`services/${name}/README.md`)),
    );
    const settings = [...new Set(operations.match(/`[A-Z][A-Z0-9]*_[A-Z0-9_]+`/g))];
    expect(settings.length).toBeGreaterThan(8);
    expect(settings.filter((setting) => !tables.join().includes(setting))).toEqual([]);
  });

  it("names paths that there are", async () => {
    const { paths } = JSON.parse(await read("docs/openapi.json"));
    const named = [...operations.matchAll(/`(?:GET|POST|PUT|PATCH|DELETE) (\/\S*)`/g)].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !(path in paths))).toEqual([]);
  });
});

describe("the page on architecture", () => {
  it.each(["content", "deployments", "identity", "training"])("names every collection of %s", async (service) => {
    await using client = await MongoClient.connect(platform.mongodbUri);
    const collections = await client.db(service).listCollections({}, { nameOnly: true }).toArray();
    const [row] = rowsOf(architecture, [service]);
    const named = row?.[3]?.split(", ") ?? [];
    expect(collections.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
  });
});

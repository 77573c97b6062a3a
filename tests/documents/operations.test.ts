import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { MongoClient } from "mongodb";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => readFile(join(root, path), "utf8");
const operations = (
  await Promise.all((await readdir(join(root, "docs/operations"))).map((page) => read(`docs/operations/${page}`)))
)
  .join("\n")
  // The names of metrics and of their labels' values are compared with what processes show elsewhere.
  .replace(/<!-- metrics -->[\s\S]*?<!-- \/metrics -->/, "");
const architecture = await read("ARCHITECTURE.md");

let platform: LocalPlatform;
sharedPlatform((started) => (platform = started));

/** Rows of a page's table whose first cell is one of the names. */
const rowsOf = (page: string, names: readonly string[]) =>
  page
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .filter(([, first = ""]) => names.includes(first.replaceAll("`", "")));

/** What handlers with the network find in their environment; no service is set up by them. */
const variablesOfHandlers = ["`HTTP_PROXY`", "`HTTPS_PROXY`"];

describe("the pages on operations", () => {
  it.each(["/livez", "/readyz"])("names what answers on the admin port: %s", async (path) => {
    expect(operations).toContain(`\`${path}\``);
    const answers = ["content", "data", "deployments", "gateway", "identity", "training"].map((name) =>
      fetch(platform.adminUrls[name] + path),
    );
    expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("names settings that some service has", async () => {
    const tables = await Promise.all(
      ["content", "data", "deployments", "gateway", "identity", "training"].map((name) =>
        read(`services/${name}/README.md`),
      ),
    );
    const settings = [...new Set(operations.match(/`[A-Z][A-Z0-9]*_[A-Z0-9_]+`/g))];
    expect(settings.length).toBeGreaterThan(8);
    const known = [...tables, ...variablesOfHandlers].join();
    expect(settings.filter((setting) => !known.includes(setting))).toEqual([]);
  });

  it("names paths that there are", async () => {
    const { paths } = JSON.parse(await read("docs/openapi.json"));
    const named = [...operations.matchAll(/`(?:GET|POST|PUT|PATCH|DELETE) (\/\S*)`/g)].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !(path in paths))).toEqual([]);
  });
});

describe("the page on architecture", () => {
  it.each(["content", "data", "deployments", "identity", "training"])(
    "names every collection of %s",
    async (service) => {
      await using client = await MongoClient.connect(platform.mongodbUri);
      const collections = await client.db(service).listCollections({}, { nameOnly: true }).toArray();
      const [row] = rowsOf(architecture, [service]);
      const named = row?.[3]?.split(", ") ?? [];
      expect(collections.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
    },
  );
});

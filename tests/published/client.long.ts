import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { operationsOfApi } from "@aiplatform/client/operations";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publicAddresses } from "../../scripts/published-package.ts";
import {
  addressesOf,
  faultsOf,
  importsFrom,
  installDependencies,
  modules,
  packed,
  pagesWithCode,
  programOf,
  projectAddress,
} from "./packed.ts";

const run = promisify(execFile);
const node = process.execPath;
/** What a page loads of the client at most, bytes. */
const bundleBytes = 48 * 1024;
/** User time that the program may take to tell its commands, ms. */
const helpWithinMs = 250;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "published-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe("the manifest of a package, which had no address of the project", () => {
  it("has the one that the repository says, for repository, homepage and bugs", () => {
    expect(publicAddresses("client", "https://git.example.com/ai/platform")).toEqual({
      repository: { type: "git", url: "git+https://git.example.com/ai/platform.git", directory: "packages/client" },
      homepage: "https://git.example.com/ai/platform#readme",
      bugs: { url: "https://git.example.com/ai/platform/issues" },
    });
  });

  it("has none while the repository says none", () => {
    expect(publicAddresses("client", undefined)).toEqual({});
  });
});

describe("the command line as a package", () => {
  it("is one file that runs wherever it is copied to, fast, and knows every operation", async () => {
    const { tarball, folder: cli } = await packed("cli", directory);
    expect(await faultsOf(tarball)).toEqual([]);
    const alone = join(directory, "alone", "platformctl.mjs");
    await mkdir(join(directory, "alone"));
    await copyFile(join(cli, "platformctl.mjs"), alone);
    const { stdout: out } = await run(node, [alone, "--help"]);
    expect(operationsOfApi().filter(({ summary }) => !out.includes(summary))).toEqual([]);
    const manifest = JSON.parse(await readFile(join(cli, "package.json"), "utf8"));
    expect(manifest).toMatchObject({ bin: { platformctl: "platformctl.mjs" }, license: "Apache-2.0" });
    expect(manifest.dependencies).toBeUndefined();
    expect(addressesOf(manifest)).toEqual(publicAddresses("cli", projectAddress));
    expect(await userMs([alone, "--help"])).toBeLessThan(helpWithinMs);
    const yaml = await run(node, [alone, "-o", "yaml", "config", "get-contexts"], { env: { HOME: directory } });
    expect(yaml.stdout).toBe("[]\n");
  });
});

/** The least user time of some runs of a program: what it needs, and not what others take from it. */
async function userMs(args: string[]): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const { stdout } = await run("sh", ["-c", `"$0" "$@" > /dev/null; times`, node, ...args]);
    const [, minutes = "0", seconds = "0"] = /\n(\d+)m([\d.]+)s/.exec(stdout) ?? [];
    times.push(Number(minutes) * 60_000 + Number(seconds) * 1_000);
  }
  return Math.min(...times);
}

/** What a program does with the client. */
const program = `import { answerOf, createPlatformClient, PlatformError } from "@aiplatform/client";
import { operationsOfApi } from "@aiplatform/client/operations";
const platform = createPlatformClient({ baseUrl: "http://127.0.0.1:9", credential: "key", retry: { limit: 0 } });
const slugs: Promise<string[]> = platform.GET("/platform/roles").then(answerOf).then((roles) => roles.map(({ slug }) => slug));
// @ts-expect-error there is no such path
platform.GET("/no-such-path").catch(() => {});
export const minimal = () => {
  const job = { pipeline_id: "", run_id: "", job_name: "" };
  const path = "/pipelines/{pipeline_id}/runs/{run_id}/training/{job_name}/commands";
  platform.POST(path, { params: { path: job }, body: { action: "pause", idempotency_key: "" } });
  platform.POST("/external-oauth/socialnet/start", { body: { secret_name: "s" } });
  const asset = { asset_id: "", role: "supporting", source: "manual", confidence: 1 };
  const workspaces = [{ name: "w", draft_id: "d", assets: [asset] }];
  platform.POST("/workspaces/enable-from-proposal/", { body: { algorithm_version: "1", workspaces } });
};
slugs.catch((error: unknown) => console.log(operationsOfApi().length, error instanceof PlatformError, String(error)));
`;

describe("the client as a package", () => {
  let user: string;
  let client: string;
  let tarball: string;
  beforeAll(async () => {
    user = join(directory, "user");
    const installed = join(user, "node_modules", "@aiplatform", "client");
    ({ folder: client, tarball } = await packed("client", directory, installed));
    await installDependencies(client);
    await writeFile(join(user, "package.json"), '{"type":"module"}');
  });

  it("has nothing that publint or attw objects to, and says what a registry wants to know", async () => {
    expect(await faultsOf(tarball)).toEqual([]);
    const manifest = JSON.parse(await readFile(join(client, "package.json"), "utf8"));
    expect(manifest).toMatchObject({ license: "Apache-2.0", sideEffects: false, publishConfig: { access: "public" } });
    expect([manifest.private, manifest.keywords.length > 0]).toEqual([undefined, true]);
    expect(manifest.exports["./package.json"]).toBe("./package.json");
    expect(addressesOf(manifest)).toEqual(publicAddresses("client", projectAddress));
    for (const name of ["CHANGELOG.md", "LICENSE", "README.md", "api.md"])
      expect(await readFile(join(client, name), "utf8")).not.toBe("");
  });

  it("has source maps with the sources, which are nowhere else", async () => {
    const map = JSON.parse(await readFile(join(client, "src/platform-client.js.map"), "utf8"));
    expect(map.sourcesContent.join()).toContain("export function createPlatformClient");
  });

  it("is JavaScript that a program of today's Node imports, with its types, and so do the programs of all pages", async () => {
    await writeFile(join(user, "main.ts"), program);
    const pages = (await pagesWithCode()).filter(({ text }) => importsFrom(text, "client"));
    expect(pages.length).toBeGreaterThan(1);
    const names = await Promise.all(
      pages.map(async ({ text }, index) => {
        const name = `page-${index}.ts`;
        // What Node's own types would say of the only global that is not a browser's.
        const globals = "declare const process: { env: Record<string, string | undefined> };\n";
        await writeFile(join(user, name), programOf(text, globals));
        return name;
      }),
    );
    const options = ["--module", "nodenext", "--strict", "--lib", "es2024,dom,dom.asynciterable", "--types", ""];
    await run(join(modules, ".bin", "tsc"), [...options, "main.ts", ...names], { cwd: user });
    const { stdout } = await run(node, ["main.js"], { cwd: user });
    expect(stdout).toMatch(new RegExp(`^${operationsOfApi().length} false PlatformUnreachableError: no answer from`));
  });

  it("loads little in a browser, and no table of operations", async () => {
    const bundle = await build({
      stdin: { contents: 'export * from "@aiplatform/client";', resolveDir: user },
      bundle: true,
      format: "esm",
      metafile: true,
      minify: true,
      platform: "browser",
      write: false,
    });
    const loaded = Object.keys(bundle.metafile.inputs);
    expect(loaded.filter((path) => path.endsWith("/gen/operations.js"))).toEqual([]);
    const [{ contents } = { contents: new Uint8Array() }] = bundle.outputFiles;
    expect(contents.length).toBeGreaterThan(0);
    expect(contents.length).toBeLessThan(bundleBytes);
  });
});

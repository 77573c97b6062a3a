import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { operationsOfApi } from "@aiplatform/client/operations";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const modules = join(root, "node_modules");
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

/** Makes a package and answers where its content is once it was packed and unpacked again. */
async function published(name: "cli" | "client"): Promise<string> {
  const [made, unpacked] = [join(directory, `${name}-made`), join(directory, name)];
  await run(node, [join(root, `scripts/package-${name}.ts`), "--out", made]);
  const { stdout } = await run("npm", ["pack", made, "--pack-destination", directory, "--offline", "--json"], {
    cwd: directory,
  });
  const [, file = ""] = /"filename": "([^"]+)"/.exec(stdout) ?? [];
  await mkdir(unpacked);
  await run("tar", [
    "xzf",
    join(directory, file.replace(/^@/, "").replace("/", "-")),
    "-C",
    unpacked,
    "--strip-components=1",
  ]);
  return unpacked;
}

describe("the command line as a package", () => {
  it("is one file that runs wherever it is copied to, fast, and knows every operation", async () => {
    const cli = await published("cli");
    const alone = join(directory, "alone", "platformctl.mjs");
    await mkdir(join(directory, "alone"));
    await copyFile(join(cli, "platformctl.mjs"), alone);
    const { stdout: out } = await run(node, [alone, "--help"]);
    expect(operationsOfApi().filter(({ summary }) => !out.includes(summary))).toEqual([]);
    const manifest = JSON.parse(await readFile(join(cli, "package.json"), "utf8"));
    expect(manifest).toMatchObject({ bin: { platformctl: "platformctl.mjs" }, license: "Apache-2.0" });
    expect(manifest.dependencies).toBeUndefined();
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

describe("the client as a package", () => {
  it("is JavaScript that a program of today's Node imports, with its types", async () => {
    const client = await published("client");
    const user = join(directory, "user");
    await mkdir(join(user, "node_modules", "@aiplatform"), { recursive: true });
    await symlink(client, join(user, "node_modules", "@aiplatform", "client"), "dir");
    for (const name of ["ky", "openapi-fetch", "eventsource-parser", "openapi-typescript-helpers"])
      for (const place of [user, client]) {
        await mkdir(join(place, "node_modules"), { recursive: true });
        await symlink(join(modules, name), join(place, "node_modules", name), "dir");
      }
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
    await writeFile(join(user, "package.json"), '{"type":"module"}');
    await writeFile(join(user, "main.ts"), program);
    const readme = await readFile(join(client, "README.md"), "utf8");
    const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code);
    expect(blocks).not.toEqual([]);
    const names = await Promise.all(
      blocks.map(async (code, index) => {
        const name = `readme-${index}.ts`;
        // What Node's own types would say of the only global that is not a browser's.
        await writeFile(
          join(user, name),
          `declare const process: { env: Record<string, string | undefined> };\n${code}`,
        );
        return name;
      }),
    );
    await run(
      join(modules, ".bin", "tsc"),
      ["--module", "nodenext", "--strict", "--lib", "es2024,dom,dom.asynciterable", "--types", "", "main.ts", ...names],
      { cwd: user },
    );
    const { stdout } = await run(node, ["main.js"], { cwd: user });
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
    expect(stdout).toMatch(new RegExp(`^${operationsOfApi().length} false PlatformUnreachableError: no answer from`));
  });
});

import { execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publicAddresses } from "../../scripts/published-package.ts";
import {
  addressesOf,
  blocksOf,
  faultsOf,
  importsFrom,
  modules,
  packed,
  pagesWithCode,
  projectAddress,
  root,
} from "./packed.ts";

const run = promisify(execFile);
const readme = await readFile(join(root, "packages/transcoder/README.md"), "utf8");

/** Blocks of the page's first example, by the file that their first line names; the last has none. */
const [, example = ""] = readme.split("## First example\n");
const blocks = [...example.matchAll(/```(\w+)\n(?:(?:#|\/\/) ([\w./]+).*\n)?([^`]*(?:`[^`]+)*?)```/g)];
const sources = new Map(blocks.map(([, , file = "exchange", text = ""]) => [file, text]));

const env = { ...process.env, PATH: `${join(modules, ".bin")}:${process.env["PATH"]}` };
let directory: string;
let tarball: string;
const parts = new AsyncDisposableStack();
afterAll(() => parts.disposeAsync());

/** Packs the package, installs it into an empty folder beside its peers, and makes the code of the example. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "published-transcoder-"));
  parts.defer(() => rm(directory, { recursive: true, force: true }));
  const folder = join(directory, "node_modules/@aiplatform/transcoder");
  ({ tarball } = await packed("transcoder", directory, folder));
  for (const scope of ["@bufbuild", "@connectrpc"])
    await symlink(join(modules, scope), join(directory, "node_modules", scope));
  await writeFile(join(directory, "package.json"), '{"type":"module"}');
  for (const [name, text] of sources) {
    await mkdir(join(directory, name, ".."), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  await run("buf", ["generate"], { cwd: directory, env });
}, 180_000);

async function startExample(): Promise<string> {
  const child = spawn(process.execPath, ["server.ts"], {
    cwd: directory,
    env: { ...env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  parts.defer(() => void child.kill());
  for await (const line of createInterface(child.stdout)) {
    const [, port] = /port: (\d+)/.exec(line) ?? [];
    if (port !== undefined) return `http://127.0.0.1:${port}`;
  }
  throw new Error("the example has ended");
}

/** The page's requests and their answers. */
function exchanges() {
  const lines = (sources.get("exchange") ?? "").trim().split("\n");
  expect(lines).toHaveLength(4);
  return [0, 2].map((index) => {
    const [, method = "", path = "", body = ""] = /^(\S+) (\S+) (.*)$/.exec(lines[index] ?? "") ?? [];
    return { method, path, body, answered: lines[index + 1] };
  });
}

describe("the package as others install it", () => {
  it("has nothing that publint or attw objects to", async () => {
    expect(await faultsOf(tarball)).toEqual([]);
  });

  it("has its peers, its types, its annotations, and nothing of a particular domain", async () => {
    const installed = join(directory, "node_modules/@aiplatform/transcoder");
    const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
    const own = JSON.parse(await readFile(join(root, "packages/transcoder/package.json"), "utf8"));
    expect(Object.keys(manifest.peerDependencies)).toEqual([
      "@bufbuild/protobuf",
      "@connectrpc/connect",
      "@types/node",
    ]);
    expect(manifest.publishConfig).toEqual({ access: "public" });
    expect(addressesOf(manifest)).toEqual(publicAddresses("transcoder", projectAddress));
    expect([manifest.dependencies, manifest.private, manifest.version]).toEqual([undefined, undefined, own.version]);
    const files = (await readdir(installed, { recursive: true })).sort();
    expect(files).toEqual(
      expect.arrayContaining([
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "src/index.d.ts",
        "proto/transcoder/v1/route.proto",
      ]),
    );
    expect(manifest).toMatchObject({ sideEffects: false, exports: { "./package.json": "./package.json" } });
    const map = JSON.parse(await readFile(join(installed, "src/transcoder.js.map"), "utf8"));
    expect(map.sourcesContent.join()).toContain("export function createTranscoder");
    expect(files.filter((file) => /aiplatform|\.test\.|tests/.test(file))).toEqual([]);
  });

  it("runs the first example of its page, which answers what the page says", async () => {
    expect([...sources.keys()]).toEqual([
      "proto/greeter.proto",
      "buf.yaml",
      "buf.gen.yaml",
      "server.ts",
      "worker.ts",
      "exchange",
    ]);
    // A block elsewhere on the page would be compiled by no test.
    expect(blocksOf(example)).toHaveLength(blocksOf(readme).length);
    const pages = (await pagesWithCode()).filter(({ text }) => importsFrom(text, "transcoder"));
    expect(pages.map(({ path }) => path)).toEqual(["packages/transcoder/README.md"]);
    const origin = await startExample();
    for (const { method, path, body, answered } of exchanges()) {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(origin + path, { method, headers, body });
      expect(`${answer.status} ${await answer.text()}`).toBe(answered);
    }
  });

  it("answers the same as the handler of a worker", async () => {
    const script = `
      const { default: worker } = await import("./worker.ts");
      const ask = async ({ method, path, body }) => {
        const headers = { "content-type": "application/json" };
        const answer = await worker.fetch(new Request("http://worker.test" + path, { method, headers, body }));
        return answer.status + " " + (await answer.text());
      };
      console.log(JSON.stringify(await Promise.all(JSON.parse(process.argv[1]).map(ask))));
    `;
    const asked = JSON.stringify(exchanges());
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script, asked], { cwd: directory });
    expect(JSON.parse(stdout)).toEqual(exchanges().map(({ answered }) => answered));
  });

  it("type-checks in that example", async () => {
    const settings = {
      module: "nodenext",
      target: "es2024",
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      types: ["node"],
      skipLibCheck: true,
    };
    await cp(join(modules, "@types"), join(directory, "node_modules/@types"), {
      recursive: true,
      filter: (path) => !/@types\/(?!node|undici)/.test(path),
    });
    await writeFile(
      join(directory, "tsconfig.json"),
      JSON.stringify({ compilerOptions: settings, files: ["server.ts", "worker.ts"] }),
    );
    await run(join(modules, ".bin/tsc"), ["--project", directory]);
  });
});

import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const packageName = Object.keys(manifest.optionalDependencies).find((name) =>
  name.endsWith(`-${process.platform}-${process.arch}`),
);
/** Says that the Node of the packages runs it, and with which arguments. */
const program = `
const [, , ...args] = process.argv;
console.log(JSON.stringify({ packaged: process.env.IS_PACKAGED === "yes" satisfies string, args }));
if (args.includes("--fail")) process.exitCode = 7;
`;
/** As Node 20 does, it calls itself 20 and cannot run TypeScript. */
const stockNode = `#!/bin/sh
case "$1" in *.ts) echo 'Unknown file extension ".ts"' >&2; exit 1;; esac
NODE_OPTIONS="--import=$(dirname "$0")/version.mjs" exec '${process.execPath}' "$@"
`;
const stockVersion = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });`;
const packagedNode = `#!/bin/sh
NODE_OPTIONS= IS_PACKAGED=yes exec '${process.execPath}' "$@"
`;

let clone: string;
let link: string;

/** The repository after an npm ci of npm 10: the package with our Node is there, and \`node_modules/.bin/node\` is not. */
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), "npm-10-layout-"));
  link = join(clone, "node_modules/.bin/node");
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    writeFileSync(join(clone, path), text);
    chmodSync(join(clone, path), mode);
  };
  for (const name of ["scripts", "package.json", "package-lock.json"]) {
    cpSync(join(root, name), join(clone, name), { recursive: true });
  }
  const lock = createHash("sha256")
    .update(readFileSync(join(clone, "package-lock.json")))
    .digest("hex");
  write("node_modules/.installed-lock-hash", lock);
  mkdirSync(join(clone, "node_modules/.bin"));
  write(`node_modules/${packageName}/package.json`, JSON.stringify({ bin: { node: "bin/node" } }));
  write(`node_modules/${packageName}/bin/node`, packagedNode, 0o755);
  write("stock/node", stockNode, 0o755);
  write("stock/version.mjs", stockVersion);
  const programs = Object.values<string>(manifest.scripts).flatMap((script) => script.match(/\S+\.ts$/) ?? []);
  for (const path of ["packages/local-platform/src/main.ts", ...programs]) write(path, program);
});

afterAll(() => rmSync(clone, { recursive: true, force: true }));

/** Runs a script of package.json as \`npm run\` does on a machine with Node 20. */
async function npmRun(script: string, ...args: string[]) {
  const path = `${join(clone, "node_modules/.bin")}:${join(clone, "stock")}:/usr/bin:/bin`;
  const command = `${manifest.scripts[script]} ${args.join(" ")}`;
  const { stdout } = await promisify(execFile)("/bin/sh", ["-c", command], { cwd: clone, env: { PATH: path } });
  return JSON.parse(stdout);
}

describe("the commands after npm ci of npm 10, on Node 20", () => {
  it("would not run on that Node", () => {
    const stock = join(clone, "stock/node");
    expect(execFileSync(stock, ["-p", "process.versions.node"], { encoding: "utf8" })).toBe("20.20.2\n");
    expect(() => execFileSync(stock, ["program.ts"], { stdio: "pipe" })).toThrow("Unknown file extension");
  });

  it.each([
    "start",
    "test",
    "generate",
    "doctor",
    "redrive",
    "service-keys",
    "load",
    "infra",
    "lines",
    "images",
    "k8s",
  ])("npm run %s uses the Node of the packages", async (name) => {
    rmSync(link, { force: true });
    const { packaged, args } = await npmRun(name, "one", "'two words'");
    expect([packaged, args.slice(-2)]).toEqual([true, ["one", "two words"]]);
  });

  it("have the link that npm left out from then on", async () => {
    rmSync(link, { force: true });
    await npmRun("redrive");
    expect(existsSync(link)).toBe(true);
    expect(await npmRun("redrive", "again")).toEqual({ packaged: true, args: ["again"] });
  });

  it("end with the exit code of the program", async () => {
    rmSync(link, { force: true });
    await expect(npmRun("redrive", "--fail")).rejects.toMatchObject({ code: 7 });
    await expect(npmRun("redrive", "--fail")).rejects.toMatchObject({ code: 7 });
  });
});

import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const workspace = "node_modules/@aiplatform/service-kit";
/** Stands for npm: says that it was run, and fails. */
const failingNpm = `require("node:fs").writeFileSync("npm-was-run", ""); process.exit(1);`;

let clone: string;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "installed-"));
  for (const name of ["scripts", "package.json", "package-lock.json"]) {
    cpSync(join(root, name), join(clone, name), { recursive: true });
  }
  mkdirSync(join(clone, "node_modules"));
  writeFileSync(join(clone, "npm.cjs"), failingNpm);
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

/** Whether a command runs npm ci first, after an npm ci that left these packages. */
async function installsAgain(packages: Record<string, unknown>): Promise<boolean> {
  writeFileSync(join(clone, "node_modules/.package-lock.json"), JSON.stringify({ packages }));
  const program = `import("./scripts/install.mjs").then(({ install }) => install())`;
  const env = { PATH: process.env["PATH"], npm_execpath: join(clone, "npm.cjs") };
  await promisify(execFile)(process.execPath, ["-e", program], { cwd: clone, env }).catch(() => undefined);
  return existsSync(join(clone, "npm-was-run"));
}

describe("packages that npm ci has installed", () => {
  it("are not installed again", async () => {
    expect(await installsAgain(lock.packages)).toBe(false);
  });

  it("are installed again when a package of the repository was added since", async () => {
    const { [workspace]: added, ...earlier } = lock.packages;
    expect(added).toEqual({ resolved: "packages/service-kit", link: true });
    expect(await installsAgain(earlier)).toBe(true);
  });

  it("are installed again when a version has changed", async () => {
    const changed = { ...lock.packages, "node_modules/mongodb": { version: "0.0.1" } };
    expect(await installsAgain(changed)).toBe(true);
  });
});

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

let clone: string;

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), "pre-commit-"));
  for (const name of ["scripts", "package.json", "biome.jsonc", ".githooks"]) {
    cpSync(join(root, name), join(clone, name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
  mkdirSync(join(clone, "src"));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: clone });
  git("init", "--quiet");
  git("config", "user.name", "test");
  git("config", "user.email", "test@localhost");
  git("config", "core.hooksPath", ".githooks");
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

/** Commits a source file; answers whether git took it, and what was said. */
function commit(text: string, name = "example.ts"): { isTaken: boolean; said: string } {
  writeFileSync(join(clone, "src", name), text);
  execFileSync("git", ["add", "src"], { cwd: clone });
  const { status, stderr } = spawnSync("git", ["commit", "--quiet", "-m", "test"], { cwd: clone, encoding: "utf8" });
  return { isTaken: status === 0, said: stderr };
}

describe("the hook before a commit", () => {
  it("refuses a file that is not formatted, and names the remedy", () => {
    const { isTaken, said } = commit("export const  answer = 42\n");
    expect(isTaken).toBe(false);
    expect(said).toContain("Remedy: npm run format");
  });

  it("refuses a word of the list, and says what to write instead", () => {
    const { isTaken, said } = commit(`/** What ${["no", "body"].join("")} needs. */\nexport const answer = 42;\n`);
    expect(isTaken).toBe(false);
    expect(said).toContain("src/example.ts:1");
    expect(said).toContain("no caller, no member");
  });

  it("refuses a word of the list in the name of a file", () => {
    const name = `${["put", "off"].join("-")}.ts`;
    const { isTaken, said } = commit("export const answer = 42;\n", name);
    rmSync(join(clone, "src", name));
    expect(isTaken).toBe(false);
    expect(said).toContain(`src/${name}`);
    expect(said).toContain("rejected");
  });

  it("takes what is as it should be", () => {
    expect(commit("export const answer = 42;\n")).toEqual({ isTaken: true, said: "" });
  });
});

import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../../bench/main.ts", import.meta.url));
const results = fileURLToPath(new URL("../../bench/results", import.meta.url));
const bench = async (...args: string[]) => (await promisify(execFile)(process.execPath, [program, ...args])).stdout;

describe("npm run bench", () => {
  it("says whether the machine is quiet, and of each goal of a row whether it is met", async () => {
    const before = existsSync(results) ? readdirSync(results) : [];
    const said = await bench("--rows", "19,17", "--quick");
    expect(said).toMatch(/^The machine is (not )?quiet/);
    expect(said).toMatch(/19 +first screen, all files +≤ 250 kB.*(met|missed)/);
    expect(said).toMatch(/17 .*not measured: its bench is Python/);
    // A quick run keeps nothing.
    expect(existsSync(results) ? readdirSync(results) : []).toEqual(before);
  });

  it("writes the page of all results", async () => {
    expect(await bench("--page")).toBe("wrote bench/results/page.html\n");
  });

  it("refuses a row that there is not", async () => {
    await expect(bench("--rows", "22")).rejects.toThrow("there is no row 22");
  });

  it("lists its options", async () => {
    expect(await bench("--help")).toContain("--compare");
  });
});

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Runs a file of one test whose body is given, with the check behind it. Resolves to the exit code and what was printed. */
async function runFile(body: string): Promise<{ code: unknown; text: string }> {
  const folder = await mkdtemp(join(tmpdir(), "leaves-nothing-"));
  const vitest = pathToFileURL(join(root, "node_modules", "vitest", "dist", "index.js")).href;
  const setup = join(root, "tests", "infra", "leaves-nothing.ts");
  const test = { include: ["one.test.mjs"], setupFiles: [setup], experimental: { viteModuleRunner: false } };
  try {
    await writeFile(join(folder, "vitest.config.mjs"), `export default ${JSON.stringify({ test })};\n`);
    await writeFile(
      join(folder, "one.test.mjs"),
      `import { it } from ${JSON.stringify(vitest)};\nit("passes", async () => {\n${body}\n});\n`,
    );
    const program = join(root, "node_modules", "vitest", "vitest.mjs");
    return await new Promise((resolve) => {
      const options = { env: { ...process.env, NO_COLOR: "1" } };
      execFile(process.execPath, [program, "run", "--root", folder], options, (error, out, failure) =>
        resolve({ code: error?.code ?? 0, text: out + failure }),
      );
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("a file of tests", () => {
  it("passes when it leaves nothing", async () => {
    expect(await runFile("")).toMatchObject({ code: 0 });
  });

  it.each([
    ["an environment variable", `process.env["LEFT"] = "1";`, "environment variables changed: LEFT"],
    [
      "a server",
      `const server = (await import("node:net")).createServer();
       await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));`,
      "left open: 1 × TCPServerWrap",
    ],
    [
      "a child process",
      `(await import("node:child_process")).spawn("sleep", ["20"], { stdio: "ignore" });`,
      "left open: 1 × ProcessWrap",
    ],
  ])("fails when it leaves %s, and names it", async (_what, body, text) => {
    const outcome = await runFile(body);
    expect(outcome.code).toBe(1);
    expect(outcome.text).toContain(text);
  });
});

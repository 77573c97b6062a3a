import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { operationsOfApi } from "@aiplatform/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const modules = join(root, "node_modules");
const node = process.execPath;
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
    const program = `import { answerOf, createPlatformClient, operationsOfApi, PlatformError } from "@aiplatform/client";
const platform = createPlatformClient({ baseUrl: "http://127.0.0.1:9", credential: "key", retry: { limit: 0 } });
const names: Promise<string[]> = platform.GET("/platform/roles").then(answerOf).then((roles) => roles.map(({ slug }) => slug));
// @ts-expect-error there is no such path
platform.GET("/no-such-path").catch(() => {});
names.catch((error: unknown) => console.log(operationsOfApi().length, error instanceof PlatformError, String(error)));
`;
    await writeFile(join(user, "package.json"), '{"type":"module"}');
    await writeFile(join(user, "main.ts"), program);
    await run(
      join(modules, ".bin", "tsc"),
      ["--module", "nodenext", "--strict", "--lib", "es2024,dom", "--types", "", "main.ts"],
      { cwd: user },
    );
    const { stdout } = await run(node, ["main.js"], { cwd: user });
    expect(stdout).toMatch(new RegExp(`^${operationsOfApi().length} false PlatformUnreachableError: no answer from`));
  });
});

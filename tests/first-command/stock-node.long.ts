import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { until } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { follow, patternOf, stepsOf } from "../documents/followed-page.ts";

const root = join(import.meta.dirname, "../..");
const { optionalDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const nodePackage = Object.keys(optionalDependencies).find((name) =>
  name.endsWith(`-${process.platform}-${process.arch}`),
);

/** Releases of Node with the npm that each brings. */
const stock = [
  { node: "20.20.2", npm: "10.8.2" },
  { node: "22.23.3", npm: "10.9.9" },
  { node: "24.21.0", npm: "11.19.0" },
  { node: "26.10.0", npm: "11.19.1" },
];

/** How this machine reaches the network: nothing else of its environment is passed on. */
const networkVariable =
  /^(npm_config_(registry|cafile|proxy|https_proxy|noproxy)|pip_.*|(http|https|no|all)_proxy|.*_ca_certs|ssl_cert_.*)$/i;
const network = Object.fromEntries(Object.entries(process.env).filter(([name]) => networkVariable.test(name)));
/** Without what `npm test` has put before it. */
const machinePath = (process.env["PATH"] ?? "").split(":").filter((folder) => !folder.includes("node_modules"));

interface Machine extends AsyncDisposable {
  clone: string;
  env: NodeJS.ProcessEnv;
}

/** Runs a command to its end. @throws Error with what it said when it fails */
async function run(command: string, args: string[], { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }) {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}: ${stdout}${stderr}`);
  return { stdout, stderr };
}

/** A machine with that Node and its npm, an empty home, and a fresh clone. */
async function machineWith({ node, npm }: { node: string; npm: string }): Promise<Machine> {
  const folder = await mkdtemp(join(tmpdir(), `stock-node-${node}-`));
  const [tools, home, clone] = ["tools", "home", "clone"].map((name) => join(folder, name));
  if (!tools || !home || !clone) throw new Error("no folders");
  await Promise.all([mkdir(tools), mkdir(home)]);
  const wanted = [`${nodePackage}@${node}`, `npm@${npm}`];
  await run("npm", ["install", "--prefix", tools, "--no-save", "--ignore-scripts", "--no-audit", ...wanted], {
    cwd: tools,
    env: process.env,
  });
  await run("git", ["clone", "--quiet", root, clone], { cwd: folder, env: process.env });
  const path = [join(tools, "node_modules/.bin"), ...machinePath].join(":");
  const env = { ...network, PATH: path, HOME: home, TMPDIR: tmpdir() };
  return { clone, env, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** `npm start -- --json` as the first command after the clone. */
async function npmStart({ clone, env }: Machine) {
  const child = spawn("npm", ["start", "--", "--json", "--any-ports"], {
    cwd: clone,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk) => {
      said[name] += chunk;
    });
  }
  const ended = once(child, "close").then(([code]) => code);
  const description = () => said.stdout.split("\n").find((line) => line.startsWith("{") && line.endsWith("}"));
  await until(() => (description() !== undefined || child.exitCode !== null ? true : undefined), {
    withinMs: 600_000,
    everyMs: 200,
    otherwise: () => new Error(`nothing was printed: ${said.stderr}`),
  });
  if (child.exitCode !== null) throw new Error(`npm start ended: ${said.stdout}${said.stderr}`);
  const stop = async () => {
    child.kill("SIGINT");
    const code = await ended;
    return { code, stderr: said.stderr };
  };
  return { stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}

const shellBlock = /```sh\n(?<commands>\. \.local\/platform\.env[\s\S]*?)```/;

describe.each(stock)("a fresh clone on Node $node with npm $npm and an empty home", (versions) => {
  it("comes up by npm start, takes the tour as printed and the commands for API clients, and stops", async () => {
    await using machine = await machineWith(versions);
    const { clone, env } = machine;
    expect((await run("node", ["--version"], { cwd: clone, env })).stdout).toBe(`v${versions.node}\n`);
    expect((await run("npm", ["--version"], { cwd: clone, env })).stdout).toBe(`${versions.npm}\n`);

    await using platform = await npmStart(machine);
    expect(existsSync(join(clone, "node_modules/.bin/node"))).toBe(true);

    const steps = stepsOf(await readFile(join(clone, "examples/tour/README.md"), "utf8"));
    const tour = await follow(steps, { cwd: clone, seconds: 200, env });
    expect(tour).toMatchObject({ code: 0, errors: "" });
    for (const [index, { shown: page }] of steps.entries()) {
      if (page !== undefined) expect(tour.outputs[index]).toMatch(patternOf(page));
    }

    const page = await readFile(join(clone, "docs/start/api-client.md"), "utf8");
    const block = shellBlock.exec(page)?.groups?.["commands"] ?? "";
    expect(block).toContain("npx platformctl");
    // After the tour, which expects a run that is not paused.
    const shown = await follow([{ commands: block, shown: undefined }], { cwd: clone, seconds: 120, env });
    expect(shown).toMatchObject({ code: 0, errors: "" });

    const doctor = await run("npm", ["run", "-s", "doctor", "--", "--timeout", "60"], { cwd: clone, env });
    expect(doctor.stdout).not.toBe("");

    const { code, stderr } = await platform.stop();
    expect([code, stderr]).toEqual([0, expect.stringContaining("stopped; the data stays")]);
  });
});

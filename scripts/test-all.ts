// Runs every suite that this machine can run, and says at the end what ran, what failed, and what could not run and why.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { capture, root, runMain } from "./install.mjs";

const onPath = (program: string) =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
/** Why a program cannot be used, or undefined. */
const program = (name: string) => (onPath(name) ? undefined : `${name} is not on the PATH`);
const firstReason = (...reasons: (string | undefined)[]) => reasons.find((reason) => reason !== undefined);

async function docker(): Promise<string | undefined> {
  const missing = program("docker");
  if (missing) return missing;
  const { code } = await capture(["docker", ["info"]]);
  return code === 0 ? undefined : "Docker does not answer";
}

const chromium = () =>
  process.env["CHROMIUM"] || ["chromium", "chromium-browser", "google-chrome"].some(onPath)
    ? undefined
    : "Chromium is not on the PATH, and CHROMIUM names none";
const cluster = () => (process.env["KUBECONFIG"] ? undefined : "KUBECONFIG names no cluster");
const python = () => (onPath("python3") ? undefined : "python3 is not on the PATH");

/** Suite → why it cannot run here, or nothing. The first is what `npm test` runs. */
const suites: Readonly<Record<string, () => string | undefined | Promise<string | undefined>>> = {
  test: () => undefined,
  slow: () => undefined,
  long: () => undefined,
  oracle: python,
  fuzz: python,
  frameworks: python,
  browser: chromium,
  backup: () => firstReason(program("mongodump"), program("mongorestore")),
  conformance: () => (onPath("go") ? undefined : python()),
  alerts: () => program("go"),
  images: docker,
  cluster,
  pods: cluster,
};

/** Arguments of `scripts/test.ts` for the suites that are more than one project. */
const several: Readonly<Record<string, readonly string[]>> = { test: [], slow: ["--slow"] };

interface Outcome {
  readonly name: string;
  readonly outcome: "passed" | "failed" | "could not run";
  readonly detail: string;
}

async function runSuite(name: string, missing: (typeof suites)[string]): Promise<Outcome> {
  const reason = await missing();
  if (reason) return { name, outcome: "could not run", detail: reason };
  process.stdout.write(`\n== ${name}\n`);
  const args = several[name] ?? ["--project", name];
  const started = performance.now();
  const command = [join(root, "scripts", "test.ts"), ...args];
  const { code, output } = await capture([process.execPath, command], { show: process.stdout });
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  const last = output.trimEnd().split("\n").at(-1);
  return { name, outcome: code === 0 ? "passed" : "failed", detail: `${last}, ${minutes} min` };
}

/** Whether a package that we use has a published vulnerability. */
async function advisories(): Promise<Outcome> {
  const { code, output } = await capture([process.execPath, [join(root, "scripts", "advisories.ts")]]);
  const outcome = code === 0 ? "passed" : code === 2 ? "could not run" : "failed";
  return { name: "advisories", outcome, detail: output.trimEnd().split("\n").at(-1) ?? "" };
}

/** Whether a figure has fallen by more than a third since the newest result of a quiet run. */
async function benches(): Promise<Outcome> {
  process.stdout.write("\n== bench\n");
  const command = [join(root, "bench", "main.ts"), "--compare"];
  const { code, output } = await capture([process.execPath, command], { show: process.stdout });
  const outcome = code === 0 ? "passed" : code === 2 ? "could not run" : "failed";
  return { name: "bench", outcome, detail: output.trimEnd().split("\n").at(-1) ?? "" };
}

runMain(async () => {
  const results = [await advisories()];
  for (const [name, missing] of Object.entries(suites)) results.push(await runSuite(name, missing));
  // Last, when nothing else runs.
  results.push(await benches());
  process.stdout.write("\n| suite | outcome | |\n| --- | --- | --- |\n");
  for (const { name, outcome, detail } of results) process.stdout.write(`| ${name} | ${outcome} | ${detail} |\n`);
  const failed = results.filter(({ outcome }) => outcome === "failed").length;
  process.stdout.write(`\n${results.length - failed} suites did not fail, ${failed} failed\n`);
  process.exitCode = failed > 0 ? 1 : 0;
});

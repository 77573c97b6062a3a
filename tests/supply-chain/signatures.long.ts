import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { capture, root } from "../../scripts/install.mjs";
import { follow, type Step, stepsOf } from "../documents/followed-page.ts";
import { goProgram } from "../infra/go-program.ts";
import { missingPrograms } from "../infra/missing-programs.ts";
import { workflow } from "./workflow-files.ts";

const buildsWithinMs = 3_600_000;
const read = (path: string) => readFile(join(root, path), "utf8");
const page = await read("docs/operations/signatures.md");
const [makeKey, sign, verify] = stepsOf(page);

/** Programs are built with Go, and Python fetches one where there is none. */
const obstacle = missingPrograms("go") && missingPrograms("python3");

let folder = "";
let registry: ChildProcess | undefined;
let env: Record<string, string>;

/** The PATH, with the folders of Node and of the programs in front. */
async function pathWithPrograms(): Promise<string> {
  const programs = [await goProgram("cosign"), await goProgram("crane"), await goProgram("actionlint")];
  const folders = programs.map(({ directory }) => directory);
  return [dirname(process.execPath), ...folders, process.env["PATH"]].join(delimiter);
}

/** Runs a line of shell among the files of the test. */
const shell = (line: string, extra: Readonly<Record<string, string>> = {}) =>
  capture(["bash", ["-euo", "pipefail", "-c", `cd '${folder}'; ${line}`]], { env: { ...env, ...extra } });

async function must(line: string): Promise<string> {
  const { code, output } = await shell(line);
  if (code !== 0) throw new Error(`${line} failed:\n${output}`);
  return output.trim();
}

/** Follows a block of the page, and answers what went wrong. */
async function followed(step: Step | undefined, extra: Readonly<Record<string, string>> = {}) {
  if (!step) throw new Error("the page has no such block");
  const { code, errors } = await follow([step], { cwd: folder, seconds: 120, env: { ...env, ...extra } });
  return code === 0 ? "" : errors || `exit code ${code}`;
}

/** Starts a registry that forgets everything at its end, and answers where it listens. */
async function startRegistry(): Promise<string> {
  registry = spawn("crane", ["registry", "serve", "--address", "127.0.0.1:0"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (!registry.stderr) throw new Error("the registry has no standard error");
  let port: string | undefined;
  for await (const line of createInterface({ input: registry.stderr })) {
    port = /serving on port (\d+)/.exec(line)?.[1];
    if (port) break;
  }
  if (!port) throw new Error("the registry ended before it listened");
  // What it says later must not stop it.
  registry.stderr.resume();
  return `127.0.0.1:${port}`;
}

/** Pushes what the script puts into an image, and answers its name by digest. */
async function pushImage(host: string, service: string): Promise<string> {
  await must(`node '${root}/scripts/images-content.ts' ${service} content/${service}`);
  await must(`tar --create --file ${service}.tar --directory content/${service} app`);
  const name = `${host}/team/aiplatform/${service}`;
  await must(`crane append --insecure --new_layer ${service}.tar --new_tag ${name}:0.1.0`);
  return `${name}@${await must(`crane digest --insecure ${name}:0.1.0`)}`;
}

beforeAll(async () => {
  if (obstacle) return;
  const PATH = await pathWithPrograms();
  folder = await mkdtemp(join(tmpdir(), "signatures-"));
  env = { PATH, HOME: folder, COSIGN_PASSWORD: "of the test", SBOM: "content/gateway/app/sbom.cdx.json" };
  env["IMAGE"] = await pushImage(await startRegistry(), "gateway");
  expect(await followed(makeKey)).toBe("");
  expect(await followed(sign)).toBe("");
}, buildsWithinMs);

afterAll(async () => {
  if (registry && registry.exitCode === null) {
    registry.kill("SIGKILL");
    await once(registry, "close");
  }
  if (folder) await rm(folder, { recursive: true, force: true });
});

describe.skipIf(obstacle)(`an operator who follows the page on signatures${obstacle}`, () => {
  it("verifies an image and its bill of materials that were signed as there", async () => {
    expect(await followed(verify)).toBe("");
  });

  it("has the bill of the image from the registry", async () => {
    expect(await followed(verify)).toBe("");
    const { payload }: { payload: string } = JSON.parse(await readFile(join(folder, "bill.json"), "utf8"));
    const { subject, predicate } = JSON.parse(Buffer.from(payload, "base64").toString());
    expect(`sha256:${subject[0].digest.sha256}`).toBe(env["IMAGE"]?.split("@")[1]);
    expect(predicate).toEqual(JSON.parse(await readFile(join(folder, env["SBOM"] ?? ""), "utf8")));
  });

  it("sees that one byte of the bill is another", async () => {
    const file = join(folder, env["SBOM"] ?? "");
    const bytes = await readFile(file);
    const changed = Buffer.from(bytes);
    const at = changed.length >> 1;
    changed[at] = (changed[at] ?? 0) ^ 1;
    await writeFile(file, changed);
    expect(await followed(verify)).toMatch(/invalid signature|failed to verify/);
    await writeFile(file, bytes);
    expect(await followed(verify)).toBe("");
  });

  it("sees that an image is signed by another key", async () => {
    await must("mkdir -p other && cd other && cosign generate-key-pair");
    const { code, output } = await shell('cosign verify --key other/cosign.pub --insecure-ignore-tlog "$IMAGE"');
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining("failed to verify signature") });
  });

  it("sees that an image is not signed", async () => {
    const unsigned = await pushImage(env["IMAGE"]?.split("/")[0] ?? "", "training");
    expect(await followed(verify, { IMAGE: unsigned })).toContain("no signatures found");
  });
});

describe.skipIf(obstacle)(`the workflow that makes releases${obstacle}`, async () => {
  const { jobs } = await workflow("release.yml");
  const step = Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .find(({ name }) => name === "Signatures");

  it("is one that GitHub takes, as are the others", async () => {
    expect(await shell(`actionlint -shellcheck= -pyflakes= '${root}'/.github/workflows/*.yml`)).toEqual({
      code: 0,
      output: "",
    });
  });

  // The runner's identity is the key in its workflow. Everything else of the step is as it is there.
  it("signs the bill of each image and the checksums of all files", async () => {
    await must(`mkdir release && node '${root}/scripts/sboms.ts' release`);
    await must("cd release && sha256sum -- * > SHA256SUMS");
    const key = { COSIGN_KEY: "../cosign.key", COSIGN_SIGNING_CONFIG: "../private.json" };
    const { code, output } = await shell(`cd '${step?.["working-directory"]}'; ${step?.run}`, key);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("SHA256SUMS.sigstore.json") });
    const files = await readdir(join(folder, "release"));
    const signed = files.filter((file) => !file.endsWith(".sigstore.json")).sort();
    expect(signed).toHaveLength(7);
    expect(files.filter((file) => file.endsWith(".sigstore.json")).sort()).toEqual(
      signed.map((file) => `${file}.sigstore.json`),
    );
    for (const file of signed)
      await must(
        `cosign verify-blob --key cosign.pub --insecure-ignore-tlog --bundle release/${file}.sigstore.json release/${file}`,
      );
  });

  it("signs no file that is not as its checksum says", async () => {
    await must("mkdir damaged && echo one > damaged/gateway.cdx.json");
    await must("cd damaged && sha256sum -- * > SHA256SUMS && echo two > gateway.cdx.json");
    const { code, output } = await shell(`cd damaged; ${step?.run}`);
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining("gateway.cdx.json: FAILED") });
    expect(await readdir(join(folder, "damaged"))).toEqual(["SHA256SUMS", "gateway.cdx.json"]);
  });
});

// Builds the images of the services, and says how large they are.
//
//   npm run images -- [--tag TAG] [--service NAME]… [--save FOLDER] [--push REGISTRY] [-- OPTIONS FOR docker build]
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { imageNames } from "./bundle.ts";
import { capture, root, runMain, StepError } from "./install.mjs";

const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

function options() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      tag: { type: "string", default: version },
      service: { type: "string", multiple: true, default: imageNames },
      save: { type: "string" },
      push: { type: "string" },
    },
  });
  const unknown = values.service.filter((name) => !imageNames.includes(name));
  if (unknown.length > 0)
    throw new StepError(`There is no image ${unknown.join(", ")}: there are ${imageNames.join(", ")}.`);
  return { ...values, forDocker: positionals };
}

async function docker(...args: string[]): Promise<string> {
  const { code, output } = await capture(["docker", args]).catch((error) => {
    if (error.code !== "ENOENT") throw error;
    throw new StepError("Images are built with Docker, and there is no docker on the PATH: install it and try again.");
  });
  if (code === 0) return output.trim();
  throw new StepError(`docker ${args[0]} failed:\n${output.trim().split("\n").slice(-20).join("\n")}`);
}

async function checkDocker() {
  const { code } = await capture(["docker", ["info"]]).catch(() => ({ code: 1 }));
  if (code !== 0)
    throw new StepError("Images are built with Docker, and none answers here (docker info): install or start it.");
}

/** The commit, marked where files differ from it. */
async function revision(): Promise<string> {
  const describe = ["describe", "--always", "--dirty", "--abbrev=40"];
  const { code, output } = await capture(["git", describe]).catch(() => ({ code: 1, output: "" }));
  return code === 0 ? output.trim() : "unknown";
}

interface BuildOptions {
  readonly labels: Readonly<Record<string, string>>;
  readonly forDocker: readonly string[];
}

async function build(service: string, image: string, { forDocker, labels }: BuildOptions): Promise<void> {
  const args = Object.entries({ SERVICE: service, ...labels }).flatMap(([name, value]) => [
    "--build-arg",
    `${name}=${value}`,
  ]);
  process.stderr.write(`building ${image}\n`);
  await docker("build", ...args, ...forDocker, "--tag", image, root);
}

/** Writes the image and its bill of materials, which is in it as well, as files whose names begin with `file`. */
async function save(image: string, file: string): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  await docker("save", "--output", `${file}.tar`, image);
  const container = await docker("create", image);
  try {
    await docker("cp", `${container}:/app/sbom.cdx.json`, `${file}.cdx.json`);
  } finally {
    await docker("rm", container);
  }
}

async function push(image: string, registry: string): Promise<string> {
  const there = `${registry.replace(/\/$/, "")}/${image}`;
  await docker("tag", image, there);
  await docker("push", there);
  const digest = await docker("image", "inspect", "--format", "{{index .RepoDigests 0}}", there);
  return digest;
}

interface ImageRow {
  readonly image: string;
  readonly mb: string;
  readonly id: string;
}

async function describe(image: string): Promise<ImageRow> {
  const [{ Size: bytes, Id: id }]: [{ Size: number; Id: string }] = JSON.parse(await docker("image", "inspect", image));
  return { image, mb: (bytes / 1e6).toFixed(0), id: id.slice("sha256:".length, "sha256:".length + 12) };
}

runMain(async () => {
  const { tag, service: wanted, save: folder, push: registry, forDocker } = options();
  await checkDocker();
  const labels = { VERSION: version, REVISION: await revision(), CREATED: new Date().toISOString() };
  const rows = [];
  for (const service of wanted) {
    const image = `aiplatform/${service}:${tag}`;
    await build(service, image, { forDocker, labels });
    if (folder) await save(image, join(resolve(folder), `${service}-${tag}`));
    const digest = registry ? await push(image, registry) : "";
    rows.push({ ...(await describe(image)), digest });
  }
  const width = Math.max(...rows.map(({ image }) => image.length));
  const lines = rows.map(
    ({ image, mb, id, digest }) => `${image.padEnd(width)}  ${mb.padStart(4)} MB  ${id}  ${digest}`,
  );
  process.stdout.write(`${lines.map((line) => line.trimEnd()).join("\n")}\n`);
});

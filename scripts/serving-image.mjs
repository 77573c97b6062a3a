// Puts together the root folder of the serving runtime's image, for pods: Node, the libraries it needs, and our code with
// what it imports, as the bundler finds it. Linux only; the image is for the platform that this runs on.
//
//   node scripts/serving-image.mjs OUT
//   tar -C OUT -c . | docker import --change 'ENTRYPOINT ["/usr/local/bin/node", "/app/packages/serving-runtime/src/container.ts"]' - NAME:TAG
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { root, runMain, StepError, sourceNode } from "./install.mjs";

const entryPoints = ["main.ts", "container.ts", "handler/handler-thread.ts"];
const natives = join("node_modules", "onnxruntime-node", "bin", "napi-v6", process.platform, process.arch);

/** Every file that the programs import, relative to the repository. */
async function importedFiles() {
  const { metafile } = await build({
    entryPoints: entryPoints.map((name) => join(root, "packages/serving-runtime/src", name)),
    absWorkingDir: root,
    outdir: "unused",
    write: false,
    bundle: true,
    metafile: true,
    platform: "node",
    format: "esm",
    conditions: ["module-sync", "node-addons"],
    external: ["*.node"],
    logLevel: "error",
  });
  return Object.keys(metafile.inputs).filter((path) => existsSync(join(root, path)));
}

/** The package.json files above a file: they say what kind of module it is. */
function manifestsAbove(path) {
  const found = [];
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(join(root, manifest))) found.push(manifest);
  }
  return found;
}

/** Copies a file or folder of this machine, by what it really is, to the same place in the image or to another. */
function put(image, from, to = from) {
  mkdirSync(dirname(join(image, to)), { recursive: true });
  cpSync(realpathSync(from), join(image, to), { recursive: true });
}

/** The libraries that programs load, their loader among them. */
function librariesOf(programs) {
  const lines = programs.flatMap((program) => execFileSync("ldd", [program], { encoding: "utf8" }).split("\n"));
  return new Set(lines.flatMap((line) => /(\/\S+) \(0x/.exec(line)?.[1] ?? []));
}

runMain(async () => {
  const [out] = process.argv.slice(2);
  if (!out) throw new StepError("usage: node scripts/serving-image.mjs OUT");
  if (process.platform !== "linux")
    throw new StepError("The image is made of this machine's files, which must be Linux.");
  const image = resolve(out);
  if (existsSync(image)) throw new StepError(`${image} exists already: remove it first.`);
  const files = await importedFiles();
  for (const path of new Set([...files, ...files.flatMap(manifestsAbove), "package.json", natives])) {
    put(image, join(root, path), join("app", path));
  }
  linkWorkspaces(image);
  const node = realpathSync(sourceNode());
  put(image, node, "usr/local/bin/node");
  const addons = readdirSync(join(root, natives)).map((name) => join(root, natives, name));
  for (const library of librariesOf([node, ...addons])) if (!library.startsWith(root)) put(image, library);
  for (const folder of ["tmp", "etc", "serving/files", "serving/settings"])
    mkdirSync(join(image, folder), { recursive: true });
  writeFileSync(join(image, "etc/passwd"), "serving:x:65532:65532::/:/sbin/nologin\n");
  process.stdout.write(`${relative(process.cwd(), image)}: ${files.length} files of code\n`);
});

/** Our own packages are found as npm links them. */
function linkWorkspaces(image) {
  const scope = join("node_modules", "@aiplatform");
  for (const name of readdirSync(join(root, scope))) {
    const target = relative(realpathSync(root), realpathSync(join(root, scope, name)));
    if (!existsSync(join(image, "app", target))) continue;
    mkdirSync(join(image, "app", scope), { recursive: true });
    symlinkSync(join("..", "..", target), join(image, "app", scope, name));
  }
}

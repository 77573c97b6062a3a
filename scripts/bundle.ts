// Bundles a service into its dist/: one file starts in a fraction of the time of many. What is imported only when it is needed
// stays apart, in files beside it, and so does what cannot be bundled. The folder needs no node_modules of the repository.
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { root, StepError } from "./install.mjs";

/** Optional parts of the MongoDB driver: looked for at run time, absent here. */
const absent = [
  "kerberos",
  "@mongodb-js/zstd",
  "@aws-sdk/credential-providers",
  "gcp-metadata",
  "snappy",
  "aws4",
  "mongodb-client-encryption",
];

interface Program {
  readonly folder: string;
  readonly entry: string;
  readonly threads?: Files;
  readonly beside?: PackageFiles;
  readonly servingRuntime?: boolean;
  /** Whether it starts processes of the data engine. */
  readonly dataEngine?: boolean;
}

/** Path of each source by the name of the file it becomes. */
type Files = Readonly<Record<string, string>>;

/** Files and folders by the npm package that has them. */
type PackageFiles = Readonly<Record<string, readonly string[]>>;

/** An npm package that went into an image; `path` is below the repository. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly path: string;
}

const onnxAddon = `bin/napi-v6/${process.platform}/${process.arch}`;

/** What is read as files at run time, by package: those files. */
const swaggerUi: PackageFiles = { "swagger-ui-dist": ["swagger-ui.css", "swagger-ui-bundle.js"] };
const onnxRuntime: PackageFiles = {
  "onnxruntime-node": ["dist/index.js", "dist/backend.js", "dist/binding.js", "dist/version.js", onnxAddon],
  "onnxruntime-common": ["dist/cjs"],
};

const duckDbAddon = `@duckdb/node-bindings-${process.platform}-${process.arch}`;
/** Native, so it stays as files; the C library decides which of them is loaded. */
const duckDb: PackageFiles = {
  "@duckdb/node-bindings": ["duckdb.js"],
  ...Object.fromEntries(
    [duckDbAddon, `${duckDbAddon}-musl`]
      .filter((name) => existsSync(join(root, "node_modules", name)))
      .map((name) => [
        name,
        readdirSync(join(root, "node_modules", name)).filter((file) => /\.(node|so|dylib|dll)$/.test(file)),
      ]),
  ),
  "detect-libc": ["lib"],
};

/** The program of the thread that answers on the admin port of a service. */
const adminThread: Files = { "admin-thread": "../../packages/service-host/src/serving/admin-thread.ts" };
/** Programs of worker threads that compute for requests. */
const contentThread: Files = { "content-task-thread": "src/tasks/content-task-thread.ts" };
const deploymentsThreads: Files = {
  "deployments-task-thread": "src/tasks/deployments-task-thread.ts",
  "digest-thread": "src/artifacts/digest-thread.ts",
};

/**
 * Programs by the name of their image. The two that start serving runtimes carry the runtime's own program; `threads` are the
 * programs of worker threads, by the name of their file.
 */
const programs: Readonly<Record<string, Program>> = {
  gateway: { folder: "services/gateway", entry: "src/main.ts", threads: adminThread, beside: swaggerUi },
  identity: { folder: "services/identity", entry: "src/main.ts", threads: adminThread },
  training: { folder: "services/training", entry: "src/main.ts", threads: adminThread },
  content: { folder: "services/content", entry: "src/main.ts", threads: { ...adminThread, ...contentThread } },
  deployments: {
    folder: "services/deployments",
    entry: "src/main.ts",
    threads: { ...adminThread, ...deploymentsThreads },
    servingRuntime: true,
  },
  data: { folder: "services/data", entry: "src/main.ts", threads: adminThread, dataEngine: true },
  "serving-runtime": { folder: "packages/serving-runtime", entry: "src/container.ts", servingRuntime: true },
};

/** Names of all programs that an image can be made of. */
export const imageNames = Object.keys(programs);

/**
 * Bundles a program into `into` (default: its own dist/), and returns the npm packages that went in.
 * @throws StepError when there is no program of this name
 */
export async function bundle(name: string, into?: string): Promise<BundledPackage[]> {
  const program = programs[name];
  if (program === undefined) throw new StepError(`There is no program ${name}: there are ${imageNames.join(", ")}.`);
  const { folder, entry, threads = {}, beside = {}, servingRuntime = false, dataEngine = false } = program;
  const out = into ?? join(root, folder, "dist");
  rmSync(out, { recursive: true, force: true });
  const sources = Object.entries({ main: entry, ...threads }).map(([file, path]) => [file, join(root, folder, path)]);
  const inputs = await bundleInto(out, Object.fromEntries(sources));
  copyFiles(out, beside);
  if (name === "gateway") {
    // Vite is loaded for this program alone.
    const { buildConsole } = await import("./console.ts");
    inputs.push(...(await buildConsole(join(out, "console"))));
  }
  if (servingRuntime) inputs.push(...(await bundleServingRuntime(out)));
  if (dataEngine) inputs.push(...(await bundleDataEngine(out)));
  const asFiles = Object.keys({ ...beside, ...(servingRuntime ? onnxRuntime : {}), ...(dataEngine ? duckDb : {}) });
  const paths = new Set([...inputs.flatMap(packageOf), ...asFiles.map((each) => `node_modules/${each}`)]);
  return [...paths].sort().map(describePackage);
}

/** The program of instances, in `serving-runtime` below `out`: an instance may read nothing else. Returns the files that went in. */
export async function bundleServingRuntime(out: string, copy: Copy = cpSync): Promise<string[]> {
  const source = join(root, "packages/serving-runtime/src");
  const handler = join(source, "handler/handler-thread.ts");
  const runtime = join(out, "serving-runtime");
  const inputs = await bundleInto(runtime, { main: join(source, "main.ts"), "handler-thread": handler });
  copyFiles(runtime, onnxRuntime, copy);
  copyLauncher(runtime);
  return inputs;
}

/**
 * The program of the data engine's processes, in `data-engine` below `out`, and the launcher of their sandbox where the service
 * looks for it. Returns the files that went in.
 */
export async function bundleDataEngine(out: string, copy: Copy = cpSync): Promise<string[]> {
  const engine = join(out, "data-engine");
  const inputs = await bundleInto(engine, { main: join(root, "packages/data-engine/src/program/main.ts") });
  copyFiles(engine, duckDb, copy);
  copyLauncher(join(out, "serving-runtime"));
  return inputs;
}

function copyLauncher(runtime: string): void {
  const source = join(root, "packages/serving-runtime/src/sandbox/launcher");
  cpSync(source, join(runtime, "launcher"), { recursive: true, filter: (path) => !path.includes("__pycache__") });
}

/** Of services, but needed only where there is a cluster or a bucket: the local platform leaves these where they are. */
const seldomUsed = ["@kubernetes/client-node", "@aws-sdk/*"];

/**
 * Bundles all that the local platform runs into `out`, a folder below the node_modules of the repository: in one build, so
 * that programs share what they have in common. Returns the bundle of each source, `services/training/src/main.ts` say.
 */
export async function bundleLocalPlatform(out: string): Promise<Record<string, string>> {
  const services = Object.entries(programs).filter(([, { folder }]) => folder.startsWith("services/"));
  const entries: [string, string][] = [
    ["fakes", "packages/local-platform/src/fakes/main.ts"],
    ["services", "packages/local-platform/src/services/main.ts"],
    ["stack-positions", "packages/local-platform/src/infra/programs/stack-positions.ts"],
    ["mnist-trainer", "examples/mnist-trainer/src/main.ts"],
  ];
  for (const [name, { folder, entry, threads = {} }] of services) {
    entries.push([name, join(folder, entry)]);
    for (const [file, path] of Object.entries(threads)) entries.push([file, join(folder, path)]);
  }
  await bundleInto(out, Object.fromEntries(entries.map(([name, path]) => [name, join(root, path)])), {
    external: seldomUsed,
    // The sources are here to be read.
    sourcesContent: false,
  });
  await bundleServingRuntime(out, linkSyncAll);
  await bundleDataEngine(out, linkSyncAll);
  return Object.fromEntries(entries.map(([name, path]) => [path, `${name}.js`]));
}

/** How files and folders get from one place to another. */
type Copy = (from: string, to: string, options: CopyOptions) => void;

interface CopyOptions {
  readonly recursive: boolean;
  readonly filter: (path: string) => boolean;
}

/** Like cpSync, but by links where it can: a copy of 45 MiB for each build would fill the disk. */
export function linkSyncAll(from: string, to: string, options: CopyOptions): void {
  if (statSync(from).isDirectory()) {
    for (const name of readdirSync(from)) linkSyncAll(join(from, name), join(to, name), options);
    return;
  }
  if (!options.filter(from)) return;
  mkdirSync(dirname(to), { recursive: true });
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/**
 * An import of `node:http` as a module reads all that it offers, and so loads an HTTP client and its websockets that hardly any
 * program uses.
 */
const lazyHttp: Plugin = {
  name: "lazy-http",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === "import-statement" ? { path: "http", namespace: "lazy-http" } : undefined,
    );
    onLoad({ filter: /^http$/, namespace: "lazy-http" }, () => ({
      contents: 'module.exports = process.getBuiltinModule("node:http");',
    }));
  },
};

/** Returns the files that went in, relative to the repository. */
async function bundleInto(outdir: string, entryPoints: Files, options: BuildOptions = {}): Promise<string[]> {
  const { metafile } = await build({
    ...options,
    plugins: [lazyHttp],
    entryPoints,
    absWorkingDir: root,
    outdir,
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node26",
    format: "esm",
    sourcemap: true,
    legalComments: "none",
    metafile: true,
    // Packages in the older module format call require, which ES modules lack. Under a name that no source uses.
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
    external: [...absent, ...Object.keys(onnxRuntime), ...Object.keys(duckDb), ...(options.external ?? [])],
    logLevel: "warning",
  });
  // Says what kind of modules these are, wherever the folder is put.
  writeFileSync(join(outdir, "package.json"), `${JSON.stringify({ type: "module", private: true })}\n`);
  return Object.keys(metafile.inputs);
}

function copyFiles(out: string, packages: PackageFiles, copy: Copy = cpSync): void {
  for (const [name, files] of Object.entries(packages)) {
    const from = realpathSync(join(root, "node_modules", name));
    const licence = ["LICENSE", "LICENSE.txt", "LICENSE.md"].filter((file) => existsSync(join(from, file)));
    for (const file of ["package.json", ...licence, ...files]) {
      const to = join(out, "node_modules", name, file);
      mkdirSync(dirname(to), { recursive: true });
      copy(join(from, file), to, { recursive: true, filter: (path) => !/\.(map|d\.ts)$/.test(path) });
    }
  }
}

/** The package of others that a file belongs to. */
function packageOf(path: string): string[] {
  const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
  return found && existsSync(join(root, found, "package.json")) ? [found] : [];
}

function describePackage(path: string): BundledPackage {
  const { name, version, license }: BundledPackage = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
  return { name, version, license, path };
}

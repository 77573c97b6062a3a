import { execFile, spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { InstallError } from "./errors.ts";

const script = fileURLToPath(new URL("../../../scripts/images.ts", import.meta.url));

/** Builds all images and pushes them. `tag`: default the platform's version. @throws InstallError */
export async function pushImages(registry: string, tag: string | undefined): Promise<void> {
  await buildImages(["--push", registry, ...tagged(tag)]);
}

/**
 * Builds all images and gives each to `command`, a line for a shell in which `{archive}` stands for the archive's path.
 * @throws InstallError
 */
export async function loadImages(
  command: string,
  { tag, log }: { tag: string | undefined; log: (line: string) => void },
): Promise<void> {
  if (!command.includes("{archive}"))
    throw new InstallError("--load needs a command with {archive} in it, such as 'kind load image-archive {archive}'.");
  const folder = await mkdtemp(join(tmpdir(), "aiplatform-images-"));
  try {
    await buildImages(["--save", folder, ...tagged(tag)]);
    const archives = (await readdir(folder)).filter((name) => /\.tar(\.gz)?$/.test(name)).toSorted();
    for (const archive of archives) {
      log(`loading ${archive}`);
      await inShell(command.replaceAll("{archive}", quoted(join(folder, archive))));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const tagged = (tag: string | undefined) => (tag === undefined ? [] : ["--tag", tag]);

/** One word for a shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

async function buildImages(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [script, ...args], { stdio: "inherit" });
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (code !== 0) throw new InstallError("The images could not be built; the lines above say why.");
}

async function inShell(line: string): Promise<void> {
  try {
    await promisify(execFile)("sh", ["-c", line]);
  } catch (cause) {
    const said = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : String(cause);
    throw new InstallError(`This failed: ${line}\n${said}`, { cause });
  }
}

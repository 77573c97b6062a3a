import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { sep } from "node:path";
import { fileURLToPath } from "node:url";
import { fileErrorCode } from "./file-errors.ts";

/** Where a result lies: in the store, because it was uploaded, or in a file. */
export type ArtifactLocation = { kind: "stored"; sha256: string } | { kind: "file"; path: string };

/** The result lies where none is ever taken from. The message is for the result's owner. */
export class SourceRefusedError extends Error {
  override name = "SourceRefusedError";
}

/** The result is not where it is said to be, or cannot be read: that may pass. The message is for the result's owner. */
export class SourceUnreadableError extends Error {
  override name = "SourceUnreadableError";
}

const uploadedPattern = /^artifact:sha256:([0-9a-f]{64})$/;

/** Reads what a run says of its result. @throws SourceRefusedError */
export function locateArtifact(uri: string): ArtifactLocation {
  const [, sha256] = uploadedPattern.exec(uri) ?? [];
  if (sha256) return { kind: "stored", sha256 };
  if (!URL.canParse(uri)) throw new SourceRefusedError("the address of the artifact is none");
  const { protocol } = new URL(uri);
  if (protocol !== "file:") {
    throw new SourceRefusedError(
      `artifacts are not fetched from ${protocol} addresses; upload it, and name it as artifact:sha256:<its digest>`,
    );
  }
  try {
    return { kind: "file", path: fileURLToPath(uri) };
  } catch {
    throw new SourceRefusedError("the address of the artifact is that of no file on this machine");
  }
}

const noSources =
  "this installation takes over no files (ARTIFACT_SOURCES is empty); have the trainer upload the artifact, and name it as " +
  "artifact:sha256:<its digest>";
const outside = "the artifact lies outside of the directories from which results are taken over";

/**
 * Opens a file that really lies below one of the directories, wherever links on its way lead to.
 * @throws SourceRefusedError, SourceUnreadableError
 */
export async function openBelow(path: string, directories: readonly string[]): Promise<FileHandle> {
  if (directories.length === 0) throw new SourceRefusedError(noSources);
  const real = await withSourceErrors(realpath(path));
  await assertBelow(real, directories);
  // A pipe would block the opening, and a link that took the file's place since is not followed.
  const file = await withSourceErrors(open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW));
  try {
    const opened = await file.stat({ bigint: true });
    if (!opened.isFile()) throw new SourceRefusedError("the artifact is no file");
    // A folder on the way could have become a link in the meantime: what is open must be what lies there now.
    const now = await withSourceErrors(realpath(real));
    await assertBelow(now, directories);
    const there = await withSourceErrors(stat(now, { bigint: true }));
    if (there.ino !== opened.ino || there.dev !== opened.dev) throw new SourceRefusedError(outside);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function assertBelow(real: string, directories: readonly string[]): Promise<void> {
  for (const directory of directories) {
    const root = await realpath(directory).catch(() => undefined);
    if (root !== undefined && real.startsWith(root.endsWith(sep) ? root : root + sep)) return;
  }
  throw new SourceRefusedError(outside);
}

const notVisible =
  "the service that takes results over does not see the artifact's file; the trainer has to write it to a directory that both share " +
  "(ARTIFACT_SOURCES), or to upload it";

const problems: Readonly<Record<string, string>> = {
  ENOENT: notVisible,
  ENOTDIR: notVisible,
  EACCES: "the artifact may not be read",
  EPERM: "the artifact may not be read",
  ELOOP: "the artifact is a link",
  ENXIO: "the artifact is no file",
};

/** The file system's words name paths of the installation: what is told is ours. */
async function withSourceErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code = fileErrorCode(error);
    if (code === undefined) throw error;
    throw new SourceUnreadableError(problems[code] ?? "the artifact cannot be read", { cause: error });
  }
}

/** Bytes that are read at a time. */
const pieceBytes = 256 * 1024;

/** The bytes of an open file, from its beginning. @throws SourceUnreadableError */
export async function* bytesOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const buffer = Buffer.allocUnsafe(pieceBytes);
    const { bytesRead } = await withSourceErrors(file.read(buffer, 0, pieceBytes, position));
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

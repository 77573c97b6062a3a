/** The platform's directory cannot be used. The message says why, and what to do. */
export class DirectoryError extends Error {
  override name = "DirectoryError";
}

const elsewhere = "or name another directory: npm start -- --directory D";

/** Why a file of the directory cannot be made or written, by the system's error code. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: `this user may not. Change its owner, ${elsewhere}`,
  EPERM: `this user may not. Change its owner, ${elsewhere}`,
  EROFS: `the file system is read-only. Mount it writable, ${elsewhere}`,
  ENOSPC: `the disk is full. Free some space, ${elsewhere}`,
  EDQUOT: `the disk quota is used up. Free some space, ${elsewhere}`,
  ENOTDIR: `a file is in the way. Remove it, ${elsewhere}`,
  EEXIST: `a file is in the way. Remove it, ${elsewhere}`,
  ENOENT: `a folder above it is missing or cannot be made. Make it, ${elsewhere}`,
  ENOLCK: `the file system has no locks. Use a local disk: npm start -- --directory D`,
};

/** What stopped us from writing there, as a sentence; any other failure as it is. */
export function directoryError(directory: string, error: unknown): unknown {
  if (typeof error !== "object" || error === null || !("code" in error)) return error;
  const reason = reasons[String(error.code)];
  // A file that should be there and is not is another matter.
  if (error.code === "ENOENT" && !("syscall" in error && error.syscall === "mkdir")) return error;
  const about = "path" in error ? String(error.path) : directory;
  if (!reason || !about.startsWith(directory)) return error;
  return new DirectoryError(`${directory} cannot be written (${error.code}): ${reason}`, { cause: error });
}

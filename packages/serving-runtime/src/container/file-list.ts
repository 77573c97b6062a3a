import { isAbsolute, posix } from "node:path";

/** A file that is to be there before anything is served. */
export interface WantedFile {
  /** Relative, with `/`, without `..`. */
  readonly path: string;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** What to fetch, and from where. */
export interface FileList {
  /** Address that ends with `/`; a file's digest is put behind it. */
  readonly url: string;
  readonly files: readonly WantedFile[];
}

/** The list is not one. */
export class FileListError extends Error {
  override name = "FileListError";
}

const digestPattern = /^[0-9a-f]{64}$/;

/** Reads the list's text. @throws FileListError naming the first thing that is wrong */
export function parseFileList(text: string): FileList {
  const list: unknown = JSON.parse(text);
  if (typeof list !== "object" || list === null || !("url" in list) || !("files" in list)) {
    throw new FileListError("the list of files must be an object of url and files");
  }
  const { url, files } = list;
  if (typeof url !== "string" || !URL.canParse(url) || !url.endsWith("/")) {
    throw new FileListError("url must be an address that ends with /");
  }
  if (!Array.isArray(files)) throw new FileListError("files must be a list");
  return { url, files: files.map(readFile) };
}

function readFile(file: unknown): WantedFile {
  if (typeof file !== "object" || file === null) throw new FileListError("a file must be an object");
  if (!("path" in file) || typeof file.path !== "string" || !isInside(file.path)) {
    throw new FileListError("a file's path must be relative and stay inside");
  }
  if (!("sha256" in file) || typeof file.sha256 !== "string" || !digestPattern.test(file.sha256)) {
    throw new FileListError(`the digest of ${file.path} must be a SHA-256`);
  }
  if (!("sizeBytes" in file) || typeof file.sizeBytes !== "number" || !Number.isSafeInteger(file.sizeBytes)) {
    throw new FileListError(`the size of ${file.path} must be a whole number`);
  }
  return { path: file.path, sha256: file.sha256, sizeBytes: file.sizeBytes };
}

function isInside(path: string): boolean {
  const plain = posix.normalize(path);
  return (
    plain === path && plain !== "." && !isAbsolute(plain) && !plain.split("/").includes("..") && !plain.includes("\0")
  );
}

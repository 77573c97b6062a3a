import { mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { ForeignPathError } from "./errors.ts";

const idPattern = /^[A-Za-z0-9_-]{1,128}$/;

/** The folder of an organisation, which is there afterwards. @throws ForeignPathError */
export async function folderOf(directory: string, organisationId: string): Promise<string> {
  if (!idPattern.test(organisationId)) throw new ForeignPathError();
  const folder = join(directory, organisationId);
  await mkdir(folder, { recursive: true, mode: 0o755 });
  return await realpath(folder);
}

/** The path itself, without links, of a file within a folder. @throws ForeignPathError also where there is no file */
export async function pathWithin(folder: string, path: string): Promise<string> {
  const found = await realpath(path).catch(() => undefined);
  if (!found?.startsWith(folder + sep)) throw new ForeignPathError();
  return found;
}

/** Of a file that is to be made. @throws ForeignPathError */
export async function newPathWithin(folder: string, path: string): Promise<string> {
  const parent = await realpath(dirname(path)).catch(() => undefined);
  if (parent === undefined || !`${parent}${sep}`.startsWith(folder + sep)) throw new ForeignPathError();
  return join(parent, basename(path));
}

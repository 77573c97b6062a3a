import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Why something cannot be run on this machine, for the title of its tests; empty where it can. */
export function missingPrograms(...programs: string[]): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const absent = programs.filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
  return absent.length === 0 ? "" : ` (could not run: ${absent.join(" and ")} not on the PATH)`;
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../install.mjs";

/** A table in Markdown. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `|${cells.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`;
  return [heads, heads.map(() => "---"), ...rows].map(line).join("\n");
}

/** Whether a page of the repository has a place of this name: `<!-- name -->` to `<!-- /name -->`. */
export function hasPlace(page: string, name: string): boolean {
  return existsSync(join(root, page)) && placeOf(name).test(readFileSync(join(root, page), "utf8"));
}

/** The page with this text at its place of this name. @throws Error when the page has no such place */
export function pageWith(page: string, name: string, text: string): string {
  if (!hasPlace(page, name))
    throw new Error(`${page} has no place for ${name}: put <!-- ${name} --> and <!-- /${name} --> in it`);
  const before = readFileSync(join(root, page), "utf8");
  return before.replace(placeOf(name), (_, start: string, end: string) => `${start}\n${text}\n\n${end}`);
}

const placeOf = (name: string) => new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);

// What helps against each error, for the console: the texts of docs/errors.md.
import { join } from "node:path";
import { errorCodes } from "./error-codes.ts";
import { problemTypes } from "./problem-types.ts";

/** Path and text of the module with the remedy of each error code and of each type of a 422. */
export function remedies(): [path: string, text: string] {
  const types = Object.values(problemTypes).flatMap((group) => Object.entries(group));
  const entries = [...types, ...Object.entries(errorCodes)].map(([name, { remedy }]) => [
    name,
    remedy.replaceAll("`", ""),
  ]);
  const sorted = Object.fromEntries(entries.sort(([one = ""], [other = ""]) => (one < other ? -1 : 1)));
  const text = `/** Made from the reference of errors by \`npm run generate\`. */
export const remedies: Readonly<Record<string, string>> = ${JSON.stringify(sorted, undefined, 2)};
`;
  return [join("apps", "console", "gen", "remedies.ts"), text];
}

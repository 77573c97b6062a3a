// Builds the console.
//
//   node scripts/build-console.ts [OUT]     into OUT; default: its own dist/
import { resolve } from "node:path";
import { buildConsole } from "./console.ts";
import { runMain } from "./install.mjs";

runMain(async () => {
  const [out] = process.argv.slice(2);
  await buildConsole(out === undefined ? undefined : resolve(out));
});

// Bundles what the local platform runs into a folder below node_modules, and says there which source is in which file.
//
//   node scripts/bundle-local-platform.ts OUT
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { bundleLocalPlatform } from "./bundle.ts";
import { runMain, StepError } from "./install.mjs";

runMain(async () => {
  const [out] = process.argv.slice(2);
  if (!out) throw new StepError("usage: node scripts/bundle-local-platform.ts OUT");
  const bundles = await bundleLocalPlatform(resolve(out));
  writeFileSync(join(out, "bundles.json"), `${JSON.stringify(bundles, null, 2)}\n`);
});

// Bundles the service of the current folder into dist/main.js: one file starts in a fraction of the time of many. What is
// imported only when it is needed stays apart, in files beside it.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";

const { name } = JSON.parse(readFileSync(resolve("package.json"), "utf8"));

await build({
  entryPoints: [resolve("src/main.ts")],
  outdir: resolve("dist"),
  bundle: true,
  splitting: true,
  platform: "node",
  target: "node26",
  format: "esm",
  sourcemap: true,
  // Packages in the older module format call require, which ES modules lack.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  // Optional natives of the MongoDB driver: looked for at run time, absent here.
  external: [
    "kerberos",
    "@mongodb-js/zstd",
    "@aws-sdk/credential-providers",
    "gcp-metadata",
    "snappy",
    "socks",
    "aws4",
    "mongodb-client-encryption",
  ],
  logLevel: "warning",
});
process.stdout.write(`${name}: dist/main.js\n`);

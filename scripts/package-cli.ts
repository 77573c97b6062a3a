// Makes packages/cli/dist: the command line as one file that any Node runs from wherever it lies, and the package around it.
// `--out DIR` puts it elsewhere.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { publishedPackage } from "./published-package.ts";

const program = "platformctl.mjs";
const { folder, out, finish } = publishedPackage("cli");
await build({
  entryPoints: [join(folder, "src", "main.ts")],
  outfile: join(out, program),
  bundle: true,
  minifySyntax: true,
  platform: "node",
  target: "node22",
  format: "esm",
  // Packages in the older module format call require, which ES modules lack.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  logLevel: "warning",
});
chmodSync(join(out, program), 0o755);
finish({ bin: { platformctl: program } });

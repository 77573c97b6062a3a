// Makes packages/cli/dist: the command line as one file that any Node runs from wherever it lies, and the package around it.
// `--out DIR` puts it elsewhere.
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { root } from "./install.mjs";

const folder = join(root, "packages", "cli");
const { values } = parseArgs({ options: { out: { type: "string", default: join(folder, "dist") } } });
const file = join(values.out, "platformctl.mjs");

rmSync(values.out, { recursive: true, force: true });
await build({
  entryPoints: [join(folder, "src", "main.ts")],
  outfile: file,
  bundle: true,
  minifySyntax: true,
  platform: "node",
  target: "node22",
  format: "esm",
  // Packages in the older module format call require, which ES modules lack.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  logLevel: "warning",
});
chmodSync(file, 0o755);
const { name, version, description, license, type, engines } = JSON.parse(
  readFileSync(join(folder, "package.json"), "utf8"),
);
const published = { name, version, description, license, type, bin: { platformctl: "platformctl.mjs" }, engines };
writeFileSync(join(values.out, "package.json"), `${JSON.stringify(published, undefined, 2)}\n`);
cpSync(join(folder, "README.md"), join(values.out, "README.md"));
cpSync(join(root, "LICENSE"), join(values.out, "LICENSE"));
process.stdout.write(`${name}: ${file}\n`);

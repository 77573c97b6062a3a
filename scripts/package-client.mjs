// Makes packages/client/dist: the client as JavaScript with its types, as a package. `--out DIR` puts it elsewhere.
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./install.mjs";

const folder = join(root, "packages", "client");
const { values } = parseArgs({ options: { out: { type: "string", default: join(folder, "dist") } } });

rmSync(values.out, { recursive: true, force: true });
const tsc = join(root, "node_modules", ".bin", "tsc");
execFileSync(tsc, ["--project", join(folder, "tsconfig.published.json"), "--outDir", values.out], { stdio: "inherit" });
cpSync(join(folder, "gen"), join(values.out, "gen"), { recursive: true });
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const { name, version, description, license, type, engines, dependencies } = manifest;
const entry = { types: "./src/index.d.ts", default: "./src/index.js" };
const published = { name, version, description, license, type, engines, exports: { ".": entry }, dependencies };
writeFileSync(join(values.out, "package.json"), `${JSON.stringify(published, undefined, 2)}\n`);
cpSync(join(folder, "README.md"), join(values.out, "README.md"));
cpSync(join(root, "LICENSE"), join(values.out, "LICENSE"));
process.stdout.write(`${name}: ${values.out}\n`);

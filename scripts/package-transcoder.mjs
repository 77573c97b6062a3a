// Makes packages/transcoder/dist: the transcoder as JavaScript with its types and its annotations, as a package. `--out DIR` puts it elsewhere.
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./install.mjs";

const folder = join(root, "packages", "transcoder");
const { values } = parseArgs({ options: { out: { type: "string", default: join(folder, "dist") } } });
const { out } = values;
/** Of the contract only what is no domain's: messages that are generated, and the sources to import in one's own. */
const messages = ["transcoder/v1/route", "transcoder/v1/json", "buf/validate/validate", "google/rpc/error_details"];
const sources = [
  [join("proto", "transcoder"), join("proto", "transcoder")],
  [join("third_party", "proto", "buf"), join("proto", "buf")],
];
/** Those that callers use as well: one copy for both, of any version that is compatible. */
const peers = ["@bufbuild/protobuf", "@connectrpc/connect"];

rmSync(out, { recursive: true, force: true });
const tsc = join(root, "node_modules", ".bin", "tsc");
execFileSync(tsc, ["--project", join(folder, "tsconfig.published.json"), "--outDir", out], { stdio: "inherit" });
for (const name of messages) {
  for (const ending of ["_pb.js", "_pb.d.ts"])
    cpSync(join(root, "packages", "contract", "gen", name + ending), join(out, "contract", name + ending));
}
for (const [from, to] of sources) cpSync(join(root, from), join(out, to), { recursive: true });
for (const name of readdirSync(join(out, "src"), { recursive: true })) {
  const file = join(out, "src", name);
  if (!statSync(file).isFile()) continue;
  const contract = relative(dirname(file), join(out, "contract"));
  const text = readFileSync(file, "utf8").replaceAll(
    /"@aiplatform\/contract\/([\w/]+)"/g,
    (_, path) => `"${contract}/${path}_pb.js"`,
  );
  writeFileSync(file, text);
}
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const { name, version, description, license, type, engines, dependencies } = manifest;
const entry = { types: "./src/index.d.ts", default: "./src/index.js" };
const peerDependencies = Object.fromEntries(peers.map((peer) => [peer, `^${dependencies[peer]}`]));
const files = ["src", "contract", "proto"];
const published = {
  name,
  version,
  description,
  license,
  type,
  engines,
  files,
  exports: { ".": entry },
  peerDependencies,
};
writeFileSync(join(out, "package.json"), `${JSON.stringify(published, undefined, 2)}\n`);
cpSync(join(folder, "README.md"), join(out, "README.md"));
cpSync(join(root, "LICENSE"), join(out, "LICENSE"));
process.stdout.write(`${name}: ${out}\n`);

// Makes packages/transcoder/dist: the transcoder as JavaScript with its types and its annotations, as a package. `--out DIR` puts it elsewhere.
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "./install.mjs";
import { compiledEntry, publishedPackage } from "./published-package.ts";

/** Of the contract only what is no domain's: messages that are generated, and the sources to import in one's own. */
const messages = [
  "transcoder/v1/route",
  "transcoder/v1/json",
  "google/api/annotations",
  "google/api/http",
  "buf/validate/validate",
  "google/rpc/error_details",
];
const sources = {
  [join("proto", "transcoder")]: join("proto", "transcoder"),
  [join("third_party", "proto", "buf")]: join("proto", "buf"),
};
/** Those that callers use as well: one copy for both, of any version that is compatible. */
const peers = ["@bufbuild/protobuf", "@connectrpc/connect"];

const { out, manifest, compile, finish } = publishedPackage("transcoder");
compile();
for (const name of messages) {
  for (const ending of ["_pb.js", "_pb.d.ts"])
    cpSync(join(root, "packages", "contract", "gen", name + ending), join(out, "contract", name + ending));
}
for (const [from, to] of Object.entries(sources)) cpSync(join(root, from), join(out, to), { recursive: true });
for (const name of readdirSync(join(out, "src"), { recursive: true, encoding: "utf8" })) {
  const file = join(out, "src", name);
  if (!statSync(file).isFile()) continue;
  const contract = relative(dirname(file), join(out, "contract"));
  const text = readFileSync(file, "utf8").replaceAll(
    /"@aiplatform\/contract\/([\w/]+)"/g,
    (_, path: string) => `"${contract}/${path}_pb.js"`,
  );
  writeFileSync(file, text);
}
finish({
  files: ["src", "contract", "proto", "CHANGELOG.md", "api.md"],
  exports: { ...compiledEntry, "./package.json": "./package.json" },
  peerDependencies: {
    ...Object.fromEntries(peers.map((peer) => [peer, `^${manifest.dependencies[peer]}`])),
    // Its types name those of node:http. Programs in JavaScript do without.
    "@types/node": ">=22",
  },
  peerDependenciesMeta: { "@types/node": { optional: true } },
});

// Makes packages/client/dist: the client as JavaScript with its types, as a package. `--out DIR` puts it elsewhere.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { compiled, compiledEntry, publishedPackage } from "./published-package.ts";

const { folder, out, manifest, compile, finish } = publishedPackage("client");
compile();
cpSync(join(folder, "gen"), join(out, "gen"), { recursive: true });
finish({
  exports: { ...compiledEntry, "./operations": compiled("operations"), "./package.json": "./package.json" },
  files: ["gen", "src", "CHANGELOG.md", "api.md"],
  dependencies: manifest.dependencies,
});

#!/usr/bin/env node
// `npx platformctl` in this repository: the program on the Node that the packages bring, whatever Node `npx` has found.
process.argv.splice(2, 0, "packages/cli/src/main.ts");
await import("../../../scripts/source-node.mjs");

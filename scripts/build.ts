// Bundles the service of the current folder into its dist/.
import { basename } from "node:path";
import { bundle } from "./bundle.ts";

const name = basename(process.cwd());
await bundle(name);
process.stdout.write(`${name}: dist/main.js\n`);

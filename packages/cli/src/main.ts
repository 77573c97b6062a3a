#!/usr/bin/env node
import { once } from "node:events";
import { platformctl } from "./platformctl.ts";
import { standardInput } from "./standard-input.ts";

// The reader of the output may stop early, as `head` does.
process.stdout.on("error", () => process.exit());

process.exitCode = await platformctl({
  arguments: process.argv.slice(2),
  env: process.env,
  stdout: (output) => process.stdout.write(output) || once(process.stdout, "drain"),
  stderr: (text) => process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
  columns: process.stdout.columns,
  stdin: standardInput(),
});

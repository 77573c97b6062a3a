#!/usr/bin/env node
import { platformctl } from "./platformctl.ts";
import { standardInput } from "./standard-input.ts";

// The reader of the output may stop early, as `head` does.
process.stdout.on("error", () => process.exit());

process.exitCode = await platformctl({
  arguments: process.argv.slice(2),
  env: process.env,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
  columns: process.stdout.columns,
  stdin: standardInput(),
});

#!/usr/bin/env node
import { platformctl } from "./platformctl.ts";

process.exitCode = await platformctl({
  arguments: process.argv.slice(2),
  env: process.env,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
});

import { doctor } from "./doctor.ts";

process.exitCode = await doctor({
  args: process.argv.slice(2),
  env: process.env,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
});

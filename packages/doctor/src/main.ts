import { doctor } from "./doctor.ts";

process.exitCode = await doctor({
  args: process.argv.slice(2),
  env: process.env,
  stdout: async (text) => void process.stdout.write(text),
  stderr: async (text) => void process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
});

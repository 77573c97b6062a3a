import { InstallError } from "./errors.ts";
import { createProgram } from "./program.ts";

const startedAt = performance.now();
const elapsed = () => `${((performance.now() - startedAt) / 1000).toFixed(0)} s`.padStart(6);
const print = (line: string) => void process.stdout.write(`${line}\n`);
const log = (line: string) => void process.stderr.write(`${elapsed()}  ${line}\n`);

try {
  await createProgram(print, log).parseAsync();
} catch (error) {
  if (!(error instanceof InstallError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

// The program of a process of the data engine. It ends with its input: what it works on has no other reader.
import process from "node:process";
import { type ProgramSettings, serve } from "./serve.ts";

const settings: ProgramSettings = JSON.parse(process.argv[2] ?? "{}");
await serve(process.stdin, process.stdout, settings);
// At once: DuckDB may still be at work in other threads. Process 1 of a namespace does not hear of it, and exits.
process.kill(process.pid, "SIGKILL");
process.exit(0);

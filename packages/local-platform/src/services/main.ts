// Several services and fakes in one process: PROGRAMS lists them.
import { runUntilSignal } from "@aiplatform/service-host/run-until-signal";
import { currentProgram, startPrograms } from "./start-programs.ts";

await runUntilSignal(
  () => startPrograms(JSON.parse(process.env["PROGRAMS"] ?? "[]"), process.env),
  () => ({ service: currentProgram() }),
);

import { AsyncLocalStorage } from "node:async_hooks";
import { pathToFileURL } from "node:url";
import type { RunningProcess, ServiceEnvironment } from "@aiplatform/service-host";
import { inStopOrder } from "./stop-order.ts";

/** One of the programs of a process. */
export interface HostedProgram {
  readonly name: string;
  /** Path of its module, which exports `start(env)`. */
  readonly main: string;
  /** Its settings beyond the environment of the process. */
  readonly env: Readonly<Record<string, string>>;
}

interface ProgramModule {
  readonly start: (env: ServiceEnvironment) => Promise<RunningProcess>;
}

const current = new AsyncLocalStorage<string>();

/** Name of the program whose work is under way. */
export const currentProgram = (): string | undefined => current.getStore();

/** Starts all at once: each waits for those that it needs by itself. @throws Error that names the program that did not start */
export async function startPrograms(
  programs: readonly HostedProgram[],
  environment: ServiceEnvironment,
): Promise<RunningProcess> {
  const started = await Promise.all(programs.map((program) => current.run(program.name, start, program, environment)));
  const running = new Map(programs.map(({ name }, index) => [name, started[index]]));
  const stop = async () => {
    for (const names of inStopOrder([...running.keys()]))
      await Promise.all(names.map((name) => current.run(name, async () => running.get(name)?.stop())));
  };
  const addresses = programs.flatMap(({ name }) =>
    Object.entries(running.get(name)?.addresses ?? {}).map(([port, address]) => [`${name} ${port}`, address]),
  );
  return { name: "services", addresses: Object.fromEntries(addresses), stop, [Symbol.asyncDispose]: stop };
}

async function start({ name, main, env }: HostedProgram, environment: ServiceEnvironment): Promise<RunningProcess> {
  try {
    const module: ProgramModule = await import(pathToFileURL(main).href);
    return await module.start({ ...environment, ...env });
  } catch (cause) {
    throw new Error(`${name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

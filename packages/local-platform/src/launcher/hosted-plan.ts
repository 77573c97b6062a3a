import { mainOf, type ProcessPlan } from "../infra/processes/process-plan.ts";
import type { Programs } from "../infra/programs/programs.ts";
import type { HostedProgram } from "../services/start-programs.ts";

/** Which services and fakes have a process of their own: these, all services, or all of both. The others share one. */
export type Separate = readonly string[] | "services" | "all";

/** The services stop in groups, one after the other, each within its own grace. */
const graceMs = 20_000;

const isFake = (name: string) => name.startsWith("fake-");

function isSeparate(name: string, separate: Separate): boolean {
  if (separate === "all") return true;
  return separate === "services" ? !isFake(name) : separate.includes(name);
}

/** The processes that run the plans: one for all that share it, and one for each of the others. */
export function processesOf(
  plans: readonly ProcessPlan[],
  { separate, programs }: { separate: Separate; programs: Programs },
): ProcessPlan[] {
  const own = plans.filter(({ name }) => isSeparate(name, separate));
  const hosted = plans.filter((plan) => !own.includes(plan));
  if (hosted.length === 0) return own;
  const list = hosted.map(({ name, main, env }): HostedProgram => ({ name, main: programs(main).main, env }));
  const shared: ProcessPlan = {
    name: hosted.every(({ name }) => isFake(name)) ? "fakes" : "services",
    main: mainOf("packages/local-platform", "src/services"),
    env: { PROGRAMS: JSON.stringify(list) },
    readyUrls: hosted.flatMap(({ readyUrls = [] }) => readyUrls),
    explain: failedService,
    readyWithinMs: Math.max(...hosted.map((plan) => plan.readyWithinMs ?? 0)),
    graceMs,
  };
  return [shared, ...own];
}

/** What `runUntilSignal` logs before it ends the process. */
interface LastLine {
  readonly kind?: string;
  readonly service?: string;
  readonly err?: { readonly message?: string };
}

/** Which service ended the process, and by which error, as the lines tell that it has logged. */
export function failedService(lines: readonly string[]): string | undefined {
  const last = lines.findLast((line) => line.startsWith("{") && line.includes('"stopping at once'));
  if (last === undefined) return undefined;
  const { service, err }: LastLine = JSON.parse(last);
  return service && `${service}: ${err?.message}`;
}

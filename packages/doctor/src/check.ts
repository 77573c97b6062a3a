import type { Service } from "./services.ts";

/** What one look came to. */
export interface Finding {
  state: "ok" | "warning" | "failed";
  /** One sentence without its full stop: what is so. */
  says: string;
  /** What helps, with the setting's name. Absent where nothing is wrong. */
  remedy?: string;
}

/** Something to look at. Many are looked at at once, so a look depends on no other. */
export interface Look {
  /** Whose settings these are: names of processes. */
  of: readonly string[];
  /** Looks, and changes nothing. Rejections count as failures with `remedy`. */
  run: (signal: AbortSignal) => Promise<readonly Finding[]>;
  /** What helps when the look itself fails. */
  remedy: string;
}

/** A kind of check: what it looks at, given the services there are. */
export interface Check {
  name: string;
  looks: (services: readonly Service[]) => readonly Look[];
}

/** All is well. */
export const fine = (says: string): Finding => ({ state: "ok", says });

/** It works, and may not for long, or not as it should. */
export const warning = (says: string, remedy: string): Finding => ({ state: "warning", says, remedy });

/** It does not work. */
export const failed = (says: string, remedy: string): Finding => ({ state: "failed", says, remedy });

/** `fine` when it is so, else the other finding. */
export const either = (isFine: boolean, says: string, otherwise: Finding): Finding => (isFine ? fine(says) : otherwise);

/** Those that are alike, with the names of all that they belong to: they are looked at once. */
export function shared<T>(targets: readonly { of: string; key: string; value: T }[]): { of: string[]; value: T }[] {
  return [...Map.groupBy(targets, ({ key }) => key).values()].flatMap((alike) => {
    const [first] = alike;
    return first ? [{ of: alike.map(({ of }) => of), value: first.value }] : [];
  });
}

/** What a failure says, on one line. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(reasonOf).join("; ");
  if (!(error instanceof Error)) return String(error);
  const own = error.message.split("\n")[0] ?? "";
  return error.cause instanceof Error && error.cause.message ? `${own}: ${reasonOf(error.cause)}` : own;
}

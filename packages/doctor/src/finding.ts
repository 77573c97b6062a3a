/** What one look came to. */
export interface Finding {
  state: "ok" | "warning" | "failed";
  /** One sentence without its full stop: what is so. */
  says: string;
  /** What helps, with the setting's name. Absent where nothing is wrong. */
  remedy?: string;
  /** What every process which has it must have alike: a setting, or a secret by its fingerprint. */
  shared?: { name: string; value: string };
}

/** All is well. */
export const fine = (says: string): Finding => ({ state: "ok", says });

/** It works, and may not for long, or not as it should. */
export const warning = (says: string, remedy: string): Finding => ({ state: "warning", says, remedy });

/** It does not work. */
export const failed = (says: string, remedy: string): Finding => ({ state: "failed", says, remedy });

/** `fine` when it is so, else the other finding. */
export const either = (isFine: boolean, says: string, otherwise: Finding): Finding => (isFine ? fine(says) : otherwise);

/** The message of a failure and of its causes, on one line. */
export function reasonOf(error: unknown): string {
  const { message, cause, errors } = membersOf(error);
  if (Array.isArray(errors) && errors.length > 0) return errors.map(reasonOf).join("; ");
  if (typeof message !== "string") return String(error);
  const own = message.split("\n")[0] ?? "";
  const why = cause === undefined ? "" : reasonOf(cause);
  return own.includes(why) ? own : `${own}: ${why}`;
}

function membersOf(error: unknown): { message?: unknown; cause?: unknown; errors?: unknown } {
  return typeof error === "object" && error !== null ? error : {};
}

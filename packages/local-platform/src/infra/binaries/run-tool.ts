import { execFile } from "node:child_process";

/** What a tool said. */
export interface ToolResult {
  ok: boolean;
  stdout: string;
  /** Its last line of complaint, or why it could not be started. */
  complaint: string;
}

/**
 * Runs a program to its end; never throws. `timeoutMs` ends it: by default after 60 s, because on a busy machine a program that
 * only says its version may take many seconds. `signal` ends it earlier.
 */
export function runTool(
  command: string,
  args: string[],
  timeoutMs = 60_000,
  signal?: AbortSignal,
): Promise<ToolResult> {
  return new Promise((resolve) => {
    const options = { timeout: timeoutMs, maxBuffer: 1 << 24, env: process.env, ...(signal && { signal }) };
    execFile(command, args, options, (error, stdout, stderr) => {
      const lines = stderr.trim().split("\n").filter(Boolean);
      // A program that is killed for the size of its output has a code as well.
      const late = error?.killed === true && !error.code;
      const why = late ? `no answer within ${timeoutMs / 1_000} s` : (lines.at(-1) ?? error?.message ?? "");
      resolve({ ok: !error, stdout, complaint: error ? why : "" });
    });
  });
}

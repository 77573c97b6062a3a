import { execFile } from "node:child_process";

/** What a tool said. */
export interface ToolResult {
  ok: boolean;
  stdout: string;
  /** Its last line of complaint, or why it could not be started. */
  complaint: string;
}

/** Runs a program to its end; never throws. `timeoutMs` (default 10 s) ends it. */
export function runTool(command: string, args: string[], timeoutMs = 10_000): Promise<ToolResult> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: timeoutMs, maxBuffer: 1 << 24, env: process.env }, (error, stdout, stderr) => {
      const lines = stderr.trim().split("\n").filter(Boolean);
      resolve({ ok: !error, stdout, complaint: error ? (lines.at(-1) ?? error.message) : "" });
    });
  });
}

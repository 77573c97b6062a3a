import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs Node to its end, with settings beside this process's environment. */
export async function runProgram(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, stdout, stderr };
}

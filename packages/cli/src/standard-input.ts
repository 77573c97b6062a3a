import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { StandardInput } from "./invocation.ts";

/** The standard input of this process; questions go to standard error. */
export function standardInput(): StandardInput {
  return {
    isTerminal: process.stdin.isTTY === true,
    read: () => text(process.stdin),
    ask: async (question, { hidden } = { hidden: false }) => {
      process.stderr.write(question);
      const nowhere = new Writable({ write: (_, __, done) => done() });
      const lines = createInterface({
        input: process.stdin,
        output: hidden ? nowhere : process.stderr,
        terminal: true,
      });
      try {
        return await lines.question("");
      } finally {
        lines.close();
        if (hidden) process.stderr.write("\n");
      }
    },
  };
}

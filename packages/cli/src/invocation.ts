export interface Invocation {
  arguments: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** A promise: wait for it before there is more. */
  stdout: (output: string | Uint8Array) => unknown;
  stderr: (text: string) => void;
  /** Whether the output goes to a terminal. */
  isTerminal: boolean;
  /** Characters of the terminal's line. Default: unknown. */
  columns?: number | undefined;
  stdin: StandardInput;
}

/** Where questions are answered, and files are piped in. */
export interface StandardInput {
  /** Whether a user at a terminal can answer questions. */
  isTerminal: boolean;
  /** Everything that is piped in. */
  read: () => Promise<string>;
  /** One line, after a question; a hidden answer is not shown while it is typed. */
  ask: (question: string, options?: { hidden: boolean }) => Promise<string>;
}

/** What a thread is given when it starts. */
export interface ThreadData {
  /** Names of error classes whose own members are sent along. */
  readonly errors: readonly string[];
}

/** One task for a thread. */
export interface TaskMessage {
  readonly task: string;
  readonly input: unknown;
}

/** An error that a task threw. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Own members, where the class is one that is known to the pool. */
  readonly own: Readonly<Record<string, unknown>>;
}

/** What a thread says: that it can take tasks, or how its task ended. */
export type ThreadMessage =
  | { readonly type: "ready"; readonly cpuMs: number }
  | { readonly type: "done"; readonly cpuMs: number; readonly value: unknown }
  | { readonly type: "failed"; readonly cpuMs: number; readonly error: SentError };

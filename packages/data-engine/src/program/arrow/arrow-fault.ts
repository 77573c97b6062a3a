import type { FileRule } from "../../errors.ts";

/** What is wrong with an Arrow file, wherever it stands. */
interface ArrowProblem {
  readonly rule: FileRule;
  /** One sentence without its end, such as `A buffer ends behind its record batch`. */
  readonly message: string;
  /** One sentence: what to do. */
  readonly remedy: string;
}

/** An Arrow file cannot be read; who reads it knows its name and the place. */
export class ArrowFault extends Error implements ArrowProblem {
  readonly rule: FileRule;
  readonly remedy: string;
  constructor({ rule, message, remedy }: ArrowProblem) {
    super(message);
    this.rule = rule;
    this.remedy = remedy;
  }
}

export const damaged = (message: string) =>
  new ArrowFault({ rule: "damaged", message, remedy: "Write the file again and upload all of it." });

export const unsupported = (message: string, remedy: string) =>
  new ArrowFault({ rule: "unsupported", message, remedy });

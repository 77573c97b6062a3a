import { Liquid, type Template, Tokenizer, TokenKind } from "liquidjs";
import { readTemplate, StepTemplateError } from "../automation-steps/template-text.ts";

/** The text is no condition, or what it asks of the event cannot be answered. */
export class ConditionError extends Error {
  override name = "ConditionError";
}

/** What answering a condition may take. */
const limits = {
  parseLimit: 10_000,
  /** Milliseconds that may pass, also on a busy machine: worker threads end it after less processor time. */
  renderLimit: 2_000,
  /** Items and characters that filters and ranges may make. */
  memoryLimit: 100_000,
};

const engine = new Liquid({ ...limits, strictFilters: true, ownPropertyOnly: true, templates: {} });
/** The one thing that a condition reads. */
const subject = "event";

/** Reads a Liquid condition over `event`, such as `event.status == "failed"`. @throws ConditionError */
export function readCondition(when: string): Template[] {
  return attempt(() => {
    if (/[{%]%|%\}|\{\{/.test(when)) throw new ConditionError("a condition has no brackets of a template in it");
    assertComplete(when);
    const asTemplate = `{% if ${when} %}1{% endif %}`;
    const { variables } = readTemplate(asTemplate, limits.parseLimit);
    const foreign = variables.find((name) => name !== subject && !/^event[.[]/.test(name));
    if (foreign !== undefined) throw new ConditionError(`a condition reads \`event\` alone, not \`${foreign}\``);
    return engine.parse(asTemplate);
  });
}

/** Whether the condition holds of the event; an empty one holds of each. @throws ConditionError */
export function holds(when: string, event: unknown): boolean {
  if (when.trim() === "") return true;
  return attempt(() => engine.renderSync(readCondition(when), { [subject]: event }) === "1");
}

/** The engine takes half a comparison for a false one, and does not look at what follows a whole one. */
function assertComplete(when: string): void {
  const tokenizer = new Tokenizer(when);
  const { initial } = tokenizer.readFilteredValue();
  tokenizer.skipBlank();
  let values = 0;
  for (const token of initial.postfix) {
    const needed = token.kind !== TokenKind.Operator ? 0 : token.getText() === "not" ? 1 : 2;
    if (values < needed) throw new ConditionError("something is missing beside an operator");
    values += 1 - needed;
  }
  if (values !== 1 || tokenizer.p < tokenizer.N) throw new ConditionError("it is not one condition");
}

/** Whatever the work throws is a ConditionError. */
function attempt<R>(work: () => R): R {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof ConditionError) throw cause;
    const message = cause instanceof Error ? (cause.message.split("\n")[0] ?? "").slice(0, 200) : "";
    const isOurs = cause instanceof StepTemplateError;
    throw new ConditionError(isOurs ? message : message.replace(/, line:\d+, col:\d+$/, "") || "it cannot be read", {
      cause,
    });
  }
}

import { Liquid, LiquidError, type LiquidOptions } from "liquidjs";
import { fencedText } from "../automation-steps/fenced-text.ts";
import type { FieldRule, FieldRules, Filling } from "../automation-steps/step-fields.ts";
import { StepFailedError } from "../automation-steps/step-outcome.ts";
import { isJsonRecord, type JsonRecord } from "../json-object.ts";

/** What templates read, by their first name. */
export type Scope = Readonly<Record<string, unknown>>;

/** Milliseconds that all templates of a step may take together. */
const maxRenderMs = 500;
/** What filling in one text may take. */
const limits = {
  /** Characters of a template. */
  parseLimit: 1_000_000,
  /** Items and characters that filters and loops may make. */
  memoryLimit: 2_000_000,
};
/** Characters that all texts of a step may have together. */
const maxCharacters = 1_000_000;

const strictness = {
  strictFilters: true,
  strictVariables: true,
  // A text for what is missing: `{{ input.tone | default: "friendly" }}`.
  lenientIf: true,
  ownPropertyOnly: true,
  templates: {},
};

const engines: Readonly<Record<Filling, Liquid>> = {
  plain: engine({}),
  email: engine({ outputEscape: (value) => liquidText(textOf(value)) }),
  email_html: engine({ outputEscape: (value) => liquidText(htmlText(textOf(value))) }),
};

function engine(more: LiquidOptions): Liquid {
  const liquid = new Liquid({ ...limits, ...strictness, ...more });
  // The engine's own filter of this name would let values pass by the escape.
  liquid.registerFilter("raw", (value: unknown) => value);
  return liquid;
}

/**
 * A step's fields with their templates filled in, without those that its type does not know.
 * @throws StepFailedError
 */
export function renderStepFields(fields: JsonRecord, rules: FieldRules, scope: Scope): JsonRecord {
  return new FieldRenderer(scope).fields(fields, rules);
}

/** Fills in the texts of one step, with one budget for all of them. */
class FieldRenderer {
  readonly #scope: Scope;
  readonly #endsAt = performance.now() + maxRenderMs;
  #characters = 0;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  fields(fields: JsonRecord, rules: FieldRules): JsonRecord {
    const known = Object.entries(rules).flatMap(([name, rule]) =>
      Object.hasOwn(fields, name) ? [[name, this.#field(fields[name], rule, name)] as const] : [],
    );
    return Object.fromEntries(known);
  }

  #field(value: unknown, rule: FieldRule, name: string): unknown {
    switch (rule.kind) {
      case "text":
        return this.#text(value, name, rule.filling);
      case "texts":
        return this.#list(value).map((item) => this.#text(item, name));
      case "objects":
        return this.#objects(value, rule.fields, name);
      case "json":
        return this.#json(value, name);
      default:
        return value;
    }
  }

  #objects(value: unknown, rules: FieldRules, name: string): unknown[] {
    const isMade = typeof value === "string";
    const list = isMade ? this.#madeList(value, name) : this.#list(value);
    return list.map((item) => {
      if (!isJsonRecord(item)) throw new StepFailedError(`${name}: an item is not an object`);
      return isMade ? item : this.fields(item, rules);
    });
  }

  /** What a model was asked to write may stand in a code fence. */
  #madeList(template: string, name: string): unknown[] {
    const text = this.#text(template, name);
    try {
      const made: unknown = JSON.parse(fencedText(text) ?? text);
      if (Array.isArray(made)) return made;
    } catch {
      // Said below.
    }
    throw new StepFailedError(`${name}: the template did not render a JSON list`);
  }

  #list(value: unknown): unknown[] {
    return Array.isArray(value) ? value : [];
  }

  #json(value: unknown, name: string): unknown {
    if (typeof value === "string") return this.#value(value, name);
    if (Array.isArray(value)) return value.map((item) => this.#json(item, name));
    if (!isJsonRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#json(item, `${name}.${key}`)]));
  }

  /** A text that is one output, and nothing else, is what it puts out: `"{{ input.rate }}"` may be a number. */
  #value(template: string, name: string): unknown {
    const expression = soleOutput(template);
    if (expression === undefined) return this.#text(template, name);
    const made = this.#within(name, () =>
      engines.plain.parseAndRenderSync(`{{${expression}| json}}`, this.#scope, this.#limits),
    );
    return made === "" ? null : JSON.parse(made);
  }

  #text(value: unknown, name: string, filling: Filling = "plain"): string {
    const template = typeof value === "string" ? value : "";
    if (!/\{[{%]/.test(template)) return this.#counted(template, name);
    const made: unknown = this.#within(name, () =>
      engines[filling].parseAndRenderSync(template, this.#scope, this.#limits),
    );
    return this.#counted(String(made), name);
  }

  get #limits() {
    return { renderLimit: Math.max(1, this.#endsAt - performance.now()) };
  }

  #counted(text: string, name: string): string {
    this.#characters += text.length;
    if (this.#characters > maxCharacters) throw new StepFailedError(`${name}: the rendered text is too long`);
    return text;
  }

  /** The engine's failures as the step's. */
  #within<R>(name: string, work: () => R): R {
    try {
      return work();
    } catch (cause) {
      if (!(cause instanceof LiquidError) && !isLimit(cause)) throw cause;
      throw new StepFailedError(`${name}: ${(cause.message.split("\n")[0] ?? "").slice(0, 300)}`, { cause });
    }
  }
}

function isLimit(error: unknown): error is Error {
  return error instanceof Error && (error.name === "AssertionError" || error instanceof RangeError);
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}

/** The text in a Liquid template that makes this text. */
function liquidText(text: string): string {
  // What begins an output or tag, also together with what may follow.
  return text.replaceAll(/\{(?=[{%]|$)/g, '{{ "{" }}');
}

const htmlEscapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&#34;",
  "'": "&#39;",
};

function htmlText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => htmlEscapes[sign] ?? "");
}

/** The expression of a template that is one output and nothing else (`{{ input.rate }}`); undefined where it is not. */
export function soleOutput(template: string): string | undefined {
  if (template.length < 4 || !template.startsWith("{{") || !template.endsWith("}}")) return undefined;
  const inner = template.slice(2, -2);
  if (inner.includes("{{") || inner.includes("}}") || inner.endsWith("}")) return undefined;
  const start = inner.startsWith("-") ? 1 : 0;
  // Hyphens inside of the braces only say what becomes of the blanks around them.
  const end = inner.length > start && inner.endsWith("-") ? -1 : undefined;
  return inner.slice(start, end);
}

import type { FieldViolation } from "@aiplatform/service-host";
import { Liquid, LiquidError, type Template, Tokenizer, TokenKind } from "liquidjs";
import type { DraftContent } from "./email-draft.ts";

/** What templates may say of a recipient. */
export interface TemplateValues {
  member: { display_name: string; email: string };
}

export interface Rendered {
  /** One line. */
  subject: string;
  text: string;
  /** Empty: text only. */
  html: string;
}

/** A template that cannot be filled in. */
export class TemplateError extends Error {
  override name = "TemplateError";
}

type Part = keyof Rendered;
const parts: readonly Part[] = ["subject", "text", "html"];

/** What filling in one template may take, so that none can stop or fill the process. */
const limits = {
  /** Characters of a template. */
  parseLimit: 500_000,
  /** Milliseconds. */
  renderLimit: 250,
  /** Items and characters that filters and loops may make. */
  memoryLimit: 2_000_000,
};
/** Characters of outputs and tags in one template. */
const maxMarkup = 20_000;
/** Characters that one template may make. */
const maxOutputLength = 1_000_000;
/** What a header line holds at most (RFC 5322). */
const maxSubjectLength = 998;

const strictness = { strictFilters: true, strictVariables: true, ownPropertyOnly: true };

/** Files cannot be included, whatever a template names. */
const noFiles = { templates: {} };

const engines: Readonly<Record<Part, Liquid>> = {
  subject: engine({}),
  text: engine({}),
  html: engine({ outputEscape: "escape" }),
};

function engine(more: { outputEscape?: "escape" }): Liquid {
  const liquid = new Liquid({ ...limits, ...strictness, ...noFiles, ...more });
  // The engine's own filter of this name would let values into the HTML as they are.
  liquid.registerFilter("raw", (value: unknown) => value);
  return liquid;
}

/** Templates that were read once, to be filled in for many recipients. */
export class Templates {
  readonly #read: Readonly<Record<Part, Template[]>>;

  private constructor(read: Record<Part, Template[]>) {
    this.#read = read;
  }

  /** @throws TemplateError */
  static of(content: Pick<DraftContent, Part>): Templates {
    return new Templates({
      subject: read("subject", content.subject),
      text: read("text", content.text),
      html: read("html", content.html),
    });
  }

  /** @throws TemplateError */
  fill(values: TemplateValues): Rendered {
    return {
      subject: oneLine(this.#fill("subject", values)).slice(0, maxSubjectLength),
      text: this.#fill("text", values),
      html: this.#fill("html", values),
    };
  }

  #fill(part: Part, values: TemplateValues): string {
    return within(() => engines[part].renderSync(this.#read[part], { ...values }));
  }
}

/** What is wrong with the templates: each is filled in once, for an example member. */
export function templateViolations(content: Pick<DraftContent, Part>): FieldViolation[] {
  const example = { member: { display_name: "Ada Lovelace", email: "ada@example.com" } };
  return parts.flatMap((part) => {
    try {
      within(() => engines[part].renderSync(read(part, content[part]), example));
      return [];
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return [{ field: part, description: error.message, reason: "TEMPLATE_INVALID" }];
    }
  });
}

/** A text as one line: what a header can hold. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
}

function read(part: Part, template: string): Template[] {
  return within(() => {
    if (markupOf(template, engines[part]) > maxMarkup) {
      throw new TemplateError(`outputs and tags have more than ${maxMarkup} characters`);
    }
    return engines[part].parse(template);
  });
}

/** Characters between `{{ }}` and `{% %}`: what reading a template costs, and more than in proportion. */
function markupOf(template: string, { options }: Liquid): number {
  const tokens = new Tokenizer(template).readTopLevelTokens(options);
  return tokens.reduce((sum, { kind, begin, end }) => (kind === TokenKind.HTML ? sum : sum + end - begin), 0);
}

/** The engine's failures as ours. @throws TemplateError */
function within<R>(work: () => R): R {
  try {
    const made = work();
    if (typeof made === "string" && made.length > maxOutputLength)
      throw new TemplateError("renders a text that is too long");
    return made;
  } catch (error) {
    if (error instanceof LiquidError || isLimit(error)) throw new TemplateError(messageOf(error), { cause: error });
    throw error;
  }
}

function isLimit(error: unknown): error is Error {
  return error instanceof Error && (error.name === "AssertionError" || error instanceof RangeError);
}

/** The first line: the others quote the template. */
function messageOf(error: Error): string {
  return error.message.split("\n")[0]?.slice(0, 200) ?? "cannot be read";
}

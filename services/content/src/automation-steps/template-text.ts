import { Liquid, Tokenizer, TokenKind, type TopLevelToken } from "liquidjs";

/** What a template reads. */
export interface TemplateReads {
  /** Paths such as `customer.name`, sorted. */
  variables: string[];
  /** Keys of the features that it reads as `features.<key>`, sorted. */
  featureKeys: string[];
  /** Characters between `{{ }}` and `{% %}`: what reading it costs. */
  markup: number;
}

/** The text is no template that can be worked with. */
export class StepTemplateError extends Error {
  override name = "StepTemplateError";
  /** What reading it cost, in characters of markup. */
  readonly markup: number;
  constructor(message: string, { markup = 0, cause }: { markup?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.markup = markup;
  }
}

/** Brackets in brackets at most, in one output or tag: analysis costs the square of the depth. */
const maxBracketDepth = 8;

const engine = createEngine();

/** Reads nothing but the text: templates cannot name others, nor read what an object inherits. */
function createEngine(): Liquid {
  const liquid = new Liquid({ strictFilters: true, ownPropertyOnly: true });
  for (const name of ["include", "render", "layout", "block"]) delete liquid.tags[name];
  return liquid;
}

/**
 * Reads a Liquid template without carrying it out.
 * @throws TemplateError, which says where it is wrong, also when it has more markup than `maxMarkup`
 */
export function readTemplate(text: string, maxMarkup: number): TemplateReads {
  const markup = attempt(0, () => markupOf(text));
  if (markup > maxMarkup)
    throw new StepTemplateError(`outputs and tags have ${markup - maxMarkup} characters too many`);
  return attempt(markup, () => ({ ...analysed(text), markup }));
}

function analysed(text: string): Omit<TemplateReads, "markup"> {
  const { globals, locals } = engine.parseAndAnalyzeSync(text, undefined, { partials: false });
  if (Object.hasOwn(locals, "features"))
    throw new StepTemplateError("a template cannot give `features` another meaning");
  const read = Object.values(globals).flat();
  const keys = read.filter(({ segments }) => segments[0] === "features").map(({ segments }) => featureKey(segments));
  return { variables: [...new Set(read.map(String))].sort(), featureKeys: [...new Set(keys)].sort() };
}

/** Does the work; whatever it throws is a TemplateError, and cost this much. */
function attempt<R>(markup: number, work: () => R): R {
  try {
    return work();
  } catch (cause) {
    throw new StepTemplateError(cause instanceof StepTemplateError ? cause.message : whyRefused(cause), {
      markup,
      cause,
    });
  }
}

/** Counts before anything is analysed, so that what would take long is refused at once. */
function markupOf(text: string): number {
  const tokens = new Tokenizer(text).readTopLevelTokens(engine.options);
  const markup = tokens.filter(({ kind }) => kind !== TokenKind.HTML);
  if (markup.some((token) => depthOf(token) > maxBracketDepth)) {
    throw new StepTemplateError(`brackets may stand ${maxBracketDepth} deep in each other at most`);
  }
  return markup.reduce((sum, { begin, end }) => sum + end - begin, 0);
}

function depthOf({ input, begin, end }: TopLevelToken): number {
  let depth = 0;
  let depthReached = 0;
  for (const character of input.slice(begin, end)) {
    if (character === "[") depth += 1;
    if (character === "]") depth -= 1;
    depthReached = Math.max(depthReached, depth);
  }
  return depthReached;
}

/** Only a key that stands in the text can be known to be in use. */
function featureKey([, key]: readonly unknown[]): string {
  if (typeof key === "string") return key;
  throw new StepTemplateError("features are read by a key that stands in the template, as in `features.age`");
}

function whyRefused(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  if (error instanceof RangeError || message.includes("call stack")) return "tags stand too deep in each other";
  const [, problem, line, column] = /^(.*), line:(\d+), col:(\d+)$/s.exec(message) ?? [];
  return problem === undefined ? "it cannot be read" : `line ${line}, column ${column}: ${problem.slice(0, 200)}`;
}

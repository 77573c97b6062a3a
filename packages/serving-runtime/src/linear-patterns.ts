import type { RegExpEngine, RegExpLike } from "ajv/dist/types/index.js";
import { RE2JS, RE2JSException } from "re2js";

/** Characters of a pattern that an error quotes. */
const maxQuotedLength = 80;

/** A pattern of a schema that cannot be used. */
export class PatternError extends Error {
  override name = "PatternError";
}

function compilePattern(pattern: string): RegExpLike {
  // The dialect of JSON Schema. This compiles nothing yet, and is never used for a match: it could take for ever.
  new RegExp(pattern, "u");
  const compiled = linear(pattern);
  // The schema's compiler takes patterns that have the same text for the same.
  const matcher = { test: (text: string) => compiled.test(text), toString: () => `/${pattern}/` };
  return matcher;
}

function linear(pattern: string): RE2JS {
  try {
    if (hasNamedReference(pattern)) throw new PatternError(unusable(pattern, "it has a backreference"));
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new PatternError(unusable(pattern, error.message.replace("error parsing regexp: ", "")), { cause: error });
  }
}

function unusable(pattern: string, reason: string): string {
  const quoted = pattern.length > maxQuotedLength ? `${pattern.slice(0, maxQuotedLength)}…` : pattern;
  return (
    `the pattern ${JSON.stringify(quoted)} cannot be used: ${reason}. ` +
    "Patterns are matched by RE2, so backreferences and lookaround are not supported: write the pattern without them"
  );
}

/** RE2's dialect would take `\k` for the letter. */
function hasNamedReference(pattern: string): boolean {
  for (let at = pattern.indexOf("\\"); at >= 0; at = pattern.indexOf("\\", at + 2)) {
    if (pattern[at + 1] === "k") return true;
  }
  return false;
}

/**
 * Patterns of JSON Schemas, matched in time in proportion to the text whatever the pattern is. It throws PatternError for what
 * cannot be matched so, and SyntaxError for what is no pattern.
 */
export const linearPatterns: RegExpEngine = Object.assign(compilePattern, { code: "linearPattern" });

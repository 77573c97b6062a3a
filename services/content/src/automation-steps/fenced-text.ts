const fence = "```";

/**
 * What stands between the lines of a code fence that is the whole text; undefined where there is none. Each step looks at a
 * character once: a pattern for this is cubic in runs of newlines, and the text may come from a language model.
 */
export function fencedText(text: string): string | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith(fence) || !trimmed.endsWith(fence)) return undefined;
  const named = trimmed.startsWith("json", fence.length) ? "json".length : 0;
  const inner = trimmed.slice(fence.length + named, -fence.length);
  const blanks = inner.length - inner.trimStart().length;
  const opening = inner.slice(0, blanks).lastIndexOf("\n");
  const closing = inner.indexOf("\n", inner.trimEnd().length);
  return opening === -1 || closing === -1 ? undefined : inner.slice(opening + 1, closing);
}

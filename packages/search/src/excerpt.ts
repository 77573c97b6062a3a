import { wordsIn } from "./search-words.ts";

/** Characters of an excerpt at most. */
export const maxExcerptLength = 200;
/** Characters before the word that was found. */
const lead = 60;

/** The part of the texts in which a word begins with one that is looked for; without any, the beginning of the first text. */
export function excerptOf(texts: readonly string[], prefixes: readonly string[]): string {
  for (const text of texts) {
    for (const { word, index } of wordsIn(text))
      if (prefixes.some((prefix) => word.startsWith(prefix))) return partOf(text, Math.max(0, index - lead));
  }
  return partOf(texts.find((text) => text !== "") ?? "", 0);
}

function partOf(text: string, start: number): string {
  const end = start + maxExcerptLength;
  const part = text.slice(start, end).toWellFormed().replace(/\s+/g, " ").trim();
  return `${start > 0 ? "…" : ""}${part}${end < text.length ? "…" : ""}`;
}

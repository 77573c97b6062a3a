/** Words that say what kind of thing or which edition something is, not what it is about. */
const sayNothing: ReadonlySet<string> = new Set(
  (
    "and for from into the with copy data dataset demo draft final job latest model models new old pipeline pipelines " +
    "project report run runs set test tests tmp train training version"
  ).split(" "),
);
const minLength = 3;

/**
 * What a name is about: its words in their order, each once, in lower case. Left out are words of fewer than three
 * characters, those without a letter, editions such as `v2`, and words that name a kind of thing.
 */
export function nameTokens(name: string): string[] {
  const spaced = name.normalize("NFKC").replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ");
  const words = spaced.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...new Set(words)].filter(saysSomething);
}

function saysSomething(word: string): boolean {
  return [...word].length >= minLength && /\p{L}/u.test(word) && !/^v\d+$/.test(word) && !sayNothing.has(word);
}

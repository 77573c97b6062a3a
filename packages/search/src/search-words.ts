/** Words that something is found by at most: the first ones of its texts. */
export const maxWords = 100;
/** Characters of a word that count. */
export const maxWordLength = 40;
/** Characters of a text that are looked at. */
const maxTextLength = 20_000;

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;

/** A word as it is compared, and where it stands in its text. */
export interface PlacedWord {
  word: string;
  index: number;
}

/** The words of a text, in lower case and without accents. */
export function* wordsIn(text: string): Generator<PlacedWord> {
  for (const { 0: found, index } of text.slice(0, maxTextLength).matchAll(wordPattern)) {
    const word = compared(found);
    if (word !== "") yield { word, index };
  }
}

/** What texts are found by: their words, each once. */
export function searchWords(texts: Iterable<string>): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const { word } of wordsIn(text)) {
      words.add(word);
      if (words.size === maxWords) return [...words];
    }
  }
  return [...words];
}

function compared(word: string): string {
  const plain = word
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  return plain.length > maxWordLength ? [...plain].slice(0, maxWordLength).join("") : plain;
}

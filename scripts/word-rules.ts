/** Pattern → what to write instead. */
type WordList = Readonly<Record<string, string>>;

/** What is refused, and where. */
export interface ForbiddenWords {
  /** In every text, whatever the case. */
  readonly words: WordList;
  /** In code, as whole identifiers. */
  readonly identifiers: WordList;
  /** In code and in names of files, written in kebab case: `time-out` refuses `timeOutMs`, `isTimeOut` and `time-out.ts`. */
  readonly names: WordList;
}

/** A refused text, and what to write instead. */
export interface Refused {
  readonly text: string;
  readonly instead: string;
}

interface WordRules {
  inText(line: string): readonly Refused[];
  inCode(line: string): readonly Refused[];
  /** `path`: relative to the repository, with slashes. */
  inPath(path: string): readonly Refused[];
}

const identifier = /[A-Za-z_$][\w$]*/g;

/** The rules of a list of words. */
export function wordRules({ words, identifiers, names }: ForbiddenWords): WordRules {
  const inTexts = finder(words, "i");
  const inIdentifiers = finder(identifiers, "");
  const insteadOfName = nameJudge(names);
  const namesIn = (tokens: Iterable<string>) =>
    [...tokens].flatMap((text) => {
      const instead = insteadOfName(text);
      return instead === undefined ? [] : [{ text, instead }];
    });
  return {
    inText: inTexts,
    inCode: (line) => [...inIdentifiers(line), ...namesIn(line.match(identifier) ?? [])],
    inPath: (path) => [...inTexts(path), ...namesIn(path.split(/[/.]/))],
  };
}

/** A list as one pattern, which is searched for in a line. */
function finder(list: WordList, flags: string): (line: string) => readonly Refused[] {
  const patterns = Object.entries(list).map(([pattern, instead]) => ({
    pattern: new RegExp(`^(${pattern})$`, flags),
    instead,
  }));
  const anywhere = new RegExp(`(?<!\\w)(${Object.keys(list).join("|")})(?!\\w)`, `g${flags}`);
  const insteadOf = (text: string) => patterns.find(({ pattern }) => pattern.test(text))?.instead ?? "";
  return (line) => [...line.matchAll(anywhere)].map(([text]) => ({ text, instead: insteadOf(text) }));
}

/** Judges a name by the words in it. Files repeat their names, so each is judged once. */
function nameJudge(list: WordList): (name: string) => string | undefined {
  const patterns = Object.entries(list).map(([pattern, instead]) => ({
    pattern: new RegExp(`(?<![a-z0-9])(${pattern})(?![a-z0-9])`),
    instead,
  }));
  const judged = new Map<string, string | undefined>();
  return (name) => {
    if (!judged.has(name)) {
      const kebab = kebabOf(name);
      judged.set(name, patterns.find(({ pattern }) => pattern.test(kebab))?.instead);
    }
    return judged.get(name);
  };
}

/** `maxTimeOutMs`, `MAX_TIME_OUT_MS` → `max-time-out-ms`. */
function kebabOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .replaceAll(/[_$]+/g, "-")
    .toLowerCase();
}

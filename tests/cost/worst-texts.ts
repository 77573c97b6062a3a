const mebibyte = 1_048_576;

/** Lengths in bytes at which texts are sent; each of the first two is followed by twice as much. */
export const bodySizes = [32_768, 65_536, mebibyte / 2, mebibyte - 4_096] as const;
/** What fits into the head of a request, whose limit is 16 KiB. */
export const headSizes = [3_500, 7_000] as const;

/** A run of one thing between a beginning that lets a reader hope and an end that disappoints it. */
interface Run {
  readonly begins: string;
  readonly repeats: string;
  readonly ends: string;
}

const run = (begins: string, repeats: string, ends: string): Run => ({ begins, repeats, ends });

/** What slow readers stumble over, by name. */
export const runs: Readonly<Record<string, Run>> = {
  blanks: run("1", " ", "x"),
  "unicode blanks": run("1", "\u3000", "x"),
  "mixed blanks": run("a", " \t\r\n", "b"),
  "line ends": run("x", "\n", "x"),
  "a code fence of line ends": run("```json", "\n", "x"),
  "an inline comment of line ends": run("{% #", "\n", "x %}"),
  zeros: run("0.", "0", "x"),
  digits: run("1", "9", "x"),
  pluses: run("1", "+", "x"),
  hyphens: run("a", "-", "!"),
  underscores: run("1", "_", "x"),
  points: run("a", ".", "!"),
  "at signs": run("a", "@", "!"),
  letters: run("", "a", "!"),
  slashes: run("/", "/", "x"),
  equals: run("a", "=", "x"),
  "open brackets": run("", "[", "x"),
  "open braces": run("", "{", "x"),
  "nested brackets": run("", "[{", "x"),
  outputs: run("", "{{", "x"),
  "closed outputs": run("", "{{a}}", "x"),
  tags: run("", "{%", "x"),
  "open tags": run("", "{%if a%}", "x"),
  filters: run("{{ a ", "| a ", "x"),
  "angle brackets": run("", "<", "x"),
  quotes: run("", '"', "x"),
  backslashes: run("", "\\", "x"),
  "percent signs": run("", "%", "x"),
  "combining marks": run("a", "\u0301", "x"),
  "astral signs": run("", "\u{1f600}", "x"),
};

/** That run, of about so many bytes as it stands in JSON. */
export function worstText({ begins, repeats, ends }: Run, bytes: number): string {
  const inJson = Buffer.byteLength(JSON.stringify(repeats)) - '""'.length;
  return begins + repeats.repeat(Math.max(1, Math.floor(bytes / inJson))) + ends;
}

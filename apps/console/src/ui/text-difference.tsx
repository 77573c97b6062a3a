import { diffLines, diffWordsWithSpace } from "diff";

interface TextDifferenceProps {
  before: string;
  after: string;
  /** What is compared: words of prose, or lines of code. */
  by: "words" | "lines";
}

/** More edits than these take long to find, and no reader follows them. */
const maxEditLength = 1_000;

/** What was removed and what was added between two texts. */
export function TextDifference({ before, after, by }: TextDifferenceProps) {
  const parts = by === "words" ? wordParts(before, after) : lineParts(before, after);
  const Frame = by === "words" ? "p" : "pre";
  return (
    <Frame className="text-difference" data-by={by}>
      {parts.map(({ value, added, removed }, index) => {
        const Part = added ? "ins" : removed ? "del" : "span";
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no identity
        return <Part key={index}>{value}</Part>;
      })}
    </Frame>
  );
}

interface Part {
  value: string;
  added: boolean;
  removed: boolean;
}

const wordParts = (before: string, after: string): readonly Part[] =>
  diffWordsWithSpace(before, after, { maxEditLength }) ?? whole(before, after);

const lineParts = (before: string, after: string): readonly Part[] =>
  diffLines(before, after, { maxEditLength }) ?? whole(before, after);

/** All of it is other. */
function whole(before: string, after: string): Part[] {
  return [
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ];
}

import type { StepContext, StepHandler } from "../step-handler.ts";
import { StepFailedError } from "../step-outcome.ts";

/** Asks a language model. Where several transitions leave the step, the answer begins with the label of one of them. */
export const prompt: StepHandler = {
  fields: {
    text: { kind: "text", required: true, maxLength: 20_000 },
    model: { kind: "text", maxLength: 255 },
    max_tokens: { kind: "integer", min: 1, max: 100_000 },
  },
  permissions: () => [],
  execute: async ({ promptApi }, context) => {
    const { fields, effectId, signal } = context;
    const text = await promptApi.complete({
      text: String(fields["text"]),
      model: typeof fields["model"] === "string" ? fields["model"] : undefined,
      maxTokens: typeof fields["max_tokens"] === "number" ? fields["max_tokens"] : undefined,
      effectId,
      signal,
    });
    const label = chosenLabel(text, context);
    return { output: { text }, ...(label === undefined ? {} : { label }) };
  },
};

/** The label that the answer's first line, or its first word, is; in any case of letters. @throws StepFailedError */
export function chosenLabel(answer: string, { labels }: Pick<StepContext, "labels">): string | undefined {
  if (labels.length <= 1) return labels[0];
  const line = plain(answer.trim().split("\n")[0] ?? "");
  const word = plain(line.split(/\s/)[0] ?? "");
  const found = labels.find((label) => plain(label) === line) ?? labels.find((label) => plain(label) === word);
  if (found !== undefined) return found;
  const named = labels.map((label) => JSON.stringify(label)).join(", ");
  throw new StepFailedError(`The answer begins with none of the labels ${named}`);
}

/** The marks that models put around words. */
const marks = "\"'*_`";
const endMarks = `${marks}.,:;!`;

/** Without case, blanks and such marks. Two loops: a pattern that ends in `+$` is quadratic in runs of marks. */
function plain(text: string): string {
  const isOuter = (char: string, among: string) => among.includes(char) || char.trim() === "";
  let start = 0;
  while (start < text.length && isOuter(text.charAt(start), marks)) start++;
  let end = text.length;
  while (end > start && isOuter(text.charAt(end - 1), endMarks)) end--;
  return text.slice(start, end).toLowerCase();
}

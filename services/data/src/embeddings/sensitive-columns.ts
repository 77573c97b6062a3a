import { UnfitRowsError } from "./embedding.ts";

/** Those of the columns that are marked. Names are compared without regard to case: files spell them in more than one way. */
export function sensitiveAmong(columns: readonly string[], marked: readonly string[]): string[] {
  const folded = new Set(marked.map(fold));
  return columns.filter((name) => folded.has(fold(name)));
}

const fold = (name: string) => name.normalize("NFC").toLowerCase();

/** @throws UnfitRowsError for a column that was marked after the embedding was created */
export function assertNoneSensitive(columns: readonly string[], marked: readonly string[]): void {
  const [column] = sensitiveAmong(columns, marked);
  if (column === undefined) return;
  throw new UnfitRowsError({
    rule: "sensitive",
    message: `The column ${JSON.stringify(column)} was marked sensitive, so nothing more is sent`,
    remedy: "Leave it out of the template, or let a deployment make the vectors",
  });
}

/** A name in SQL. */
export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** A text in SQL. */
export const quoteText = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Texts as a list in SQL. */
export const quoteTexts = (texts: readonly string[]) => `[${texts.map(quoteText).join(", ")}]`;

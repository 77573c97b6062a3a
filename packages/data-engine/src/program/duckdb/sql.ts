/** A name in SQL. */
export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** A text in SQL. */
export const quoteText = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Texts as a list in SQL. */
export const quoteTexts = (texts: readonly string[]) => `[${texts.map(quoteText).join(", ")}]`;

/** Rows of Parquet files in SQL. A folder of the machine may be called like a column and its value: it makes no column. */
export const parquetOf = (files: readonly string[], options = "") =>
  `read_parquet(${quoteTexts(files)}, hive_partitioning = false${options})`;

import {
  EngineLimitError,
  EngineStoppedError,
  engineLimits,
  fileRules,
  InvalidQueryError,
  UnreadableFileError,
} from "./errors.ts";
import type { Column as ColumnMessage, Converted, Failure } from "./gen/data_engine_pb.js";
import type { Answer } from "./pool/engine-process.ts";
import {
  type Column,
  type ColumnStatistics,
  columnKinds,
  type MadeFile,
  type NearRow,
  type Page,
  type Statistics,
  type WrittenFile,
} from "./requests.ts";

/** The answer of one kind. */
export type AnswerOf<C extends Answer["case"]> = Extract<Answer, { case: C }>["value"];

/** Bytes of the statistics of one request. */
const maxStatisticsBytes = 8 * 1_048_576;

/** What was asked for. @throws UnreadableFileError, EngineLimitError, InvalidQueryError, EngineStoppedError */
export function answerOf<C extends "converted" | "page" | "statistics" | "vectorsLaid">(
  answer: Answer,
  wanted: C,
): AnswerOf<C> {
  if (answer.case === "failure") throw errorOf(answer.value);
  if (answer.case !== wanted) throw new EngineStoppedError("it answered something else");
  return answer.value as AnswerOf<C>;
}

export function writtenOf({ rowCount, columns }: Converted, made: MadeFile): WrittenFile {
  return { rowCount: Number(rowCount), ...made, columns: columnsOf(columns) };
}

export function pageOf(answer: Answer): Page {
  const { columns, rowCount, hasMore, isCut, body } = answerOf(answer, "page");
  return { columns: columnsOf(columns), rowCount, hasMore, isCut, body };
}

/** Of a search. */
export function nearRowsOf(answer: Answer): NearRow[] {
  const rows: NearRow[] = JSON.parse(Buffer.from(answerOf(answer, "page").body).toString());
  return rows;
}

export function statisticsOf(answer: Answer): Statistics {
  const { rowCount, columns } = answerOf(answer, "statistics");
  if (columns.length > maxStatisticsBytes)
    throw new EngineLimitError("columns", "The statistics are too long; ask for fewer columns");
  const read: ColumnStatistics[] = JSON.parse(Buffer.from(columns).toString());
  return { rowCount: Number(rowCount), columns: read };
}

function columnsOf(columns: readonly ColumnMessage[]): Column[] {
  return columns.map(({ name, type, kind, nullable }) => ({ name, type, kind: oneOf(columnKinds, kind), nullable }));
}

function errorOf({ kind, ...failure }: Failure): Error {
  if (kind === "unreadable") return unreadable(failure);
  if (kind === "limit") return new EngineLimitError(oneOf(engineLimits, failure.limit), failure.message);
  if (kind === "query") return invalidQuery(failure);
  return new EngineStoppedError(failure.message);
}

function invalidQuery({ message, remedy, line, character }: Omit<Failure, "kind">): InvalidQueryError {
  const place = line > 0n && { line: Number(line), character: Number(character) };
  return new InvalidQueryError({ message, remedy, ...place });
}

function unreadable({ file, line, column, rule, message, remedy }: Omit<Failure, "kind">): UnreadableFileError {
  return new UnreadableFileError({
    file,
    ...(line > 0n && { line: Number(line) }),
    ...(column !== "" && { column }),
    rule: oneOf(fileRules, rule),
    ...{ message, remedy },
  });
}

/** A word that a process said, if it is one of these. */
function oneOf<T extends string>(words: readonly T[], said: string): T {
  const word = words.find((each) => each === said);
  if (word === undefined) throw new EngineStoppedError("it said what it cannot mean");
  return word;
}

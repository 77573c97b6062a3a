export { type ColumnType, guessType, missingValues, typeOfValue, widerType } from "./guess-type.ts";

import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";

/** A field for a time that may be absent. */
export function optionalTimestamp<Field extends string>(
  field: Field,
  time: Date | undefined,
): { [key in Field]?: Timestamp } {
  const fields: { [key in Field]?: Timestamp } = {};
  if (time) fields[field] = timestampFromDate(time);
  return fields;
}

/** The start of the minute: as exactly as the last use of a credential is kept. */
export function toTheMinute(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 60_000) * 60_000);
}

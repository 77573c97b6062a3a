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

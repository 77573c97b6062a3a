type Present<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Without the fields that are undefined: what a message may lack must be absent. */
export function presentFields<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}

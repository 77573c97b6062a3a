/** The server of a location cannot be asked, or does not let the platform in. */
export class LocationUnavailableError extends Error {
  override name = "LocationUnavailableError";
  constructor(location: string, why: string, cause?: unknown) {
    super(`The location ${JSON.stringify(location)} ${why}`, { cause });
  }
}

/** The object is not the one that was named, or may no longer be read. Trying again fails again. */
export class SourceObjectError extends Error {
  override name = "SourceObjectError";
}

/** What this package needs of a logger; a pino logger fits. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** For callers that do not care, such as a test. */
export const silentLogger: Logger = { info: () => undefined, warn: () => undefined };

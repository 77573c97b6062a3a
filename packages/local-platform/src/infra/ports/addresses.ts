/** All that is started here listens on it. */
export const host = "127.0.0.1";

/** `host:port` of a local port. */
export const addressOf = (port: number): string => `${host}:${port}`;

/** URL of a local port. */
export const urlOf = (port: number): string => `http://${host}:${port}`;

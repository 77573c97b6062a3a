/** Name of a server. */
export type InfraName = "mongodb" | "nats";

/** A real server is missing or unfit. The message is one sentence for people and says what to do. */
export class InfraError extends Error {
  override name = "InfraError";
  readonly server: InfraName;

  constructor(server: InfraName, message: string, options?: ErrorOptions) {
    super(message, options);
    this.server = server;
  }
}

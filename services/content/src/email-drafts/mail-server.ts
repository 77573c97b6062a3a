import { MailConnection } from "./mail-connection.ts";
import { type MailServerSettings, MailServerUnavailableError } from "./mail-server-settings.ts";

/** Where mail is sent from. */
export class MailServer {
  readonly #settings: MailServerSettings | undefined;

  constructor(settings: MailServerSettings | undefined) {
    this.#settings = settings;
  }

  /** @throws MailServerUnavailableError where none is configured */
  get settings(): MailServerSettings {
    if (!this.#settings) throw new MailServerUnavailableError("not_configured");
    return this.#settings;
  }

  /** A connection over which mail can be sent. @throws MailServerUnavailableError */
  async open(): Promise<MailConnection> {
    return await MailConnection.open(this.settings);
  }
}

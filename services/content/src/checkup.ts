// What tells whether the service's settings hold, without starting it.
export { type ContentConfig, contentSettings, readConfig } from "./config.ts";
export { MailConnection } from "./email-drafts/mail-connection.ts";
export {
  MailServerUnavailableError,
  mailServerSettings,
  type Unavailability,
} from "./email-drafts/mail-server-settings.ts";

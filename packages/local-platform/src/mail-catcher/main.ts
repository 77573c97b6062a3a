import { startMailCatcher } from "./mail-catcher.ts";

const { HOST = "127.0.0.1", SMTP_PORT = "0", HTTP_PORT = "0" } = process.env;
const catcher = await startMailCatcher({ host: HOST, smtpPort: Number(SMTP_PORT), httpPort: Number(HTTP_PORT) });
process.once("SIGTERM", () => void catcher[Symbol.asyncDispose]());

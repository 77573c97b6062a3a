import { startFakeSmtp } from "./fake-smtp.ts";

const { HOST = "127.0.0.1", SMTP_PORT = "0", HTTP_PORT = "0" } = process.env;
const server = await startFakeSmtp({ host: HOST, smtpPort: Number(SMTP_PORT), httpPort: Number(HTTP_PORT) });
process.once("SIGTERM", () => void server[Symbol.asyncDispose]());

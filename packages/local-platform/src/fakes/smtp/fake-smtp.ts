import { once } from "node:events";
import { createServer } from "node:http";
import { SMTPServer } from "smtp-server";
import { CaughtMails } from "./caught-mail.ts";
import { answerMails } from "./mail-page.ts";

const maxMails = 500;
const maxMailBytes = 2 * 1024 * 1024;

export interface FakeSmtp extends AsyncDisposable {
  smtpPort: number;
  httpPort: number;
}

/** Takes every mail and delivers none: the last ones can be read over HTTP. */
export async function startFakeSmtp(o: { host: string; smtpPort: number; httpPort: number }): Promise<FakeSmtp> {
  const mails = new CaughtMails(maxMails);
  const smtp = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    size: maxMailBytes,
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      let size = 0;
      stream.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size <= maxMailBytes) chunks.push(chunk);
      });
      stream.once("end", () => {
        if (size > maxMailBytes) return done(Object.assign(new Error("too large"), { responseCode: 552 }));
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.add({ from, to, source: Buffer.concat(chunks).toString() }, new Date());
        done();
      });
    },
  });
  // A sender that goes away in the middle of a mail is no reason to stop.
  smtp.on("error", () => {});
  const http = createServer((request, response) => answerMails(mails, request, response));
  const smtpListener = smtp.listen(o.smtpPort, o.host);
  http.listen(o.httpPort, o.host);
  await Promise.all([once(smtpListener, "listening"), once(http, "listening")]);
  return {
    smtpPort: portOf(smtpListener.address()),
    httpPort: portOf(http.address()),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await Promise.all([
        new Promise<void>((resolve) => smtp.close(() => resolve())),
        new Promise<void>((resolve) => http.close(() => resolve())),
      ]);
    },
  };
}

function portOf(address: ReturnType<ReturnType<typeof createServer>["address"]>): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}

import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A mail as it arrived. */
export interface SunkMail {
  from: string;
  to: string[];
  /** Headers and body, dots unstuffed. */
  raw: string;
  messageId: string;
}

/** What a sink does besides taking mail. Answers with the error that the client is given. */
export interface SinkScript {
  onRecipient?: (address: string) => Error | undefined;
  /** Once the whole message is there; before it counts as taken. */
  onMessage?: (mail: SunkMail) => Error | undefined;
  /** After the message has been taken, before that is answered. */
  beforeAnswer?: (mail: SunkMail) => Promise<void> | void;
  options?: SMTPServerOptions;
}

/** An answer of the server. */
export function answer(responseCode: number, text = "no"): Error {
  return Object.assign(new Error(text), { responseCode });
}

/** A real SMTP server that remembers all it takes. */
export class MailSink implements AsyncDisposable {
  readonly mails: SunkMail[] = [];
  readonly recipients: string[] = [];
  readonly #server: SMTPServer;
  port = 0;

  private constructor(script: SinkScript) {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      disableReverseLookup: true,
      logger: false,
      ...script.options,
      onRcptTo: ({ address }, _session, done) => {
        this.recipients.push(address);
        done(script.onRecipient?.(address));
      },
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.once("end", () => {
          const raw = Buffer.concat(chunks).toString("latin1");
          const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
          const to = envelope.rcptTo.map(({ address }) => address);
          const mail = { from, to, raw, messageId: /^Message-ID: (.*)$/im.exec(raw)?.[1]?.trim() ?? "" };
          const refusal = script.onMessage?.(mail);
          if (refusal) return done(refusal);
          this.mails.push(mail);
          Promise.resolve(script.beforeAnswer?.(mail)).then(() => done(), done);
        });
      },
    });
    // Clients that are killed leave broken connections behind.
    this.#server.on("error", () => {});
  }

  static async start(script: SinkScript = {}): Promise<MailSink> {
    const sink = new MailSink(script);
    const server = sink.#server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    sink.port = typeof address === "object" && address !== null ? address.port : 0;
    return sink;
  }

  /** Settings of a service that sends by this one. */
  get settings(): Record<string, string> {
    return smtpSettings(this.port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** Settings of a service that sends by a server on this port. */
export function smtpSettings(port: number): Record<string, string> {
  return {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    SMTP_TLS: "off",
    MAIL_FROM: "The Platform <platform@mail.test>",
  };
}

/** A server that says no more than it is told to: each connection is handed to `talk`. */
export async function startBadServer(talk: (socket: Socket) => void): Promise<AsyncDisposable & { port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    talk(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

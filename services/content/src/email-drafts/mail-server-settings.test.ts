import { describe, expect, it } from "vitest";
import { mailServerSettings } from "./mail-server-settings.ts";

const rest = { SMTP_TLS: "required", SMTP_CONNECTIONS: 5, SMTP_CONNECT_TIMEOUT_MS: 1, SMTP_TIMEOUT_MS: 1 };
const read = (SMTP_URL: string | undefined, MAIL_FROM: string | undefined = "a@mail.test") =>
  mailServerSettings({ ...rest, SMTP_URL, MAIL_FROM });

describe("the settings of the mail server", () => {
  it.each([
    ["smtp://mail.test", { host: "mail.test", port: 587, secure: false, user: "", password: "" }],
    ["smtps://mail.test", { host: "mail.test", port: 465, secure: true }],
    ["smtp://ada%40x:p%3Aw@mail.test:2525", { port: 2525, user: "ada@x", password: "p:w" }],
    ["smtp://[::1]:25", { host: "::1", port: 25 }],
  ])("are read from %s", (url, parts) => {
    expect(read(url)).toMatchObject(parts);
  });

  it("are none without a URL", () => {
    expect(read(undefined, undefined)).toBeUndefined();
  });

  it.each([
    ["http://user:hunter2@mail.test", "a@mail.test", "SMTP_URL must begin with smtp:// or smtps://"],
    ["hunter2", "a@mail.test", "SMTP_URL must be a URL"],
    ["smtp://user:hunter2@mail.test", "sender", /^MAIL_FROM must be an e-mail address/],
  ])("are refused in a sentence without their secrets: %s, %s", (url, from, sentence) => {
    expect(() => read(url, from)).toThrow(sentence);
    expect(() => read(url, from)).not.toThrow(/hunter2/);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createTransport } from "nodemailer";
import { type MailCatcher, startMailCatcher } from "../src/mail-catcher/mail-catcher.ts";

let catcher: MailCatcher;
beforeAll(async () => {
  catcher = await startMailCatcher({ host: "127.0.0.1", smtpPort: 0, httpPort: 0 });
});
afterAll(async () => await catcher[Symbol.asyncDispose]());

const read = (path: string) => fetch(`http://127.0.0.1:${catcher.httpPort}${path}`);

describe("the mail catcher", () => {
  it("shows what is sent, as JSON, as it came, and on a page that runs nothing of it", async () => {
    const transport = createTransport({ host: "127.0.0.1", port: catcher.smtpPort, ignoreTLS: true });
    const subject = "<script>alert(1)</script> Grüße";
    await transport.sendMail({ from: "a@mail.test", to: "b@mail.test, c@mail.test", subject, text: "Hello" });
    const [mail] = JSON.parse(await (await read("/mails")).text());
    expect(mail).toMatchObject({ from: "a@mail.test", to: ["b@mail.test", "c@mail.test"], subject });
    expect(await (await read(`/mails/${mail.id}`)).text()).toContain("Hello");
    const page = await read("/");
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
    const text = await page.text();
    expect(text).toContain("b@mail.test, c@mail.test");
    expect(text).not.toContain("<script>");
  });

  it("knows no other mails", async () => {
    expect((await read("/mails/999")).status).toBe(404);
  });
});

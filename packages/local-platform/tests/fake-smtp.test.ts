import { createTransport } from "nodemailer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeSmtp, startFakeSmtp } from "../src/fakes/smtp/fake-smtp.ts";

let server: FakeSmtp;
beforeAll(async () => {
  server = await startFakeSmtp({ host: "127.0.0.1", smtpPort: 0, httpPort: 0 });
});
afterAll(async () => await server[Symbol.asyncDispose]());

const read = (path: string) => fetch(`http://127.0.0.1:${server.httpPort}${path}`);

describe("the fake mail server", () => {
  it("shows what is sent, as JSON, as it came, and on a page that runs nothing of it", async () => {
    const transport = createTransport({ host: "127.0.0.1", port: server.smtpPort, ignoreTLS: true });
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

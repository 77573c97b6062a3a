import { describe, expect, it } from "vitest";
import { composeMail, messageIdOf } from "./compose-mail.ts";

const from = { name: "The Platform", address: "platform@mail.test" };
const content = { subject: "News", text: "Hello", html: "" };
const date = new Date("2026-01-02T03:04:05Z");

async function headersOf(o: { name?: string; address?: string; subject?: string }): Promise<string[]> {
  const to = { name: o.name ?? "Ada", address: o.address ?? "ada@people.test" };
  const wanted = { ...content, subject: o.subject ?? "News" };
  const { bytes } = await composeMail({ from, to, messageId: "<1@mail.test>", date, content: wanted });
  const [headers = ""] = bytes.toString("latin1").split("\r\n\r\n", 1);
  return headers
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n")
    .map((line) => line.slice(0, line.indexOf(":")));
}

describe("a mail", () => {
  it.each([
    ["a name", { name: 'Ada"\r\nBcc: eve@people.test\r\n\r\nbody' }],
    ["a name that ends its quotes", { name: '" <eve@people.test>, "' }],
    ["a subject", { subject: "News\r\nBcc: eve@people.test\n\nbody" }],
    ["a subject of odd line ends", { subject: "News\u2028Bcc: eve\u0085X: y\rZ: z\0" }],
    ["an address with quotes", { address: '"ada, eve"@people.test' }],
  ])("has no header of %s's making", async (_what, parts) => {
    expect((await headersOf(parts)).sort()).toEqual((await headersOf({})).sort());
  });

  it("is to one recipient, whatever the name says", async () => {
    const to = { name: 'x" <eve@people.test>, "y', address: "ada@people.test" };
    const mail = await composeMail({ from, to, messageId: "<1@mail.test>", date, content });
    expect(mail.to).toBe("ada@people.test");
    expect(
      /^To: (.*)$/m
        .exec(mail.bytes.toString())?.[1]
        ?.match(/<[^>]*>/g)
        ?.at(-1),
    ).toBe("<ada@people.test>");
  });
});

describe("the Message-ID", () => {
  const draft = { id: "d", revision: 1 };
  const recipient = { memberId: "m" };

  it("is the same for the same draft, revision and member, and no other", () => {
    const id = messageIdOf(draft, recipient, from);
    expect(id).toMatch(/^<[0-9a-f]{40}@mail\.test>$/);
    expect(messageIdOf({ ...draft }, { ...recipient }, from)).toBe(id);
    expect(messageIdOf({ ...draft, revision: 2 }, recipient, from)).not.toBe(id);
    expect(messageIdOf(draft, { memberId: "n" }, from)).not.toBe(id);
  });
});

import { describe, expect, it } from "vitest";
import { mailAddress, mailbox } from "./mail-address.ts";

describe("an address", () => {
  it.each([
    ["ada@people.test", "ada@people.test"],
    ["ada+x.y@people.test", "ada+x.y@people.test"],
    ["ada@grüße.test", "ada@xn--gre-6ka8l.test"],
    ["jürgen@people.test", "jürgen@people.test"],
    ['"ada lovelace"@people.test', '"ada lovelace"@people.test'],
    ['"a@b"@people.test', '"a@b"@people.test'],
    ['"a\\"b"@people.test', '"a\\"b"@people.test'],
  ])("such as %s is written as %s", (text, written) => {
    expect(mailAddress(text)).toBe(written);
  });

  it.each([
    "",
    "ada",
    "@people.test",
    "ada@",
    "ada lovelace@people.test",
    "ada@people.test\r\nRCPT TO:<eve@people.test>",
    "ada\r\n@people.test",
    '"ada\r\nlovelace"@people.test',
    '"ada\0"@people.test',
    "ada>@people.test",
    '"a>b"@people.test',
    "a@b@people.test",
    ".ada@people.test",
    "ada@[127.0.0.1]",
    "ada@people.test> SIZE=1",
    `${"a".repeat(65)}@people.test`,
  ])("such as %j cannot be written to", (text) => {
    expect(mailAddress(text)).toBeUndefined();
  });
});

describe("a mailbox", () => {
  it.each([
    ["ada@people.test", { name: "", address: "ada@people.test" }],
    ["Ada Lovelace <ada@people.test>", { name: "Ada Lovelace", address: "ada@people.test" }],
    ["Ada\r\nBcc: eve <ada@people.test>", { name: "Ada Bcc: eve", address: "ada@people.test" }],
  ])("such as %j has its parts", (text, parts) => {
    expect(mailbox(text)).toEqual(parts);
  });

  it("needs an address", () => {
    expect(mailbox("Ada <ada>")).toBeUndefined();
  });
});

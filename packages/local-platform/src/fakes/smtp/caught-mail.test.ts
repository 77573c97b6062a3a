import { describe, expect, it } from "vitest";
import { CaughtMails, subjectOf } from "./caught-mail.ts";

describe("the subject of a caught mail", () => {
  it.each([
    ["plain", "From: a@b\r\nSubject: Hello there\r\n\r\nSubject: not this", "Hello there"],
    ["folded", "Subject: Hello\r\n there\r\n\r\n", "Hello there"],
    ["in base64", "Subject: =?UTF-8?B?R3LDvMOfZQ==?=\r\n\r\n", "Grüße"],
    ["in quoted-printable", "Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe_an?=\r\n =?UTF-8?Q?_alle?=\r\n\r\n", "Grüße an alle"],
    ["missing", "From: a@b\r\n\r\nbody", ""],
  ])("that is %s", (_how, source, subject) => {
    expect(subjectOf(source)).toBe(subject);
  });
});

describe("caught mails", () => {
  it("are kept newest first, and no more than there is room for", () => {
    const mails = new CaughtMails(2);
    for (const name of ["a", "b", "c"]) mails.add({ from: name, to: [], source: "" }, new Date(0));
    expect(mails.all.map(({ id, from }) => [id, from])).toEqual([
      [3, "c"],
      [2, "b"],
    ]);
    expect(mails.find(1)).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { type Author, program } from "../author.ts";
import {
  changesOf,
  DictionaryLimitError,
  datasetIdIn,
  type Entry,
  maxBytes,
  maxEntries,
  newDictionary,
  type WholeDictionary,
  withChanges,
} from "./data-dictionary.ts";

const ada: Author = { kind: "person", memberId: "ada" };
const grace: Author = { kind: "person", memberId: "grace" };

const dictionaryOf = (...texts: [name: string, description: string, author: Author][]): WholeDictionary => {
  const entries = texts.map(([name, description, author], position): Entry => {
    return { id: `id of ${name}`, name, description, position, author };
  });
  const bytes = texts.reduce((sum, [name, description]) => sum + name.length + description.length, 0);
  const base = newDictionary("acme", "sales");
  return { dictionary: { ...base, version: 3, nextPosition: texts.length, entryCount: texts.length, bytes }, entries };
};

const patched = (whole: WholeDictionary, texts: [string, string][], o: { author: Author; override?: boolean }) => {
  const patch = {
    texts: texts.map(([name, description]) => ({ name, description })),
    author: o.author,
    override: o.override ?? false,
  };
  const changes = changesOf(whole, patch, () => "new");
  return { changes, ...withChanges(whole, changes) };
};
const textsOf = ({ entries }: WholeDictionary) => entries.map(({ name, description }) => [name, description]);

describe("the text of an entry", () => {
  it.each([
    ["a person's", "by another person", ada, "old", grace, false, true],
    ["a person's", "by a program", ada, "old", program, false, false],
    ["a person's", "by a program that means to", ada, "old", program, true, true],
    ["a person's empty one", "by a program", ada, "", program, false, true],
    ["a program's", "by a program", program, "old", program, false, true],
    ["a program's", "by a person", program, "old", ada, false, true],
  ] as const)("%s, is replaced %s or not", (_what, _by, author, text, writer, override, isReplaced) => {
    const { entries, changes } = patched(dictionaryOf(["a", text, author]), [["a", "new"]], {
      author: writer,
      override,
    });
    expect([entries[0]?.description, entries[0]?.author, changes.length]).toEqual(
      isReplaced ? ["new", writer, 1] : [text, author, 0],
    );
  });

  it("can be cleared, and the entry stays", () => {
    expect(textsOf(patched(dictionaryOf(["a", "old", ada]), [["a", ""]], { author: ada }))).toEqual([["a", ""]]);
  });

  it("stays its author's when another writes the same", () => {
    const { entries, changes } = patched(dictionaryOf(["a", "same", program]), [["a", "same"]], { author: ada });
    expect([entries[0]?.author, changes]).toEqual([program, []]);
  });
});

describe("a patch", () => {
  it("leaves what it does not list, and adds at the end in its own order", () => {
    const whole = dictionaryOf(["b", "1", ada], ["a", "2", ada]);
    const { dictionary, ...after } = patched(
      whole,
      [
        ["z", "3"],
        ["a", "4"],
        ["c", "5"],
      ],
      { author: ada },
    );
    expect(textsOf({ dictionary, ...after })).toEqual([
      ["b", "1"],
      ["a", "4"],
      ["z", "3"],
      ["c", "5"],
    ]);
    expect(dictionary).toMatchObject({ version: 4, nextPosition: 4, entryCount: 4, bytes: 8 });
  });

  it("takes names exactly", () => {
    const names = ["A", " a", "__proto__", "constructor", "a.b", "$a", "\u00e9", "e\u0301"];
    const { entries } = patched(
      dictionaryOf(["a", "1", ada]),
      names.map((name) => [name, "x"]),
      { author: ada },
    );
    expect(entries.map(({ name }) => name)).toEqual(["a", ...names]);
  });

  it("that says nothing new changes nothing", () => {
    expect(patched(dictionaryOf(["a", "1", ada]), [["a", "1"]], { author: ada }).changes).toEqual([]);
    expect(patched(dictionaryOf(["a", "1", ada]), [], { author: ada }).changes).toEqual([]);
  });
});

describe("a dictionary", () => {
  it("gives a name that comes back a place at the end", () => {
    const whole = dictionaryOf(["a", "1", ada], ["b", "2", ada]);
    const [first] = whole.entries;
    const without = withChanges(whole, [{ name: "a", before: first, after: undefined }]);
    expect(textsOf(patched(without, [["a", "3"]], { author: ada }))).toEqual([
      ["b", "2"],
      ["a", "3"],
    ]);
    expect(without.dictionary).toMatchObject({ version: 4, nextPosition: 2, entryCount: 1, bytes: 2 });
  });

  it.each([
    ["entries", { entryCount: maxEntries }, [["new", ""]]],
    ["text", { bytes: maxBytes }, [["a", "ü"]]],
  ] as [string, object, [string, string][]][])("holds no more %s than it can", (what, state, texts) => {
    const whole = dictionaryOf(["a", "1", ada]);
    const filler =
      what === "entries" ? Array.from({ length: maxEntries - 1 }, (_, i) => [`n${i}`, "", ada] as const) : [];
    const full = {
      ...dictionaryOf(["a", "1", ada], ...filler.map(([n, d, a]): [string, string, Author] => [n, d, a])),
    };
    const dictionary = { ...full.dictionary, ...state };
    expect(() => patched({ ...full, dictionary }, texts, { author: ada })).toThrow(DictionaryLimitError);
    expect(() => patched({ ...full, dictionary }, [["a", ""]], { author: ada })).not.toThrow();
    expect(whole.entries).toHaveLength(1);
  });
});

const datasetId = "3fa85f64-5717-4562-b3fc-2c963f66afa6";

describe("the id of a dataset", () => {
  it.each([
    ["as it is", datasetId],
    ["in upper case", datasetId.toUpperCase()],
    ["without hyphens", datasetId.replaceAll("-", "")],
    ["in braces", `{${datasetId}}`],
    ["as a URN", `urn:uuid:${datasetId}`],
  ])("is read %s", (_, text) => {
    expect(datasetIdIn(text)).toBe(datasetId);
  });

  it.each(["", "no id", `${datasetId}0`, datasetId.slice(1), `x${datasetId}`])(
    "that is none, %j, stays what it is",
    (text) => {
      expect(datasetIdIn(text)).toBe(text);
    },
  );
});

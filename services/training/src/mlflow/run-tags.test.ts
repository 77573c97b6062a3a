import { describe, expect, it } from "vitest";
import { changeByTags, changeWithoutTag, nameTag, notesTag } from "./run-tags.ts";

describe("tags of MLflow", () => {
  it("are tags, but for the name and the notes", () => {
    const tags = [
      { key: "k", value: "v" },
      { key: nameTag, value: "first" },
      { key: notesTag, value: "Notes" },
    ];
    expect(changeByTags(tags, "tags")).toEqual({ name: "first", notes: "Notes", tags: { k: "v" } });
  });

  it.each([
    ["k", 1_000],
    [nameTag, 255],
    [notesTag, 10_000],
  ])("have so many characters at most: %s", (key, most) => {
    expect(() => changeByTags([{ key, value: "x".repeat(most) }], "value")).not.toThrow();
    expect(() => changeByTags([{ key, value: "x".repeat(most + 1) }], "value")).toThrow(`${most} are the most`);
  });

  it("are removed, but for the name", () => {
    expect(changeWithoutTag("k")).toEqual({ tags: { k: "" } });
    expect(changeWithoutTag(notesTag)).toEqual({ notes: "" });
    expect(() => changeWithoutTag(nameTag)).toThrow("rename the run");
  });
});

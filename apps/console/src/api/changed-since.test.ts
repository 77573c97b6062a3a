import { PlatformError } from "@aiplatform/client";
import { describe, expect, it } from "vitest";
import { ChangedMeanwhileError, replaceUnchanged } from "./changed-since.ts";

const base = { text: "mine" };

const answer = (data: typeof base, etag = '"1"') => ({ data, response: new Response(null, { headers: { etag } }) });
const refusal = (status: number) => ({ error: { detail: "no" }, response: new Response(null, { status }) });

describe("replacing what a form was opened with", () => {
  it("writes under the tag of what was read", async () => {
    const tags: string[] = [];
    const written = await replaceUnchanged({
      base,
      read: async () => answer(base, '"7"'),
      write: async (tag) => {
        tags.push(tag);
        return answer({ text: "new" });
      },
    });
    expect([written, tags]).toEqual([{ text: "new" }, ['"7"']]);
  });

  it("writes nothing when it differs, and says what is stored", async () => {
    const theirs = { text: "theirs" };
    const replacing = replaceUnchanged({
      base,
      read: async () => answer(theirs),
      write: () => Promise.reject(new Error("it was written")),
    });
    await expect(replacing).rejects.toEqual(new ChangedMeanwhileError(theirs));
  });

  it("says what is stored when someone else was faster by a moment", async () => {
    const theirs = { text: "theirs" };
    const reads = [answer(base), answer(theirs)];
    const replacing = replaceUnchanged({
      base,
      read: async () => reads.shift() ?? refusal(404),
      write: async () => refusal(412),
    });
    const error = await replacing.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ChangedMeanwhileError);
    expect(error).toMatchObject({ current: theirs });
  });

  it("passes other refusals on", async () => {
    const replacing = replaceUnchanged({ base, read: async () => answer(base), write: async () => refusal(422) });
    await expect(replacing).rejects.toBeInstanceOf(PlatformError);
  });
});

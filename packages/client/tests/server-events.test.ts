import { describe, expect, it } from "vitest";
import { serverEvents } from "../src/server-events.ts";

/** A platform that answers so, one after the other, and counts how often it is asked. */
function platform(...texts: string[]) {
  const asked: string[] = [];
  const open = async (lastEventId: string) => {
    asked.push(lastEventId);
    return new Response(texts[asked.length - 1]);
  };
  return { asked, open };
}

describe("a stream", () => {
  it("ends when the platform ends it", async () => {
    const { asked, open } = platform('id: 1\ndata: {"a":1}\n\nid: 2\ndata: {"a":2}\n\n');
    expect(await Array.fromAsync(serverEvents(open))).toEqual([
      { id: "1", data: { a: 1 } },
      { id: "2", data: { a: 2 } },
    ]);
    expect(asked).toEqual([""]);
  });

  it.each(["unavailable", "reconnect"])(
    "that fails with %s is asked for again from its last event on",
    async (code) => {
      const failure = `id: 1\ndata: {"a":1}\n\nevent: error\ndata: {"detail":"away","code":"${code}"}\n\n`;
      const { asked, open } = platform(failure, 'id: 2\ndata: {"a":2}\n\n');
      expect((await Array.fromAsync(serverEvents(open))).map(({ id }) => id)).toEqual(["1", "2"]);
      expect(asked).toEqual(["", "1"]);
    },
  );

  it.each([
    ["an event that is no JSON", "data: {\n\n", "SyntaxError"],
    ["a failure for good", 'event: error\ndata: {"detail":"gone","code":"not_found"}\n\n', "StreamFailedError"],
  ])("with %s is given up, and not asked for again and again", async (_, text, name) => {
    const { asked, open } = platform(text);
    await expect(Array.fromAsync(serverEvents(open))).rejects.toMatchObject({ name });
    expect(asked).toEqual([""]);
  });
});

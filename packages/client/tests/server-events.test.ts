import { describe, expect, it } from "vitest";
import { serverEvents } from "../src/server-events.ts";

/** A platform that answers so, and counts how often it is asked. */
function platform(text: string) {
  const asked: string[] = [];
  const open = async (lastEventId: string) => {
    asked.push(lastEventId);
    return new Response(text);
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

  it.each([
    ["an event that is no JSON", "data: {\n\n", "SyntaxError"],
    ["a failure for good", 'event: error\ndata: {"detail":"gone","code":"not_found"}\n\n', "StreamFailedError"],
  ])("with %s is given up, and not asked for again and again", async (_, text, name) => {
    const { asked, open } = platform(text);
    await expect(Array.fromAsync(serverEvents(open))).rejects.toMatchObject({ name });
    expect(asked).toEqual([""]);
  });
});

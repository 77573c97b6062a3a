import { describe, expect, it } from "vitest";
import { firstMessage } from "./first-message.ts";

async function* numbers(count: number, ended: () => void = () => {}): AsyncGenerator<number> {
  try {
    for (let number = 1; number <= count; number += 1) yield number;
  } finally {
    ended();
  }
}

describe("the first message of a stream", () => {
  it.each([0, 1, 3])("comes before all %d of them, which can be read then", async (count) => {
    const { first, messages } = await firstMessage(numbers(count));
    expect(first).toBe(count === 0 ? undefined : 1);
    expect(await Array.fromAsync(messages)).toEqual(await Array.fromAsync(numbers(count)));
  });

  it("leaves a stream that ends when its reader leaves; one kept it open", async () => {
    let isEnded = false;
    const { messages } = await firstMessage(numbers(3, () => (isEnded = true)));
    for await (const _ of messages) break;
    expect(isEnded).toBe(true);
  });
});

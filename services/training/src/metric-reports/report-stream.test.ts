import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { answerInOrder, inSequence, maxInFlight } from "./report-stream.ts";

async function* numbers(count: number, taken: number[] = []) {
  for (let number = 1; number <= count; number++) {
    taken.push(number);
    yield number;
  }
}

const durable = (counter: number) => ({ counter, sequence: counter });

describe("a report stream", () => {
  it("answers each batch in order, whichever is durable first", async () => {
    const answers: number[] = [];
    const accept = async (number: number) => {
      for (let turn = number % 3; turn < 3; turn++) await setImmediate();
      return durable(number);
    };
    for await (const { counter } of answerInOrder(numbers(20), accept)) answers.push(counter);
    expect(answers).toEqual([...Array(20).keys()].map((index) => index + 1));
  });

  it("reads no further while too many batches wait for the store", async () => {
    const taken: number[] = [];
    const { promise: store, resolve } = Promise.withResolvers<void>();
    const stream = answerInOrder(numbers(100, taken), async (number) => {
      await store;
      return durable(number);
    });
    const first = stream.next();
    for (let turn = 0; turn < 200; turn++) await setImmediate();
    // One more is read ahead than is accepted.
    expect(taken.length).toBe(maxInFlight + 1);
    resolve();
    expect((await first).value?.counter).toBe(1);
    await stream.return(undefined);
  });

  it("answers what came before a refused batch, and then refuses", async () => {
    const accept = async (number: number) => {
      if (number === 3) throw new Error("refused");
      await setImmediate();
      return durable(number);
    };
    const answers: number[] = [];
    const consume = async () => {
      for await (const { counter } of answerInOrder(numbers(10), accept)) answers.push(counter);
    };
    await expect(consume()).rejects.toThrow("refused");
    expect(answers).toEqual([1, 2]);
  });
});

describe("batches that are handed on one after another", () => {
  it("keep their order, however long each takes to prepare", async () => {
    const stored: number[] = [];
    const accept = inSequence(
      async (number: number) => {
        for (let turn = number; turn < 5; turn++) await setImmediate();
        return number;
      },
      async (number) => {
        stored.push(number);
        return durable(number);
      },
    );
    await Promise.all([1, 2, 3, 4].map(accept));
    expect(stored).toEqual([1, 2, 3, 4]);
  });

  it("end with the first that is refused", async () => {
    const stored: number[] = [];
    const accept = inSequence(
      async (number: number) => (number === 2 ? Promise.reject(new Error("refused")) : number),
      async (number) => {
        stored.push(number);
        return durable(number);
      },
    );
    const outcomes = await Promise.allSettled([1, 2, 3].map(accept));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(stored).toEqual([1]);
  });
});

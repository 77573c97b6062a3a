import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PendingCommand, PendingCommands } from "./pending-commands.ts";

function command(sequence: number): PendingCommand {
  const createdAt = new Date(0);
  return { id: `command ${sequence}`, sequence, position: sequence, action: "continue", epoch: 0, createdAt };
}

describe("pending commands", () => {
  it("stay as they were when another value made from them changes", () => {
    const two = PendingCommands.none.append(command(1)).append(command(2));
    const three = two.append(command(3));
    const other = two.append(command(4));
    const fewer = three.without([1]);
    expect([two, three, other, fewer].map((value) => value.sequences())).toEqual([
      [1, 2],
      [1, 2, 3],
      [1, 2, 4],
      [2, 3],
    ]);
  });

  it("equal a plain list under any appending and taking away", () => {
    const step = fc.oneof(fc.constant("append" as const), fc.array(fc.nat(40), { maxLength: 6 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let pending = PendingCommands.none;
        let model: number[] = [];
        let next = 1;
        for (const step of steps) {
          if (step === "append") {
            pending = pending.append(command(next));
            model = [...model, next++];
          } else {
            pending = pending.without(step);
            model = model.filter((sequence) => !step.includes(sequence));
          }
          expect(pending.sequences()).toEqual(model);
          expect([pending.size, pending.first?.sequence, pending.last?.sequence]).toEqual([
            model.length,
            model[0],
            model.at(-1),
          ]);
          for (let sequence = 0; sequence < next; sequence++) {
            expect(pending.bySequence(sequence) !== undefined).toBe(model.includes(sequence));
          }
        }
      }),
    );
  });
});

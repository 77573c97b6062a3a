import { describe, expect, it } from "vitest";
import { initialParameters, NetworkPass, parameterCount } from "./network.ts";
import { Random } from "./random.ts";

describe("the network", () => {
  it("has gradients that agree with differences of the loss", () => {
    const parameters = initialParameters(Random.seeded(1));
    const gradients = new Float32Array(parameterCount());
    const pass = new NetworkPass(parameters, gradients);
    const random = Random.seeded(2);
    const image = Float32Array.from({ length: 784 }, () => Math.max(0, random.around(1)));
    const lossOf = () => {
      pass.input.set(image);
      return pass.judge(3).loss;
    };
    pass.input.set(image);
    pass.learn(3);
    // The steepest parameters of each layer: there the difference stands well above the rounding of 32-bit floats.
    const steepest = Array.from(gradients.keys()).toSorted(
      (a, b) => Math.abs(gradients[b] ?? 0) - Math.abs(gradients[a] ?? 0),
    );
    for (const index of steepest.slice(0, 200)) {
      const kept = parameters[index] ?? 0;
      parameters[index] = kept + 1e-2;
      const above = lossOf();
      parameters[index] = kept - 1e-2;
      const below = lossOf();
      parameters[index] = kept;
      const slope = (above - below) / 2e-2;
      expect(Math.abs(slope - (gradients[index] ?? 0))).toBeLessThan(0.05 * Math.abs(slope) + 1e-2);
    }
  });

  it("answers a loss of ln 10 when it knows nothing", () => {
    const pass = new NetworkPass(new Float32Array(parameterCount()));
    expect(pass.judge(4).loss).toBeCloseTo(Math.log(10), 6);
  });
});

describe("random numbers", () => {
  it("go on from a saved state", () => {
    const one = Random.seeded(5);
    one.next();
    const other = new Random(one.state);
    expect(Array.from({ length: 5 }, () => other.next())).toEqual(Array.from({ length: 5 }, () => one.next()));
  });

  it("are spread evenly", () => {
    const random = Random.seeded(9);
    const counts = new Uint32Array(10);
    for (let draw = 0; draw < 100_000; draw++) {
      const digit = random.below(10);
      counts[digit] = (counts[digit] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  });
});

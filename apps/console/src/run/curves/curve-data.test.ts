import { describe, expect, it } from "vitest";
import { curveData } from "./curve-data.ts";
import { SeriesStore } from "./series-store.ts";

function storeOf(points: readonly (readonly [step: number, value: number, segment: number])[]): SeriesStore {
  const store = new SeriesStore();
  store.add({
    loss: {
      steps: points.map(([step]) => step),
      values: points.map(([, value]) => value),
      segments: points.map(([, , segment]) => segment),
    },
  });
  return store;
}

const view = { width: 400 };

describe("a curve of one segment", () => {
  it("is active as a whole", () => {
    const store = storeOf([
      [1, 0.9, 0],
      [2, 0.5, 0],
    ]);
    const data = curveData(store.stretches("loss"), [{ index: 0, archived_from_step: null }], view);
    expect(data).toEqual({
      active: [
        [1, 2],
        [0.9, 0.5],
      ],
      archived: [],
    });
  });

  it("is interrupted where a value is no finite number", () => {
    const store = storeOf([
      [1, 0.9, 0],
      [2, Number.NaN, 0],
      [3, 0.4, 0],
    ]);
    const data = curveData(store.stretches("loss"), [{ index: 0, archived_from_step: null }], view);
    expect(data.active[1]).toEqual([0.9, null, 0.4]);
  });
});

describe("a curve after a rollback to step 2", () => {
  const store = storeOf([
    [1, 0.9, 0],
    [2, 0.8, 0],
    [3, 5, 0],
    [4, 6, 0],
    [3, 0.7, 1],
  ]);
  const segments = [
    { index: 0, archived_from_step: 2 },
    { index: 1, archived_from_step: null },
  ];

  it("goes on from there in the new segment", () => {
    expect(curveData(store.stretches("loss"), segments, view).active).toEqual([
      [1, 2, 3],
      [0.9, 0.8, 0.7],
    ]);
  });

  it("shows what was archived beside it, from the last point that counts on", () => {
    expect(curveData(store.stretches("loss"), segments, view).archived).toEqual([
      [
        [2, 3, 4],
        [0.8, 5, 6],
      ],
    ]);
  });
});

describe("a curve that is zoomed", () => {
  it("has the points that are seen and the one before and after them", () => {
    const store = storeOf(Array.from({ length: 100 }, (_, step) => [step, step, 0]));
    const [steps] = curveData(store.stretches("loss"), [], { range: [40, 42], width: 400 }).active;
    expect(steps).toEqual([39, 40, 41, 42, 43]);
  });
});

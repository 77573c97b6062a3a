import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contentStories } from "./content-stories.ts";
import { deploymentsStories } from "./deployments-stories.ts";
import { breakEach, discover, pointsAtRest, ways } from "./fault-runs.ts";
import { FaultyPlatform } from "./faulty-platform.ts";
import { identityStories } from "./identity-stories.ts";
import type { Story } from "./tale.ts";
import { trainingStories } from "./training-stories.ts";

/** One point alone: part of its name, such as `identity: insert roles`. */
const wantedPoint = process.env.FAULT_POINT ?? "";
/** One way alone, such as `hang`. */
const wantedWay = process.env.FAULT_WAY ?? "";

const stories = [...identityStories, ...contentStories, ...trainingStories, ...deploymentsStories];
const over = new AbortController();
/** Points that are passed without a request. */
let resting: ReadonlySet<string> = new Set();
/** The story that is told while the background of a service fails. */
const atRest: Readonly<Record<string, string>> = {
  identity: "createRole",
  training: "createTrainingControlCommand",
  content: "sendEmailDraft",
  deployments: "createCustomServingDeployment",
};
/** Points that an earlier operation has been broken at. */
const done = new Set<string>();
let environment: FaultyPlatform;

beforeAll(async () => {
  environment = await FaultyPlatform.start(over.signal);
  resting = await pointsAtRest(environment, 12);
  for (const point of resting) done.add(point);
}, 300_000);

afterAll(async () => {
  over.abort();
  await environment?.[Symbol.asyncDispose]();
});

/** Breaks a story at these points in every way. */
async function brokenAt(story: Story, points: readonly string[]): Promise<string[]> {
  process.stdout.write(`${story.title}: ${points.length} points\n${points.map((point) => `    ${point}\n`).join("")}`);
  const problems: string[] = [];
  for (const way of ways.filter(({ name }) => wantedWay === "" || name === wantedWay)) {
    const begun = performance.now();
    const found = await breakEach(environment, story, { points, way });
    problems.push(...found);
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    process.stdout.write(`${way.name}, ${seconds} s\n${found.map((problem) => `    ! ${problem}\n`).join("")}`);
  }
  return problems;
}

describe("a store call or a publication that fails", () => {
  it.each(stories)("loses, doubles and misreports nothing of $title", async (story) => {
    const found = await discover(environment, story);
    const points = found.filter((point) => !done.has(point) && point.includes(wantedPoint));
    for (const point of points) done.add(point);
    expect(await brokenAt(story, points)).toEqual([]);
  });

  it.each(Object.entries(atRest))("loses and doubles nothing in the background of %s", async (service, title) => {
    const [story] = stories.filter((each) => each.title === title);
    if (!story) throw new Error(`there is no story called ${title}`);
    const ofService = [...resting].filter((point) => point.startsWith(`${service}: `)).toSorted();
    expect(ofService).not.toEqual([]);
    const points = ofService.filter((point) => point.includes(wantedPoint));
    expect(await brokenAt(story, points)).toEqual([]);
  });
});

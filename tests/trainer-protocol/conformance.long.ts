import { describe, it } from "vitest";
import { whyNoPython } from "../python-sdk/sdk-python.ts";
import { conformanceOf, languages } from "./conformance.ts";

const reason = await whyNoPython();
const results = reason
  ? []
  : await Promise.all(languages.map(async (language) => ({ language, tests: await conformanceOf(language) })));

describe.skipIf(reason).each(results)("the trainer in $language, by the trainer protocol", ({ tests }) => {
  it.each(tests.map((test) => [test.name.replaceAll("_", " "), test] as const))("%s", (_, { failure }) => {
    if (failure !== undefined) throw new Error(failure);
  });
});

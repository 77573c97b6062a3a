import { describe, expect, it } from "vitest";
import { isPredictionPath, readPredictionPath } from "./path.ts";

const id = "0190a0a0-0000-7000-8000-00000000d0d0";
const base = `/platform/deployments/${id}`;

describe("a path of predictions", () => {
  it.each([
    [`${base}/v2`, "/v2"],
    [`${base}/v2/`, "/v2/"],
    [`${base}/v2?x=1`, "/v2?x=1"],
    [`${base}/v2/models/a%20b/versions/1/infer?x=/../y`, "/v2/models/a%20b/versions/1/infer?x=/../y"],
    [`${base.toUpperCase().replace("/PLATFORM/DEPLOYMENTS", "/platform/deployments")}/v2`, "/v2"],
  ])("asks an instance for what follows the deployment: %s", (url, asked) => {
    expect(isPredictionPath(url)).toBe(true);
    expect(readPredictionPath(url)).toEqual({ deploymentId: id, asked });
  });

  it.each([base, `${base}/`, `${base}/v20`, `${base}/rollouts`, `/v2/models`, `/platform/deployments//v2`])(
    "is none of ours: %s",
    (url) => {
      expect(isPredictionPath(url)).toBe(false);
    },
  );

  it.each([
    "/platform/deployments/1/v2",
    `${base}/v2/../state`,
    `${base}/v2/./state`,
    `${base}/v2/%2e%2e/state`,
    `${base}/v2/%2E./state`,
    `${base}/v2/a%2fb`,
    `${base}/v2/a%5cb`,
    `${base}/v2/a\\b`,
    `${base}/v2//state`,
    `${base}/v2/a;b`,
    `${base}/v2/%252e%252e/state`,
    `${base}/v2/%zz`,
    `${base}/v2/%0d%0a`,
    `${base}/v2/a b`,
    `${base}/v2/ä`,
  ])("leads nowhere: %s", (url) => {
    expect(readPredictionPath(url)).toBeUndefined();
  });
});

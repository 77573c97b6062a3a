import type { LocalPlatform } from "@aiplatform/local-platform";
import { ownPlatform } from "../infra/own-platform.ts";
import { describeJourney } from "./journey-steps.ts";

let platform: LocalPlatform;
ownPlatform(
  (started) => {
    platform = started;
  },
  { trainer: true, stepsPerSecond: 400 },
);

describeJourney(() => platform, 60);

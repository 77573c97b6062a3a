import type { Check } from "../check.ts";
import { artifacts } from "./artifacts.ts";
import { certificates } from "./certificates.ts";
import { clock } from "./clock.ts";
import { issuers } from "./issuers.ts";
import { keys } from "./keys.ts";
import { mongodb } from "./mongodb.ts";
import { nats } from "./nats.ts";
import { peers } from "./peers.ts";
import { ports } from "./ports.ts";
import { runtime } from "./runtime.ts";
import { serving } from "./serving.ts";
import { smtp } from "./smtp.ts";
import { telemetry } from "./telemetry.ts";

/** Everything that is looked at, in the order in which it is told. */
export const allChecks: readonly Check[] = [
  runtime,
  ports,
  mongodb,
  nats,
  clock,
  keys,
  certificates,
  peers,
  issuers,
  smtp,
  artifacts,
  serving,
  telemetry,
];

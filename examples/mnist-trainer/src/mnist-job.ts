import {
  MetricGoal,
  OverrideClass,
  OverrideType,
  type TrainingJobSchema,
} from "@aiplatform/contract/aiplatform/training/v1/runs";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { overridable } from "./learning/hyperparameters.ts";

/** The metric that decides which checkpoint is best: share of the 10,000 test images named rightly. */
export const primaryMetric = "test_accuracy";

const classes = { hot: OverrideClass.HOT, cold: OverrideClass.COLD } as const;

/** The job as it has to be declared to the platform for this trainer to take it. */
export const mnistJob = {
  name: "mnist",
  primaryMetric,
  primaryMetricGoal: MetricGoal.MAXIMIZE,
  stallTimeoutSeconds: 60,
  heartbeatTimeoutSeconds: 30,
  overrides: Object.entries(overridable).map(([key, rule]) => ({
    key,
    type: rule.integer ? OverrideType.INTEGER : OverrideType.NUMBER,
    class: classes[rule.class],
    minimum: rule.minimum,
    maximum: rule.maximum,
  })),
} satisfies MessageInitShape<typeof TrainingJobSchema>;

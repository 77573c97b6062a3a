export { loadMnist } from "./learning/mnist.ts";
export { mnistJob, primaryMetric } from "./mnist-job.ts";

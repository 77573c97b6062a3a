import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalPlatform, startPlatform } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ClusterRig, freePort } from "../../services/deployments/tests/kubernetes/cluster-rig.ts";
import { hostAddress, servingImage } from "../../services/deployments/tests/kubernetes/pod-surroundings.ts";
import { until } from "../mesh/rest.ts";
import { deployHandler, digitOfHandler, reachesStatus, request, testImages } from "./journey.ts";
import { describeJourney } from "./journey-steps.ts";

let platform: LocalPlatform;
let rig: ClusterRig;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  rig = parts.use(await ClusterRig.start("real"));
  const directory = await mkdtemp(join(tmpdir(), "journey-"));
  parts.defer(() => rm(directory, { recursive: true, force: true }));
  const port = String(await freePort());
  const deployments = {
    SERVING_DRIVER: "kubernetes",
    SERVING_IMAGE: servingImage(),
    SERVING_FILES_URL: `http://${hostAddress()}:${port}`,
    SERVING_FILES_PORT: port,
    // Pods fetch their files from here.
    HOST: "0.0.0.0",
    KUBERNETES_NAMESPACE: rig.namespace,
    KUBECONFIG: await rig.kubeconfig(),
    KUBERNETES_CPU_REQUEST: "10m",
  };
  platform = parts.use(await startPlatform({ directory, stepsPerSecond: 400, settings: { deployments } }));
});
afterAll(() => parts.disposeAsync());

describeJourney(() => platform, 120);

describe("a deployment that may sleep", () => {
  it("has no pods while no caller asks, and answers the next caller", async () => {
    const { description } = platform;
    const modelId = description.model_id;
    const place = { gateway: description.gateway, bearer: description.api_key, modelId, timeoutSeconds: 120 };
    const deployment = await deployHandler(place, { config: { min_instances: 0, idle_seconds: 5 } });
    await reachesStatus(place, deployment.id, "Running");
    await until(
      "the pods to go",
      120,
      () => rig.objects(),
      ({ pods }) => pods.length === 0,
    );
    const [image] = await testImages([0]);
    expect(image && (await digitOfHandler(place, deployment, image))).toEqual(expect.any(Number));
    await request(place, `/platform/deployments/${deployment.id}`, undefined, "DELETE");
    await until(
      "everything to go",
      120,
      () => rig.objects(),
      ({ services }) => services.length === 0,
    );
  });
});

describe("when all deployments have ended", () => {
  it("leaves nothing of them in the cluster", async () => {
    expect(await rig.objects()).toEqual({ deployments: [], services: [], secrets: [], pods: [] });
  });
});

import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { command, type Json, until } from "../mesh/rest.ts";
import {
  deployHandler,
  deployModel,
  digitOfHandler,
  digitOfModel,
  inferPath,
  type JourneyPlace,
  reachesStatus,
  request,
  rowsOf,
  type TestImage,
  testImages,
} from "./journey.ts";

/**
 * The whole way on a platform whose demo run is under way: from the end of that run to predictions of its model, and to the
 * end of the deployments. `timeoutSeconds` is how many seconds a rollout may take.
 */
export function describeJourney(platformOf: () => LocalPlatform, timeoutSeconds: number): void {
  describe("from a training run to predictions", () => {
    let platform: LocalPlatform;
    let place: JourneyPlace;
    let images: TestImage[];
    let version: Json;
    let model: Json;
    let custom: Json;

    beforeAll(async () => {
      platform = platformOf();
      const { description } = platform;
      place = { gateway: description.gateway, bearer: description.api_key, modelId: "", timeoutSeconds };
      images = await testImages([0, 1, 2, 3, 4]);
      const metricsOf = `/pipelines/${description.pipeline_id}/runs/${description.run_id}/metrics/`;
      await until(
        "the network to have learned",
        60,
        async () => (await request(place, metricsOf)).body,
        (seen) => (seen.primary_metric?.best_value ?? 0) > 0.9 && seen.primary_metric.best_checkpoint_id !== null,
      );
      // A run that is completed already answers that it is.
      await command(description, "finish_from_checkpoint");
      await until(
        "the run to be completed",
        60,
        async () => (await request(place, metricsOf)).body,
        (seen) => seen.status === "completed",
      );
    }, 150_000);

    it("leaves a model with a version that is ready", async () => {
      const { run_id, pipeline_id } = platform.description;
      const models = await until(
        "the run's model",
        30,
        async () => (await request(place, "/platform/models")).body,
        (seen: Json[]) => seen.some((each) => each.pipeline_id === pipeline_id),
      );
      place = { ...place, modelId: models.find((each: Json) => each.pipeline_id === pipeline_id).id };
      const versions = await until(
        "the run's version to be ready",
        30,
        async () => (await request(place, `/platform/models/${place.modelId}/versions`)).body,
        (seen: Json[]) => seen.some(({ source, status }) => source?.run_id === run_id && status === "ready"),
      );
      version = versions.find(({ source }: Json) => source?.run_id === run_id);
    });

    it("is deployed by operation 6, which answers at once", async () => {
      model = await deployModel(place);
      expect(model).toMatchObject({ status: "Pending", model_id: place.modelId, model_version_id: version.id });
      await reachesStatus(place, model.id, "Running");
    });

    it("names the digits of real test images through the gateway", async () => {
      const named = await Promise.all(images.map((image) => digitOfModel(place, model, image)));
      expect(named).toEqual(images.map(({ label }) => label));
    });

    it("does so behind a handler of one's own, deployed by operation 3", async () => {
      custom = await deployHandler(place);
      expect(custom).toMatchObject({ status: "Pending", rollout_status: "Queued" });
      await reachesStatus(place, custom.id, "Running");
      const named = await Promise.all(images.map((image) => digitOfHandler(place, custom, image)));
      expect(named).toEqual(images.map(({ label }) => label));
    });

    it("is held to the bundle's interface", async () => {
      const [image] = images;
      const rows = image ? rowsOf(image).slice(1) : [];
      const refused = await request(place, inferPath(custom), { input: { rows } });
      expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining("/rows")]);
    });

    it("is hidden from other organisations", async () => {
      const foreign = { ...place, bearer: platform.description.foreign.api_key };
      const answer = await request(foreign, inferPath(model), { inputs: [] });
      expect([answer.status, answer.body.detail]).toEqual([404, "Not found"]);
    });

    it("answers nothing while it is stopped, and again when it is started", async () => {
      await request(place, `/platform/deployments/${model.id}/stop`, undefined, "POST");
      await reachesStatus(place, model.id, "Stopped");
      const refused = await request(place, inferPath(model), { inputs: [] });
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
      await request(place, `/platform/deployments/${model.id}/start`, undefined, "POST");
      await reachesStatus(place, model.id, "Running");
      const [image] = images;
      expect(image && (await digitOfModel(place, model, image))).toBe(image?.label);
    });

    it("ends with the deployment", async () => {
      for (const { id } of [model, custom]) {
        await request(place, `/platform/deployments/${id}`, undefined, "DELETE");
        await until(
          "the deployment to be gone",
          timeoutSeconds,
          async () => await request(place, `/platform/deployments/${id}`),
          ({ status }) => status === 404,
        );
      }
      expect((await request(place, inferPath(model), { inputs: [] })).status).toBe(404);
    });
  });
}

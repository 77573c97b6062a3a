import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { EngineLimitError, EngineStoppedError } from "@aiplatform/data-engine";
import { QuotaExceededError } from "@aiplatform/quotas";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import {
  EndpointGoneError,
  EndpointRefusedError,
  EndpointUnavailableError,
} from "../embedding-endpoints/endpoint-errors.ts";
import { DeploymentsUnavailableError } from "../other-services/dataset-predictions.ts";
import { ArtifactLostError, ArtifactsUnavailableError } from "../other-services/stored-artifacts.ts";
import { CacheFullError } from "../parquet-cache/parquet-cache.ts";
import { UnfitRowsError } from "./embedding.ts";
import { maxFailures, maxStops, problemOf } from "./embedding-problem.ts";

const stops = (count: number) => async () => count;
const never = () => Promise.reject(new Error("it was counted"));
const refused = (code: Code, reason: string) =>
  new ConnectError("said", code, undefined, [{ desc: ErrorInfoSchema, value: { reason } }]);
const unfit = { rule: "input", message: "a list is missing", remedy: "Add it" };

describe("a failure to embed rows", () => {
  const final: readonly (readonly [string, Error, string])[] = [
    ["rows that do not fit", new UnfitRowsError(unfit), "input"],
    ["a model that refuses", refused(Code.FailedPrecondition, "PREDICTION_REFUSED"), "refused"],
    ["another version that serves", refused(Code.FailedPrecondition, "DEPLOYMENT_VERSION_GONE"), "version"],
    ["a deployment that is gone", refused(Code.NotFound, "NOT_FOUND"), "version"],
    ["an endpoint that refuses", new EndpointRefusedError("said"), "refused"],
    ["an endpoint that is gone from the settings", new EndpointGoneError("said"), "endpoint"],
    ["a full store of artifacts", refused(Code.FailedPrecondition, "QUOTA_EXCEEDED"), "quota"],
    ["a quota", new QuotaExceededError({ name: "dataset_bytes", limit: 1, used: 1 }, 5), "quota"],
    ["a limit of a request", new EngineLimitError("memory", "too much memory"), "size"],
    ["rows that are gone", new ArtifactLostError("0".repeat(64), "is gone"), "input"],
  ];
  it.each(final)("is the problem of the embedding: %s", async (_, failure, rule) => {
    const problem = await problemOf(failure, never);
    expect(problem).toMatchObject({ rule, message: expect.stringMatching(/./), remedy: expect.stringMatching(/./) });
  });

  const passing: readonly (readonly [string, Error])[] = [
    ["a deployment that does not serve", refused(Code.Unavailable, "NOTHING_RUNS")],
    ["an instance that does not answer", refused(Code.Unavailable, "DEPLOYMENT_UNAVAILABLE")],
    ["deployments that cannot be asked", new DeploymentsUnavailableError("does not answer")],
    ["an endpoint that does not answer", new EndpointUnavailableError("said")],
    ["artifacts that cannot be asked", new ArtifactsUnavailableError("does not answer")],
    ["a full cache", new CacheFullError()],
  ];
  it.each(passing)("is waited for: %s", async (_, failure) => {
    expect(await problemOf(failure, never)).toBeUndefined();
  });

  const counted: readonly (readonly [string, Error, number, string])[] = [
    ["a process that stops", new EngineStoppedError("SIGKILL"), maxStops, "stopped"],
    ["a model that fails", refused(Code.Unavailable, "PREDICTION_FAILED"), maxFailures, "answer"],
  ];
  it.each(counted)("is tried again until it was there too often: %s", async (_, failure, most, rule) => {
    expect(await problemOf(failure, stops(most - 1))).toBeUndefined();
    expect(await problemOf(failure, stops(most))).toMatchObject({ rule });
  });
});

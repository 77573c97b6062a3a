import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { StoreUnavailableError } from "@aiplatform/document-store";
import { InvalidFieldsError } from "@aiplatform/service-host";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { StepFailedError } from "../automation-steps/step-outcome.ts";
import { DatasetNotFoundError } from "../datasets/dataset.ts";
import { isTemporary, messageOf, retryPauseMs } from "./step-failure.ts";

const invalid = new InvalidFieldsError([
  { field: "subject", reason: "TEMPLATE_INVALID", description: "cannot be read" },
  { field: "text", reason: "MISSING", description: "Field required" },
]);

const suspended = new ConnectError("suspended", Code.PermissionDenied, undefined, [
  { desc: ErrorInfoSchema, value: { reason: "ORGANISATION_SUSPENDED", domain: "aiplatform" } },
]);

describe("what a step threw", () => {
  it.each<[string, unknown, boolean, unknown]>([
    ["a failure of its own", new StepFailedError("no model"), false, "no model"],
    ["an outage of another service", new ConnectError("away", Code.Unavailable), true, "away"],
    ["an answer that is late", new ConnectError("late", Code.DeadlineExceeded), true, "late"],
    ["a conflict", new ConnectError("twin", Code.Aborted), true, "twin"],
    ["a budget that is used up", new ConnectError("slow down", Code.ResourceExhausted), true, "slow down"],
    ["the suspension of the organisation", suspended, true, "suspended"],
    ["a refusal", new ConnectError("no", Code.PermissionDenied), false, "no"],
    ["an outage of the database", new StoreUnavailableError("away"), true, expect.any(String)],
    ["fields that are wrong", invalid, false, "subject: cannot be read; text: Field required"],
    ["an error that callers see", new DatasetNotFoundError("id"), false, expect.any(String)],
    ["an error that callers do not see", new TypeError("at line 3 of secret.ts"), false, undefined],
  ])("is judged: %s", (_, error, temporary, message) => {
    expect([isTemporary(error), messageOf(error)]).toEqual([temporary, message]);
  });

  it("is tried again after a second, two, four and so on, up to a minute", () => {
    expect([1, 2, 3, 7, 19].map((attempts) => retryPauseMs(attempts, 1_000, () => 1))).toEqual([
      1_000, 2_000, 4_000, 60_000, 60_000,
    ]);
  });
});

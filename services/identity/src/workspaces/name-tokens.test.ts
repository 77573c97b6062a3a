import { describe, expect, it } from "vitest";
import { nameTokens } from "./name-tokens.ts";

describe("what a name is about", () => {
  it.each([
    ["customer churn", ["customer", "churn"]],
    ["Customer-Churn_report.v2", ["customer", "churn"]],
    ["customerChurnTraining", ["customer", "churn"]],
    ["HTTPLogs 2024", ["httplogs"]],
    ["the final model of 2024-05-01 (v12)", []],
    ["churn CHURN Churn", ["churn"]],
    ["Ünï-Köde ﬁnance", ["ünï", "köde", "finance"]],
    ["résumé 売上データ", ["résumé", "売上データ"]],
    ["q4 kpi", ["kpi"]],
    ["", []],
  ])("%s is about %j", (name, tokens) => {
    expect(nameTokens(name)).toEqual(tokens);
  });
});

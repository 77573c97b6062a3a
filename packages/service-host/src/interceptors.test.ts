import { FailedCredentialLimiter } from "@aiplatform/caller-identity";
import { trace } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { hostSettings } from "./host-settings.ts";
import { serverInterceptors } from "./interceptors.ts";
import { createLogger } from "./logger.ts";
import { readSettings } from "./settings/read-settings.ts";
import { startTelemetry } from "./telemetry/telemetry.ts";

describe("the interceptors of a service", () => {
  it("stand in this order, outermost first", () => {
    const { meter } = startTelemetry({ service: "x", config: readSettings(hostSettings, {}) });
    const parts = {
      tracer: trace.getTracer("x"),
      meter,
      logger: createLogger({ service: "x", level: "silent" }),
      newId: () => "id",
      errors: new Map(),
      trust: undefined,
      failedCredentials: new FailedCredentialLimiter({ perMinute: 20 }),
      callers: { verifier: { verify: () => Promise.reject(new Error("unused")) } },
    };
    expect(serverInterceptors(parts).map(({ name }) => name)).toEqual([
      "trace",
      "request id",
      "log and metrics",
      "error mapping",
      "deadline",
      "authentication",
      "access",
      "validation",
      "JSON validation",
      "id normalization",
    ]);
  });
});

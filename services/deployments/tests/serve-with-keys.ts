import { createContextVerifier } from "@aiplatform/caller-identity";
import { runUntilSignal } from "@aiplatform/service-host";
import { readConfig, startDeploymentsService } from "../src/index.ts";

// The service as a process of its own, believing the test's keys instead of identity's.
const jwks = process.env["VERIFICATION_KEYS"] ?? "";
const verifier = createContextVerifier({ jwks: async () => jwks, now: () => new Date() });
process.on("message", () => process.send?.(process.memoryUsage().rss));
await runUntilSignal(() => startDeploymentsService(readConfig(process.env), { callers: { verifier } }));

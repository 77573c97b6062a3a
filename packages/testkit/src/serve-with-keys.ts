import { createContextVerifier } from "@aiplatform/caller-identity";
import { type Callers, type RunningProcess, runUntilSignal } from "@aiplatform/service-host";

/**
 * The program of a {@link ServiceProcess}: the service as a process of its own, which believes the test's keys instead of
 * identity's. It answers each message with the bytes of memory that it takes.
 */
export async function serveWithKeys(start: (callers: Callers) => Promise<RunningProcess>): Promise<void> {
  const jwks = process.env["VERIFICATION_KEYS"] ?? "";
  const verifier = createContextVerifier({ jwks: async () => jwks, now: () => new Date() });
  process.on("message", () => process.send?.(process.memoryUsage().rss));
  await runUntilSignal(() => start({ verifier }));
}

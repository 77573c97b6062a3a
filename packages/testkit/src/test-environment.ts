import { randomUUID } from "node:crypto";
import type { ServiceKeyFiles } from "@aiplatform/service-keys";
import { serviceKeyFiles } from "./service-keys.ts";

/** Where a service keeps its data, and its keys: shared by replicas. */
export interface TestEnvironment extends ServiceKeyFiles {
  MONGODB_URI: string;
  MONGODB_DATABASE: string;
  NATS_URL: string;
  NATS_STREAM: string;
}

/** A database and a stream of this test's own for a service. Default: on the parts that the whole run shares. */
export function newTestEnvironment(
  service: string,
  parts: { mongodbUri?: string; natsUrl?: string } = {},
): TestEnvironment {
  const name = `t_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  return {
    MONGODB_URI: parts.mongodbUri ?? process.env["TEST_MONGODB_URI"] ?? "",
    MONGODB_DATABASE: name,
    NATS_URL: parts.natsUrl ?? process.env["TEST_NATS_URL"] ?? "",
    NATS_STREAM: name,
    ...serviceKeyFiles(service),
  };
}

/** Settings of a service on any free ports. */
export function environmentOf(home: TestEnvironment, settings: Record<string, string> = {}): Record<string, string> {
  const ports = { HOST: "127.0.0.1", GRPC_PORT: "0", HTTP_PORT: "0", ADMIN_PORT: "0" };
  // Every test comes from the same address.
  const guesses = { FAILED_CREDENTIALS_PER_MINUTE: "1000000" };
  return { ...ports, ...guesses, LOG_LEVEL: "error", SHUTDOWN_GRACE_MS: "1000", ...home, ...settings };
}

/** What a program that a test starts finds of this process: its PATH, and where Node keeps compiled sources. */
export function programEnvironment(): Record<string, string> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { ...(PATH && { PATH }), ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };
}

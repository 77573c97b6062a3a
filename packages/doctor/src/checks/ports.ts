import { connect } from "node:net";
import type { Check } from "../check.ts";
import { type Finding, failed, fine } from "../finding.ts";
import { grpcHealth } from "./grpc-health.ts";

export interface Listening {
  service: string;
  /** `HOST`. */
  host: string;
  /** By the name of the setting; 0 takes any port that is free. */
  ports: Readonly<Record<string, number>>;
  /** Ports that nothing can be asked at, as they take connections with certificates alone: whatever listens counts as ours. */
  unasked: readonly string[];
}

/** The service's own ports: free, or taken by the service itself. */
export function ports(listening: Listening): Check {
  const fixed = Object.entries(listening.ports).filter(([, port]) => port !== 0);
  return {
    name: "ports",
    remedy: "HOST, GRPC_PORT, HTTP_PORT and ADMIN_PORT say where the service listens",
    run: (signal) => Promise.all(fixed.map(([name, port]) => look(listening, { name, port }, signal))),
  };
}

async function look(
  { service, host: bound, unasked }: Listening,
  { name, port }: { name: string; port: number },
  signal: AbortSignal,
): Promise<Finding> {
  const host = reachableHost(bound);
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const where = `${name} ${address}`;
  if (!(await isTaken(host, port))) return fine(`${where} is free`);
  if (unasked.includes(name) || (await isOurs(name, address, signal)))
    return fine(`${where} is answered by ${service}`);
  return failed(`${where} is taken by something else`, `stop it, or set ${name} of ${service} to a port that is free`);
}

function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}

function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2_000 }, () => socket.destroy());
    socket.on("error", () => resolve(false)).on("timeout", () => socket.destroy(new Error("no answer")));
    socket.on("close", (wasError) => resolve(!wasError));
  });
}

async function isOurs(name: string, address: string, signal: AbortSignal): Promise<boolean> {
  if (name === "GRPC_PORT") return (await grpcHealth(address, {}).catch(() => "silent")) !== "silent";
  const path = name === "ADMIN_PORT" ? "/livez" : "/";
  const response = await fetch(`http://${address}${path}`, { signal, redirect: "manual" }).catch(() => undefined);
  if (!response) return false;
  const text = await response.text();
  if (name === "ADMIN_PORT") return text.trim() === '{"status":"ok"}';
  return response.headers.has("x-request-id") || text.includes('"no such RPC"');
}

import { connect } from "node:net";
import { type Check, type Finding, failed, fine } from "../check.ts";
import type { Service } from "../services.ts";
import { grpcHealth } from "./grpc-health.ts";

type PortName = "GRPC_PORT" | "HTTP_PORT" | "ADMIN_PORT" | "SERVING_FILES_PORT";

/** The service's own ports: free, or taken by the service itself. */
export const ports: Check = {
  name: "ports",
  looks: (services) =>
    services.map((service) => ({
      of: [service.name],
      remedy: "HOST, GRPC_PORT, HTTP_PORT and ADMIN_PORT say where the service listens",
      run: async (signal) => Promise.all(portsOf(service).map(([name, port]) => look(service, { name, port }, signal))),
    })),
};

function portsOf({ kind, config }: Service): [PortName, number][] {
  const all: [PortName, number][] = [
    ["HTTP_PORT", config.HTTP_PORT],
    ["ADMIN_PORT", config.ADMIN_PORT],
  ];
  if (kind !== "gateway") all.push(["GRPC_PORT", config.GRPC_PORT]);
  if (kind === "deployments" && config.SERVING_DRIVER === "kubernetes")
    all.push(["SERVING_FILES_PORT", config.SERVING_FILES_PORT]);
  // 0 takes any port that is free.
  return all.filter(([, port]) => port !== 0);
}

async function look(
  service: Service,
  { name, port }: { name: PortName; port: number },
  signal: AbortSignal,
): Promise<Finding> {
  const host = hostOf(service);
  const where = `${name} ${host.includes(":") ? `[${host}]` : host}:${port}`;
  if (!(await isTaken(host, port))) return fine(`${where} is free`);
  const isOurs = await ours(service, name, { address: `${host.includes(":") ? `[${host}]` : host}:${port}`, signal });
  if (isOurs) return fine(`${where} is answered by ${service.kind}`);
  return failed(
    `${where} is taken by something else`,
    `stop it, or set ${name} of ${service.name} to a port that is free`,
  );
}

function hostOf({ config: { HOST: host } }: Service): string {
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

interface Place {
  address: string;
  signal: AbortSignal;
}

/** Whether a service of ours answers there. A TLS port is not asked, as that needs a certificate: it counts as ours. */
async function ours(service: Service, name: PortName, { address, signal }: Place): Promise<boolean> {
  const isSecured = Boolean(service.config.TLS_CERT_FILE) && service.kind !== "gateway";
  if (name === "SERVING_FILES_PORT" || (isSecured && name !== "ADMIN_PORT")) return true;
  if (name === "GRPC_PORT") return (await grpcHealth(address, {}).catch(() => "silent")) !== "silent";
  const path = name === "ADMIN_PORT" ? "/livez" : "/";
  const response = await fetch(`http://${address}${path}`, { signal, redirect: "manual" }).catch(() => undefined);
  if (!response) return false;
  const text = await response.text();
  if (name === "ADMIN_PORT") return text.trim() === '{"status":"ok"}';
  return response.headers.has("x-request-id") || text.includes('"no such RPC"');
}

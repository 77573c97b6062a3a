import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { programEnvironment } from "@aiplatform/testkit";

/** A service in a process of its own; ended politely when it is disposed of. */
export interface ServiceProcess extends AsyncDisposable {
  /** Where it listens: host:port of gRPC, a URL of HTTP. */
  readonly addresses: { readonly grpc?: string; readonly http: string };
}

/** Starts a service from the sources in a directory, and resolves when it says that it is ready. */
export async function startServiceProcess(
  directory: string,
  name: string,
  environment: Record<string, string>,
): Promise<ServiceProcess> {
  const entry = join(directory, "services", name, "src/main.ts");
  const env = {
    ...programEnvironment(),
    HOST: "127.0.0.1",
    HTTP_PORT: "0",
    ADMIN_PORT: "0",
    LOG_LEVEL: "error",
    ...environment,
  };
  const child = spawn(process.execPath, [entry], { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "exit");
  const ready = Promise.withResolvers<ServiceProcess["addresses"]>();
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  createInterface(child.stdout).on("line", (line) => {
    said += `${line}\n`;
    const message: { msg?: string; addresses?: ServiceProcess["addresses"] } = JSON.parse(line);
    if (message.msg === "ready" && message.addresses) ready.resolve(message.addresses);
  });
  ended.then(() => ready.reject(new Error(`${name} ended before it was ready:\n${said}`)), ready.reject);
  return {
    addresses: await ready.promise,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

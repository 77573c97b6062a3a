import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { parseManifest } from "../manifest.ts";
import { runtimeCommand } from "../runtime-command.ts";
import { containerPaths, containerPorts } from "./container-paths.ts";
import { parseFileList } from "./file-list.ts";

/** Settings of the runtime that the pod's creator may choose. */
const passedOn = ["MAX_BODY_BYTES", "ONNX_THREADS", "LOAD_TIMEOUT_MS"] as const;

/** Command line behind `node` and environment of the runtime in a container. @throws ManifestError, FileListError */
export function containerCommand(
  given: Readonly<Record<string, string | undefined>>,
  paths: { directory: string; settings: string; certificate: string } = containerPaths,
): { args: string[]; env: Record<string, string> } {
  // Mounted settings are links; the runtime may read only where its permissions name the real place.
  const manifestPath = realpathSync(join(paths.settings, "manifest.json"));
  const directory = realpathSync(paths.directory);
  const { memory_mb: memoryMb, timeout_ms } = parseManifest(readFileSync(manifestPath, "utf8"));
  const { files } = parseFileList(readFileSync(join(paths.settings, "files.json"), "utf8"));
  const models = files.some(({ path }) => path.endsWith(".onnx"));
  const certificateDirectory = existsSync(paths.certificate) ? realpathSync(paths.certificate) : undefined;
  const env = {
    SERVING_DIRECTORY: directory,
    SERVING_MANIFEST: manifestPath,
    SERVING_TOKEN: readFileSync(join(paths.settings, "token"), "utf8"),
    HOST: "0.0.0.0",
    ...portAndCertificate(certificateDirectory),
    GRPC_PORT: String(containerPorts.grpc),
    SHUTDOWN_GRACE_MS: String(timeout_ms + 1_000),
    ...Object.fromEntries(passedOn.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]))),
  };
  return { args: runtimeCommand({ directory, manifestPath, certificateDirectory, memoryMb, models }), env };
}

function portAndCertificate(directory: string | undefined): Record<string, string> {
  if (directory === undefined) return { PORT: String(containerPorts.http) };
  const files = { TLS_CERT_FILE: join(directory, "tls.crt"), TLS_KEY_FILE: join(directory, "tls.key") };
  return { PORT: String(containerPorts.https), ...files };
}

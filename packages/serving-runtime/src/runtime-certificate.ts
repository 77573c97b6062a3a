import { SettingsError } from "@aiplatform/service-host/read-settings";
import { WatchedCertificate } from "@aiplatform/service-host/watched-certificate";
import type { RuntimeConfig } from "./config.ts";

const say = (facts: unknown, msg?: string) => {
  process.stderr.write(`${JSON.stringify({ msg, ...(typeof facts === "object" ? facts : {}) })}\n`);
};

/** The certificate that clients of an instance see; nothing where the settings name none. @throws SettingsError when the files are invalid */
export function openRuntimeCertificate({
  TLS_CERT_FILE: cert,
  TLS_KEY_FILE: key,
}: Pick<RuntimeConfig, "TLS_CERT_FILE" | "TLS_KEY_FILE">): WatchedCertificate | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) throw new SettingsError(["TLS_CERT_FILE is not set, but TLS_KEY_FILE: set both or none"]);
  if (key === undefined) throw new SettingsError(["TLS_KEY_FILE is not set, but TLS_CERT_FILE: set both or none"]);
  const files = { cert: { setting: "TLS_CERT_FILE", path: cert }, key: { setting: "TLS_KEY_FILE", path: key } };
  return new WatchedCertificate(files, {
    use: "predictions",
    minVersion: "TLSv1.3",
    logger: { info: say, warn: say, error: say },
  });
}

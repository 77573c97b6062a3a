import { defineSettings, SettingsError, type SettingsValues } from "../settings/read-settings.ts";
import { setting } from "../settings/setting.ts";
import type { MeshCertificateFiles } from "./certificate.ts";

/** What a client or server inside the mesh needs to prove its identity; all of it or nothing. */
export const tlsSettings = defineSettings({
  TLS_CERT_FILE: setting.text({
    optional: true,
    description:
      "PEM file of the certificate for calls between services, which then take TLS 1.3 with certificates on both sides; read again when it changes. Unset: without TLS.",
  }),
  TLS_KEY_FILE: setting.text({ optional: true, description: "PEM file of that certificate's private key." }),
  TLS_CA_FILE: setting.text({
    optional: true,
    description:
      "PEM file of the authorities whose certificates are accepted, from callers and from services that are called.",
  }),
});

export type TlsConfig = Partial<SettingsValues<typeof tlsSettings>>;

const names = ["TLS_CERT_FILE", "TLS_KEY_FILE", "TLS_CA_FILE"] as const;

/** The files, or nothing where TLS is off. @throws SettingsError when only some are set. */
export function certificateFilesOf(config: TlsConfig): MeshCertificateFiles | undefined {
  const { TLS_CERT_FILE, TLS_KEY_FILE, TLS_CA_FILE } = config;
  if (TLS_CERT_FILE && TLS_KEY_FILE && TLS_CA_FILE) return { TLS_CERT_FILE, TLS_KEY_FILE, TLS_CA_FILE };
  const set = names.filter((name) => config[name]);
  if (set.length === 0) return undefined;
  const missing = names.filter((name) => !config[name]);
  throw new SettingsError(missing.map((name) => `${name} is not set, but ${set.join(" and ")}: set all three or none`));
}

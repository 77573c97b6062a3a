import { X509Certificate } from "node:crypto";
import { Agent } from "node:https";
import {
  defineSettings,
  type Logger,
  SettingsError,
  type SettingsValues,
  setting,
  TrustedAuthorities,
  WatchedCertificate,
} from "@aiplatform/service-host";

/** How instances prove to the gateway that they are ones; all three files or none. */
export const servingTlsSettings = defineSettings({
  SERVING_TLS_CERT_FILE: setting.text({
    optional: true,
    description:
      "PEM file of the certificate that all instances show, which then take TLS 1.3 alone; it names SERVING_TLS_SERVER_NAME; read again when it changes. Unset: instances are without TLS.",
  }),
  SERVING_TLS_KEY_FILE: setting.text({ optional: true, description: "PEM file of that certificate's private key." }),
  SERVING_TLS_CA_FILE: setting.text({
    optional: true,
    description:
      "PEM file of the authorities that certify instances, the same as SERVING_CA_FILE of the gateway; better others than in TLS_CA_FILE, for instances run code of others.",
  }),
  SERVING_TLS_SERVER_NAME: setting.text({
    default: "serving-instance",
    description: "Name in the certificate of the instances, whatever address they are reached at.",
  }),
});

export type ServingTlsConfig = SettingsValues<typeof servingTlsSettings>;

/** What instances prove themselves with, and what their proof is held to. */
export interface ServingTls {
  /** Certificate and key of every instance. */
  readonly certificate: WatchedCertificate;
  readonly authorities: TrustedAuthorities;
  readonly serverName: string;
  /** Those that were verified: what is open serves the next question, and spares it a handshake. */
  readonly connections: Agent;
  readonly logger: Pick<Logger, "error">;
  /** Watches the files no longer, and closes the connections. */
  close(): void;
}

const idleMs = 30_000;
const names = ["SERVING_TLS_CERT_FILE", "SERVING_TLS_KEY_FILE", "SERVING_TLS_CA_FILE"] as const;

/** Reads the files; nothing where the settings name none. @throws SettingsError when they are invalid */
export function openServingTls(config: ServingTlsConfig, logger: Logger): ServingTls | undefined {
  const { SERVING_TLS_CERT_FILE: cert, SERVING_TLS_KEY_FILE: key, SERVING_TLS_CA_FILE: ca } = config;
  if (!cert || !key || !ca) return assertNone(config);
  const files = {
    cert: { setting: "SERVING_TLS_CERT_FILE", path: cert },
    key: { setting: "SERVING_TLS_KEY_FILE", path: key },
    ca: { setting: "SERVING_TLS_CA_FILE", path: ca },
  };
  const authorities = new TrustedAuthorities(files.ca);
  const certificate = new WatchedCertificate(files, { use: "instances", minVersion: "TLSv1.3", logger });
  const serverName = config.SERVING_TLS_SERVER_NAME;
  if (new X509Certificate(certificate.options.cert).checkHost(serverName) === undefined) {
    certificate.close();
    throw new SettingsError([
      `SERVING_TLS_CERT_FILE names ${cert}, which is no certificate of ${serverName} (SERVING_TLS_SERVER_NAME): issue one with that DNS name`,
    ]);
  }
  // A session that is resumed would not be verified again.
  const connections = new Agent({ keepAlive: true, timeout: idleMs, maxCachedSessions: 0 });
  const close = () => {
    certificate.close();
    connections.destroy();
  };
  return { certificate, authorities, serverName, connections, logger, close };
}

function assertNone(config: ServingTlsConfig): undefined {
  const set = names.filter((name) => config[name]);
  if (set.length === 0) return undefined;
  const missing = names.filter((name) => !config[name]);
  throw new SettingsError(missing.map((name) => `${name} is not set, but ${set.join(" and ")}: set all three or none`));
}

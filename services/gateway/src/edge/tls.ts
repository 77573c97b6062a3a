import type { Socket } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { type Logger, SettingsError, WatchedCertificate } from "@aiplatform/service-host";

/** Where the gateway's own certificate is, which its clients see. */
export interface EdgeTlsConfig {
  readonly HTTP_TLS_CERT_FILE?: string | undefined;
  readonly HTTP_TLS_KEY_FILE?: string | undefined;
}

/** The certificate for clients; nothing where the settings name none. @throws SettingsError when the files cannot be used */
export function openEdgeCertificate(config: EdgeTlsConfig, logger: Logger): WatchedCertificate | undefined {
  const { HTTP_TLS_CERT_FILE: cert, HTTP_TLS_KEY_FILE: key } = config;
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined)
    throw new SettingsError(["HTTP_TLS_CERT_FILE is not set, but HTTP_TLS_KEY_FILE: set both or none"]);
  if (key === undefined)
    throw new SettingsError(["HTTP_TLS_KEY_FILE is not set, but HTTP_TLS_CERT_FILE: set both or none"]);
  const files = {
    cert: { setting: "HTTP_TLS_CERT_FILE", path: cert },
    key: { setting: "HTTP_TLS_KEY_FILE", path: key },
  };
  return new WatchedCertificate(files, { use: "clients of HTTP_PORT", minVersion: "TLSv1.2", logger });
}

export interface TlsConnections {
  readonly certificate: WatchedCertificate;
  /** For the handshake, ms. */
  readonly handshakeTimeoutMs: number;
  /** Gets each connection after its handshake; `alpnProtocol` says what its client chose. */
  readonly take: (socket: TLSSocket) => void;
}

/** Begins TLS on connections that are open. What fails in a handshake ends its connection alone. */
export function acceptTls({ certificate, handshakeTimeoutMs, take }: TlsConnections): (socket: Socket) => void {
  const server = createServer({
    ...certificate.options,
    ALPNProtocols: ["h2", "http/1.1"],
    handshakeTimeout: handshakeTimeoutMs,
  });
  certificate.onRenewal((options) => server.setSecureContext(options));
  server.on("secureConnection", take);
  server.on("tlsClientError", (_error, socket) => socket.destroy());
  return (socket) => {
    server.emit("connection", socket);
  };
}

import { isIP, type Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { ChannelCredentials, credentials, experimental, ServerCredentials } from "@grpc/grpc-js";
import type { Logger } from "../logger.ts";
import { certificateFilesOf, type TlsConfig } from "./tls-settings.ts";
import { WatchedCertificate } from "./watched-certificate.ts";

/** Who this process is inside the mesh, and whom it believes. */
export class MeshIdentity extends WatchedCertificate {
  /** Reads the files that the settings name; nothing where they name none. @throws SettingsError when they are invalid. */
  static open(config: TlsConfig, logger?: Pick<Logger, "info" | "warn" | "error">): MeshIdentity | undefined {
    const named = certificateFilesOf(config);
    if (!named) return undefined;
    const files = {
      cert: { setting: "TLS_CERT_FILE", path: named.TLS_CERT_FILE },
      key: { setting: "TLS_KEY_FILE", path: named.TLS_KEY_FILE },
      ca: { setting: "TLS_CA_FILE", path: named.TLS_CA_FILE },
    };
    return new MeshIdentity(files, { use: "calls between services", minVersion: "TLSv1.3", logger });
  }

  serverCredentials(): ServerCredentials {
    return new MeshServerCredentials(this);
  }

  channelCredentials(): ChannelCredentials {
    return new MeshChannelCredentials(this);
  }

  /** TLS on an open connection with the certificate of this moment, once the peer has proved that it is `authority`. */
  secured(socket: Socket, { authority, protocol }: { authority: string; protocol: Protocol }): Promise<TLSSocket> {
    const host = experimental.splitHostPort(authority)?.host ?? authority;
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const secure = connect({ socket, host, ...servername, secureContext: this.context, ALPNProtocols: [protocol] });
    return new Promise((resolve, reject) => {
      // Also once it is connected: without a listener an error would end the process.
      secure.on("error", reject);
      secure.once("close", () => reject(new Error("the connection was closed during the handshake")));
      secure.once("secureConnect", () => resolve(secure));
    });
  }
}

/** What a connection is for, as TLS names it. */
type Protocol = "h2" | "http/1.1";

/** For gRPC servers: a client certificate of the mesh's authority, whatever the call. */
class MeshServerCredentials extends ServerCredentials {
  constructor(identity: MeshIdentity) {
    super({ requestCert: true, rejectUnauthorized: true }, identity.options);
    identity.onRenewal((options) => this.updateSecureContextOptions(options));
  }

  override _equals(other: ServerCredentials): boolean {
    return other === this;
  }
}

type Connector = Parameters<ChannelCredentials["_createSecureConnector"]>;

/**
 * For gRPC channels. grpc-js's own keep the certificate they were made with, and cannot call a peer by its IP address:
 * Node takes no address as the name in a handshake.
 */
class MeshChannelCredentials extends ChannelCredentials {
  readonly #identity: MeshIdentity;

  constructor(identity: MeshIdentity) {
    super();
    this.#identity = identity;
  }

  override _isSecure(): boolean {
    return true;
  }

  override _equals(other: ChannelCredentials): boolean {
    return other === this;
  }

  override _createSecureConnector(...[target, options, callCredentials]: Connector): experimental.SecureConnector {
    // The name by which the peer is called, whatever address that has resolved to.
    const named = { authority: options["grpc.default_authority"] ?? target.path, protocol: "h2" } as const;
    return {
      connect: async (socket) => ({ socket: await this.#identity.secured(socket, named), secure: true }),
      waitForReady: () => Promise.resolve(),
      getCallCredentials: () => callCredentials ?? credentials.createEmpty(),
      destroy: () => {},
    };
  }
}

import { isIP, type Socket } from "node:net";
import { connect, createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import { ChannelCredentials, credentials, experimental, ServerCredentials } from "@grpc/grpc-js";
import type { Check } from "../checks/readiness.ts";
import type { Logger } from "../logger.ts";
import { SettingsError } from "../settings/read-settings.ts";
import {
  type MeshCertificate,
  MeshCertificateError,
  type MeshCertificateFiles,
  readMeshCertificate,
} from "./mesh-certificate.ts";
import { certificateFilesOf, type TlsConfig } from "./tls-settings.ts";

/** How often the files are looked at: what mounts them says nothing when it replaces them. */
const refreshEveryMs = 5_000;
/** Part of a certificate's time that is left when the log begins to warn. */
const warnBelow = 0.1;

/** What both ends of a connection in the mesh are set up with. */
interface ContextOptions extends Pick<MeshCertificate, "cert" | "key" | "ca"> {
  readonly minVersion: "TLSv1.3";
}

type Says = Pick<Logger, "info" | "warn" | "error">;

/**
 * Who this process is inside the mesh, and whom it believes: certificate, key and authorities from files that may be
 * replaced while it runs. New connections use what is newest; those that are open go on with what they began with.
 */
export class MeshIdentity {
  readonly #files: MeshCertificateFiles;
  readonly #logger: Says | undefined;
  readonly #listeners = new Set<(options: ContextOptions) => void>();
  readonly #timer: NodeJS.Timeout;
  #certificate: MeshCertificate;
  #context: SecureContext;
  #complaint = "";
  #warned = false;

  /** Reads the files that the settings name; nothing where they name none. @throws SettingsError when they will not do. */
  static open(config: TlsConfig, logger?: Says): MeshIdentity | undefined {
    const files = certificateFilesOf(config);
    if (!files) return undefined;
    try {
      return new MeshIdentity(files, logger);
    } catch (error) {
      if (error instanceof MeshCertificateError) throw new SettingsError([error.message]);
      throw error;
    }
  }

  private constructor(files: MeshCertificateFiles, logger: Says | undefined) {
    this.#files = files;
    this.#logger = logger;
    this.#certificate = readMeshCertificate(files);
    this.#context = createSecureContext(this.options);
    this.#tell("calls between services use TLS");
    this.#timer = setInterval(() => this.refresh(), refreshEveryMs).unref();
  }

  /** For a server or a client of Node's, and for `setSecureContext` of a server. */
  get options(): ContextOptions {
    const { cert, key, ca } = this.#certificate;
    return { cert, key, ca, minVersion: "TLSv1.3" };
  }

  /** For one new connection to a peer. */
  get context(): SecureContext {
    return this.#context;
  }

  /** Calls `listener` with every certificate that replaces another. */
  onRenewal(listener: (options: ContextOptions) => void): void {
    this.#listeners.add(listener);
  }

  serverCredentials(): ServerCredentials {
    return new MeshServerCredentials(this);
  }

  channelCredentials(): ChannelCredentials {
    return new MeshChannelCredentials(this);
  }

  /** Fails, saying which file to replace, while the certificate is out of its time: every peer refuses it then. */
  readonly check: Check = async () => {
    const { validFrom, validTo } = this.#certificate;
    const [now, file] = [Date.now(), this.#files.TLS_CERT_FILE];
    const remedy = `put a valid one into ${file}; no restart is needed`;
    if (now > validTo.getTime()) throw new Error(`the TLS certificate expired at ${validTo.toISOString()}: ${remedy}`);
    if (now < validFrom.getTime()) {
      throw new Error(`the TLS certificate is not valid before ${validFrom.toISOString()}: ${remedy}`);
    }
  };

  /** Takes what the files hold by now. What will not do is logged once, and the certificate at hand is kept. */
  refresh(): void {
    try {
      const found = readMeshCertificate(this.#files);
      this.#complaint = "";
      if (isSame(found, this.#certificate)) {
        this.#warnOfEnd();
        return;
      }
      const context = createSecureContext({ ...found, minVersion: "TLSv1.3" });
      this.#certificate = found;
      this.#context = context;
      this.#warned = false;
      for (const listener of this.#listeners) listener(this.options);
      this.#tell("calls between services use a new TLS certificate");
    } catch (error) {
      const complaint = error instanceof Error ? error.message : String(error);
      // Files that are being replaced may not fit together for a moment.
      if (complaint === this.#complaint) return;
      this.#complaint = complaint;
      this.#logger?.error({ reason: complaint }, "the new TLS certificate cannot be used; the one before it is kept");
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tell(what: string): void {
    const { names, validTo } = this.#certificate;
    this.#logger?.info({ names, valid_until: validTo.toISOString() }, what);
    this.#warnOfEnd();
  }

  #warnOfEnd(): void {
    const { validFrom, validTo } = this.#certificate;
    const left = (validTo.getTime() - Date.now()) / (validTo.getTime() - validFrom.getTime());
    if (this.#warned || left > warnBelow) return;
    this.#warned = true;
    const file = this.#files.TLS_CERT_FILE;
    this.#logger?.warn({ file, valid_until: validTo.toISOString() }, "the TLS certificate expires: replace it");
  }
}

function isSame(a: MeshCertificate, b: MeshCertificate): boolean {
  return a.cert.equals(b.cert) && a.key.equals(b.key) && a.ca.equals(b.ca);
}

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
    const authority = options["grpc.default_authority"] ?? target.path;
    const host = experimental.splitHostPort(authority)?.host ?? authority;
    return {
      connect: async (socket) => ({ socket: await secured(socket, host, this.#identity.context), secure: true }),
      waitForReady: () => Promise.resolve(),
      getCallCredentials: () => callCredentials ?? credentials.createEmpty(),
      destroy: () => {},
    };
  }
}

/** TLS on an open connection, once the peer has proved that it is `host`. */
function secured(socket: Socket, host: string, secureContext: SecureContext): Promise<TLSSocket> {
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const secure = connect({ socket, host, ...servername, secureContext, ALPNProtocols: ["h2"] });
  return new Promise((resolve, reject) => {
    // Also once it is connected: without a listener an error would end the process.
    secure.on("error", reject);
    secure.once("close", () => reject(new Error("the connection was closed during the handshake")));
    secure.once("secureConnect", () => resolve(secure));
  });
}

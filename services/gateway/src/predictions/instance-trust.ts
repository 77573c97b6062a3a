import { type Logger, TrustedAuthorities } from "@aiplatform/service-host";
import { buildConnector } from "undici";

/** How instances prove that they are ones. */
export interface InstanceTrust {
  /** Absent: no instance is believed that has a certificate. */
  readonly authorities?: TrustedAuthorities | undefined;
  /** Whether predictions also go to instances without a certificate. */
  readonly acceptsPlain: boolean;
}

interface TrustConfig {
  readonly SERVING_CA_FILE?: string | undefined;
  readonly SERVING_TLS: string;
}

/** An instance does not prove that it is one, and has been sent nothing. The message completes a sentence about it. */
export class UntrustedInstanceError extends Error {
  override name = "UntrustedInstanceError";
}

/** @throws SettingsError when the file of authorities cannot be used */
export function openInstanceTrust({ SERVING_CA_FILE: path, SERVING_TLS }: TrustConfig): InstanceTrust {
  if (path === undefined) return { acceptsPlain: true };
  const authorities = new TrustedAuthorities({ setting: "SERVING_CA_FILE", path });
  return { authorities, acceptsPlain: SERVING_TLS === "accept-plain" };
}

/**
 * Connects to instances: over TLS, to those with a certificate of the authorities that the file names at that moment.
 * Fails with UntrustedInstanceError where the address alone says that nothing may be sent.
 */
export function instanceConnector(trust: InstanceTrust, timeoutMs: number): buildConnector.connector {
  const { authorities, acceptsPlain } = trust;
  const options = { timeout: timeoutMs, allowH2: false };
  const plain = buildConnector(options);
  const secure = authorities && secureConnector(authorities, options);
  return (target, callback) => {
    const refuse = (error: Error) => process.nextTick(callback, error, null);
    if (target.protocol !== "https:") {
      if (acceptsPlain) return plain(target, callback);
      return refuse(new UntrustedInstanceError("it is reached without TLS, and SERVING_TLS is required"));
    }
    if (secure) return secure(target, callback);
    return refuse(new UntrustedInstanceError("it has a certificate, and SERVING_CA_FILE names no authority"));
  };
}

function secureConnector(
  authorities: TrustedAuthorities,
  options: buildConnector.BuildOptions,
): buildConnector.connector {
  let secureContext = authorities.context;
  let connect = buildConnector({ ...options, secureContext });
  return (target, callback) => {
    try {
      const current = authorities.context;
      // A new connector as well: sessions that it resumes are not verified again.
      if (current !== secureContext) connect = buildConnector({ ...options, secureContext: current });
      secureContext = current;
    } catch (error) {
      return process.nextTick(callback, error, null);
    }
    return connect(target, callback);
  };
}

/** At most one line in this time, however many predictions fail. */
const everyMs = 10_000;

/** Logs which instance was not believed, and why: the first at once, then at most a line in ten seconds. */
export function logUntrustedInstances(logger: Pick<Logger, "error">): (url: string, reason: string) => void {
  let quietUntil = 0;
  return (url, reason) => {
    const now = performance.now();
    if (now < quietUntil) return;
    quietUntil = now + everyMs;
    logger.error({ url, reason }, "an instance is not trusted and gets no predictions");
  };
}

import { HttpError } from "@aiplatform/transcoder";
import type { Transport } from "@connectrpc/connect";

/** In place of the connections to a service that this installation does not have: its operations are answered 404. */
export function absentService(service: string): Transport & { close(): void } {
  const refuse = async () => {
    throw new HttpError(404, `This installation has no ${service} service.`, "service_not_installed");
  };
  return { unary: refuse, stream: refuse, close() {} };
}

/** Header (and metadata key) of the request id, on requests and on answers. */
export const requestIdHeader = "x-request-id";

/**
 * Metadata key (and HTTP header) in which a service says who chose the request id, for the audit log. It is believed only of a
 * call whose caller proves to be a service.
 */
export const requestIdSourceHeader = "x-request-id-source";

/** Who chose a request id. One that the platform made is the id of one request; another may be anything. */
export type RequestIdSource = "platform" | "caller";

/** By which request a service is called. */
export interface RequestName {
  readonly requestId: string;
  readonly requestIdSource: RequestIdSource;
}

/** Says by which request a service is called; what the headers say of it already comes first. */
export function nameRequest(headers: Headers, { requestId, requestIdSource }: RequestName): void {
  if (headers.has(requestIdHeader)) return;
  headers.set(requestIdHeader, requestId);
  headers.set(requestIdSourceHeader, requestIdSource);
}

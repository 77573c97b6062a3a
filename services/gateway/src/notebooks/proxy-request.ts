import type { ClientRequest, IncomingMessage } from "node:http";
import { type Caller, errorDomain, type PresentedCredential } from "@aiplatform/caller-identity";
import { NotebookSessionService } from "@aiplatform/contract/aiplatform/identity/v1/notebook_sessions";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import type { RequestName } from "@aiplatform/service-host";
import { HttpError } from "@aiplatform/transcoder";
import { Code, ConnectError } from "@connectrpc/connect";
import type { AdmissionTarget } from "../admission/admission-control.ts";
import type { Authenticator } from "../admission/authenticator.ts";
import { presentedCredential } from "../admission/presented-credential.ts";
import { headersForHub, isWebsocket, withoutToken } from "./headers.ts";
import type { NotebookPass, NotebookPasses } from "./passes.ts";
import { judgePath } from "./path.ts";

/** The RPC whose permission opens the notebooks. */
export const notebookMethod = NotebookSessionService.method.issueNotebookPass;

/** A hub takes its time, and websockets last: visits take no place of what the platform does itself. */
export const notebookTarget: AdmissionTarget = {
  path: "/notebooks/*",
  method: notebookMethod,
  isPublic: false,
  takesApiKey: false,
  takesSession: false,
  demand: "watch",
};

/** A request that may go on to the hub. */
export interface ProxyRequest {
  readonly caller: Caller;
  readonly credential: PresentedCredential;
  readonly pass: NotebookPass;
  readonly requestId: string;
  /** When it came, by `performance.now()`. */
  readonly arrivedAt: number;
  /** Path and query that the hub is asked for. */
  readonly url: string;
  /** The request to the hub, once there is one. */
  upstream?: ClientRequest;
  /** What gives up when the hub does not answer. */
  wait?: { stop(): void };
  /** Whether the caller has been answered: what fails afterwards is not answered again. */
  answered: boolean;
}

const safeMethods: ReadonlySet<string | undefined> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Jupyter's clients say `token` where others say `Bearer`; to all that follows it is the same. */
export function readJupyterCredential({ headers }: IncomingMessage): void {
  const { authorization } = headers;
  if (authorization !== undefined) headers.authorization = authorization.replace(/^token(?= )/i, "Bearer");
}

/**
 * Makes an admitted request what the hub shall see: nothing of the caller's credential is left in it.
 * @throws ConnectError or HttpError where it may not go to the hub
 */
export async function createProxyRequest(
  { passes, authenticator }: { passes: NotebookPasses; authenticator: Pick<Authenticator, "recordDenied"> },
  {
    request,
    arrivedAt,
    caller,
    ...name
  }: Pick<ProxyRequest, "arrivedAt" | "caller"> & RequestName & { request: IncomingMessage },
): Promise<ProxyRequest> {
  const { requestId } = name;
  const credential = presentedCredential(request.headers, false);
  const deny = (refused: ConnectError) => {
    authenticator.recordDenied({ request, method: notebookMethod, ...name }, refused, caller);
    return refused;
  };
  if (isForeign(request)) throw deny(foreignOrigin());
  const pass = await passes.of(caller, name).catch((error: unknown) => Promise.reject(hubFailure(error)));
  const { url = "" } = request;
  if (judgePath(url, pass.username) !== "passes") throw deny(notFound());
  request.headers = headersForHub(request, { ...pass, requestId });
  request.url = withoutToken(url);
  return { caller, credential, pass, requestId, arrivedAt, url: request.url, answered: false };
}

/** What changes something, and every websocket, comes from our own pages or from no page at all. */
function isForeign(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || (safeMethods.has(request.method) && !isWebsocket(request))) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase().replace(/:(?:80|443)$/, "");
}

function foreignOrigin(): ConnectError {
  return refusal("FOREIGN_ORIGIN", Code.PermissionDenied, "Pages of other origins may not use the notebooks");
}

function notFound(): ConnectError {
  return refusal("NOT_FOUND", Code.NotFound, "Not found");
}

function refusal(reason: string, code: Code, text: string): ConnectError {
  return new ConnectError(text, code, undefined, [{ desc: ErrorInfoSchema, value: { reason, domain: errorDomain } }]);
}

/** A hub that is away is not the platform being away. */
function hubFailure(error: unknown): unknown {
  const isHub =
    error instanceof ConnectError && error.findDetails(ErrorInfoSchema)[0]?.reason === "NOTEBOOK_HUB_UNAVAILABLE";
  return isHub ? hubAway() : error;
}

/** The hub cannot be reached, or what it says is not HTTP that could be passed on. */
export function hubAway(): HttpError {
  return new HttpError(502, "The notebooks do not answer; try again in a moment", "notebook_hub_unavailable");
}

/** The hub was reached and is silent. */
export function hubSilent(): HttpError {
  return new HttpError(504, "The notebooks took too long to answer", "notebook_hub_timeout");
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type HttpError, requestIdOf, writeError } from "@aiplatform/transcoder";
import { endConnection, protocolErrorOf } from "./protocol-errors.ts";

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The answers under way on each connection: several where requests are sent without waiting. */
export class InFlightResponses {
  readonly #inFlight = new WeakMap<Socket, Exchange[]>();
  readonly #latest = new WeakMap<Socket, IncomingMessage>();
  readonly #refused = new WeakSet<Socket>();

  /** Whether no further bytes on a connection are a request: where one begins is no longer known. */
  isRefused(socket: Socket): boolean {
    return this.#refused.has(socket);
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const exchanges = this.#inFlight.get(socket) ?? [];
    const exchange = { request, response };
    exchanges.push(exchange);
    this.#inFlight.set(socket, exchanges);
    this.#latest.set(socket, request);
    response.once("close", () => exchanges.splice(exchanges.indexOf(exchange), 1));
  }

  /** The request that is still being sent and not answered. */
  arriving(socket: Socket): IncomingMessage | undefined {
    const request = this.#inFlight.get(socket)?.at(-1)?.request;
    return request?.complete === false ? request : undefined;
  }

  /** Answers a request that two readers may read in two ways; whatever follows it is part of it to one of them. */
  refuseRequest(request: IncomingMessage, response: ServerResponse, error: HttpError): void {
    this.#refused.add(request.socket);
    const requestId = requestIdOf(request.headers["x-request-id"]);
    writeError(request, response, error, { requestId, headers: { connection: "close" } });
  }

  /** Answers what cannot be read on, once and after all that was asked before it. `code`: Node's for what is wrong. */
  refuse(socket: Socket, code: string): void {
    const error = protocolErrorOf(code);
    if (error === undefined) {
      socket.destroy();
      return;
    }
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    const exchanges = this.#inFlight.get(socket) ?? [];
    const last = exchanges.at(-1);
    // Answered before all of it was there: the client waits for no other answer.
    const isAnswered = last === undefined && this.#latest.get(socket)?.complete === false;
    if (isAnswered) socket.destroy();
    else if (last === undefined) endConnection(socket, error);
    else if (last.request.complete) last.response.once("close", () => endConnection(socket, error));
    else if (exchanges.length > 1 || last.response.headersSent) socket.destroy();
    else this.refuseRequest(last.request, last.response, error);
  }
}

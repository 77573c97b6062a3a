import type { Answer, Ask, Json } from "../mesh/rest.ts";
import type { FaultyPlatform } from "./faulty-platform.ts";

/** One request of an operation on things of its own, and what it has to leave behind. */
export interface Tale {
  request: Ask;
  /** What is to be there afterwards, as {@link found} finds it. */
  expected: Json;
  /** Reads what the request has left behind. `answer`: what it was answered in the end. */
  found(answer: Answer): Promise<Json>;
  /** Events that it causes, each once, in the database of this service. Default: none. */
  causes?: { service: string; events: readonly string[]; anyNumberOf?: readonly string[] };
  /** Records in the audit log. Default 0. */
  records?: number;
  /** How long the request is repeated at least. Default 25. */
  timeoutSeconds?: number;
  /** How it is answered. Default: with the success of the operation. */
  status?: number;
  /** Statuses other than the success that a repeat may be answered with, when the first request had its effect. */
  repeatedAs?: readonly number[];
  /** Ends what would go on running. */
  cleanUp?(answer: Answer): Promise<void>;
}

/** An operation of the specification, and how its tale begins. */
export interface Story {
  title: string;
  operation: string;
  /** Makes what the request needs. */
  prepare(environment: FaultyPlatform): Promise<Tale>;
}

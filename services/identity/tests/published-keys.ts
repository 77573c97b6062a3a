import { createServer, type RequestListener } from "node:http";
import { listenOnLoopback } from "@aiplatform/testkit";
import type { JWK } from "jose";

/** A server that answers a key set at every path, and counts who asks. */
export interface PublishedKeys extends AsyncDisposable {
  url: string;
  /** How often it was asked. */
  asked(): number;
  /** Publishes the public halves of these keys from now on. */
  publish(keys: JWK[]): void;
  /** Answers like this from now on. */
  answer(listener: RequestListener): void;
}

const privateMembers = new Set(["d", "p", "q", "dp", "dq", "qi"]);

/** Publishes the public halves of the keys on loopback. */
export async function publishKeys(keys: JWK[]): Promise<PublishedKeys> {
  let asked = 0;
  let listener = answering(keys);
  const server = createServer((request, response) => {
    asked += 1;
    response.shouldKeepAlive = false;
    listener(request, response);
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    asked: () => asked,
    publish: (others) => {
      listener = answering(others);
    },
    answer: (other) => {
      listener = other;
    },
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

function answering(keys: JWK[]): RequestListener {
  const isPublic = ([member]: [string, unknown]) => !privateMembers.has(member);
  const body = JSON.stringify({ keys: keys.map((key) => Object.fromEntries(Object.entries(key).filter(isPublic))) });
  return (_, response) => void response.setHeader("content-type", "application/json").end(body);
}

import { createHash } from "node:crypto";
import { ask, type Json, type Reachable, until } from "../mesh/rest.ts";

/** What a file is, and its name. Default: CSV. */
interface FileOptions {
  format?: string;
  name?: string;
}

/** Makes datasets and versions over REST, as a client does. */
export class DatasetFiles {
  readonly #platform: () => Reachable;

  constructor(platform: () => Reachable) {
    this.#platform = platform;
  }

  /** Uploads a file; answers its SHA-256. */
  async upload(content: string | Uint8Array, bearer?: string): Promise<string> {
    const { gateway, bearer: own } = this.#platform();
    const bytes = Buffer.from(content);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const headers = { authorization: `Bearer ${bearer ?? own}` };
    const answer = await fetch(`${gateway}/platform/artifacts/${sha256}`, { method: "PUT", body: bytes, headers });
    if (answer.status !== 200) throw new Error(`the upload was answered ${answer.status}: ${await answer.text()}`);
    return sha256;
  }

  /** A dataset without columns; answers the path of its versions. */
  async dataset(name: string): Promise<{ id: string; versions: string }> {
    const { body } = await ask(this.#platform(), { path: "/platform/datasets", body: { name } });
    return { id: body.id, versions: `/platform/datasets/${body.id}/versions` };
  }

  /** A version of one file. */
  async create(versions: string, content: string | Uint8Array, { format = "csv", name = "data" }: FileOptions = {}) {
    const files = [{ artifact_sha256: await this.upload(content), name, format }];
    const { status, body } = await ask(this.#platform(), { path: versions, body: { files } });
    if (status !== 201) throw new Error(`a version was answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  /** The version once it is in one of the states. */
  async settled(versions: string, { id }: { id: string }, ...states: string[]): Promise<Json> {
    const look = () => ask(this.#platform(), { path: `${versions}/${id}` });
    const { body } = await until(`the version to be ${states.join(" or ")}`, 60, look, ({ body: { state } }) => {
      return states.includes(state);
    });
    return body;
  }

  /** A version of one file that is ready. */
  async ready(versions: string, content: string | Uint8Array, options: FileOptions = {}) {
    return this.settled(versions, await this.create(versions, content, options), "ready", "failed");
  }
}

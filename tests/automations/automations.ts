import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { MongoClient } from "mongodb";
import { ask, type Json, until } from "../mesh/rest.ts";

const dayMs = 24 * 3_600_000;

/** Automations of a platform, over REST. */
export class Automations {
  readonly #platform: () => LocalPlatform;

  constructor(platform: () => LocalPlatform) {
    this.#platform = platform;
  }

  /** What the platform answers. @throws Error unless it is a success */
  async asked(
    path: string,
    { body, method, headers }: { body?: Json; method?: string; headers?: Record<string, string> } = {},
  ) {
    const wanted = { path, ...(body && { body }), ...(method && { method }), ...(headers && { headers }) };
    const answer = await ask(this.#platform().description, wanted);
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }

  /** The path of an automation that is published with these steps. */
  async published(steps: readonly Json[], trigger?: Json): Promise<string> {
    const { id } = await this.asked("/platform/automations", { body: { name: `Data ${randomUUID()}` } });
    const path = `/platform/automations/${id}`;
    const named = steps.map((template, index) => ({
      key: `s${index}`,
      name: `Step ${index}`,
      prompt_template: template,
    }));
    const step_transitions = named
      .slice(1)
      .map(({ key }, index) => ({ source: `s${index}`, target: key, label: "ready" }));
    await this.asked(`${path}/draft`, {
      method: "PUT",
      body: { steps: named, step_transitions, ...(trigger && { trigger }) },
    });
    await this.asked(`${path}/publish`, { method: "POST", headers: { "if-match": "*" } });
    return path;
  }

  /** A run on demand, once it has ended. */
  async ran(path: string, input: Json = {}): Promise<Json> {
    const { id } = await this.asked(`${path}/runs`, { body: { input } });
    return await this.#ended(id);
  }

  /** The runs of an automation, the first first, once there are so many and all have ended. */
  async endedRuns(path: string, count: number): Promise<Json[]> {
    const look = (): Promise<Json[]> => this.asked(`${path}/runs?order_by=created_at`);
    const runs = await until(`${count} runs of ${path}`, 90, look, ({ length }) => length >= count);
    return await Promise.all(runs.map(({ id }) => this.#ended(id)));
  }

  /** Has the schedule of an automation stand where it would, had the platform been away for so many days. */
  async awayFor(days: number, path: string): Promise<void> {
    const { next_run_at } = await this.asked(`${path}/settings`);
    const due = new Date(Date.parse(next_run_at) - days * dayMs);
    await using client = await MongoClient.connect(this.#platform().mongodbUri);
    const schedules = client.db("content").collection<{ _id: string }>("automation_schedules");
    const times = { next_run_at: due, due_at: due, active_from: due };
    await schedules.updateOne({ _id: path.split("/").at(-1) ?? "" }, { $set: times });
  }

  async #ended(id: string): Promise<Json> {
    const look = () => this.asked(`/platform/automation-runs/${id}`);
    return await until("the run to end", 120, look, ({ ended_at }) => ended_at !== null);
  }
}

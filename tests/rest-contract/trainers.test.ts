import { createHash, randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeEach, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { newRun } from "../mesh/new-run.ts";
import { type Answer, ask, command, type Json, jobPath, type Reachable, until } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});

/** A program with one address and one key. */
class HttpTrainer {
  readonly job: Reachable;
  readonly attachmentId: string = randomUUID();

  private constructor(job: Reachable) {
    this.job = job;
  }

  static async of(run: Awaited<ReturnType<typeof newRun>>): Promise<HttpTrainer> {
    const body = { name: "trainer", permission_ids: ["metrics:report", "models:write"] };
    const { secret } = (await ask(platform, { path: "/platform/api-keys", body })).body;
    return new HttpTrainer({ ...platform, ...run, bearer: secret });
  }

  send(method: string, path: string, body: Json): Promise<Answer> {
    const whole = { attachment_id: this.attachmentId, ...body };
    return ask(this.job, { method, path: `${jobPath(this.job)}/${path}`, body: whole });
  }

  enter(state: string, more: Json = {}): Promise<Answer> {
    return this.send("PUT", "state", { state, ...more });
  }

  acknowledge({ id }: { id: string }, outcome: Json): Promise<Answer> {
    return this.send("PUT", `commands/${id}/outcome`, outcome);
  }

  /** What the trainer is told, without what it is not told. */
  async *events(lastSequence = 0): AsyncGenerator<Json, void, undefined> {
    using over = new DisposableStack();
    const leave = over.adopt(new AbortController(), (controller) => controller.abort());
    const response = await fetch(`${platform.gateway}${jobPath(this.job)}/trainer/commands`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.job.bearer}`, "content-type": "application/json" },
      body: JSON.stringify({ attachment_id: this.attachmentId, last_sequence: lastSequence }),
      signal: leave.signal,
    });
    let text = "";
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (text + piece).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        const told = Object.entries<Json>(JSON.parse(line)).filter(([, event]) => event !== null);
        yield Object.fromEntries(told);
      }
    }
  }

  async upload(bytes: Buffer): Promise<{ sha256: string; uri: string; size_bytes: number }> {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const headers = { authorization: `Bearer ${this.job.bearer}` };
    const target = `${platform.gateway}/platform/artifacts/${sha256}`;
    const { status } = await fetch(target, { method: "PUT", headers, body: bytes });
    expect(status).toBe(200);
    return { sha256, uri: `artifact:sha256:${sha256}`, size_bytes: bytes.length };
  }
}

const next = async (events: AsyncGenerator<Json, void, undefined>): Promise<Json> => {
  for (;;) {
    const { value, done } = await events.next();
    if (done === true) throw new Error("the stream of commands has ended");
    if (value.heartbeat === undefined) return value;
  }
};

let trainer: HttpTrainer;
beforeEach(async () => {
  trainer = await HttpTrainer.of(await newRun(platform));
});

describe("a trainer with one address and one key", () => {
  it("trains a whole job: it attaches, reports, pauses, resumes, keeps a checkpoint, uploads and finishes", async () => {
    const events = trainer.events();
    expect(await next(events)).toMatchObject({
      attached: { durable_counter: 0, active_segment: 0, set_back: false, datasets_told: true },
    });
    expect((await trainer.enter("running")).body).toEqual({ state: "running" });
    const columns = [{ name: "loss", steps: [1, 2], values: [0.5, 0.25] }];
    expect((await trainer.send("POST", "reports", { counter: 1, columns })).body.durable_counter).toBe(1);

    const pause = (await command({ ...trainer.job, bearer: platform.bearer }, "pause")).body;
    expect(await next(events)).toMatchObject({ command: { command: { id: pause.id, action: "pause" }, epoch: 0 } });
    await trainer.enter("pausing");
    const saved = { id: randomUUID(), step: 2, ...(await trainer.upload(Buffer.from(`state ${randomUUID()}`))) };
    const paused = await trainer.acknowledge(pause, { applied: { checkpoint_id: saved.id, checkpoint: saved } });
    expect([paused.status, paused.body]).toMatchObject([200, { state: "paused", command: { status: "applied" } }]);

    const resume = (await command({ ...trainer.job, bearer: platform.bearer }, "resume")).body;
    expect(await next(events)).toMatchObject({
      command: { command: { id: resume.id, action: "resume" }, resolved_checkpoint_id: saved.id },
    });
    await trainer.enter("restoring");
    const resumed = await trainer.acknowledge(resume, { applied: { checkpoint_id: saved.id, start_step: 2 } });
    expect(resumed.body).toMatchObject({ state: "running", active_segment: 1 });
    const kept = { id: randomUUID(), step: 4, segment_index: 1, metrics: { loss: 0.125 } };
    expect((await trainer.send("POST", "checkpoints", { checkpoint: kept })).status).toBe(201);

    const result = Buffer.from(`a result ${randomUUID()}`);
    const artifact = { ...(await trainer.upload(result)), format: "onnx" };
    expect((await trainer.enter("completed", { artifact })).body).toEqual({ state: "completed" });
    await events.return();

    const job = { ...trainer.job, bearer: platform.bearer };
    const checkpoints = (await ask(job, { path: `${jobPath(job)}/checkpoints` })).body;
    expect(checkpoints.map(({ id }: Json) => id)).toEqual([kept.id, saved.id]);
    const left = () => ask(job, { path: `${jobPath(job)}/result` });
    expect((await until("the result to be there", 30, left, ({ status }) => status === 200)).text).toBe(String(result));
  });

  it("is sent again what it has not acknowledged, and nothing that it finished with", async () => {
    const job = { ...trainer.job, bearer: platform.bearer };
    await next(trainer.events());
    await trainer.enter("running");
    const pause = (await command(job, "pause")).body;
    for (const lastSequence of [0, pause.sequence]) {
      const events = trainer.events(lastSequence);
      await next(events);
      if (lastSequence === 0) expect(await next(events)).toMatchObject({ command: { command: { id: pause.id } } });
      else {
        const abort = (await command(job, "abort")).body;
        expect(await next(events)).toMatchObject({ command: { command: { id: abort.id } } });
      }
      await events.return();
    }
  });

  it("is told when another one takes the job, and can say nothing more", async () => {
    const events = trainer.events();
    await next(events);
    const other = randomUUID();
    await trainer.send("PUT", "trainer", { attachment_id: other });
    expect(await next(events)).toEqual({ detached: { attachment_id: other } });
    const checkpoint = { id: randomUUID(), step: 1 };
    for (const { status, body } of [
      await trainer.enter("running"),
      await trainer.send("POST", "checkpoints", { checkpoint }),
    ])
      expect([status, body.code]).toEqual([409, "attachment_lost"]);
  });

  it("learns why a state or an outcome is refused", async () => {
    await trainer.send("PUT", "trainer", {});
    const paused = await trainer.enter("completed");
    expect([paused.status, paused.body.code]).toEqual([409, "illegal_move"]);
    const unknown = await trainer.acknowledge({ id: randomUUID() }, { refused: { detail: "no" } });
    expect([unknown.status, unknown.text]).toEqual([404, '{"detail":"Not found"}']);
    expect((await trainer.acknowledge({ id: randomUUID() }, {})).status).toBe(422);
  });
});

import { type JobCompleted, JobCompletedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { connectEventStream, decodeEvent, type EventStream, eventSubject } from "@aiplatform/event-stream";
import { until } from "@aiplatform/local-platform";
import { serviceKeys, type TestEnvironment } from "@aiplatform/testkit";

const waitOptions = { withinMs: 20_000, otherwise: () => new Error("the event did not come") };

/** Hears of jobs that end well. */
export class Completions implements AsyncDisposable {
  readonly #stream: EventStream;
  readonly #received: JobCompleted[] = [];

  private constructor(stream: EventStream) {
    this.#stream = stream;
    stream.listen(eventSubject(JobCompletedSchema), ({ data }) => {
      this.#received.push(decodeEvent(JobCompletedSchema, data));
    });
  }

  static async subscribe({ NATS_URL: servers, NATS_STREAM: streamName }: TestEnvironment): Promise<Completions> {
    const stream = await connectEventStream({ servers, keys: serviceKeys("gateway"), name: "test", streamName });
    await until(() => stream.connected() || undefined, waitOptions);
    return new Completions(stream);
  }

  /** Metrics and primary metric of the run's job, once they are announced. */
  async of(runId: string) {
    const completed = await until(() => this.#received.find((one) => one.runId === runId), waitOptions);
    return { metrics: completed.metrics, primaryMetric: completed.primaryMetric };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stream.close();
  }
}

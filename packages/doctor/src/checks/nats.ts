import { inspectEventStream, type StreamInspection } from "@aiplatform/event-stream";
import { type Check, either, type Finding, failed, fine, shared, warning } from "../check.ts";

const oldest = [2, 10] as const;
/** Events that a consumer may be behind before somebody should look. */
const mostPending = 1_000;
const timeoutMs = 5_000;

/** NATS, JetStream, and the stream of events. */
export const nats: Check = {
  name: "nats",
  looks: (services) =>
    shared(
      services.map(({ name, config: { NATS_URL: servers, NATS_STREAM: streamName } }) => ({
        of: name,
        key: `${servers} ${streamName}`,
        value: { servers, streamName, timeoutMs },
      })),
    ).map(({ of, value }) => ({
      of,
      remedy: "NATS_URL names the servers, with user:password@ where they ask for a login; start NATS",
      run: async () => findings(await inspectEventStream(value), value.streamName),
    })),
};

function findings({ version, jetStream, stream }: StreamInspection, streamName: string): Finding[] {
  const server = versionFinding(version);
  if (!jetStream)
    return [server, failed("JetStream is off", "start nats-server with --jetstream (or jetstream {} in its file)")];
  if (!stream) return [server, fine(`JetStream is on; the first service makes the stream ${streamName}`)];
  const { storage, replicas, events, consumers, deadLetters } = stream;
  const says = `stream ${streamName}: ${events} events on ${storage}, ${replicas} ${replicas === 1 ? "copy" : "copies"}`;
  const inMemory = failed(
    says,
    `events are lost with the server: nats stream rm ${streamName} once the services are stopped; they make it anew on file`,
  );
  return [
    server,
    either(storage === "file", says, inMemory),
    lag(consumers),
    either(
      deadLetters === 0,
      "no dead letters",
      warning(`${deadLetters} dead letters`, "docs/operations/failures.md says how to read and re-drive them"),
    ),
  ];
}

function versionFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNew = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  return either(
    isNew,
    `version ${version}`,
    failed(`version ${version}`, `the platform needs NATS ${oldest.join(".")} or newer`),
  );
}

function lag(consumers: NonNullable<StreamInspection["stream"]>["consumers"]): Finding {
  const behind = consumers.filter(({ pending, unacknowledged }) => pending + unacknowledged > mostPending);
  const list = behind.map(({ name, pending, unacknowledged }) => `${name} by ${pending + unacknowledged}`).join(", ");
  const remedy = "look at the log of the service whose name the consumer begins with, and give it replicas";
  return either(
    behind.length === 0,
    `${consumers.length} consumers keep up`,
    warning(`consumers are behind: ${list}`, remedy),
  );
}

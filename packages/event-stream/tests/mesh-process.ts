import { JobCompletedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { connectDocumentStore } from "@aiplatform/document-store";
import { connectEventStream, eventSubject, outboxSource, startRelay } from "@aiplatform/event-stream";
import { serviceKeys } from "@aiplatform/testkit";

/** A process of its own, to be killed: `relay` publishes, `consumer` dies over the event of entity `deadly`. */
const [role, uri = "", servers = "", name = ""] = process.argv.slice(2);
const store = await connectDocumentStore({ uri, database: name, appName: "mesh-process" });
const keys = serviceKeys("training");
const stream = await connectEventStream({ servers, name: "mesh-process", keys, streamName: name });

if (role === "relay") {
  startRelay({ source: outboxSource(store), stream });
} else {
  stream.consume({
    durable: "effects",
    subjects: [eventSubject(JobCompletedSchema)],
    store,
    ackWaitMs: 1_000,
    handler: async (event, session) => {
      if (event.entityId === "deadly") process.kill(process.pid, "SIGKILL");
      await store.database.collection("effects").insertOne({ run: event.entityId }, { session });
    },
  });
}

import { connectDocumentStore, Outbox, withTransaction } from "@aiplatform/document-store";
import { createLogger, readSettings } from "@aiplatform/service-host";
import { contentSettings } from "../src/config.ts";
import { startEmailDelivery } from "../src/email-drafts/start-email-delivery.ts";
import { createStores } from "../src/stores.ts";
import { startTasks } from "../src/tasks/start-tasks.ts";

// What of content sends e-mails, as a process of its own: it begins as fast as it can be killed.
const config = readSettings(contentSettings, process.env);
const { MONGODB_URI: uri, MONGODB_DATABASE: database } = config;
const store = await connectDocumentStore({ uri, database, appName: "e-mail sender" });
const peers = () => {
  throw new Error("a sending that goes on does not look recipients up");
};
const logger = createLogger({ service: "e-mail sender", level: "error" });
const stores = createStores(store);
startEmailDelivery(
  config,
  { peers, logger },
  {
    ...stores,
    waitingOrganisations: () => stores.suspendedOrganisations.all(),
    outbox: new Outbox(store),
    tasks: startTasks(config, { logger }),
    transaction: (work) => withTransaction(store, work),
    clock: () => new Date(),
  },
);

// Tells the parent process how much memory it has.
process.on("message", () => process.send?.(process.memoryUsage().rss));

import { once } from "node:events";
import { LeaseLostError } from "@aiplatform/document-store";
import { createLogger } from "@aiplatform/service-host";
import { ClaimingWorker } from "../src/index.ts";
import { type Parcel, Parcels } from "./parcels.ts";

// A replica that claims a parcel, says so, and delivers it when it is told to: its parent stops, kills and ends it.
const [database = "", leaseMs = "0"] = process.argv.slice(2);
const parcels = await Parcels.open(database);
const worker = new ClaimingWorker<Parcel>(
  { logger: createLogger({ service: "claiming process", level: "fatal" }) },
  {
    ...{ name: "parcels", leases: parcels.leases, leaseMs: Number(leaseMs), concurrency: 1 },
    run: async ({ id, holder }) => {
      process.send?.({ claimed: id, holder });
      await once(process, "message");
      const isDelivered = await parcels.deliver(id, holder);
      process.send?.({ isDelivered });
      if (!isDelivered) throw new LeaseLostError();
    },
  },
);

process.once("disconnect", async () => {
  await worker[Symbol.asyncDispose]();
  await parcels[Symbol.asyncDispose]();
});

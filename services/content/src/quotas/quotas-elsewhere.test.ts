import { DataQuotaService } from "@aiplatform/contract/aiplatform/data/v1/quotas";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { OtherServices, type ServiceAddresses } from "../other-services.ts";
import { QuotasElsewhere, QuotasUnavailableError } from "./quotas-elsewhere.ts";

const caller = { signedContext: "signed" };
const quota = { name: "runs", limit: 2n, used: 1n };

/** How the quotas of data are asked for where it has these addresses, and answers so. */
function quotasOf(addresses: readonly string[], answer: () => { quotas: (typeof quota)[] }): QuotasElsewhere {
  const data = createRouterTransport(({ service }) => {
    service(DataQuotaService, { readQuotas: answer });
  });
  const all: ServiceAddresses = { identity: [], training: [], deployments: [], data: addresses };
  return new QuotasElsewhere(new OtherServices(() => data, all));
}

const away = () => {
  throw new ConnectError("away", Code.Unavailable);
};

describe("the quotas of a service that an installation may do without", () => {
  it("are those that it answers, where it is installed", async () => {
    const found = await quotasOf(["data:1"], () => ({ quotas: [quota] })).readIfInstalled(caller, "data");
    expect(found).toMatchObject([quota]);
  });

  it("are none, where it is not", async () => {
    expect(await quotasOf([], away).readIfInstalled(caller, "data")).toEqual([]);
  });

  it("are not known, where it is installed and does not answer", async () => {
    await expect(quotasOf(["data:1"], away).readIfInstalled(caller, "data")).rejects.toThrow(QuotasUnavailableError);
  });
});

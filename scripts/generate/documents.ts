import { join } from "node:path";
import { openApiDocument, operationIds } from "../../services/gateway/src/docs/api-description.ts";
import { errorPage } from "../errors/error-page.ts";
import { remedies } from "../errors/remedies.ts";
import { apiReports } from "./api-reports.ts";
import { clientContract } from "./client-contract.ts";
import { assertExamples, contractExamples } from "./contract-examples.ts";
import { pagesWithContractTables } from "./contract-tables.ts";
import { pageWithMetrics } from "./metrics-tables.ts";
import { natsPermissionPages } from "./nats-permissions.ts";
import type { ApiDescription } from "./open-api.ts";
import { pythonContract } from "./python-contract.ts";
import { referencePages } from "./reference-pages.ts";
import { pagesWithSettings } from "./settings-tables.ts";

/** Path and text of what is made from the committed messages; each may be made from those before it. */
export async function* documents(): AsyncGenerator<[path: string, text: string]> {
  const text = `${JSON.stringify(openApiDocument(), undefined, 2)}\n`;
  const description: ApiDescription = JSON.parse(text);
  assertExamples(description, contractExamples(), operationIds());
  yield [join("docs", "openapi.json"), text];
  yield* await clientContract(description);
  yield pythonContract(description);
  // The command line is made of what the client knows of the API, which was written just now.
  const { referencePage } = await import("@aiplatform/cli");
  yield [join("docs", "command-line.md"), referencePage()];
  yield* referencePages();
  yield* pagesWithContractTables();
  yield* pagesWithSettings();
  yield pageWithMetrics();
  yield* natsPermissionPages();
  yield errorPage();
  yield remedies();
  yield* apiReports();
}

import type { Description } from "@aiplatform/local-platform";
import type { Page } from "playwright-core";
import { draw, seven } from "../actions.ts";
import type { DeliveryContent } from "../delivery-content.ts";
import type { OrganisationContent } from "../organisation-content.ts";

/** What the addresses of the screens name. */
export interface ScreenContent extends Description, DeliveryContent, OrganisationContent {
  /** Of a model that names digits. */
  deploymentId: string;
  /** Of another run than `run_id`, with the same job. */
  shortRunId: string;
}

/** A screen of the console, and when all of it is there. */
export interface Screen {
  readonly name: string;
  /** Below the path of the console. */
  readonly address: (content: ScreenContent) => string;
  /** Waits for what comes last. */
  readonly ready: (page: Page) => Promise<unknown>;
  /** Whether its picture is in the documentation. */
  readonly isDocumented: boolean;
  /** Whether it is compared with its picture of before. */
  readonly isCompared: boolean;
}

const table = (name: string) => (page: Page) => page.getByRole("table", { name, exact: true }).waitFor();
const heading = (name: string) => (page: Page) => page.getByRole("heading", { name, level: 1 }).waitFor();

function documented(name: string, address: Screen["address"], ready: Screen["ready"]): Screen {
  return { name, address, ready, isDocumented: true, isCompared: true };
}
function further(name: string, address: Screen["address"], ready: Screen["ready"]): Screen {
  return { name, address, ready, isDocumented: false, isCompared: true };
}
/** Shows all that happens, which is never the same. */
function everChanging(name: string, address: Screen["address"], ready: Screen["ready"]): Screen {
  return { name, address, ready, isDocumented: true, isCompared: false };
}

/** Waits for the small curve of a run, whose name begins so. */
const smallCurve = (name: RegExp) => (page: Page) => page.getByRole("img", { name }).first().waitFor();

async function run(page: Page): Promise<void> {
  await page.getByRole("figure", { name: "test_accuracy", exact: true }).locator("canvas").waitFor();
  await page.getByText("live", { exact: true }).waitFor();
}

async function versions(page: Page): Promise<void> {
  await table("Rows")(page);
  await table("Statistics of the columns")(page);
}

/** The screens that need a session. The page for signing in comes before them. */
export const screens: readonly Screen[] = [
  documented("home", () => "/", smallCurve(/^Curve of/)),
  documented("runs", () => "/runs", smallCurve(/^test_accuracy, best/)),
  documented("run", ({ pipeline_id, run_id }) => `/runs/${pipeline_id}/${run_id}`, run),
  further(
    "compare",
    ({ run_id, shortRunId }) => `/compare?runs=${run_id},${shortRunId}&metric=test_accuracy`,
    (page) =>
      page
        .getByRole("img", { name: /^Curves of/ })
        .locator("canvas")
        .waitFor(),
  ),
  documented("models", () => "/models", table("Models")),
  further(
    "model",
    ({ model_id }) => `/models/${model_id}`,
    (page) => page.getByRole("table").waitFor(),
  ),
  further("deployments", () => "/deployments", table("Deployments")),
  documented(
    "deployment",
    ({ deploymentId }) => `/deployments/${deploymentId}`,
    (page) => draw(page, seven),
  ),
  further("data", () => "/data", table("Datasets")),
  documented("dataset", ({ datasetId }) => `/data/${datasetId}`, table("Entries of the data dictionary")),
  documented("versions", ({ dataset_id }) => `/data/${dataset_id}?tab=versions`, versions),
  further("automations", () => "/automations", table("Automations")),
  further(
    "automation",
    ({ automationId }) => `/automations/${automationId}`,
    (page) => page.getByRole("group", { name: "Graph of the steps" }).waitFor(),
  ),
  documented(
    "automation-run",
    ({ automationId, automationRunId }) => `/automations/${automationId}/runs/${automationRunId}`,
    (page) => page.getByRole("group", { name: "Graph of the steps" }).waitFor(),
  ),
  further(
    "drafts",
    () => "/drafts",
    (page) => page.getByRole("table").waitFor(),
  ),
  documented(
    "draft",
    ({ draftId }) => `/drafts/${draftId}`,
    (page) => page.getByText("The model of last week, Demo administrator").waitFor(),
  ),
  further(
    "features",
    () => "/features",
    (page) => page.getByRole("table").waitFor(),
  ),
  documented("feature", ({ feature_key }) => `/features/${feature_key}`, table("What uses the feature")),
  documented(
    "members",
    () => "/people/members",
    (page) => page.getByRole("table").waitFor(),
  ),
  further("member", ({ memberId }) => `/people/members/${memberId}`, heading("Data team")),
  documented(
    "roles",
    () => "/people/roles",
    (page) => page.getByRole("table").waitFor(),
  ),
  further("role", ({ roleId }) => `/people/roles/${roleId}`, heading("Data steward")),
  documented(
    "keys",
    () => "/people/keys",
    (page) => page.getByRole("table").waitFor(),
  ),
  further("accounts", () => "/people/accounts", heading("Linked accounts")),
  further("workspaces", () => "/people/workspaces", heading("Workspaces")),
  further(
    "quotas",
    () => "/people/quotas",
    (page) => page.getByRole("table").waitFor(),
  ),
  everChanging(
    "audit",
    () => "/people/audit",
    (page) => page.getByRole("table").waitFor(),
  ),
  further(
    "audit-filtered",
    () => "/people/audit?action=identity.role.created",
    (page) => page.getByRole("table").waitFor(),
  ),
];

import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from "@tanstack/react-router";
import { readAutomationSearch, readStepSearch } from "./automations/automation-search.ts";
import { readDatasetSearch } from "./data/dataset-search.ts";
import { readRunsSearch } from "./runs/runs-search.ts";
import { NotFound } from "./shell/not-found.tsx";
import { readListSearch } from "./shell/search-texts.ts";
import { Shell } from "./shell/shell.tsx";
import { returnPath } from "./sign-in/return-path.ts";
import { SignInPage } from "./sign-in/sign-in-page.tsx";
import { ErrorNotice } from "./ui/error-notice.tsx";

const root = createRootRoute({ component: Outlet });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: ({ to: wanted, problem }: Record<string, unknown>): { to?: string; problem?: string } => {
    const to = returnPath(wanted);
    return { ...(to !== undefined && { to }), ...(typeof problem === "string" && { problem }) };
  },
  component: SignInPage,
});

/** All pages that need a session. */
const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell });

const pages = [
  createRoute({
    getParentRoute: () => shell,
    path: "/",
    component: lazyRouteComponent(() => import("./home/home-page.tsx"), "HomePage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/runs",
    validateSearch: readRunsSearch,
    component: lazyRouteComponent(() => import("./runs/runs-page.tsx"), "RunsPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/compare",
    validateSearch: ({ runs, metric }: Record<string, unknown>) => ({
      runs: typeof runs === "string" ? runs : "",
      ...(typeof metric === "string" && { metric }),
    }),
    component: lazyRouteComponent(() => import("./runs/compare-page.tsx"), "ComparePage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/runs/$pipelineId/$runId",
    validateSearch: ({ job }: Record<string, unknown>) => (typeof job === "string" ? { job } : {}),
    component: lazyRouteComponent(() => import("./run/run-page.tsx"), "RunPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/models",
    component: lazyRouteComponent(() => import("./models/models-page.tsx"), "ModelsPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/models/$modelId",
    component: lazyRouteComponent(() => import("./models/model-page.tsx"), "ModelPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/deployments",
    component: lazyRouteComponent(() => import("./deployments/deployments-page.tsx"), "DeploymentsPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/deployments/$deploymentId",
    component: lazyRouteComponent(() => import("./deployments/deployment-page.tsx"), "DeploymentPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/data",
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import("./data/datasets-page.tsx"), "DatasetsPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/data/$datasetId",
    validateSearch: readDatasetSearch,
    component: lazyRouteComponent(() => import("./data/dataset-page.tsx"), "DatasetPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/automations",
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import("./automations/automations-page.tsx"), "AutomationsPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/automations/$automationId",
    validateSearch: readAutomationSearch,
    component: lazyRouteComponent(() => import("./automations/automation-page.tsx"), "AutomationPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/automations/$automationId/runs/$runId",
    validateSearch: readStepSearch,
    component: lazyRouteComponent(() => import("./automations/automation-run-page.tsx"), "AutomationRunPage"),
  }),
] as const;

const routeTree = root.addChildren([signIn, shell.addChildren(pages)]);

/** The pages of the console by their addresses. */
export function createConsoleRouter() {
  return createRouter({
    routeTree,
    basepath: import.meta.env.BASE_URL,
    defaultPreload: "intent",
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: ({ error }) => <ErrorNotice error={error} />,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}

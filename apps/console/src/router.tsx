import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { consolePath } from "./api/console-path.ts";
import { readAutomationSearch, readStepSearch } from "./automations/automation-search.ts";
import { readDatasetSearch } from "./data/dataset-search.ts";
import { readAuditSearch } from "./people/audit/audit-search.ts";
import { readRunsSearch } from "./runs/runs-search.ts";
import { NotFound } from "./shell/not-found.tsx";
import { readListSearch, searchTexts } from "./shell/search-texts.ts";
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
  createRoute({
    getParentRoute: () => shell,
    path: "/drafts",
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import("./drafts/drafts-page.tsx"), "DraftsPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/drafts/new",
    component: lazyRouteComponent(() => import("./drafts/new-draft-page.tsx"), "NewDraftPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/drafts/$draftId",
    validateSearch: searchTexts("state"),
    component: lazyRouteComponent(() => import("./drafts/draft-page.tsx"), "DraftPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/features",
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import("./features/features-page.tsx"), "FeaturesPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/features/$featureKey",
    component: lazyRouteComponent(() => import("./features/feature-page.tsx"), "FeaturePage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/people",
    beforeLoad: () => {
      throw redirect({ to: "/people/members", replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/people/members",
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import("./people/members/members-page.tsx"), "MembersPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/people/members/$memberId",
    component: lazyRouteComponent(() => import("./people/members/member-page.tsx"), "MemberPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/people/roles",
    component: lazyRouteComponent(() => import("./people/roles/roles-page.tsx"), "RolesPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/people/roles/new",
    component: lazyRouteComponent(() => import("./people/roles/role-page.tsx"), "NewRolePage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/people/roles/$roleId",
    component: lazyRouteComponent(() => import("./people/roles/role-page.tsx"), "RolePage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/people/keys",
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import("./people/keys/keys-page.tsx"), "KeysPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/people/accounts",
    component: lazyRouteComponent(() => import("./people/accounts/accounts-page.tsx"), "AccountsPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/people/workspaces",
    component: lazyRouteComponent(() => import("./people/workspaces/workspaces-page.tsx"), "WorkspacesPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/people/workspaces/$workspaceId",
    component: lazyRouteComponent(() => import("./people/workspaces/workspace-page.tsx"), "WorkspacePage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/people/quotas",
    component: lazyRouteComponent(() => import("./people/quotas/quotas-page.tsx"), "QuotasPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/people/audit",
    validateSearch: readAuditSearch,
    component: lazyRouteComponent(() => import("./people/audit/audit-page.tsx"), "AuditPage"),
  }),
] as const;

const routeTree = root.addChildren([signIn, shell.addChildren(pages)]);

/** The pages of the console by their addresses. */
export function createConsoleRouter() {
  return createRouter({
    routeTree,
    basepath: consolePath,
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

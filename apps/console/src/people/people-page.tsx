import "./people.css";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Allowed } from "../shell/allowed.tsx";
import { Page } from "../shell/page.tsx";

const tabs = [
  { to: "/people/members", label: "Members" },
  { to: "/people/roles", label: "Roles" },
  { to: "/people/keys", label: "API keys" },
  { to: "/people/accounts", label: "Linked accounts" },
  { to: "/people/workspaces", label: "Workspaces" },
  { to: "/people/quotas", label: "Quotas" },
  { to: "/people/audit", label: "Audit log" },
] as const;

interface PeoplePageProps {
  title: string;
  /** What its content needs. */
  permission: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** One of the pages of people and access. Each has an address of its own. */
export function PeoplePage({ title, permission, actions, children }: PeoplePageProps) {
  return (
    <Page title={title} trail="People and access" actions={actions}>
      <nav className="page-tabs" aria-label="People and access">
        {tabs.map(({ to, label }) => (
          <Link key={to} to={to} className="tab" activeProps={{ "data-active": "" }}>
            {label}
          </Link>
        ))}
      </nav>
      <Allowed permission={permission}>{children}</Allowed>
    </Page>
  );
}

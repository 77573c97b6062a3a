import { Link } from "@tanstack/react-router";
import { Activity, Box, Database, House, Mail, Puzzle, Rocket, Users, Workflow } from "lucide-react";

const places = [
  { to: "/", label: "Home", Icon: House },
  { to: "/runs", label: "Runs", Icon: Activity },
  { to: "/models", label: "Models", Icon: Box },
  { to: "/deployments", label: "Deployments", Icon: Rocket },
  { to: "/data", label: "Data", Icon: Database },
  { to: "/automations", label: "Automations", Icon: Workflow },
  { to: "/drafts", label: "Drafts", Icon: Mail },
  { to: "/features", label: "Features", Icon: Puzzle },
  { to: "/people", label: "People", Icon: Users },
] as const;

/** The areas of the console. */
export function Navigation() {
  return (
    <nav className="navigation" aria-label="Main">
      <ul>
        {places.map(({ to, label, Icon }) => (
          <li key={to}>
            <Link to={to} className="navigation-link" activeOptions={{ exact: to === "/" }}>
              <Icon size={16} aria-hidden="true" />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

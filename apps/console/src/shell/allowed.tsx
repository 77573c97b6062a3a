import { CircleSlash } from "lucide-react";
import type { ReactNode } from "react";
import { useForbidden } from "../api/session.ts";

/** What needs a permission. A caller without it reads which one, and the API is not asked: it would only refuse. */
export function Allowed({ permission, children }: { permission: string; children: ReactNode }) {
  const forbidden = useForbidden(permission);
  if (forbidden === undefined) return children;
  return (
    <div className="notice" data-tone="warn" role="status">
      <CircleSlash size={16} aria-hidden="true" />
      <p>{forbidden}</p>
    </div>
  );
}

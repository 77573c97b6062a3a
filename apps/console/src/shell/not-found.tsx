import { Link } from "@tanstack/react-router";
import { Empty } from "../ui/panel.tsx";

/** Where no page is. */
export function NotFound() {
  return (
    <Empty title="There is no such page">
      <Link to="/">Go to the start page</Link>
    </Empty>
  );
}

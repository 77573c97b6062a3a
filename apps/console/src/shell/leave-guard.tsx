import { useBlocker } from "@tanstack/react-router";
import { membersOf } from "../api/members.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";

interface LeaveGuardProps {
  /** Whether there is something that was not saved. */
  isDirty: boolean;
  /** What would be lost, such as `the draft`. */
  what: string;
}

/** Asks before a page, or a tab of it, is left whose form was not saved; the browser asks before its tab is closed. */
export function LeaveGuard({ isDirty, what }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty && (current.pathname !== next.pathname || tabOf(current.search) !== tabOf(next.search)),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <ConfirmDialog
      title="Leave without saving?"
      description={`Your changes of ${what} are not saved.`}
      confirmLabel="Leave"
      isDangerous
      isPending={false}
      error={undefined}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    />
  );
}

const tabOf = (search: unknown) => membersOf(search)["tab"];

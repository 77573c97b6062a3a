import type { AutomationVersionEntry } from "../../api/platform.ts";

/** What starts an automation. */
export function TriggerText({ entry: { trigger } }: { entry: Pick<AutomationVersionEntry, "trigger"> }) {
  if (!trigger) return <>on demand</>;
  return (
    <>
      {trigger.schedule ? (
        <>
          at <code>{trigger.schedule.cron}</code> in {trigger.schedule.time_zone}
        </>
      ) : (
        <>
          at <code>{trigger.event}</code>
        </>
      )}
      {trigger.when && (
        <>
          {" "}
          when <code>{trigger.when}</code>
        </>
      )}
    </>
  );
}

import "./automations.css";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { CirclePause } from "lucide-react";
import type { Automation } from "../api/platform.ts";
import { Page } from "../shell/page.tsx";
import { Empty } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Time } from "../ui/time.tsx";
import { AutomationActions } from "./automation-actions.tsx";
import { type AutomationSearch, automationTab, automationTabs, readAutomationSearch } from "./automation-search.ts";
import { AutomationState } from "./automations-table.tsx";
import { DraftPanel } from "./draft/draft-panel.tsx";
import { useAutomation, useAutomationSettings, usePublishedVersion } from "./queries/use-automations.ts";
import { RunsPanel } from "./runs/runs-panel.tsx";
import { SettingsPanel } from "./settings-panel.tsx";
import { StepsPanel } from "./steps-panel.tsx";
import { TriggerText } from "./versions/trigger-text.tsx";
import { VersionsPanel } from "./versions/versions-panel.tsx";

const route = getRouteApi("/shell/automations/$automationId");

/** An automation: its steps, its runs, its draft, its versions and its settings. */
export function AutomationPage() {
  const { automationId } = route.useParams();
  const automation = useAutomation(automationId);
  return (
    <Page
      title={automation.data?.name ?? "Automation"}
      trail={<Link to="/automations">Automations</Link>}
      actions={automation.data && <AutomationActions automation={automation.data} />}
    >
      <QueryView query={automation}>{(data) => <AutomationView key={data.id} automation={data} />}</QueryView>
    </Page>
  );
}

function AutomationView({ automation }: { automation: Automation }) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const go = (next: AutomationSearch) =>
    void navigate({
      to: "/automations/$automationId",
      params: { automationId: automation.id },
      search: readAutomationSearch({ ...next }),
    });
  return (
    <>
      <AutomationFacts automation={automation} />
      <DisabledNotice automation={automation} />
      <Tabs tabs={automationTabs} value={automationTab(search)} onChange={(tab) => go({ tab })}>
        <TabContent automation={automation} search={search} go={go} />
      </Tabs>
    </>
  );
}

interface TabContentProps {
  automation: Automation;
  search: AutomationSearch;
  go: (search: AutomationSearch) => void;
}

function TabContent({ automation, search, go }: TabContentProps) {
  const { id } = automation;
  switch (automationTab(search)) {
    case "steps":
      return (
        <PublishedSteps automation={automation} stepId={search.step} onStep={(step) => go({ tab: "steps", step })} />
      );
    case "runs":
      return <RunsPanel automationId={id} search={search} onSearch={(next) => go({ ...next, tab: "runs" })} />;
    case "draft":
      return <DraftPanel automation={automation} />;
    case "versions":
      return <VersionsPanel automationId={id} search={search} onChoice={(next) => go({ ...next, tab: "versions" })} />;
    case "settings":
      return <SettingsPanel automationId={id} />;
  }
}

interface PublishedStepsProps {
  automation: Automation;
  stepId: string | undefined;
  onStep: (id: string) => void;
}

function PublishedSteps({ automation, stepId, onStep }: PublishedStepsProps) {
  const published = usePublishedVersion(automation);
  if (automation.current_version === null)
    return (
      <section className="panel">
        <Empty title="Nothing is published yet">
          <p>
            Write the steps in the{" "}
            <Link to="/automations/$automationId" params={{ automationId: automation.id }} search={{ tab: "draft" }}>
              draft
            </Link>
            , then publish it.
          </p>
        </Empty>
      </section>
    );
  return (
    <QueryView query={published}>
      {(entry) => entry && <StepsPanel entry={entry} stepId={stepId} onStep={onStep} />}
    </QueryView>
  );
}

function AutomationFacts({ automation }: { automation: Automation }) {
  const { data: entry } = usePublishedVersion(automation);
  return (
    <div className="stack-tight">
      {automation.description && <p className="automation-description">{automation.description}</p>}
      <p className="row">
        <AutomationState automation={automation} />
        {entry && (
          <span className="muted small">
            starts <TriggerText entry={entry} />, published <Time at={entry.published_at} />
            <NextRun automation={automation} />
          </span>
        )}
      </p>
    </div>
  );
}

function NextRun({ automation: { id } }: { automation: Automation }) {
  const { data: settings } = useAutomationSettings(id);
  if (!settings?.next_run_at) return null;
  return (
    <>
      , next run <Time at={settings.next_run_at} />
    </>
  );
}

function DisabledNotice({ automation: { id } }: { automation: Automation }) {
  const { data: settings } = useAutomationSettings(id);
  if (!settings || settings.enabled) return null;
  const { disabled_reason: reason } = settings;
  return (
    <div className="notice" data-tone="warn">
      <CirclePause size={16} aria-hidden="true" />
      <p>
        Nothing runs this automation: {reason ? `it was disabled because ${lowered(reason)}.` : "it is disabled."} Look
        at its <TabLink automationId={id} tab="runs" label="runs" />, then enable it in its{" "}
        <TabLink automationId={id} tab="settings" label="settings" />.
      </p>
    </div>
  );
}

function TabLink({ automationId, tab, label }: { automationId: string; tab: string; label: string }) {
  return (
    <Link to="/automations/$automationId" params={{ automationId }} search={{ tab }}>
      {label}
    </Link>
  );
}

const lowered = (text: string) => `${text[0]?.toLowerCase() ?? ""}${text.slice(1)}`;

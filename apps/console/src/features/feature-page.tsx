import "./features.css";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Feature } from "../api/platform.ts";
import { useForbidden } from "../api/session.ts";
import { Allowed } from "../shell/allowed.tsx";
import { Page } from "../shell/page.tsx";
import { Button } from "../ui/button.tsx";
import { StateChip } from "../ui/chip.tsx";
import { Copyable } from "../ui/copyable.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Time } from "../ui/time.tsx";
import { DeleteFeatureDialog } from "./delete-feature-dialog.tsx";
import { FeatureEditor } from "./feature-editor.tsx";
import { RestoreFeatureDialog } from "./restore-feature-dialog.tsx";
import { UsagesPanel } from "./usages-panel.tsx";
import { useFeature } from "./use-features.ts";

const route = getRouteApi("/shell/features/$featureKey");

/** A feature: what it says, what uses it, and how it goes out of use. */
export function FeaturePage() {
  const { featureKey } = route.useParams();
  const feature = useFeature(featureKey);
  return (
    <Page
      title={featureKey}
      trail={<Link to="/features">Features</Link>}
      actions={feature.data && <FeatureActions feature={feature.data} />}
    >
      <Allowed permission="features:read">
        <QueryView query={feature}>{(data) => <FeatureView feature={data} />}</QueryView>
      </Allowed>
    </Page>
  );
}

function FeatureView({ feature }: { feature: Feature }) {
  return (
    <>
      {feature.status === "deprecated" && <DeprecationNotice feature={feature} />}
      <div className="page-columns">
        <div className="stack">
          <UsagesPanel featureKey={feature.key} />
          <FeatureEditor key={feature.id} feature={feature} />
        </div>
        <FactsPanel feature={feature} />
      </div>
    </>
  );
}

function DeprecationNotice({ feature: { deprecated_at, replacement_key } }: { feature: Feature }) {
  return (
    <div className="notice" data-tone="warn">
      <div>
        <p>
          Deprecated <Time at={deprecated_at} />. What uses it goes on; nothing new may use it.
          {replacement_key !== null && (
            <>
              {" "}
              Use{" "}
              <Link to="/features/$featureKey" params={{ featureKey: replacement_key }}>
                <code>{replacement_key}</code>
              </Link>{" "}
              instead.
            </>
          )}
        </p>
      </div>
    </div>
  );
}

function FeatureActions({ feature }: { feature: Feature }) {
  const [asked, setAsked] = useState<"delete" | "restore">();
  const writeForbidden = useForbidden("features:write");
  const deleteForbidden = useForbidden("features:delete");
  const close = () => setAsked(undefined);
  return (
    <>
      {feature.status === "deprecated" && (
        <Button forbidden={writeForbidden} onClick={() => setAsked("restore")}>
          Restore
        </Button>
      )}
      <Button kind="danger" forbidden={deleteForbidden} onClick={() => setAsked("delete")}>
        {feature.status === "deprecated" ? "Delete" : "Deprecate or delete"}
      </Button>
      {asked === "delete" && <DeleteFeatureDialog feature={feature} onClose={close} />}
      {asked === "restore" && <RestoreFeatureDialog feature={feature} onClose={close} />}
    </>
  );
}

function FactsPanel({ feature }: { feature: Feature }) {
  return (
    <Panel title="About">
      <dl className="facts">
        <dt>State</dt>
        <dd>
          <StateChip state={feature.status} />
        </dd>
        <dt>Version</dt>
        <dd className="number">{feature.version}</dd>
        <dt>Changed</dt>
        <dd>
          <Time at={feature.updated_at} />
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={feature.created_at} />
        </dd>
        <dt>In templates</dt>
        <dd>
          <Copyable text={`{{ features["${feature.key}"] }}`} />
        </dd>
        <dt>Id</dt>
        <dd>
          <Copyable text={feature.id} />
        </dd>
      </dl>
    </Panel>
  );
}

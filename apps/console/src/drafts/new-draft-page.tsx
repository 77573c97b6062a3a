import "./drafts.css";
import { Link, useNavigate } from "@tanstack/react-router";
import { Allowed } from "../shell/allowed.tsx";
import { Page } from "../shell/page.tsx";
import { DraftEditor } from "./draft-editor.tsx";

/** A form for a draft that does not exist yet. */
export function NewDraftPage() {
  const navigate = useNavigate();
  return (
    <Page title="New draft" trail={<Link to="/drafts">Drafts</Link>}>
      <Allowed permission="emails:write">
        <DraftEditor
          draft={undefined}
          onSaved={({ id }) => void navigate({ to: "/drafts/$draftId", params: { draftId: id }, ignoreBlocker: true })}
        />
      </Allowed>
    </Page>
  );
}

import { Tabs } from "@base-ui/react/tabs";
import { useState } from "react";
import type { EmailDraft } from "../api/platform.ts";
import { useKnownMembers } from "../members/use-known-members.ts";
import { SelectField } from "../ui/field.tsx";
import { Empty, Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { useDraftPreview } from "./use-drafts.ts";

/** Recipients to choose from at most. */
const maxChoices = 100;

/** What a recipient gets, as the draft is stored. */
export function PreviewPanel({ draft }: { draft: EmailDraft }) {
  const [chosen, setChosen] = useState<string>();
  const { data: known } = useKnownMembers();
  const recipients = draft.recipient_member_ids.slice(0, maxChoices);
  const member = chosen !== undefined && recipients.includes(chosen) ? chosen : recipients[0];
  const preview = useDraftPreview(draft, member);
  if (member === undefined)
    return (
      <Panel title="Preview" isFlush>
        <Empty title="No recipients yet">
          <p>Add one and save the draft to see the message as they get it.</p>
        </Empty>
      </Panel>
    );
  return (
    <Panel title="Preview">
      <div className="stack">
        <SelectField
          label="As it is for"
          value={member}
          onChange={setChosen}
          options={recipients.map((id) => ({ value: id, label: known?.byId.get(id)?.display_name ?? id }))}
        />
        <QueryView query={preview} rows={3}>
          {(message) => <Message {...message} />}
        </QueryView>
      </div>
    </Panel>
  );
}

/** The HTML is shown as its source: what people write never runs as a part of the console. */
function Message({ subject, text, html }: { subject: string; text: string; html: string }) {
  return (
    <div className="stack-tight">
      <strong className="prose">{subject}</strong>
      <Tabs.Root defaultValue="text">
        <Tabs.List className="tabs-list">
          <Tabs.Tab value="text" className="tab">
            Text
          </Tabs.Tab>
          <Tabs.Tab value="html" className="tab">
            HTML
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="text">
          <ScrollBox role="group" aria-label="Text of the message" className="message">
            {text === "" ? <span className="muted">It has no text.</span> : <p className="prose">{text}</p>}
          </ScrollBox>
        </Tabs.Panel>
        <Tabs.Panel value="html">
          <ScrollBox role="group" aria-label="HTML of the message" className="message">
            {html === "" ? (
              <span className="muted">It has no HTML: the message is text only.</span>
            ) : (
              <>
                <p className="field-hint">
                  The console shows the source and does not run it. Send it to yourself to see it drawn.
                </p>
                <pre className="prose">{html}</pre>
              </>
            )}
          </ScrollBox>
        </Tabs.Panel>
      </Tabs.Root>
    </div>
  );
}

import { answerOf } from "@aiplatform/client";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { pageOf } from "../api/page.ts";
import { platform } from "../api/platform.ts";
import { useForbidden } from "../api/session.ts";
import { MemberName } from "../members/member-name.tsx";
import { Button } from "../ui/button.tsx";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { TextField } from "../ui/field.tsx";
import { recipientsText } from "./delivery-texts.ts";

/** Recipients of a draft at most. */
const maxRecipients = 10_000;
const maxShown = 30;

interface RecipientsFieldProps {
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Chooses members who get the message: by their names, or all who are active. */
export function RecipientsField({ chosen, onChange }: RecipientsFieldProps) {
  const forbidden = useForbidden("members:manage");
  const everyone = useEveryone();
  const add = (ids: readonly string[]) => onChange([...new Set([...chosen, ...ids])].slice(0, maxRecipients));
  return (
    <fieldset className="recipients">
      <legend className="field-label">{recipientsText(chosen.length)}</legend>
      {chosen.length > 0 && <Chosen chosen={chosen} onChange={onChange} />}
      {forbidden === undefined ? (
        <FindMember chosen={chosen} onChoose={(id) => add([id])} />
      ) : (
        <p className="muted">Members cannot be found by name. {forbidden}</p>
      )}
      <div className="row">
        <Button
          size="small"
          forbidden={forbidden}
          isPending={everyone.isPending}
          onClick={() => everyone.mutate(undefined, { onSuccess: add })}
        >
          Add all active members
        </Button>
        {chosen.length > 0 && (
          <Button size="small" kind="quiet" onClick={() => onChange([])}>
            Remove all
          </Button>
        )}
      </div>
      {everyone.error && <ErrorNotice error={everyone.error} />}
    </fieldset>
  );
}

function Chosen({ chosen, onChange }: RecipientsFieldProps) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? chosen : chosen.slice(0, maxShown);
  return (
    <>
      <ul className="recipients-chosen">
        {shown.map((id) => (
          <li key={id} className="recipient">
            <MemberName id={id} />
            <Button
              kind="quiet"
              size="small"
              label="Remove"
              aria-label={`Remove recipient ${chosen.indexOf(id) + 1}`}
              onClick={() => onChange(chosen.filter((each) => each !== id))}
            >
              <X size={13} aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
      {shown.length < chosen.length && (
        <Button size="small" kind="quiet" onClick={() => setIsWhole(true)}>
          Show {chosen.length - shown.length} more
        </Button>
      )}
    </>
  );
}

/** Finds members by the words of their names. */
function FindMember({ chosen, onChoose }: { chosen: readonly string[]; onChoose: (id: string) => void }) {
  const [text, setText] = useState("");
  const words = useDeferredValue(text.trim());
  const found = useQuery({
    queryKey: ["search-members", words],
    enabled: words !== "",
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { q: words, kinds: ["member" as const], limit: 8 };
      return answerOf(await platform.GET("/platform/search", { params: { query }, signal })).results;
    },
  });
  const others = words === "" ? [] : (found.data ?? []).filter(({ id }) => !chosen.includes(id));
  return (
    <>
      <TextField label="Find a member" value={text} onChange={setText} placeholder="words of a name or an address" />
      {found.error && <ErrorNotice error={found.error} />}
      <div className="row" role="status">
        {others.map(({ id, name }) => (
          <Button
            key={id}
            size="small"
            onClick={() => {
              onChoose(id);
              setText("");
            }}
          >
            Add {name}
          </Button>
        ))}
        {words !== "" && found.isSuccess && others.length === 0 && (
          <span className="muted">No other member has these words.</span>
        )}
      </div>
    </>
  );
}

/** Reads the ids of all active members, up to as many as a draft may have. */
function useEveryone() {
  return useMutation({
    mutationFn: async (): Promise<string[]> => {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const query = { filter: "status = active", limit: 1_000, ...(cursor !== undefined && { cursor }) };
        const { items, next } = pageOf(await platform.GET("/platform/members", { params: { query } }));
        ids.push(...items.map(({ id }) => id));
        cursor = next;
      } while (cursor !== undefined && ids.length < maxRecipients);
      return ids;
    },
  });
}

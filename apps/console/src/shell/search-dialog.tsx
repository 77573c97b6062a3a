import { answerOf } from "@aiplatform/client";
import { Autocomplete } from "@base-ui/react/autocomplete";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { platform, type SearchResult } from "../api/platform.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { addressOfResult } from "./result-address.ts";

const kinds = [
  "run",
  "model",
  "deployment",
  "dataset",
  "automation",
  "email_draft",
  "feature",
  "member",
  "workspace",
] as const;

/** Finds what has a page by the words of its name, and goes there. */
export function SearchDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [text, setText] = useState("");
  const words = useDeferredValue(text.trim());
  const router = useRouter();
  const found = useQuery({
    queryKey: ["search", words],
    enabled: isOpen && words !== "",
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      answerOf(await platform.GET("/platform/search", { params: { query: { q: words, kinds: [...kinds] } }, signal })),
  });
  const close = () => {
    setText("");
    onClose();
  };
  const go = (result: SearchResult) => {
    close();
    void router.navigate({ href: addressOfResult(result) });
  };
  const results = words === "" ? [] : (found.data?.results ?? []);
  return (
    <Dialog title="Search" isOpen={isOpen} onClose={close}>
      <Autocomplete.Root
        items={results}
        value={text}
        onValueChange={setText}
        filter={null}
        itemToStringValue={({ name }) => name}
        inline
        open
        autoHighlight="always"
      >
        <Autocomplete.Input
          className="input"
          placeholder="Words of a run, a model, a feature, a person …"
          aria-label="Search"
        />
        {found.error && <ErrorNotice error={found.error} />}
        <Autocomplete.Empty className="muted">
          {words !== "" && found.isSuccess ? "Nothing has these words." : ""}
        </Autocomplete.Empty>
        <Autocomplete.List className="search-results">
          {(result: SearchResult) => (
            <Autocomplete.Item key={result.path} value={result} className="menu-item" onClick={() => go(result)}>
              <span className="tag">{result.kind.replace("email_draft", "draft")}</span>
              <span className="grow">{result.name}</span>
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
    </Dialog>
  );
}

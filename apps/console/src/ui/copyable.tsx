import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "./button.tsx";

/** A short text, such as an id, with a button that copies it. */
export function Copyable({ text, shown = text }: { text: string; shown?: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), 2_000);
  };
  return (
    <span className="copyable">
      <code title={text}>{shown}</code>
      <Button kind="quiet" size="small" label={isCopied ? "Copied" : `Copy ${shown}`} onClick={() => void copy()}>
        {isCopied ? <Check size={13} aria-hidden="true" /> : <Copy size={13} aria-hidden="true" />}
      </Button>
    </span>
  );
}

import { Check, Copy, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";

/** A secret that is shown once. */
export function SecretNotice({ secret, onDone }: { secret: string; onDone: () => void }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    setIsCopied(true);
  };
  return (
    <div className="stack">
      <div className="notice" data-tone="warn" role="status">
        <TriangleAlert size={16} aria-hidden="true" />
        <p>Copy the key now. It is not shown again, and the platform does not know it.</p>
      </div>
      <input
        className="input secret"
        aria-label="API key"
        readOnly
        value={secret}
        onFocus={(event) => event.target.select()}
      />
      <div className="dialog-actions">
        <Button kind="primary" onClick={() => void copy()}>
          {isCopied ? <Check size={15} aria-hidden="true" /> : <Copy size={15} aria-hidden="true" />}
          {isCopied ? "Copied" : "Copy key"}
        </Button>
        <Button onClick={onDone}>{isCopied ? "Done" : "Close without copying"}</Button>
      </div>
    </div>
  );
}

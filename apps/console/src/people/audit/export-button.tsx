import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useForbidden } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { SelectField } from "../../ui/field.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { type ExportFormat, exportRecords, maxRecords } from "./audit-export.ts";
import type { AuditSearch } from "./audit-search.ts";
import { readAudit } from "./use-audit.ts";

const pageSize = 1_000;

const formats = [
  { value: "ndjson", label: "NDJSON: one record a line" },
  { value: "csv", label: "CSV: a table" },
] as const;

/** Saves the records that the filters find as a file. */
export function ExportButton({ search }: { search: AuditSearch }) {
  const [isOpen, setIsOpen] = useState(false);
  const forbidden = useForbidden("audit:read");
  return (
    <>
      <Button forbidden={forbidden} onClick={() => setIsOpen(true)}>
        <Download size={15} aria-hidden="true" />
        Export
      </Button>
      {isOpen && <ExportDialog search={search} onClose={() => setIsOpen(false)} />}
    </>
  );
}

type Progress =
  | { state: "asking" }
  | { state: "reading"; count: number }
  | { state: "saved"; count: number; isCut: boolean }
  | { state: "failed"; error: unknown };

function ExportDialog({ search, onClose }: { search: AuditSearch; onClose: () => void }) {
  const [format, setFormat] = useState<ExportFormat>("ndjson");
  const { progress, start } = useExport(search, format);
  return (
    <Dialog
      title="Export the audit log"
      description={`All records that the filters find, the newest first, up to ${maxRecords.toLocaleString("en")}. The file is made in your browser.`}
      isOpen
      onClose={onClose}
    >
      <SelectField
        label="Format"
        value={format}
        onChange={(value) => setFormat(value === "csv" ? "csv" : "ndjson")}
        options={formats}
      />
      <p role="status">{progressText(progress)}</p>
      {progress.state === "failed" && <ErrorNotice error={progress.error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>{progress.state === "reading" ? "Stop" : "Close"}</Button>
        <Button kind="primary" isPending={progress.state === "reading"} onClick={() => void start()}>
          Export
        </Button>
      </div>
    </Dialog>
  );
}

/** Reads and saves records; closing the dialog stops it. */
function useExport(search: AuditSearch, format: ExportFormat) {
  const [progress, setProgress] = useState<Progress>({ state: "asking" });
  const stop = useRef(new AbortController());
  useEffect(() => {
    stop.current = new AbortController();
    return () => stop.current.abort();
  }, []);
  const start = async () => {
    const { signal } = stop.current;
    setProgress({ state: "reading", count: 0 });
    try {
      const { parts, count, isCut } = await exportRecords({
        format,
        read: (cursor) => readAudit(search, { cursor, limit: pageSize, signal }),
        onProgress: (each) => setProgress({ state: "reading", count: each }),
      });
      const type = format === "csv" ? "text/csv" : "application/x-ndjson";
      saveFile(new Blob(parts, { type }), `audit-${new Date().toISOString().slice(0, 10)}.${format}`);
      setProgress({ state: "saved", count, isCut });
    } catch (error) {
      if (!signal.aborted) setProgress({ state: "failed", error });
    }
  };
  return { progress, start };
}

function progressText(progress: Progress): string {
  if (progress.state === "reading") return `${progress.count.toLocaleString("en")} records read.`;
  if (progress.state !== "saved") return "";
  const rest = progress.isCut ? " There are more: choose a shorter time, or read them through the API." : "";
  return `${progress.count.toLocaleString("en")} records saved.${rest}`;
}

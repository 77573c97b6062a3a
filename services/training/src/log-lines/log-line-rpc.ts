import { callerOf } from "@aiplatform/caller-identity";
import {
  type LoggedLine,
  LoggedLineSchema,
  LogLineService,
} from "@aiplatform/contract/aiplatform/training/v1/log_lines";
import { InvalidFieldsError } from "@aiplatform/service-host";
import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { addressOf } from "../runs/job-directory.ts";
import { type ReportedLine, readLogLines } from "./read-log-lines.ts";
import { type WatchLogLinesDependencies, watchLogLines } from "./watch-log-lines.ts";

const defaultLimit = 100;

export function logLineRoutes(router: ConnectRouter, dependencies: WatchLogLinesDependencies): void {
  router.service(LogLineService, {
    async readLogLines(request, context) {
      const { limit = defaultLimit, cursor } = request;
      const query = { ...filterOf(request), until: dateOf(request.until), limit, cursor };
      const { organisationId } = callerOf(context);
      const { items, nextCursor } = await readLogLines(dependencies, organisationId, addressOf(request), query);
      return { lines: items.map(lineMessage), nextCursor };
    },
    async *watchLogLines(request, context) {
      const { organisationId } = callerOf(context);
      const wanted = { ...filterOf(request), after: startOf(request.lastEventId), signal: context.signal };
      const batches = watchLogLines(dependencies, organisationId, addressOf(request), wanted);
      for await (const { counter, lines } of batches) yield { batch: { counter, lines: lines.map(lineMessage) } };
    },
  });
}

function filterOf({ source, since }: { source: string[]; since?: Timestamp | undefined }) {
  return { sources: source, since: dateOf(since) };
}

function startOf(lastEventId: string | undefined): number {
  if (!lastEventId) return 0;
  if (/^\d{1,10}$/.test(lastEventId)) return Number(lastEventId);
  const description = "must be the id of an event of this stream";
  throw new InvalidFieldsError([{ field: "last_event_id", reason: "UNKNOWN_EVENT_ID", description }]);
}

function dateOf(time: Timestamp | undefined): Date | undefined {
  return time && timestampDate(time);
}

function lineMessage({ message, source, at, counter }: ReportedLine): LoggedLine {
  return create(LoggedLineSchema, { message, source, timestamp: timestampFromDate(at), counter });
}

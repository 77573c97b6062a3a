import { metricText } from "../../ui/numbers.ts";
import { Panel } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Table } from "../../ui/table.tsx";
import { cellText } from "./cell-text.ts";
import { type ColumnStatistics, useStatistics, type VersionPath } from "./use-versions.ts";

const shownValues = 3;
const shownColumns = 200;

/** What the columns of a version hold. */
export function StatisticsPanel({ path }: { path: VersionPath }) {
  const statistics = useStatistics(path);
  return (
    <Panel title="Columns" isFlush>
      <QueryView query={statistics} rows={4}>
        {({ columns, row_count }) => (
          <Table
            caption="Statistics of the columns"
            columns={["Column", "Missing", "Different", "From", "To", "Mean", "Spread", "Most frequent"]}
          >
            {columns.slice(0, shownColumns).map((column) => (
              <StatisticsRow key={column.name} column={column} rowCount={row_count} />
            ))}
          </Table>
        )}
      </QueryView>
    </Panel>
  );
}

function StatisticsRow({ column, rowCount }: { column: ColumnStatistics; rowCount: number }) {
  const { null_count, distinct_count: distinct, distinct_is_approximate: isAbout, mean } = column;
  const missing = rowCount === 0 ? 0 : Math.round((100 * null_count) / rowCount);
  return (
    <tr>
      <td className="data-name">
        {column.name} <span className="muted small">{column.type}</span>
      </td>
      <td className="number">{null_count === 0 ? "none" : `${null_count.toLocaleString("en")} (${missing} %)`}</td>
      <td className="number">
        {distinct === null ? "" : `${isAbout ? "about " : ""}${distinct.toLocaleString("en")}`}
      </td>
      <td className="number">{cellText(column.min) ?? ""}</td>
      <td className="number">{cellText(column.max) ?? ""}</td>
      <td className="number">{mean === null ? "" : metricText(mean)}</td>
      <td>{column.histogram.length > 1 && <Histogram bins={column.histogram} name={column.name} />}</td>
      <td>
        {column.top_values.slice(0, shownValues).map(({ value, count }) => (
          <span key={JSON.stringify(value)} className="tag">
            {cellText(value) ?? "none"} × {count.toLocaleString("en")}
          </span>
        ))}
      </td>
    </tr>
  );
}

const [width, height] = [120, 28];

/** Bars of how the values spread. The figures beside it say the same as text. */
function Histogram({ bins, name }: { bins: ColumnStatistics["histogram"]; name: string }) {
  const most = Math.max(...bins.map(({ count }) => count), 1);
  const step = width / bins.length;
  return (
    <svg className="data-histogram" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`How ${name} spreads`}>
      {bins.map(({ count }, index) => {
        const tall = (count / most) * height;
        // biome-ignore lint/suspicious/noArrayIndexKey: a bin has no identity but its place
        return <rect key={index} x={index * step} y={height - tall} width={Math.max(1, step - 1)} height={tall} />;
      })}
    </svg>
  );
}

import { Tabs } from "@base-ui/react/tabs";
import { useState } from "react";
import type { Deployment } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { TextField } from "../../ui/field.tsx";
import { Panel } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { JsonBox } from "../../ui/scroll-box.tsx";
import { DigitCanvas } from "./digit-canvas.tsx";
import {
  digitInput,
  exampleBody,
  firstOutput,
  type ModelMetadata,
  minShape,
  type TensorMetadata,
} from "./model-metadata.ts";
import { type Prediction, useModelMetadata, usePrediction } from "./use-prediction.ts";

/** A place to try a deployment: by JSON, and for a model of digits by drawing one. */
export function PredictionPanel({ deployment }: { deployment: Deployment }) {
  const metadata = useModelMetadata(deployment);
  const isServing = deployment.status === "Running" || deployment.status === "Updating";
  return (
    <Panel title="Try a prediction">
      {isServing ? (
        <QueryView query={metadata} rows={2}>
          {(data) => <Predictor deployment={deployment} metadata={data} />}
        </QueryView>
      ) : (
        <p className="muted">Predictions are answered once the deployment runs.</p>
      )}
    </Panel>
  );
}

function Predictor({ deployment, metadata }: { deployment: Deployment; metadata: ModelMetadata | null }) {
  const forbidden = useForbidden("deployments:predict");
  const prediction = usePrediction(deployment);
  const digit = digitInput(metadata);
  const json = <JsonPrediction metadata={metadata} forbidden={forbidden} prediction={prediction} />;
  if (!digit || forbidden) return json;
  return (
    <Tabs.Root defaultValue="draw">
      <Tabs.List className="tabs-list tabs-inset">
        <Tabs.Tab value="draw" className="tab">
          Draw
        </Tabs.Tab>
        <Tabs.Tab value="json" className="tab">
          JSON
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="draw">
        <DrawnPrediction input={digit} prediction={prediction} />
      </Tabs.Panel>
      <Tabs.Panel value="json">{json}</Tabs.Panel>
    </Tabs.Root>
  );
}

type PredictionMutation = ReturnType<typeof usePrediction>;

function DrawnPrediction({ input, prediction }: { input: TensorMetadata; prediction: PredictionMutation }) {
  const { name, datatype } = input;
  const shape = minShape(input);
  const ask = (data: number[]) => prediction.mutate({ inputs: [{ name, datatype, shape, data }] });
  const shares = firstOutput(prediction.data?.answer);
  return (
    <div className="digit">
      <DigitCanvas isPending={prediction.isPending} onDigit={ask} />
      <div className="stack-tight grow">
        {prediction.error && <ErrorNotice error={prediction.error} />}
        {shares.length === 10 && <Shares shares={shares} />}
        {prediction.data && <Answered prediction={prediction.data} />}
      </div>
    </div>
  );
}

/** How sure the model is of each digit. */
function Shares({ shares }: { shares: readonly number[] }) {
  const best = shares.indexOf(Math.max(...shares));
  return (
    <div role="status" aria-label="Prediction">
      <p>
        It is a <strong className="digit-best">{best}</strong>{" "}
        <span className="muted number">{Math.round((shares[best] ?? 0) * 100)} %</span>
      </p>
      <ol className="digit-shares" aria-hidden="true">
        {shares.map((share, digit) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the digit
          <li key={digit}>
            <span className="number">{digit}</span>
            <svg className="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect width={share * 100} height="6" />
            </svg>
          </li>
        ))}
      </ol>
    </div>
  );
}

interface JsonPredictionProps {
  metadata: ModelMetadata | null;
  forbidden: string | undefined;
  prediction: PredictionMutation;
}

function JsonPrediction({ metadata, forbidden, prediction }: JsonPredictionProps) {
  const [text, setText] = useState(() => JSON.stringify(exampleBody(metadata)));
  const body = readJson(text);
  return (
    <form
      className="stack-tight"
      onSubmit={(event) => {
        event.preventDefault();
        if (body) prediction.mutate(body.value);
      }}
    >
      <TextField
        label="Request"
        value={text}
        onChange={setText}
        isLong
        error={body ? undefined : "This is not JSON."}
      />
      <div>
        <Button kind="primary" type="submit" isPending={prediction.isPending} forbidden={forbidden}>
          Predict
        </Button>
      </div>
      {prediction.error && <ErrorNotice error={prediction.error} />}
      {prediction.data && (
        <>
          <JsonBox label="Answer" value={prediction.data.answer} />
          <Answered prediction={prediction.data} />
        </>
      )}
    </form>
  );
}

function Answered({ prediction: { ms } }: { prediction: Prediction }) {
  return <p className="muted number">answered in {Math.round(ms)} ms, seen from this browser</p>;
}

function readJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

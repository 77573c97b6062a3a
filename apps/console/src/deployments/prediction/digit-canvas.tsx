import { useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { digitPixels } from "./digit-pixels.ts";

const size = 224;

interface DigitCanvasProps {
  isPending: boolean;
  onDigit: (pixels: number[]) => void;
}

/** A place to draw a digit by mouse, pen or finger. The prediction is asked for when the stroke ends. */
export function DigitCanvas({ isPending, onDigit }: DigitCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawTo = ({ nativeEvent: { offsetX, offsetY }, pressure }: React.PointerEvent, isStart: boolean) => {
    const context = canvas.current?.getContext("2d");
    if (!context || !canvas.current) return;
    const scale = size / canvas.current.clientWidth;
    const [x, y] = [offsetX * scale, offsetY * scale];
    if (isStart) {
      context.beginPath();
      context.moveTo(x, y);
    }
    context.lineWidth = 15 + 4 * pressure;
    context.lineCap = "round";
    context.lineJoin = "round";
    context.strokeStyle = "#000";
    context.lineTo(x, y);
    context.stroke();
  };
  const clear = () => canvas.current?.getContext("2d")?.clearRect(0, 0, size, size);
  const read = () => {
    const pixels = canvas.current && digitPixels(pictureOf(canvas.current));
    if (pixels) onDigit(pixels);
  };
  return (
    <div className="stack-tight">
      <canvas
        ref={canvas}
        className="digit-canvas"
        width={size}
        height={size}
        role="img"
        aria-label="Drawing of a digit"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drawTo(event, true);
        }}
        onPointerMove={(event) => event.buttons > 0 && drawTo(event, false)}
        onPointerUp={read}
      />
      <div className="row">
        <Button size="small" onClick={clear}>
          Clear
        </Button>
        <span className="muted">{isPending ? "Asking …" : "Draw a digit. Without a pointer, use JSON."}</span>
      </div>
    </div>
  );
}

/** What is drawn: how opaque each pixel is. */
function pictureOf(canvas: HTMLCanvasElement) {
  const data = canvas.getContext("2d")?.getImageData(0, 0, size, size).data ?? new Uint8ClampedArray();
  const ink = Float64Array.from({ length: size * size }, (_, index) => (data[index * 4 + 3] ?? 0) / 255);
  return { width: size, height: size, ink };
}

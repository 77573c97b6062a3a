/** The path of a curve that fills a box, 2 units of margin above and below; values that are no finite numbers interrupt it. */
export function sparklinePath(
  x: readonly number[],
  y: readonly number[],
  { width, height }: { width: number; height: number },
): string {
  const finite = y.filter(Number.isFinite);
  if (finite.length === 0) return "";
  const [left, right] = [Math.min(...x), Math.max(...x)];
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  const placeX = (value: number) => (right === left ? width / 2 : ((value - left) / (right - left)) * width);
  const placeY = (value: number) => (high === low ? height / 2 : 2 + ((high - value) / (high - low)) * (height - 4));
  let isDrawing = false;
  const parts = y.map((value, index) => {
    if (!Number.isFinite(value)) {
      isDrawing = false;
      return "";
    }
    const command = isDrawing ? "L" : "M";
    isDrawing = true;
    return `${command}${placeX(x[index] ?? 0).toFixed(1)} ${placeY(value).toFixed(1)}`;
  });
  return parts.join("");
}

/** Pixels of one side of what the model takes, and of the box that a digit fills within it. */
const side = 28;
const box = 20;

/** A grey picture: rows of ink from 0 to 1. */
export interface Picture {
  width: number;
  height: number;
  ink: ArrayLike<number>;
}

/**
 * A drawing as the digits that the model was trained on are: scaled to 20 by 20 pixels by the mean of their areas, with the centre of
 * its ink in the middle of 28 by 28. Undefined for an empty drawing.
 */
export function digitPixels(picture: Picture): number[] | undefined {
  const bounds = boundsOf(picture);
  if (!bounds) return undefined;
  const scale = Math.max(bounds.right - bounds.left, bounds.bottom - bounds.top) / box;
  const small = scaled(picture, bounds, scale);
  const [centreX, centreY] = centreOf(small);
  const shiftX = Math.round(side / 2 - centreX);
  const shiftY = Math.round(side / 2 - centreY);
  return Array.from({ length: side * side }, (_, index) => {
    const x = (index % side) - shiftX;
    const y = Math.floor(index / side) - shiftY;
    return x < 0 || y < 0 || x >= small.width || y >= small.height ? 0 : (small.ink[y * small.width + x] ?? 0);
  });
}

interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function boundsOf({ width, height, ink }: Picture): Bounds | undefined {
  const bounds = { left: width, top: height, right: 0, bottom: 0 };
  for (let index = 0; index < width * height; index += 1) {
    if ((ink[index] ?? 0) < 0.1) continue;
    const [x, y] = [index % width, Math.floor(index / width)];
    bounds.left = Math.min(bounds.left, x);
    bounds.right = Math.max(bounds.right, x + 1);
    bounds.top = Math.min(bounds.top, y);
    bounds.bottom = Math.max(bounds.bottom, y + 1);
  }
  return bounds.right > bounds.left ? bounds : undefined;
}

function scaled({ width, height, ink }: Picture, { left, top, right, bottom }: Bounds, scale: number) {
  const small = {
    width: Math.max(1, Math.round((right - left) / scale)),
    height: Math.max(1, Math.round((bottom - top) / scale)),
  };
  const mean = (x: number, y: number) => {
    let [sum, count] = [0, 0];
    const [fromX, toX] = [left + Math.floor(x * scale), Math.min(width, left + Math.ceil((x + 1) * scale))];
    const [fromY, toY] = [top + Math.floor(y * scale), Math.min(height, top + Math.ceil((y + 1) * scale))];
    for (let row = fromY; row < toY; row += 1) {
      for (let column = fromX; column < toX; column += 1) {
        sum += ink[row * width + column] ?? 0;
        count += 1;
      }
    }
    return count === 0 ? 0 : sum / count;
  };
  const values = Array.from({ length: small.width * small.height }, (_, index) =>
    mean(index % small.width, Math.floor(index / small.width)),
  );
  return { ...small, ink: values };
}

function centreOf({ width, height, ink }: Picture): [x: number, y: number] {
  let [sum, sumX, sumY] = [0, 0, 0];
  for (let index = 0; index < width * height; index += 1) {
    const value = ink[index] ?? 0;
    sum += value;
    sumX += value * ((index % width) + 0.5);
    sumY += value * (Math.floor(index / width) + 0.5);
  }
  return sum === 0 ? [width / 2, height / 2] : [sumX / sum, sumY / sum];
}

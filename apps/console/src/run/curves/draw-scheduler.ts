/** Script that drawing may take of one frame, ms. What does not fit is drawn in the next frames, in turn. */
const budgetMs = 4;

const waiting = new Set<() => void>();
let isScheduled = false;

/** Draws in one of the next frames; asking twice before that is asking once. */
export function scheduleDraw(draw: () => void): void {
  waiting.add(draw);
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(drawSome);
}

/** Forgets what was not drawn yet. */
export function cancelDraw(draw: () => void): void {
  waiting.delete(draw);
}

function drawSome(): void {
  const end = performance.now() + budgetMs;
  for (const draw of waiting) {
    waiting.delete(draw);
    draw();
    if (performance.now() >= end) break;
  }
  isScheduled = waiting.size > 0;
  if (isScheduled) requestAnimationFrame(drawSome);
}

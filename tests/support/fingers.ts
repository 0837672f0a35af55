/** Fingers on the screen of a phone. */
import type { Page } from 'playwright-core';

interface Point {
  x: number;
  y: number;
}

/** Where a finger touches the screen, and where it leaves it. */
export interface Finger {
  from: Point;
  to: Point;
}

/** Moves fingers at once over the screen of a window with `hasTouch`, as a person would: with the browser's own gestures. */
export async function moveFingers(page: Page, ...fingers: readonly Finger[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const at = (part: number) =>
    fingers.map(({ from, to }, id) => ({
      id,
      x: from.x + (to.x - from.x) * part,
      y: from.y + (to.y - from.y) * part,
    }));
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
  for (const part of [0.2, 0.4, 0.6, 0.8, 1]) {
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(part) });
  }
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await devtools.detach();
}

/** Areas of an image: 1 for each place that belongs to them, row by row. */
import type { Rectangle } from './export-frame.ts';

/** The places with a larger value than a limit. */
export function above(values: Float32Array | Uint8Array, limit: number): Uint8Array {
  const area = new Uint8Array(values.length);
  for (let place = 0; place < area.length; place += 1) if (values[place]! > limit) area[place] = 1;
  return area;
}

/** How many places belong to an area. */
export function sizeOf(area: Uint8Array): number {
  let size = 0;
  for (const value of area) size += value;
  return size;
}

/** The groups of places that touch each other side by side or by a corner. */
export function partsOf(area: Uint8Array, width: number): Int32Array[] {
  const seen = area.map((value) => 1 - value);
  // All parts, one after the other.
  const places = new Int32Array(sizeOf(area));
  const parts: Int32Array[] = [];
  let end = 0;
  for (let start = 0; start < seen.length; start += 1) {
    if (seen[start]) continue;
    const first = end;
    places[end] = start;
    end += 1;
    seen[start] = 1;
    for (let at = first; at < end; at += 1) {
      const place = places[at]!;
      const x = place % width;
      const [left, right] = [x === 0 ? 0 : -1, x === width - 1 ? 0 : 1];
      for (let down = -width; down <= width; down += width) {
        for (let across = left; across <= right; across += 1) {
          const next = place + across + down;
          if (next < 0 || next >= seen.length || seen[next]) continue;
          seen[next] = 1;
          places[end] = next;
          end += 1;
        }
      }
    }
    parts.push(places.subarray(first, end));
  }
  return parts;
}

/** The smallest rectangle around an area; null if it is empty. */
export function boundsOf(area: Uint8Array, width: number): Rectangle | null {
  let [left, top, right, bottom] = [width, area.length, -1, -1];
  for (let place = 0; place < area.length; place += 1) {
    if (!area[place]) continue;
    const [x, y] = [place % width, Math.floor(place / width)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return right < 0 ? null : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** The area with all places at most `reach` beside it. */
export function dilate(area: Uint8Array, width: number, reach: number): Uint8Array {
  const across = spread(area, width, 1, reach);
  return spread(across, width, width, reach);
}

function spread(area: Uint8Array, width: number, step: number, reach: number): Uint8Array {
  const wide = new Uint8Array(area.length);
  for (let place = 0; place < area.length; place += 1) {
    if (!area[place]) continue;
    const row = Math.floor(place / width);
    for (let offset = -reach; offset <= reach; offset += 1) {
      const next = place + offset * step;
      if (next < 0 || next >= area.length || (step === 1 && Math.floor(next / width) !== row)) continue;
      wide[next] = 1;
    }
  }
  return wide;
}

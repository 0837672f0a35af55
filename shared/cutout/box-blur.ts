/** Box blur of an image plane, in time that does not depend on the radius. */

/**
 * The mean of each pixel's neighbourhood of (2 · radius + 1)² pixels, cropped at the image's edges.
 * @returns a new plane of the same size
 */
export function boxMean(plane: Float32Array, width: number, height: number, radius: number): Float32Array {
  const rows = new Float32Array(plane.length);
  // Between these columns the neighbourhood lies completely within the row; most of the time is spent there.
  const firstWhole = Math.min(width, radius + 1);
  const lastWhole = Math.max(firstWhole, width - radius);
  const share = 1 / (2 * radius + 1);
  for (let y = 0; y < height; y += 1) {
    const start = y * width;
    const end = start + width;
    let sum = 0;
    for (let x = start; x < Math.min(start + radius, end); x += 1) sum += plane[x]!;
    for (let x = 0; x < firstWhole; x += 1) {
      if (x + radius < width) sum += plane[start + x + radius]!;
      rows[start + x] = sum / (Math.min(width - 1, x + radius) + 1);
    }
    for (let x = start + firstWhole; x < start + lastWhole; x += 1) {
      sum += plane[x + radius]! - plane[x - radius - 1]!;
      rows[x] = sum * share;
    }
    for (let x = lastWhole; x < width; x += 1) {
      sum -= plane[start + x - radius - 1]!;
      rows[start + x] = sum / (width - x + radius);
    }
  }
  // Columns are summed a whole row at a time, so that memory is read sequentially.
  const result = new Float32Array(plane.length);
  const sums = new Float64Array(width);
  let count = 0;
  for (let y = 0; y < Math.min(radius, height); y += 1) {
    for (let x = 0; x < width; x += 1) sums[x] = sums[x]! + rows[y * width + x]!;
    count += 1;
  }
  for (let y = 0; y < height; y += 1) {
    const entering = y + radius;
    const leaving = y - radius - 1;
    if (entering < height) {
      for (let x = 0; x < width; x += 1) sums[x] = sums[x]! + rows[entering * width + x]!;
      count += 1;
    }
    if (leaving >= 0) {
      for (let x = 0; x < width; x += 1) sums[x] = sums[x]! - rows[leaving * width + x]!;
      count -= 1;
    }
    for (let x = 0; x < width; x += 1) result[y * width + x] = sums[x]! / count;
  }
  return result;
}

/**
 * Approximates a Gaussian blur by three box blurs. `sigma` is in pixels; below 0.5 the plane is returned unchanged.
 */
export function gaussianBlur(
  plane: Float32Array,
  width: number,
  height: number,
  sigma: number,
): Float32Array {
  if (sigma < 0.5) return plane;
  const radius = Math.max(1, Math.round((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2));
  let blurred = plane;
  for (let pass = 0; pass < 3; pass += 1) blurred = boxMean(blurred, width, height, radius);
  return blurred;
}

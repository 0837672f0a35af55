/** The most pixels of a speck, and how many times as large something else must be. */
const [mostPixels, timesLarger] = [25, 200];

/**
 * Adds specks to the background: groups of a few pixels that touch nothing else, in an image with something much larger.
 * Otherwise a grain of dust in a corner would make the product seem as large as the frame.
 * @param background 1 for each pixel of the background; changed in place
 */
export function addSpecks(background: Uint8Array, width: number): void {
  const { runs, groups, sizes } = groupRuns(background, width);
  let largest = 0;
  for (const size of sizes) largest = Math.max(largest, size);
  for (let run = 0; run < groups.length; run += 1) {
    const size = sizes[groups[run]!]!;
    if (size > mostPixels || size * timesLarger > largest) continue;
    background.fill(1, runs[run * 2]!, runs[run * 2 + 1]!);
  }
}

/**
 * Groups what touches side by side or by a corner, by runs of pixels in each row: that takes a tenth of the time of a walk from
 * pixel to pixel.
 * @returns first pixel and end of each run, the group of each run, and the pixels of each group
 */
function groupRuns(background: Uint8Array, width: number) {
  const runs: number[] = [];
  const parents: number[] = [];
  const rootOf = (run: number) => {
    let root = run;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root]!]!;
      root = parents[root]!;
    }
    return root;
  };
  let [above, aboveEnd] = [0, 0];
  for (let start = 0; start < background.length; start += width) {
    const [first, end] = [aboveEnd, start + width];
    for (let left = start, right = start; ; left = right) {
      while (left < end && background[left] !== 0) left += 1;
      if (left === end) break;
      right = left + 1;
      while (right < end && background[right] === 0) right += 1;
      const run = parents.length;
      runs.push(left, right);
      parents.push(run);
      // Runs of the row above that reach at least to the pixel before this one, and begin at most at the one after it.
      while (above < first && runs[above * 2 + 1]! + width < left) above += 1;
      for (let other = above; other < first && runs[other * 2]! + width <= right; other += 1)
        parents[rootOf(other)] = rootOf(run);
    }
    [above, aboveEnd] = [first, parents.length];
  }
  const groups = parents.map((_, run) => rootOf(run));
  const sizes = new Uint32Array(parents.length);
  for (const [run, group] of groups.entries()) sizes[group]! += runs[run * 2 + 1]! - runs[run * 2]!;
  return { runs, groups, sizes };
}

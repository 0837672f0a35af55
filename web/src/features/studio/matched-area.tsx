/** Outlines an area of an image. @param points in fractions of the image's width and height */
export function MatchedArea({ points }: { points: readonly { x: number; y: number }[] }) {
  const corners = points.map(({ x, y }) => `${x},${y}`).join(' ');
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 1 1"
      preserveAspectRatio="none"
      className="pointer-events-none absolute inset-0 z-3 size-full fill-transparent"
    >
      {/* Two lines, so that one of them stands out from any image. */}
      <polygon points={corners} vectorEffect="non-scaling-stroke" className="stroke-[#17120c] stroke-[5px]" />
      <polygon points={corners} vectorEffect="non-scaling-stroke" className="stroke-[#fffdf9] stroke-[2px]" />
    </svg>
  );
}

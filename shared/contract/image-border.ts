/** Visits the pixels on the border of an image, those in its corners twice. @param visit given the index of a pixel, row by row */
export function visitBorder(
  { width, height }: { width: number; height: number },
  visit: (pixel: number) => void,
): void {
  for (let x = 0; x < width; x += 1) {
    visit(x);
    visit((height - 1) * width + x);
  }
  for (let y = 0; y < height; y += 1) {
    visit(y * width);
    visit(y * width + width - 1);
  }
}

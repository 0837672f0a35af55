/** A small picture in linear light for what is out of focus: drawn at low resolution, blurred, and interpolated. */
import { gaussianBlur } from '../../../../shared/cutout/box-blur.ts';
import { sampleAt } from '../../../../shared/cutout/pixels.ts';
import type { Colour } from './colour.ts';

/** Coordinates are shares of the picture's height in both directions, so that circles are round. */
export class SoftCanvas {
  readonly columns: number;
  readonly rows: number;
  readonly #unit: number;
  #planes: [Float32Array, Float32Array, Float32Array];

  /** @param coarseness picture pixels for each pixel of the canvas */
  constructor(width: number, height: number, coarseness: number) {
    this.columns = Math.ceil(width / coarseness) + 1;
    this.rows = Math.ceil(height / coarseness) + 1;
    this.#unit = height / coarseness;
    const plane = () => new Float32Array(this.columns * this.rows);
    this.#planes = [plane(), plane(), plane()];
  }

  /** Fills every pixel according to its position. */
  fill(colourAt: (x: number, y: number) => Colour): void {
    for (let row = 0; row < this.rows; row += 1) {
      for (let column = 0; column < this.columns; column += 1) {
        const colour = colourAt(column / this.#unit, row / this.#unit);
        const index = row * this.columns + column;
        for (let channel = 0; channel < 3; channel += 1) this.#planes[channel]![index] = colour[channel]!;
      }
    }
  }

  /** A disc; `softness` is the share of the radius over which it fades, `glow` adds light instead of covering. */
  disc(
    x: number,
    y: number,
    radius: number,
    colour: Colour,
    opacity: number,
    softness = 0.2,
    glow = false,
  ): void {
    this.#paint(x - radius, y - radius, x + radius, y + radius, colour, glow, (px, py) => {
      const distance = Math.hypot(px - x, py - y) / radius;
      return opacity * Math.min(1, Math.max(0, (1 - distance) / softness));
    });
  }

  /** An upright rectangle with edges that fade over `fade`. */
  rectangle(
    left: number,
    top: number,
    right: number,
    bottom: number,
    colour: Colour,
    opacity: number,
    fade = 0.004,
    glow = false,
  ): void {
    this.#paint(left - fade, top - fade, right + fade, bottom + fade, colour, glow, (px, py) => {
      const inside = Math.min(px - left, right - px, py - top, bottom - py);
      return opacity * Math.min(1, Math.max(0, inside / fade / 2 + 0.5));
    });
  }

  /** Blurs everything; `sigma` is a share of the height. */
  blur(sigma: number): void {
    this.#planes = this.#planes.map((plane) =>
      gaussianBlur(plane, this.columns, this.rows, sigma * this.#unit),
    ) as [Float32Array, Float32Array, Float32Array];
  }

  /**
   * Blurs like a lens that is out of focus: every point becomes a uniform disc; bright ones are visible as such.
   * @param radius of the disc, a share of the height
   */
  defocus(radius: number): void {
    const reach = Math.round(radius * this.#unit);
    if (reach < 1) return;
    const { columns, rows } = this;
    const halfWidths = Array.from({ length: 2 * reach + 1 }, (_, index) =>
      Math.floor(Math.sqrt(Math.max(0, (reach + 0.5) ** 2 - (index - reach) ** 2))),
    );
    const area = halfWidths.reduce((sum, half) => sum + 2 * half + 1, 0);
    const padded = columns + 2 * reach + 1;
    const sums = new Float64Array(padded * rows);
    this.#planes = this.#planes.map((plane) => {
      // With prefix sums for each row, including repeated border pixels, every line of the disc is one subtraction.
      for (let row = 0; row < rows; row += 1) {
        let sum = 0;
        for (let place = 1; place < padded; place += 1) {
          const column = Math.min(columns - 1, Math.max(0, place - 1 - reach));
          sum += plane[row * columns + column]!;
          sums[row * padded + place] = sum;
        }
      }
      const blurred = new Float32Array(plane.length);
      for (let row = 0; row < rows; row += 1) {
        for (let line = -reach; line <= reach; line += 1) {
          const from = Math.min(rows - 1, Math.max(0, row + line)) * padded + reach;
          const half = halfWidths[line + reach]!;
          for (let column = 0; column < columns; column += 1) {
            const at = row * columns + column;
            blurred[at] = blurred[at]! + sums[from + column + half + 1]! - sums[from + column - half]!;
          }
        }
      }
      return blurred.map((value) => value / area);
    }) as [Float32Array, Float32Array, Float32Array];
  }

  /** The interpolated colour at a position, written into `target`; positions outside read the border. */
  read(x: number, y: number, target: Float32Array): void {
    for (let channel = 0; channel < 3; channel += 1) {
      const plane = { width: this.columns, height: this.rows, data: this.#planes[channel]! };
      target[channel] = sampleAt(plane, x * this.#unit, y * this.#unit);
    }
  }

  #paint(
    left: number,
    top: number,
    right: number,
    bottom: number,
    colour: Colour,
    glow: boolean,
    opacityAt: (x: number, y: number) => number,
  ): void {
    const firstColumn = Math.max(0, Math.floor(left * this.#unit));
    const lastColumn = Math.min(this.columns - 1, Math.ceil(right * this.#unit));
    const firstRow = Math.max(0, Math.floor(top * this.#unit));
    const lastRow = Math.min(this.rows - 1, Math.ceil(bottom * this.#unit));
    for (let row = firstRow; row <= lastRow; row += 1) {
      for (let column = firstColumn; column <= lastColumn; column += 1) {
        const opacity = opacityAt(column / this.#unit, row / this.#unit);
        if (opacity <= 0) continue;
        const index = row * this.columns + column;
        for (let channel = 0; channel < 3; channel += 1) {
          const plane = this.#planes[channel]!;
          const under = plane[index]!;
          plane[index] = glow
            ? under + colour[channel]! * opacity
            : under + (colour[channel]! - under) * opacity;
        }
      }
    }
  }
}

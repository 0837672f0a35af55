/** A number of things in words: `1 image`, `2 images`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${many}`;
}

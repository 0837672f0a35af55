/** How many files of a ZIP are made or kept besides the one that is read, and from how many bytes on no further one is begun. */
const [mostAhead, mostBytesAhead] = [6, 4 * 1024 * 1024];
/** How many files of a ZIP are made at a time while nobody else has images worked on: JavaScript of one beside native code of the other. */
const mostAtOnce = 2;

/** A file, and what belongs to it. */
interface MadeFile {
  file: Uint8Array;
}

/**
 * Makes the files of a ZIP in their order: the next one while one is read, and further ones while nobody else waits.
 * @param make undefined for a file that is left out
 * @param isFree whether nobody else has images worked on while so many of these files are made
 * @returns a function that takes the next file, to be called once for each; it throws what `make` throws
 */
export function makeAhead<Order, Made extends MadeFile | undefined>(
  orders: readonly Order[],
  make: (order: Order) => Promise<Made>,
  isFree: (making: number) => boolean,
): () => Promise<Made> {
  const begun: Promise<Made>[] = [];
  let [next, making, bytes] = [0, 0, 0];
  const begin = () => {
    while (
      next < orders.length &&
      begun.length < mostAhead &&
      bytes < mostBytesAhead &&
      (making === 0 || (making < mostAtOnce && isFree(making)))
    ) {
      const made = make(orders[next]!);
      next += 1;
      making += 1;
      begun.push(made);
      made.then(
        (each) => {
          making -= 1;
          bytes += bytesOf(each);
          begin();
        },
        // It is thrown when its turn comes, if it comes. What would follow is not wanted any more.
        () => {
          making -= 1;
          next = orders.length;
        },
      );
    }
  };
  begin();
  return async () => {
    begin();
    const made = await begun[0]!;
    begun.shift();
    bytes -= bytesOf(made);
    begin();
    return made;
  };
}

const bytesOf = (made: MadeFile | undefined) => made?.file.byteLength ?? 0;

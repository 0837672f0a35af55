/**
 * The first file name that is not taken, without a suffix or with `-2` and so on.
 * @param taken names in lower case; the new one is added
 */
export function uniqueName(taken: Set<string>, nameOf: (suffix: string) => string): string {
  for (let count = 1; ; count += 1) {
    const name = nameOf(count === 1 ? '' : `-${count}`);
    // Some file systems do not tell upper case from lower case.
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return name;
  }
}

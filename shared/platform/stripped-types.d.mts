/** Where stripped sources are: where all processes may read, and none that opens the files of strangers may write. */
export const strippedFolder: string;
/** The file with a source as this Node strips it. */
export function strippedFile(source: string): string;

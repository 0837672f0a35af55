declare module '*.md' {
  /** The second-level headings, added by `rehype-headings.ts`. */
  export const headings: readonly { id: string; text: string }[];
}

declare module '*.md' {
  /** The second-level headings, added by `web/build/rehype-headings.ts`. */
  export const headings: readonly { id: string; text: string }[];
}

/** The seller's description in a call that the image provider received: the first paragraph. Forms end lines with CR LF. */
export function describedScene(call: { prompt: string }): string {
  return call.prompt.split(/(?:\r?\n){2}/)[0]!;
}

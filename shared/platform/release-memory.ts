/**
 * Frees the memory of bytes that nothing uses any more, instead of when the garbage collector comes. V8 also collects its
 * whole heap whenever buffers take much memory beside it, which costs more than these buffers did.
 * @param bytes all of their buffer; it must not be shared with other bytes, as small ones of Node's pool are
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  if (!(buffer instanceof ArrayBuffer) || buffer.detached || buffer.byteLength !== byteLength) return;
  buffer.transfer(0);
}

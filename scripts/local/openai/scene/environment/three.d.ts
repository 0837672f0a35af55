/** What panorama.ts uses of three, which has no types of its own. */
declare module 'three' {
  export const FloatType: number;
}

declare module 'three/addons/loaders/EXRLoader.js' {
  export class EXRLoader {
    setDataType(type: number): this;
    /** Decodes an EXR file: RGBA in linear light, the last row first. */
    parse(file: ArrayBuffer): { width?: number; height?: number; data?: ArrayLike<number> };
  }
}

declare module 'lz4js' {
  /** Returns the bytes written to `target`; 0 where nothing was gained. `matches`: 65,536 zeros. */
  export const compressBlock: (
    source: Uint8Array,
    target: Uint8Array,
    from: number,
    count: number,
    matches: Uint32Array,
  ) => number
  export const compressBound: (count: number) => number
  const lz4: { readonly compressBlock: typeof compressBlock; readonly compressBound: typeof compressBound }
  export default lz4
}

declare module 'snappyjs' {
  const snappy: { readonly compress: (bytes: Buffer) => Buffer }
  export default snappy
}

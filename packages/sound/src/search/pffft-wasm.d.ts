/** The part of pffft that is used here. Pointers are byte addresses in the module's memory, which may grow. */
declare module '@echogarden/pffft-wasm/simd' {
  export interface Pffft {
    readonly HEAPF32: Float32Array
    _pffft_new_setup(size: number, kind: number): number
    _pffft_destroy_setup(setup: number): void
    _pffft_aligned_malloc(bytes: number): number
    _pffft_aligned_free(pointer: number): void
    _pffft_transform(setup: number, from: number, to: number, work: number, direction: number): void
    _pffft_zconvolve_accumulate(setup: number, a: number, b: number, sum: number, scale: number): void
  }
  const open: () => Promise<Pffft>
  export default open
}

/** A check: what was computed here, beside what it was compared with. */
export interface Step {
  readonly name: string
  readonly isPassed: boolean
  readonly computed: string
  readonly kept: string
  /** Where what was kept comes from. */
  readonly from: string
}

interface SameLineProps {
  readonly line: string
  /** Of how many it is the first. */
  readonly of?: number
}

/** An act as it is given on the command line. */
export const SameLine = ({ line, of = 1 }: SameLineProps) => (
  <p class="why">
    The same on the command line{of > 1 && ', for the first of them'}: <code class="name">{line}</code>
  </p>
)

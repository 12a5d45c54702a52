import type { ComponentChildren } from 'preact'

interface NotCheckedProps {
  readonly isTrusted: boolean
  readonly isWitnessed: boolean
  /** More of it, each in an `li`. */
  readonly children?: ComponentChildren
}

/** The parts of a proof that no check here covers. */
export const NotChecked = ({ isTrusted, isWitnessed, children }: NotCheckedProps) => (
  <ul>
    {children}
    {!isTrusted && <li>That the key is the archive’s: this server gave it.</li>}
    {!isWitnessed && <li>That others saw this head: no witness cosigned it, by a key that browsers know.</li>}
    <li>Time stamps, and signatures by ML-DSA-44: browsers lack it.</li>
    <li>That what the event states is true, or that nothing came after it.</li>
  </ul>
)

import { Name } from '../../parts/name.tsx'

/** Sentences of the server, each by itself. */
export const Reasons = ({ reasons }: { readonly reasons: readonly string[] }) => (
  <ul>
    {reasons.map((reason) => (
      <li key={reason}>
        <Name text={reason} isWhole />
      </li>
    ))}
  </ul>
)

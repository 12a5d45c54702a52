import type { Problem } from '../api/client.ts'
import { visible } from './name.tsx'

/** Why something is not there, in the server's own sentence, which may name what anybody wrote. */
export const Trouble = ({ problem }: { readonly problem: Problem }) => (
  <p class="trouble" role="status">
    <strong>{problem.title}:</strong> {visible(problem.detail)}.
  </p>
)

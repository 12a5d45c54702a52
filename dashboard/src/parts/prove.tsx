import { Link } from '../address/use-address.tsx'

/** The proof of one event. Its id is compared with that of what is proven. */
export const proofAt = (position: string, id?: string): string =>
  `/proofs/event?${new URLSearchParams({ position, ...(id !== undefined && { id }) })}`

/** The newest events of a thing, to be proven. */
export const proofsAt = (id: string): string => `/proofs/things/${encodeURIComponent(id)}`

/** The events of the archive file that holds a capture. */
export const captureProofsAt = (file: string): string => `/proofs/captures/${encodeURIComponent(file)}`

/** Leads to the proofs of what happened to a thing. */
export const ProveThing = ({ id }: { readonly id: string }) => (
  <Link to={proofsAt(id)} class="button small">
    Prove
  </Link>
)

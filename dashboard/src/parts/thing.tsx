import { pathOf } from '../address/address.ts'
import { Name } from './name.tsx'

export const historyAt = (id: string): string => pathOf('/things/:id', { id })

/** A link to all that ever happened to a thing. */
export const HistoryLink = ({ id }: { readonly id: string }) => (
  <Name text={`History of ${id}`} to={historyAt(id)} />
)

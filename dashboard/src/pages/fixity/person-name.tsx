import { useAnswer } from '../../api/use-answer.ts'
import { Name } from '../../parts/name.tsx'

/** The name of a person who has findings, as the server keeps it; else the reference. */
export const PersonName = ({ reference }: { readonly reference: string }) => {
  const { answered } = useAnswer('/api/v1/fixity/findings', { query: { assignee: reference, limit: 1 } })
  return <Name text={answered?.data.findings[0]?.assigneeName ?? reference} />
}

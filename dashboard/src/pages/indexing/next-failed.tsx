import { useAnswer } from '../../api/use-answer.ts'
import { maxLooked, NextOne } from '../../parts/next-one.tsx'
import { fileAt } from './addresses.ts'

interface NextFailedProps {
  readonly repository: string
  readonly name: string
}

/** The file that failed or is parked, behind this one; nothing beside one that is well. */
export const NextFailed = ({ repository, name }: NextFailedProps) => {
  const { answered } = useAnswer('/api/v1/indexing/failed', { query: { limit: maxLooked } })
  return (
    <NextOne
      isOfList
      noun="failed file"
      none="No file is failed or parked any more."
      here={`${repository}/${name}`}
      rows={answered?.data.failed.map((one) => ({
        key: `${one.repository}/${one.name}`,
        to: fileAt(one),
        says: `${one.repository}/${one.name}`,
      }))}
      total={answered?.data.total ?? 0}
    />
  )
}

import { useAnswer } from '../../api/use-answer.ts'
import { maxLooked, NextOne } from '../../parts/next-one.tsx'
import { itemAt } from './addresses.ts'

interface NextFindingProps {
  readonly store: string
  readonly path: string
}

/** The open finding behind this one. */
export const NextFinding = ({ store, path }: NextFindingProps) => {
  const { answered } = useAnswer('/api/v1/fixity/findings', { query: { limit: maxLooked } })
  const { findings, ages } = answered?.data ?? { ages: [] }
  return (
    <NextOne
      noun="finding"
      none="No finding is open any more."
      here={`${store}/${path}`}
      rows={findings?.map((one) => ({
        key: `${one.store}/${one.path}`,
        to: itemAt(one.store, one.path),
        says: `${one.store}/${one.path}`,
      }))}
      total={ages.reduce((sum, one) => sum + one.count, 0)}
    />
  )
}

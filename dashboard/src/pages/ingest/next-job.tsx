import { useAnswer } from '../../api/use-answer.ts'
import { maxLooked, NextOne } from '../../parts/next-one.tsx'
import { jobAt } from './addresses.ts'

/** The failed job behind this one; nothing beside one that did not fail. */
export const NextJob = ({ job }: { readonly job: number }) => {
  const { answered } = useAnswer('/api/v1/ingest/jobs', { query: { state: 'failed', limit: maxLooked } })
  return (
    <NextOne
      isOfList
      noun="failed job"
      none="No job is failed any more."
      here={String(job)}
      rows={answered?.data.jobs.map((one) => ({
        key: String(one.job),
        to: jobAt(one.job),
        says: `job ${one.job}`,
      }))}
      total={answered?.data.total ?? 0}
    />
  )
}

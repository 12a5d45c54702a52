import { Link } from '../../address/use-address.tsx'
import { useAnswer } from '../../api/use-answer.ts'
import { batchesAt } from './addresses.ts'
import { Holds } from './holds.tsx'
import { JobNumbers } from './job-numbers.tsx'
import { Lanes } from './lanes.tsx'
import { Submit } from './submit.tsx'

/** Hands files in, shows where each batch stands, and what is on hold. */
const Ingest = () => {
  const lanes = useAnswer('/api/v1/ingest/lanes')
  return (
    <>
      <h1>Ingest</h1>
      {lanes.answered && <JobNumbers lanes={lanes.answered.data.lanes} />}
      <section aria-labelledby="batches">
        <h2 id="batches">Batches</h2>
        <Lanes of={lanes} />
        <p>
          <Link to={batchesAt()}>All batches</Link>
        </p>
      </section>
      <section aria-labelledby="submit">
        <h2 id="submit">Submit</h2>
        <Submit />
      </section>
      <Holds />
    </>
  )
}

export default Ingest

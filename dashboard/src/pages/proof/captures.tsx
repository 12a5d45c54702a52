import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import type { PageProps } from '../../shell/lazy.tsx'
import { ThingEvents } from './thing.tsx'

/** The captures of an archive file stand in the events that found and indexed it: those are proven. */
const CaptureProofs = ({ values: { file = '' } }: PageProps) => {
  const known = useAnswer('/api/v1/views/indexing-files', { query: { where: [`name=${file}`], limit: 20 } })
  return (
    <>
      <h1>
        Prove the captures in <Name text={file} isWhole />
      </h1>
      <p>
        A capture is no event: the events of its archive file state which bytes it had when its captures were
        listed.
      </p>
      <Answer of={known}>
        {({ rows }) => (
          <>
            {rows.length === 0 && <p class="none">No archive file of this name is known here.</p>}
            {rows.map(({ repository, name }) => (
              <ThingEvents key={repository} id={`${repository}/${name}`} />
            ))}
          </>
        )}
      </Answer>
    </>
  )
}

export default CaptureProofs

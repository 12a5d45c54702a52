import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { ProveThing } from '../../parts/prove.tsx'
import { HistoryLink } from '../../parts/thing.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { count, plural } from '../../parts/words.ts'
import type { PageProps } from '../../shell/lazy.tsx'
import { ParkFile, RescueFile, ResetFile, SalvageFile, WithdrawFile } from './file-acts.tsx'
import { FileState, fileStates } from './file-state.tsx'
import { IndexingMenu } from './menu.tsx'
import { NextFailed } from './next-failed.tsx'
import { Reasons } from './reasons.tsx'

/** One archive file: whether what it holds can be found, why not, and what a person may do. */
const FilePage = ({ values: { repository = '', name = '' } }: PageProps) => {
  const why = useAnswer('/api/v1/indexing/why', { query: { of: name, repository } })
  const rows = useAnswer('/api/v1/views/indexing-files', {
    query: { where: [`repository=${repository}`, `name=${name}`], limit: 1 },
  })
  return (
    <>
      <h1>
        Archive file <Name text={`${repository}/${name}`} isWhole />
      </h1>
      <IndexingMenu />
      <Answer of={why}>{({ reasons }) => <Reasons reasons={reasons} />}</Answer>
      <Answer of={rows}>
        {({ rows: [file] }, at) =>
          file && (
            <>
              <dl class="facts">
                <dt>State</dt>
                <dd>
                  <FileState state={file.state ?? ''} />: {fileStates[file.state ?? '']}
                </dd>
                <dt>Lines in the index</dt>
                <dd>{file.lines === null ? 'none that Fonds wrote' : count(file.lines)}</dd>
                <dt>Kind</dt>
                <dd>{file.kind}</dd>
                <dt>Lies at</dt>
                <dd>
                  {file.location === null ? 'nobody has said where' : <Name text={file.location} isWhole />}
                </dd>
                <dt>Size</dt>
                <dd>{file.size === null ? 'not known' : plural(file.size, 'byte')}</dd>
                <dt>Known since</dt>
                <dd>
                  <Time at={file.discoveredAt ?? ''} />
                </dd>
                <dt>Indexed</dt>
                <dd>{file.indexedAt === null ? 'not yet' : <Time at={file.indexedAt} />}</dd>
              </dl>
              <p>
                <HistoryLink id={`${repository}/${name}`} /> <ProveThing id={`${repository}/${name}`} />
              </p>
              <div class="buttons">
                {[RescueFile, SalvageFile, ResetFile, ParkFile, WithdrawFile].map((Act, i) => (
                  <Act key={i} file={{ repository, name, state: file.state ?? '' }} />
                ))}
              </div>
              <NextFailed repository={repository} name={name} />
              <AsOf at={at} />
            </>
          )
        }
      </Answer>
    </>
  )
}

export default FilePage

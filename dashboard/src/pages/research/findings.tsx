import { changed } from '../../address/address.ts'
import { go, useAddress } from '../../address/use-address.tsx'
import { questionAt } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { usePast } from '../../api/use-past.ts'
import { Answer } from '../../parts/answer.tsx'
import { Download } from '../../parts/download.tsx'
import { LongList } from '../../parts/long-list.tsx'
import { Name } from '../../parts/name.tsx'
import { HistoryLink } from '../../parts/thing.tsx'
import { AsOf } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { episodeAt } from './addresses.ts'
import { clock } from './clock.ts'
import { ParkedOf } from './parked.tsx'
import { ResearchMenu } from './research-menu.tsx'

const limit = 1000

/** Where clips were found, in all episodes or by words of titles. */
const Findings = () => {
  const address = useAddress()
  const past = usePast()
  const [text, clip] = [address.query.get('q') ?? '', address.query.get('clip') ?? '']
  const query = { limit, ...(text !== '' && { text }), ...(clip !== '' && { clip }) }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const q = String(new FormData(event.currentTarget as HTMLFormElement).get('q'))
    go(changed(address, { q, clip: undefined }))
  }
  return (
    <>
      <h1>
        Findings
        {clip !== '' && (
          <>
            {' '}
            of <Name text={clip} />
          </>
        )}
      </h1>
      <ResearchMenu />
      {clip !== '' && (
        <>
          <ParkedOf clip={clip} />
          <p>
            <HistoryLink id={clip} />
          </p>
        </>
      )}
      <search>
        <form class="row" onSubmit={submit} key={text}>
          <label>
            In the title or id of episode or clip
            <input name="q" type="search" size={24} defaultValue={text} autocomplete="off" />
          </label>
          <button type="submit">Search</button>
        </form>
      </search>
      <Answer of={useAnswer('/api/v1/research/findings', { query })}>
        {({ findings }, at) => (
          <>
            {findings.length === 0 ? (
              <p class="none">Nothing was found.</p>
            ) : (
              <>
                <Download
                  address={questionAt('/api/v1/research/findings', { query }, past)}
                  type="text/csv"
                  name="findings.csv"
                >
                  As a table (CSV)
                </Download>
                <LongList
                  caption="Places where clips were found"
                  rows={findings}
                  keyOf={(one) => JSON.stringify([one.episode, one.clip, one.offset])}
                  columns={[
                    {
                      title: 'Episode',
                      width: 'auto',
                      cell: (one) => <Name text={one.episodeTitle} to={episodeAt(one.episode)} />,
                    },
                    { title: 'At', width: '8rem', cell: ({ offset }) => clock(offset) },
                    { title: 'Clip', width: '18rem', cell: ({ clipTitle }) => <Name text={clipTitle} /> },
                    { title: 'Score', width: '7rem', cell: ({ score }) => score.toFixed(3) },
                    {
                      title: 'Verdict',
                      width: '10rem',
                      cell: ({ verdict }) => verdict ?? <span class="why">none yet</span>,
                    },
                  ]}
                />
              </>
            )}
            {findings.length === limit && (
              <p class="why">There are more: the first {count(limit)} are listed.</p>
            )}
            <AsOf at={at} />
          </>
        )}
      </Answer>
    </>
  )
}

export default Findings

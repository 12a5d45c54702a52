import { changed } from '../../address/address.ts'
import { go, useAddress } from '../../address/use-address.tsx'
import { get, questionAt } from '../../api/client.ts'
import { usePast } from '../../api/use-past.ts'
import { listed } from '../../api/view-rows.ts'
import { Download } from '../../parts/download.tsx'
import { ActTable } from '../../parts/many/act-table.tsx'
import { Name } from '../../parts/name.tsx'
import { Paged } from '../../parts/paged.tsx'
import { ProveThing } from '../../parts/prove.tsx'
import { SavedViews } from '../../parts/saved-views.tsx'
import { HistoryLink } from '../../parts/thing.tsx'
import { count } from '../../parts/words.ts'
import { episodeAt } from './addresses.ts'
import { clock } from './clock.ts'
import { ParkedOf } from './parked.tsx'
import { ResearchMenu } from './research-menu.tsx'
import { placeChoosing } from './verdict-choosing.ts'

/** Rows of one answer over HTTP, at most. */
const maxSaved = 10_000

/** Where clips were found, in all episodes or by words of titles. */
const Findings = () => {
  const address = useAddress()
  const past = usePast()
  const [text, clip] = [address.query.get('q') ?? '', address.query.get('clip') ?? '']
  const query = { ...(text !== '' && { text }), ...(clip !== '' && { clip }) }
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
            <HistoryLink id={clip} /> <ProveThing id={clip} />
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
      <SavedViews />
      <Paged
        name={JSON.stringify(query)}
        caption="Places where clips were found"
        ask={(page, signal) =>
          listed('findings', get('/api/v1/research/findings', { query: { ...query, ...page } }, signal))
        }
      >
        {({ rows, total }, page) => (
          <>
            {total > 0 && (
              <div class="buttons">
                <Download
                  address={questionAt(
                    '/api/v1/research/findings',
                    { query: { ...query, limit: maxSaved } },
                    past,
                  )}
                  type="text/csv"
                  name="findings.csv"
                >
                  {total > maxSaved ? `The first ${count(maxSaved)} as a table (CSV)` : 'As a table (CSV)'}
                </Download>
              </div>
            )}
            <ActTable
              {...page}
              total={total}
              choosing={placeChoosing}
              caption={`Places where clips were found, ${count(total)} of them`}
              none="Nothing was found."
              rows={rows}
              keyOf={(one) => JSON.stringify([one.episode, one.clip, one.offset])}
              columns={[
                {
                  title: 'Episode',
                  cell: (one) => <Name text={one.episodeTitle} to={episodeAt(one.episode)} />,
                },
                { title: 'At', cell: ({ offset }) => clock(offset) },
                { title: 'Clip', cell: ({ clipTitle }) => <Name text={clipTitle} /> },
                { title: 'Score', isNumber: true, cell: ({ score }) => score.toFixed(3) },
                { title: 'Verdict', cell: ({ verdict }) => verdict ?? <span class="why">none yet</span> },
              ]}
            />
          </>
        )}
      </Paged>
    </>
  )
}

export default Findings

import { useState } from 'preact/hooks'
import { useAnswer } from '../../api/use-answer.ts'
import { Act } from '../../parts/act.tsx'
import { Answer } from '../../parts/answer.tsx'
import { giveCommand } from '../../parts/command.tsx'
import { quoted } from '../../parts/command-line.ts'
import { Name } from '../../parts/name.tsx'
import { SameLine } from '../../parts/same-line.tsx'
import { Table } from '../../parts/table.tsx'
import { useNoAdministration } from '../../shell/may-act.ts'
import { settingHere } from '../log/setting-here.ts'
import { filesAt } from './addresses.ts'
import { IndexingMenu } from './menu.tsx'
import { type NamedSource, settingOf, sourcesIn, whyNoSource, withSource } from './named-sources.ts'

const setting = 'indexingSources'

/** Where archive files are looked for, and one more place. */
const Sources = () => (
  <>
    <h1>Sources of archive files</h1>
    <IndexingMenu />
    <Answer of={useAnswer('/api/v1/settings')}>
      {({ settings }) => {
        const { text, startedWith } = settingHere(settings, setting)
        const sources = sourcesIn(text)
        return (
          <>
            <Table
              caption="Sources"
              none="Archive files are looked for nowhere yet."
              rows={sources}
              keyOf={({ repository, location }) => `${repository}=${location}`}
              columns={[
                {
                  title: 'Repository',
                  cell: ({ repository }) => <Name text={repository} to={filesAt({ repository })} />,
                },
                { title: 'Place', cell: ({ location }) => <Name text={location} isWhole /> },
              ]}
            />
            <AddSource
              key={text}
              sources={sources}
              cannot={
                startedWith &&
                `This node was started with sources of its own (${startedWith}), which go before those of the log.`
              }
            />
          </>
        )
      }}
    </Answer>
  </>
)

interface AddSourceProps {
  readonly sources: readonly NamedSource[]
  readonly cannot: string | undefined
}

const AddSource = ({ sources, cannot }: AddSourceProps) => {
  const [given, setGiven] = useState<NamedSource>({ repository: 'main', location: '' })
  const noAdministration = useNoAdministration()
  const all = withSource(sources, given)
  const isTyped = given.location !== ''
  const fault = !isTyped
    ? 'Place: is not given yet.'
    : (whyNoSource(given) ?? (all ? undefined : 'Place: is a source of this repository already.'))
  const value = settingOf(all ?? sources)
  return (
    <section aria-labelledby="add">
      <h2 id="add">Add a source</h2>
      <form
        onSubmit={(event) => event.preventDefault()}
        onInput={({ currentTarget }) => {
          const typed = new FormData(currentTarget)
          const text = (name: string) => String(typed.get(name) ?? '').trim()
          setGiven({ repository: text('repository'), location: text('location') })
        }}
      >
        <div class="field">
          <label for="repository">Repository</label>
          <input
            id="repository"
            name="repository"
            required
            defaultValue={given.repository}
            list="repositories"
            autocomplete="off"
            aria-describedby="repository-says"
          />
          <datalist id="repositories">
            {[...new Set(sources.map(({ repository }) => repository))].map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
          <small id="repository-says">
            A name for files that belong together. A file is known by it and by its own name.
          </small>
        </div>
        <div class="field">
          <label for="location">Place</label>
          <input
            id="location"
            name="location"
            required
            placeholder="/srv/warcs"
            autocomplete="off"
            aria-describedby="location-says"
          />
          <small id="location-says">
            A folder that this server can read, or a bucket (<code>s3://bucket/prefix</code>): both with all
            that is below. Or a list of files: its path or its address.
          </small>
        </div>
      </form>
      {isTyped && fault !== undefined && (
        <p class="trouble" role="status">
          {fault}
        </p>
      )}
      <div class="buttons">
        <Act
          verb="Add the source"
          says="Its WARC and ARC files are looked for within seconds, and then every quarter of an hour. Each is read once it has stood still for ten minutes, and never changed; what is in it can then be found and replayed."
          cannot={noAdministration ?? cannot ?? fault}
          act={(by) => giveCommand('settings.set', { setting, value }, by)}
        />
      </div>
      <SameLine line={`fonds settings set ${setting} ${quoted(value || 'main=/srv/warcs')}`} />
    </section>
  )
}

export default Sources

import { Link } from '../../address/use-address.tsx'
import { useAnswer } from '../../api/use-answer.ts'
import { Actor } from '../../parts/actor.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { LogMenu } from './log-menu.tsx'

/** The settings that are the archive's: what the log says, who said it, and what holds in the process that answers. */
const Settings = () => (
  <>
    <h1>Settings</h1>
    <LogMenu />
    <Answer of={useAnswer('/api/v1/settings')}>
      {({ settings, told }, at) => (
        <>
          {told.map((sentence) => (
            <p key={sentence}>
              <State is="needs somebody" words="differs" />: <Name text={sentence} isWhole />
            </p>
          ))}
          <Table
            caption="Settings of the archive"
            none="There is none."
            rows={settings}
            keyOf={({ setting }) => setting}
            columns={[
              {
                title: 'Setting',
                cell: ({ setting, says }) => (
                  <>
                    {setting} <span class="why">{says}</span>
                  </>
                ),
              },
              {
                title: 'In the log',
                cell: ({ value }) =>
                  value === null ? <span class="why">not set</span> : <Name text={String(value)} isWhole />,
              },
              {
                title: 'By',
                cell: ({ actor, reason, at: when }) =>
                  actor === null || when === null ? (
                    ''
                  ) : (
                    <>
                      <Actor text={actor} />: <Name text={reason ?? ''} isWhole /> <Time at={when} />
                    </>
                  ),
              },
              {
                title: 'Here',
                cell: ({ here, from, needsStart }) => (
                  <>
                    {here === null ? <span class="why">not set</span> : <Name text={here} isWhole />} ({from})
                    {needsStart && <State is="needs somebody" words="needs a start" />}
                  </>
                ),
              },
              {
                title: 'Change it',
                cell: ({ setting, value }) => (
                  <>
                    <Link to={`/do/settings.set?setting=${setting}`}>Set</Link>
                    {value !== null && (
                      <>
                        {' '}
                        <Link to={`/do/settings.unset?setting=${setting}`}>Unset</Link>
                      </>
                    )}
                  </>
                ),
              },
            ]}
          />
          <AsOf at={at} />
        </>
      )}
    </Answer>
    <p>
      Settings of a node (where it listens, its roles, threads and folders) are set where it is started, and
      are not among these.
    </p>
  </>
)

export default Settings

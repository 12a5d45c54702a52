import { Link } from '../../address/use-address.tsx'
import { useAnswer } from '../../api/use-answer.ts'
import { Actor } from '../../parts/actor.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { settingAt } from './addresses.ts'
import { LogMenu } from './log-menu.tsx'
import { inGroups } from './setting-groups.ts'
import { type Setting, SettingValue } from './setting-value.tsx'

/** The settings that are the archive's: what the log says, who said it, and what holds in the process that answers. */
const Settings = () => (
  <>
    <h1>Settings</h1>
    <LogMenu />
    <p>
      Each is kept in the log, with who set it and why, and holds for all processes that open this log, unless
      one was started with another value. <Link to="/fixity/reports">Reports by mail</Link> and{' '}
      <Link to="/indexing/sources">sources of archive files</Link> have pages of their own.
    </p>
    <Answer of={useAnswer('/api/v1/settings')}>
      {({ settings, told }, at) => (
        <>
          {told.map((sentence) => (
            <p key={sentence}>
              <State is="needs somebody" words="differs" />: <Name text={sentence} isWhole />
            </p>
          ))}
          {inGroups(settings).map((group) => (
            <Group key={group.title} {...group} />
          ))}
          <AsOf at={at} />
        </>
      )}
    </Answer>
    <p>
      Settings of a node (where it listens, its roles, threads and folders) are set where it is started, and
      are not among these: <code>fonds settings --help</code> lists them.
    </p>
  </>
)

interface GroupProps {
  readonly title: string
  readonly settings: readonly Setting[]
}

const Group = ({ title, settings }: GroupProps) => (
  <Table
    caption={title}
    none="There is none."
    rows={settings}
    keyOf={({ setting }) => setting}
    columns={[
      {
        title: 'Setting',
        cell: ({ setting, says }) => (
          <>
            <Link to={settingAt(setting)}>{setting}</Link> <span class="why">{says}</span>
          </>
        ),
      },
      {
        title: 'Here',
        cell: (one) => (
          <>
            <SettingValue of={one} />
            {one.needsStart && (
              <>
                {' '}
                <State is="needs somebody" words="needs a start" />
              </>
            )}
          </>
        ),
      },
      {
        title: 'Set by',
        cell: ({ actor, reason, at }) =>
          actor === null || at === null ? (
            <span class="why">nobody</span>
          ) : (
            <>
              <Actor text={actor} />: <Name text={reason ?? ''} isWhole />, <Time at={at} />
            </>
          ),
      },
    ]}
  />
)

export default Settings

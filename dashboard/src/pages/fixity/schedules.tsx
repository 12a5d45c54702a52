import { Link } from '../../address/use-address.tsx'
import { useAnswer } from '../../api/use-answer.ts'
import { useNow } from '../../api/use-past.ts'
import { Recipients } from '../../parts/actor.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Command } from '../../parts/command.tsx'
import { Name } from '../../parts/name.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { settingAt } from '../log/addresses.ts'
import { settingHere } from '../log/setting-here.ts'
import { AddSchedule } from './add-schedule.tsx'
import { FixityMenu } from './fixity-menu.tsx'
import { endOf, type Schedule, schedulesIn, scheduleText, settingOf } from './report-schedules.ts'
import { Reports } from './reports.tsx'

const setting = 'reports'
/** Without one of them no mail goes out. */
const mailSettings = ['mailServer', 'mailFrom']

/** Reports that are mailed when a period ends: those that are wanted, one more, and those that were sent. */
const SchedulesPage = () => (
  <>
    <h1>Reports by mail</h1>
    <FixityMenu />
    <Answer of={useAnswer('/api/v1/settings')}>
      {({ settings }) => {
        const { text, startedWith } = settingHere(settings, setting)
        const missing = settings.filter(
          ({ setting: name, value, here }) => mailSettings.includes(name) && value === null && here === null,
        )
        return (
          <Schedules
            key={text}
            schedules={schedulesIn(text)}
            missing={missing.map((one) => one.setting)}
            needsStart={settings.some((one) => one.setting.startsWith('mail') && one.needsStart)}
            cannot={
              startedWith &&
              `This node was started with reports of its own (${startedWith}), which go before those of the log.`
            }
          />
        )
      }}
    </Answer>
    <Reports />
  </>
)

interface SchedulesProps {
  readonly schedules: readonly Schedule[]
  /** Settings of mail that nobody has set. */
  readonly missing: readonly string[]
  /** Whether settings of mail were changed since this process began. */
  readonly needsStart: boolean
  readonly cannot: string | undefined
}

const Schedules = ({ schedules, missing, needsStart, cannot }: SchedulesProps) => {
  const now = useNow()
  return (
    <>
      {missing.length > 0 && (
        <p>
          <State is="needs somebody" words="No mail goes out" />: set{' '}
          {missing.map((name, i) => (
            <>
              {i > 0 && ' and '}
              <Link to={settingAt(name)}>{name}</Link>
            </>
          ))}
          . Reports that fall due until then are sent afterwards.
        </p>
      )}
      {needsStart && (
        <p>
          <State is="needs somebody" words="Mail goes out from the next start on" />: settings of mail were
          changed since this process began.
        </p>
      )}
      <Table
        caption="Reports that are mailed"
        none="No report is mailed yet: add one below."
        rows={schedules}
        keyOf={scheduleText}
        columns={[
          { title: 'How often', cell: ({ period }) => period },
          { title: 'Of', cell: ({ store }) => (store === '' ? 'all stores' : <Name text={store} />) },
          { title: 'To', cell: ({ to }) => <Recipients of={to} /> },
          { title: 'When', cell: ({ isAlways }) => (isAlways ? 'always' : 'only if not all is well') },
          {
            title: 'Next behind',
            cell: ({ period }) => `${endOf(period, now).toISOString().slice(0, 10)} 00:00 UTC`,
          },
          {
            title: 'Change it',
            cell: (one) => (
              <TakeAway one={one} others={schedules.filter((other) => other !== one)} cannot={cannot} />
            ),
          },
        ]}
      />
      <AddSchedule schedules={schedules} cannot={cannot} />
    </>
  )
}

interface TakeAwayProps {
  readonly one: Schedule
  readonly others: readonly Schedule[]
  readonly cannot: string | undefined
}

const TakeAway = ({ one, others, cannot }: TakeAwayProps) => (
  <Command
    verb="Take it away"
    says={`No ${one.period} report of ${one.store || 'all stores'} is mailed to these recipients from now on. Those that were sent stay listed.`}
    cannot={cannot}
    {...(others.length === 0
      ? { name: 'settings.unset', input: { setting } }
      : { name: 'settings.set', input: { setting, value: settingOf(others) } })}
  />
)

export default SchedulesPage

import { matcher, matcherLimits } from '../../../src/processors/matching/matcher.ts'
import { runSubscription } from '../../../src/processors/runtime/leader-subscription.ts'
import { openHome } from '../open-home.ts'

/*
 * A matcher whose appends hold one small event each, so that a change of a few works takes many; it is killed as soon as so
 * many are in the log. `node dies-over-change.ts <home> <appends>`
 */
const [home, appends] = process.argv.slice(2)
const system = await openHome(home!)
let left = Number(appends)
const eventStore: typeof system.eventStore = {
  ...system.eventStore,
  append:
    (stream, ...rest) =>
    async () => {
      const done = await system.eventStore.append(stream, ...rest)()
      if (--left === 0) process.kill(process.pid, 'SIGKILL')
      return done
    },
}
const split = { maxEntries: 2, maxEventBytes: 100_000, maxAppendBytes: 1 }
runSubscription(matcher({ ...system, eventStore }, { ...matcherLimits, split }), {
  ...system,
  eventStore,
  term: { isLeader: () => true, positions: {} },
})

import { beforeEach } from 'vitest'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import type { RunningSubscription } from '../../../src/processors/runtime/leader-subscription.ts'
import { openTestViews } from '../../fakes/views.ts'
import { useFolder } from '../runtime/log.ts'
import { type AssignerWorld, assignerWorld } from './assigner-world.ts'

/** An assigner's world for each test, and the calls that tests make on it; what was started is stopped afterwards. */
export const useAssigner = () => {
  const folder = useFolder()
  let world: AssignerWorld
  let views: ViewStore
  let running: RunningSubscription[]

  beforeEach(() => {
    views = openTestViews(folder.path('views.db'))
    world = assignerWorld(views)
    running = []
    return async () => {
      await Promise.all(running.map((one) => one.stop()))
      views.close()
    }
  })

  const start: AssignerWorld['start'] = (...args) => {
    const started = world.start(...args)
    running.push(started)
    return started
  }
  const many = async (count: number, make: (name: string) => Promise<unknown>, letter: string) => {
    for (let i = 0; i < count; i++) await make(`${letter}${i}`)
  }
  /** So many researchers and waiting items, one clip each, and enough left to do. */
  const situation = async (researchers: number, queued: number) => {
    await world.policy({ maxClips: 1 })
    await many(10, world.clip, 'c')
    await many(3, world.episode, 'e')
    await many(researchers, world.researcher, 'r')
    for (let i = 0; i < queued; i++) await world.grant('e0', `lease-${i}`, [`c${i}`])
  }
  const added = async (before: number): Promise<number> => {
    start()
    await world.settled()
    return (await world.grants()).length - before
  }

  return { now: () => world, views: () => views, start, many, situation, added }
}

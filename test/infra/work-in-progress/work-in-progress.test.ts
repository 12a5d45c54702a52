import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { openWorkInProgress } from '#infra/work-in-progress/work-in-progress.ts'
import { processesOn } from '../../fakes/processes.ts'

let folder: string
let processes: ReturnType<typeof processesOn>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-in-hand-'))
  processes = processesOn(folder)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

const whats = (left: readonly { readonly what: string }[]) => left.map(({ what }) => what).sort()

it('what a process had in hand when it died is left; what it was done with, or another has in hand, is not', () => {
  const [one, other] = [processes.start(), processes.start()]
  const done = one.inHand.take('mail', '1-9')
  one.inHand.take('mail', '10-12')
  one.inHand.take('parcel', 'heavy')
  done()
  other.inHand.take('mail', '13')
  expect(other.inHand.leftOf('mail')).toEqual([])
  one.die()
  expect(other.inHand.locks()).toEqual([one.mark])
  expect(whats(other.inHand.leftOf('mail'))).toEqual(['10-12'])
  expect(whats(other.inHand.leftOf('parcel'))).toEqual(['heavy'])
  expect(other.inHand.leftOf('letters')).toEqual([])
})

it('a place of the file is used again by its kind, by pieces that fit', () => {
  const one = processes.start()
  for (let i = 0; i < 1000; i++) one.inHand.take('mail', `${i}`)()
  const [first, second] = [one.inHand.take('mail', 'a'), one.inHand.take('mail', 'b')]
  second()
  first()
  one.inHand.take('mail', 'c'.repeat(1000))
  one.inHand.take('mail', 'd')
  const lines = readFileSync(join(folder, '1.hand'), 'utf8').trimEnd().split('\n')
  expect(lines).toHaveLength(1 + 3)
  one.die()
  expect(whats(processes.start().inHand.leftOf('mail'))).toEqual(['c'.repeat(1000), 'd'])
})

it('each death is an entry until it is settled; the file goes with the last', () => {
  for (let death = 0; death < 2; death++) {
    const one = processes.start()
    one.inHand.take('mail', '7')
    one.inHand.take('mail', 'é is two bytes in a kind, not in a piece'.slice(2))
    one.inHand.take('Päckchen', '8')
    one.die()
  }
  const { inHand } = processes.start()
  const left = inHand.leftOf('mail').filter(({ what }) => what === '7')
  expect(new Set(left.map(({ id }) => id)).size).toBe(2)
  left[0]!.resolve()
  left[0]!.resolve()
  expect(inHand.leftOf('mail').filter(({ what }) => what === '7')).toHaveLength(1)
  for (const kind of ['mail', 'Päckchen']) for (const one of inHand.leftOf(kind)) one.resolve()
  expect(readdirSync(folder)).toEqual([])
})

it('who ends in order leaves nothing, not even what is still in hand', () => {
  const one = processes.start()
  const release = one.inHand.take('mail', '1')
  one.inHand.close()
  one.die()
  release()
  one.inHand.take('mail', '2')()
  expect(readdirSync(folder)).toEqual([])
})

it('a process that was killed while it stopped in order died of nothing', () => {
  const [one, other] = [processes.start(), processes.start()]
  one.inHand.take('mail', '1')
  one.inHand.close()
  one.inHand.take('mail', '2')
  one.die()
  expect(other.inHand.begin()).toBe(false)
  expect(other.inHand.leftOf('mail')).toEqual([])
})

it('an entry says whether other kinds are left beside it; one that is to blame takes all with it', () => {
  const one = processes.start()
  one.inHand.take('mail', '1')
  one.inHand.take('mail', '2')
  one.inHand.take('parcel', '3')
  one.die()
  const { inHand } = processes.start()
  const [first, second] = inHand.leftOf('mail')
  expect(first).toMatchObject({ hasOtherKinds: true })
  for (const parcel of inHand.leftOf('parcel')) parcel.resolve()
  expect(inHand.leftOf('mail')).toMatchObject([{ hasOtherKinds: false }, { hasOtherKinds: false }])
  second!.blame()
  expect(inHand.leftOf('mail')).toEqual([])
  first!.resolve()
  first!.blame()
})

it('files of processes that died with empty hands go with the next start, and what nobody settled after a week', () => {
  const [empty, forgotten, fresh, living] = [1, 2, 3, 4].map(() => processes.start())
  empty!.inHand.take('mail', '1')()
  forgotten!.inHand.take('mail', '2')
  fresh!.inHand.take('mail', '3')
  living!.inHand.take('mail', '4')()
  for (const one of [empty, forgotten, fresh]) one!.die()
  const longAgo = new Date(Date.now() - 8 * 86_400_000)
  for (const file of ['2.hand', '4.hand']) utimesSync(join(folder, file), longAgo, longAgo)
  processes.start().inHand.take('mail', '5')
  expect(readdirSync(folder).sort()).toEqual(['3.died', '4.hand', '5.hand'])
})

it('of a process that died with empty hands the lock stays the proof, for the next that begins', () => {
  const [one, other] = [processes.start(), processes.start()]
  one.inHand.take('mail', '1')()
  other.inHand.begin()
  one.die()
  expect(other.inHand.locks()).toEqual([one.mark])
  expect(processes.start().inHand.begin()).toBe(true)
})

it('a death that was found out is known for ever, one that nobody has seen is not once the machine was booted anew', () => {
  const [seen, unseen] = [processes.start(), processes.start()]
  seen.inHand.take('mail', '1')
  seen.die()
  const { inHand } = processes.start()
  expect(whats(inHand.leftOf('mail'))).toEqual(['1'])
  expect(inHand.locks()).toEqual([])
  unseen.inHand.take('mail', '2')
  unseen.die()
  processes.bootAnew()
  const next = processes.start().inHand
  expect(whats(next.leftOf('mail'))).toEqual(['1'])
  expect(next.begin()).toBe(true)
  const [left] = next.leftOf('mail')
  left!.resolve()
  expect(next.leftOf('mail')).toEqual([])
})

it('two that find a death out at once both know of it', () => {
  const one = processes.start()
  one.inHand.take('mail', '1')
  one.die()
  const [two, three] = [processes.start().inHand, processes.start().inHand]
  const [left] = two.leftOf('mail')
  const [same] = three.leftOf('mail')
  expect(same).toMatchObject({ id: left!.id, file: left!.file })
  left!.resolve()
  same!.resolve()
  expect(three.leftOf('mail')).toEqual([])
})

it('what stays is kept until somebody settles it, however old', () => {
  const one = processes.start(['question'])
  one.inHand.take('question', '1')
  one.die()
  const longAgo = new Date(Date.now() - 800 * 86_400_000)
  utimesSync(join(folder, '1.hand'), longAgo, longAgo)
  const { inHand } = processes.start(['question'])
  inHand.begin()
  processes.start(['question']).inHand.begin()
  expect(whats(inHand.leftOf('question'))).toEqual(['1'])
})

it('what stays is forgotten after a week where another kind was left beside it, of which nobody knows', () => {
  const one = processes.start(['question'])
  one.inHand.take('question', '1')
  one.inHand.take('mail', '2')
  one.die()
  const longAgo = new Date(Date.now() - 8 * 86_400_000)
  utimesSync(join(folder, '1.hand'), longAgo, longAgo)
  const { inHand } = processes.start(['question'])
  inHand.begin()
  expect(inHand.leftOf('question')).toEqual([])
})

it('a process that begins knows whether one died before, with empty hands, too; of those that live or ended in order nobody died', () => {
  const [one, other] = [processes.start(), processes.start()]
  expect([one.inHand.begin(), other.inHand.begin()]).toEqual([false, false])
  one.inHand.close()
  expect(processes.start().inHand.begin()).toBe(false)
  other.die()
  const next = processes.start()
  next.inHand.take('mail', '1')
  expect([next.inHand.begin(), next.inHand.begin()]).toEqual([true, true])
  expect(processes.start().inHand.begin()).toBe(false)
})

it('a file that was not written to the end, or is none of ours, is passed over', () => {
  const [one, two] = [processes.start(), processes.start()]
  one.inHand.take('mail', '1')
  two.inHand.take('mail', '2')
  one.die()
  two.die()
  truncateSync(join(folder, '2.hand'), 10)
  writeFileSync(join(folder, 'other.hand'), '{}\nmail\t9\n')
  expect(whats(processes.start().inHand.leftOf('mail'))).toEqual(['1'])
})

it('what is not kept holds nothing up: no lock that proves an end, or a folder that takes nothing', () => {
  const without = openWorkInProgress(folder, { mark: () => undefined, hasEnded: () => false })
  without.take('mail', '1')()
  const nowhere = processesOn(join(folder, 'no-such')).start().inHand
  nowhere.take('mail', '1')()
  expect(nowhere.leftOf('mail')).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

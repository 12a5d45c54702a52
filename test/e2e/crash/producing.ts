import { writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { isLeft } from 'fp-ts/lib/Either.js'
import { openHome } from '../open-home.ts'
import { messageOf } from './traffic.ts'

/*
 * Sends the messages from one number on, and says of each where it was put once that was acknowledged. A careful
 * producer: what was not acknowledged is sent again, so it starts where the one before it was killed, and a little
 * before. Arguments: the home, the first number, the number behind the last one, settings as JSON.
 */
const [home, from, to, settings = '{}'] = process.argv.slice(2)
const { broker } = await openHome(home!, JSON.parse(settings))
const messages = Number(to)

for (let n = Number(from); n < messages; ) {
  const numbers = Array.from({ length: Math.min(1 + (n % 300), messages - n) }, (_, i) => n + i)
  const placed = await broker.produce(
    numbers.map((each) => messageOf(each, new Date().toISOString()).record),
  )()
  if (isLeft(placed)) {
    writeSync(2, `${JSON.stringify(placed.left)}\n`)
    continue
  }
  const lines = placed.right.map(
    ({ topic, partition, offset }, i) => `${numbers[i]} ${topic}/${partition}/${offset}\n`,
  )
  writeSync(1, lines.join(''))
  n += numbers.length
  await setTimeout(n % 400)
}
process.exit(0)
